// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/numeric/float_format.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::numeric {
namespace {

/// The value of a binary16 by its definition.
double f16Definition(std::uint32_t h)
{
    const double sign = (h & 0x8000U) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>((h >> 10) & 31U);
    const int fraction = static_cast<int>(h & 1023U);
    if (exponent == 31) {
        return fraction != 0 ? NAN : sign * HUGE_VAL;
    }
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(F16, EveryValueWidensExactlyAndComesBack)
{
    for (std::uint32_t h = 0; h <= 0xffffU; ++h) {
        const float x = f16ToFloat(static_cast<std::uint16_t>(h));
        const double truth = f16Definition(h);
        if (std::isnan(truth)) {
            EXPECT_TRUE(std::isnan(x));
            EXPECT_EQ(floatToF16(x), 0x7e00U);
            continue;
        }
        EXPECT_EQ(static_cast<double>(x), truth);
        EXPECT_EQ(std::signbit(x), (h & 0x8000U) != 0);
        EXPECT_EQ(floatToF16(x), h);
    }
}

TEST(F16, NarrowsToNearestTiesToEven)
{
    // Between each pair of neighbours: the midpoint goes to the even one, its sides to the nearer.
    for (std::uint32_t h = 0; h < 0x7bffU; ++h) {
        const double low = f16Definition(h);
        const double high = f16Definition(h + 1);
        const auto middle = static_cast<float>((low + high) / 2.0); // exact
        const auto even = static_cast<std::uint16_t>((h & 1U) == 0 ? h : h + 1);
        EXPECT_EQ(floatToF16(middle), even);
        EXPECT_EQ(floatToF16(std::nextafter(middle, 0.0F)), h);
        EXPECT_EQ(floatToF16(std::nextafter(middle, 1e6F)), h + 1);
        EXPECT_EQ(floatToF16(-middle), even | 0x8000U);
    }
    EXPECT_EQ(floatToF16(65519.996F), 0x7bffU);
    EXPECT_EQ(floatToF16(65520.0F), 0x7c00U);
    EXPECT_EQ(floatToF16(std::numeric_limits<float>::infinity()), 0x7c00U);
    EXPECT_EQ(floatToF16(-1e30F), 0xfc00U);
    EXPECT_EQ(floatToF16(1e-45F), 0U);
    EXPECT_EQ(floatToF16(-1e-45F), 0x8000U);
}

TEST(Bf16, EveryValueComesBackAndTiesGoToEven)
{
    for (std::uint32_t h = 0; h <= 0xffffU; ++h) {
        const float x = bf16ToFloat(static_cast<std::uint16_t>(h));
        EXPECT_EQ(bitsOf(x), h << 16);
        EXPECT_EQ(floatToBf16(x), std::isnan(x) ? 0x7fc0U : h);
    }
    for (std::uint32_t h = 0; h < 0x7f80U; ++h) {
        const float middle = floatOf((h << 16) | 0x8000U);
        const std::uint32_t even = (h & 1U) == 0 ? h : h + 1;
        EXPECT_EQ(floatToBf16(middle), even);
        EXPECT_EQ(floatToBf16(floatOf(bitsOf(middle) - 1)), h);
        EXPECT_EQ(floatToBf16(floatOf(bitsOf(middle) + 1)), h + 1);
        EXPECT_EQ(floatToBf16(-middle), even | 0x8000U);
    }
    // the largest float rounds up to infinity
    EXPECT_EQ(floatToBf16(std::numeric_limits<float>::max()), 0x7f80U);
}

TEST(RoundTo, GivesTheCanonicalNan)
{
    for (const std::uint32_t nan : {0x7f800001U, 0xff923456U, 0x7fffffffU}) {
        EXPECT_EQ(bitsOf(roundToBf16(floatOf(nan))), kCanonicalNanBits);
        EXPECT_EQ(bitsOf(roundToF16(floatOf(nan))), kCanonicalNanBits);
        EXPECT_EQ(bitsOf(canonicalNan(floatOf(nan))), kCanonicalNanBits);
    }
    EXPECT_EQ(canonicalNan(1.5F), 1.5F);
}

} // namespace
} // namespace ulp::numeric
