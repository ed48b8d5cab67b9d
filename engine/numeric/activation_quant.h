// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the contract turns 32 activations into int8: the scalar definition that every vector version
// must repeat bit for bit. Thread-safety: pure functions. Ownership: the caller's buffers.
#pragma once

#include <cstdint>

#include "engine/numeric/host_device.h"

namespace ulp::numeric {

inline constexpr int kQuantBlock = 32;
/// A block whose largest magnitude is below this counts as zero: 127 / amax would overflow.
inline constexpr float kSmallestAmax = 0x1p-110F;

/// x: [32] -> q: [32], scale and the sum of q.
///   amax = max |x|; scale = rn(amax / 127); inverse = rn(127 / amax)
///   q = rn(x * inverse), rounded to an integer, ties to even, clamped to +-127
/// A zero block (amax < 2^-110) has scale 0 and q 0. A block that holds NaN or infinity has scale
/// NaN and q 0: every output it enters is NaN.
ULP_HOST_DEVICE void quantiseBlock(const float* x, std::int8_t* q, float* scale, std::int32_t* sum)
{
    // Magnitudes compare as integers, with infinity and NaN above all numbers.
    std::uint32_t largest = 0;
    for (int i = 0; i < kQuantBlock; ++i) {
        const std::uint32_t magnitude = bitsOf(x[i]) & 0x7fffffffU;
        largest = magnitude > largest ? magnitude : largest;
    }
    const float amax = floatOf(largest);
    const bool finite = isFinite(amax);
    const bool zero = amax < kSmallestAmax;
    *scale = !finite ? floatOf(kCanonicalNanBits) : (zero ? 0.0F : amax / 127.0F);
    *sum = 0;
    const float inverse = zero || !finite ? 0.0F : 127.0F / amax;
    for (int i = 0; i < kQuantBlock; ++i) {
        const float scaled = finite ? x[i] * inverse : 0.0F;
        const float clamped = scaled > 127.0F ? 127.0F : (scaled < -127.0F ? -127.0F : scaled);
        // Adding and taking away 1.5 * 2^23 rounds to an integer, ties to even.
        const float rounded = (clamped + 12582912.0F) - 12582912.0F;
        q[i] = static_cast<std::int8_t>(rounded);
        *sum += q[i];
    }
}

} // namespace ulp::numeric
