// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// AVX2 products with formats whose block is one group of 32 elements.
#include "engine/kernels/cpu/avx2/matmul_quantised.h"
#include "engine/kernels/cpu/avx2/matmul_select.h"

namespace ulp::kernels {

WeightKernel selectSmallAvx2(WeightType type, std::int64_t tiles)
{
    switch (type) {
    case WeightType::Q8_0:
        return selectQuantised<WeightType::Q8_0>(tiles);
    case WeightType::Q4_0:
        return selectQuantised<WeightType::Q4_0>(tiles);
    case WeightType::Q4_1:
        return selectQuantised<WeightType::Q4_1>(tiles);
    case WeightType::Q5_0:
        return selectQuantised<WeightType::Q5_0>(tiles);
    case WeightType::Q5_1:
        return selectQuantised<WeightType::Q5_1>(tiles);
    case WeightType::Iq4Nl:
        return selectQuantised<WeightType::Iq4Nl>(tiles);
    case WeightType::Mxfp4:
        return selectQuantised<WeightType::Mxfp4>(tiles);
    default:
        return {};
    }
}

} // namespace ulp::kernels
