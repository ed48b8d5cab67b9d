// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// AVX-512 products with formats whose block is one group of 32 elements.
#include "engine/kernels/cpu/avx512/matmul_quantised.h"
#include "engine/kernels/cpu/avx512/matmul_select.h"

namespace ulp::kernels {

WeightKernel selectSmallAvx512(WeightType type, std::int64_t tiles)
{
    WeightKernel kernel;
    numeric::visitQuantised(type, [&]<WeightType T>() {
        if constexpr (numeric::BlockTraits<T>::kElements == numeric::kGroup) {
            kernel = selectQuantised<T>(tiles);
        }
    });
    return kernel;
}

} // namespace ulp::kernels
