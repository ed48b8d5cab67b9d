// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/avx512/ops_vec16.h"
#include "engine/kernels/cpu/ops_attention_body.h"

namespace ulp::kernels {

const OpsKernels& opsAvx512()
{
    static constexpr OpsKernels kTable = body::tableOf<avx512::Vec16>();
    return kTable;
}

} // namespace ulp::kernels
