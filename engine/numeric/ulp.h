// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distances in units in the last place: how many float32 values lie between two. Two zeros of
// different sign are 0 apart in value although their bits differ (count bits apart with sameBits);
// a NaN is as far as can be from every number, and 0 from another NaN.
// Thread-safety: pure functions.
#pragma once

#include "engine/numeric/host_device.h"

namespace ulp::numeric {

inline constexpr std::uint32_t kUlpsToNan = 0xffffffffU;

/// Maps float32 to integers that are ordered as the values are and differ by one between
/// neighbours; both zeros map to 0. Not for NaN.
ULP_HOST_DEVICE std::int32_t orderedInteger(float x)
{
    const std::uint32_t bits = bitsOf(x);
    const auto magnitude = static_cast<std::int32_t>(bits & 0x7fffffffU);
    return (bits >> 31) != 0 ? -magnitude : magnitude;
}

ULP_HOST_DEVICE bool sameBits(float a, float b)
{
    return bitsOf(a) == bitsOf(b);
}

/// Steps between a and b; infinity is the neighbour of the largest finite value.
ULP_HOST_DEVICE std::uint32_t ulpDistance(float a, float b)
{
    if (isNan(a) || isNan(b)) {
        return isNan(a) && isNan(b) ? 0U : kUlpsToNan;
    }
    const std::int64_t difference =
        static_cast<std::int64_t>(orderedInteger(a)) - static_cast<std::int64_t>(orderedInteger(b));
    return static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
}

/// x moved by n steps towards +infinity (n > 0) or -infinity (n < 0), stopping at the infinities.
/// A NaN stays as it is.
ULP_HOST_DEVICE float moveUlps(float x, std::int32_t n)
{
    if (isNan(x) || n == 0) {
        return x;
    }
    const std::int64_t limit = 0x7f800000;
    std::int64_t moved = static_cast<std::int64_t>(orderedInteger(x)) + n;
    moved = moved > limit ? limit : moved;
    moved = moved < -limit ? -limit : moved;
    return moved < 0 ? floatOf(static_cast<std::uint32_t>(-moved) | 0x80000000U)
                     : floatOf(static_cast<std::uint32_t>(moved));
}

} // namespace ulp::numeric
