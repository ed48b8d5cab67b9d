// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/ops_attention_body.h"
#include "engine/kernels/cpu/portable/ops_vec16.h"

namespace ulp::kernels {

const OpsKernels& opsPortable()
{
    static constexpr OpsKernels kTable = body::tableOf<portable::Vec16>();
    return kTable;
}

} // namespace ulp::kernels
