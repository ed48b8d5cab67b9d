// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// AVX-512 products with formats whose block is 256 elements.
#include "engine/kernels/cpu/avx512/matmul_quantised.h"
#include "engine/kernels/cpu/avx512/matmul_select.h"

namespace ulp::kernels {

WeightKernel selectSuperAvx512(WeightType type, std::int64_t tiles)
{
    switch (type) {
    case WeightType::Q2_K:
        return selectQuantised<WeightType::Q2_K>(tiles);
    case WeightType::Q3_K:
        return selectQuantised<WeightType::Q3_K>(tiles);
    case WeightType::Q4_K:
        return selectQuantised<WeightType::Q4_K>(tiles);
    case WeightType::Q5_K:
        return selectQuantised<WeightType::Q5_K>(tiles);
    case WeightType::Q6_K:
        return selectQuantised<WeightType::Q6_K>(tiles);
    case WeightType::Iq4Xs:
        return selectQuantised<WeightType::Iq4Xs>(tiles);
    default:
        return {};
    }
}

} // namespace ulp::kernels
