// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All block formats of weights, and the way from a format known at run time to its traits.
// Thread-safety: pure functions. Ownership: views of the caller's bytes.
#pragma once

#include "engine/numeric/quant_blocks_small.h"
#include "engine/numeric/quant_blocks_super.h"

namespace ulp::numeric {

/// Calls f.template operator()<T>() for the block format `type`; false for a float format.
template <typename F>
constexpr bool visitQuantised(WeightType type, F&& f)
{
    switch (type) {
#define ULP_VISIT(T)                                                                               \
    case WeightType::T:                                                                            \
        f.template operator()<WeightType::T>();                                                    \
        return true;
        ULP_VISIT(Q8_0)
        ULP_VISIT(Q4_0)
        ULP_VISIT(Q4_1)
        ULP_VISIT(Q5_0)
        ULP_VISIT(Q5_1)
        ULP_VISIT(Q2_K)
        ULP_VISIT(Q3_K)
        ULP_VISIT(Q4_K)
        ULP_VISIT(Q5_K)
        ULP_VISIT(Q6_K)
        ULP_VISIT(Iq4Nl)
        ULP_VISIT(Iq4Xs)
        ULP_VISIT(Mxfp4)
#undef ULP_VISIT
    case WeightType::F32:
    case WeightType::F16:
    case WeightType::Bf16:
        break;
    }
    return false;
}

} // namespace ulp::numeric
