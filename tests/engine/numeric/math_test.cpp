// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/numeric/math.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/numeric/ulp.h"

namespace ulp::numeric {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// |value - truth| in units of float32's last place at the truth.
double errorInUlps(float value, long double truth)
{
    const auto nearest = static_cast<float>(truth);
    if (!std::isfinite(nearest) || !std::isfinite(value)) {
        return nearest == value ? 0.0 : HUGE_VAL;
    }
    int exponent = 0;
    std::frexp(truth, &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent, -125) - 24);
    return static_cast<double>(std::fabs(static_cast<long double>(value) - truth) / unit);
}

/// The largest error of f over every `step`th float32 from `low` to `high` (same sign).
template <typename F, typename G>
double worstError(F f, G truth, float low, float high, std::uint32_t step)
{
    double worst = 0.0;
    const std::int64_t first = orderedInteger(low);
    const std::int64_t last = orderedInteger(high);
    for (std::int64_t i = first; i <= last; i += step) {
        const float x = i < 0 ? floatOf(static_cast<std::uint32_t>(-i) | 0x80000000U)
                              : floatOf(static_cast<std::uint32_t>(i));
        worst = std::max(worst, errorInUlps(f(x), truth(static_cast<long double>(x))));
    }
    return worst;
}

long double expTruth(long double x)
{
    return std::exp(x);
}
long double siluTruth(long double x)
{
    return x / (1.0L + std::exp(-x));
}
long double tanhTruth(long double x)
{
    return std::tanh(x);
}

TEST(Exp, StaysWithinItsDocumentedError)
{
    const auto f = [](float x) { return expFloat(x); };
    EXPECT_LE(worstError(f, expTruth, -103.9F, 88.7228F, 1511), 1.02);
    // every float around the range reduction's worst arguments, k * ln2 / 2
    for (int k = -40; k <= 40; ++k) {
        const auto edge = static_cast<float>(k * 0.34657359027997265L);
        EXPECT_LE(worstError(f, expTruth, moveUlps(edge, -500), moveUlps(edge, 500), 1), 1.02);
    }
}

TEST(Exp, IsRightAtTheExtremes)
{
    EXPECT_TRUE(sameBits(expFloat(0.0F), 1.0F));
    EXPECT_TRUE(sameBits(expFloat(-0.0F), 1.0F));
    EXPECT_TRUE(sameBits(expFloat(-kInf), 0.0F));
    EXPECT_TRUE(sameBits(expFloat(-1e30F), 0.0F));
    EXPECT_TRUE(sameBits(expFloat(-104.0F), 0.0F));
    EXPECT_EQ(expFloat(kInf), kInf);
    EXPECT_EQ(expFloat(3e38F), kInf);
    EXPECT_EQ(expFloat(88.7229F), kInf);
    EXPECT_TRUE(std::isfinite(expFloat(88.7228F)));
    EXPECT_TRUE(std::isnan(expFloat(kNan)));
    EXPECT_TRUE(std::isnan(expFloat(-kNan)));
    // subnormal results are there, and rounded once
    EXPECT_EQ(expFloat(-103.2F), 0x1p-149F);
    EXPECT_EQ(bitsOf(expFloat(-90.0F)), bitsOf(static_cast<float>(std::exp(-90.0L))));
}

TEST(Silu, StaysWithinItsDocumentedError)
{
    const auto f = [](float x) { return siluFloat(x); };
    EXPECT_LE(worstError(f, siluTruth, -87.0F, -1e-30F, 1511), 2.41);
    EXPECT_LE(worstError(f, siluTruth, 1e-30F, 3e38F, 1511), 1.5);
    EXPECT_TRUE(sameBits(siluFloat(-0.0F), -0.0F));
    EXPECT_TRUE(sameBits(siluFloat(-200.0F), -0.0F));
    EXPECT_EQ(siluFloat(200.0F), 200.0F);
    EXPECT_TRUE(std::isnan(siluFloat(-kInf)));
    EXPECT_TRUE(std::isnan(siluFloat(kNan)));
}

TEST(Tanh, StaysWithinItsDocumentedError)
{
    const auto f = [](float x) { return tanhFloat(x); };
    EXPECT_LE(worstError(f, tanhTruth, -100.0F, -1e-38F, 1511), 1.34);
    EXPECT_LE(worstError(f, tanhTruth, 1e-38F, 100.0F, 1511), 1.34);
    EXPECT_EQ(tanhFloat(kInf), 1.0F);
    EXPECT_EQ(tanhFloat(-kInf), -1.0F);
    EXPECT_TRUE(sameBits(tanhFloat(-0.0F), -0.0F));
    EXPECT_TRUE(std::isnan(tanhFloat(kNan)));
}

TEST(SinCosDouble, RoundsToTheNearestFloatNearlyAlways)
{
    double worst = 0.0;
    std::uint64_t state = 12345;
    for (int i = 0; i < 400000; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const double fraction = static_cast<double>(state >> 11) * 0x1p-53;
        const double range = (i % 4 == 0) ? 1.0 : (i % 4 == 1 ? 1000.0 : 1048576.0);
        const double angle = (2.0 * fraction - 1.0) * range;
        const SinCos both = sinCos(angle);
        worst = std::max(worst, errorInUlps(static_cast<float>(both.sin),
                                            std::sin(static_cast<long double>(angle))));
        worst = std::max(worst, errorInUlps(static_cast<float>(both.cos),
                                            std::cos(static_cast<long double>(angle))));
    }
    EXPECT_LE(worst, 0.50001);
}

TEST(SinCosDouble, KnowsTheQuadrants)
{
    for (int n = -9; n <= 9; ++n) {
        const double angle = n * 1.5707963267948966;
        EXPECT_NEAR(sinCos(angle).sin, std::sin(angle), 1e-15) << n;
        EXPECT_NEAR(sinCos(angle).cos, std::cos(angle), 1e-15) << n;
    }
    EXPECT_EQ(sinCos(0.0).sin, 0.0);
    EXPECT_EQ(sinCos(0.0).cos, 1.0);
}

TEST(PowDouble, IsCloseToTheTruth)
{
    double worst = 0.0;
    for (const double base : {10000.0, 500000.0, 1e6, 10000000.0, 2.0, 0.37}) {
        for (int i = 0; i < 128; ++i) {
            const double exponent = -(2.0 * i / 256.0);
            const long double truth =
                std::pow(static_cast<long double>(base), static_cast<long double>(exponent));
            const double value = powDouble(base, exponent);
            worst = std::max(worst, static_cast<double>(std::fabs((value - truth) / truth)));
        }
        EXPECT_EQ(powDouble(base, 0.0), 1.0);
    }
    EXPECT_LE(worst, 2.5e-15);
    EXPECT_NEAR(logDouble(1.0), 0.0, 0.0);
    EXPECT_NEAR(logDouble(1e-300), std::log(1e-300), 2e-13);
}

} // namespace
} // namespace ulp::numeric
