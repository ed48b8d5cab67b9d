// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which bytes of a block of weights are float16 fields, for tests that make blocks of random bytes:
// those must be numbers, all others may be anything. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/numeric/weight_type.h"

namespace ulp::test {

struct HalfField {
    std::size_t offset;
    bool minimum; // or else a scale
};

inline std::vector<HalfField> halfFields(numeric::WeightType type)
{
    using numeric::WeightType;
    switch (type) {
    case WeightType::Q8_0:
    case WeightType::Q4_0:
    case WeightType::Q5_0:
    case WeightType::Iq4Nl:
    case WeightType::Iq4Xs:
        return {{0, false}};
    case WeightType::Q4_1:
    case WeightType::Q5_1:
    case WeightType::Q4_K:
    case WeightType::Q5_K:
        return {{0, false}, {2, true}};
    case WeightType::Q2_K:
        return {{80, false}, {82, true}};
    case WeightType::Q3_K:
        return {{108, false}};
    case WeightType::Q6_K:
        return {{208, false}};
    case WeightType::F32:
    case WeightType::F16:
    case WeightType::Bf16:
    case WeightType::Mxfp4: // its scale is a byte of exponent
        break;
    }
    return {};
}

/// The largest integer that a weight's scale is multiplied by, about: to make weights of unit size.
inline float largestInteger(numeric::WeightType type)
{
    using numeric::WeightType;
    switch (type) {
    case WeightType::Q8_0:
    case WeightType::Iq4Nl:
        return 127.0F;
    case WeightType::Q4_0:
    case WeightType::Q4_1:
        return 8.0F;
    case WeightType::Q5_0:
    case WeightType::Q5_1:
        return 16.0F;
    case WeightType::Q2_K:
        return 3.0F * 15.0F;
    case WeightType::Q3_K:
        return 4.0F * 32.0F;
    case WeightType::Q4_K:
        return 15.0F * 63.0F;
    case WeightType::Q5_K:
        return 31.0F * 63.0F;
    case WeightType::Q6_K:
        return 32.0F * 128.0F;
    case WeightType::Iq4Xs:
        return 127.0F * 32.0F;
    default:
        return 1.0F;
    }
}

} // namespace ulp::test
