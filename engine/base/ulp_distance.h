// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distance of two float32 values in units in the last place: how many representable values lie
// between them. Thread-safety: pure functions. Ownership: none.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace ulp {

/// Maps a float's bits to integers that ascend with the value; -0 and +0 are both 0.
[[nodiscard]] constexpr std::int64_t ulpOrder(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto size = static_cast<std::int64_t>(bits & 0x7fffffffU);
    return (bits >> 31U) != 0 ? -size : size;
}

/// 0 for equal bits and for -0 against +0; UINT32_MAX when either is NaN and the bits differ.
[[nodiscard]] constexpr std::uint32_t ulpDistance(float a, float b)
{
    if (std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b)) {
        return 0;
    }
    if (a != a || b != b) {
        return std::numeric_limits<std::uint32_t>::max();
    }
    const std::int64_t distance = ulpOrder(a) - ulpOrder(b);
    // At most 2 * 0x7f800000 (infinity against minus infinity): fits.
    return static_cast<std::uint32_t>(distance < 0 ? -distance : distance);
}

} // namespace ulp
