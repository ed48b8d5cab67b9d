// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Conversions between float32 and the 16-bit formats bfloat16 and IEEE binary16, by integer
// arithmetic: exact towards float32, to nearest with ties to even towards 16 bits, with subnormals
// and infinities. A NaN becomes the format's canonical quiet NaN when narrowed; widened it keeps
// sign and payload and becomes quiet, as the F16C instructions do.
// Thread-safety: pure functions.
#pragma once

#include "engine/numeric/host_device.h"

namespace ulp::numeric {

ULP_HOST_DEVICE float bf16ToFloat(std::uint16_t h)
{
    return floatOf(static_cast<std::uint32_t>(h) << 16);
}

ULP_HOST_DEVICE std::uint16_t floatToBf16(float x)
{
    const std::uint32_t bits = bitsOf(x);
    if (isNan(x)) {
        return 0x7fc0U;
    }
    // Adding half a unit (less one unless the kept part is odd) carries exactly when rounding up.
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

ULP_HOST_DEVICE float f16ToFloat(std::uint16_t h)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000U) << 16;
    const std::uint32_t exponent = (h >> 10) & 0x1fU;
    const std::uint32_t fraction = h & 0x3ffU;
    if (exponent == 0x1fU) {
        const std::uint32_t quiet = fraction != 0 ? 0x00400000U : 0U;
        return floatOf(sign | 0x7f800000U | quiet | (fraction << 13));
    }
    if (exponent == 0) {
        // fraction * 2^-24, exact in float32
        return floatOf(sign | bitsOf(static_cast<float>(fraction) * 0x1p-24F));
    }
    return floatOf(sign | ((exponent + 112U) << 23) | (fraction << 13));
}

ULP_HOST_DEVICE std::uint16_t floatToF16(float x)
{
    const std::uint32_t bits = bitsOf(x);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U) {
        return 0x7e00U;
    }
    if (magnitude >= 0x477ff000U) { // 65520 and above round to infinity
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    }
    if (magnitude >= 0x38800000U) { // normal in binary16: 2^-14 and above
        const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
        return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
    }
    if (magnitude < 0x33000000U) { // below 2^-25: zero
        return static_cast<std::uint16_t>(sign);
    }
    // Subnormal: the significand in units of 2^-24, with the bits shifted out deciding.
    const std::uint32_t shift = 126U - (magnitude >> 23);
    const std::uint32_t significand = (magnitude & 0x7fffffU) | 0x800000U;
    const std::uint32_t kept = significand >> shift;
    const std::uint32_t rest = significand & ((1U << shift) - 1U);
    const std::uint32_t half = 1U << (shift - 1U);
    const std::uint32_t up = (rest > half || (rest == half && (kept & 1U) != 0)) ? 1U : 0U;
    return static_cast<std::uint16_t>(sign | (kept + up));
}

/// x rounded to bfloat16 and back; NaN becomes the canonical NaN.
ULP_HOST_DEVICE float roundToBf16(float x)
{
    return bf16ToFloat(floatToBf16(x));
}

/// x rounded to binary16 and back; NaN becomes the canonical NaN.
ULP_HOST_DEVICE float roundToF16(float x)
{
    return f16ToFloat(floatToF16(x));
}

} // namespace ulp::numeric
