// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The AVX-512 kernels of block formats, by the size of their block; see IsaKernels::select.
// Thread-safety: pure functions.
#pragma once

#include "engine/kernels/matmul_kernels.h"

namespace ulp::kernels {

[[nodiscard]] WeightKernel selectSmallAvx512(numeric::WeightType type, std::int64_t tiles);
[[nodiscard]] WeightKernel selectSuperAvx512(numeric::WeightType type, std::int64_t tiles);

} // namespace ulp::kernels
