// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The wide accumulator against rational arithmetic (tests/data/make_exact_sums.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

#include "engine/numeric/host_device.h"
#include "engine/numeric/wide_sum.h"

namespace ulp::numeric {
namespace {

using Pair = std::pair<float, float>;

struct Case {
    std::uint32_t expected = 0;
    std::vector<Pair> pairs;
};

std::vector<Case> readCases()
{
    std::ifstream in(ULP_TEST_DATA_DIR "/exact_sums.txt");
    std::vector<Case> cases;
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        Case c;
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        words >> std::hex >> c.expected;
        while (words >> a >> b) {
            c.pairs.emplace_back(floatOf(a), floatOf(b));
        }
        cases.push_back(std::move(c));
    }
    return cases;
}

float sumOf(const std::vector<Pair>& pairs)
{
    WideSum sum;
    for (const auto& [a, b] : pairs) {
        sum.addProduct(a, b);
    }
    return sum.value();
}

TEST(WideSum, AgreesWithRationalArithmetic)
{
    const auto cases = readCases();
    ASSERT_GT(cases.size(), 200U);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(bitsOf(sumOf(cases[i].pairs)), cases[i].expected) << "line " << i + 1;
    }
}

TEST(WideSum, HasNoOrder)
{
    std::mt19937 random(3);
    int plainDiffers = 0;
    for (Case& c : readCases()) {
        float plain = 0.0F;
        for (const auto& [a, b] : c.pairs) {
            plain += a * b;
        }
        plainDiffers += bitsOf(plain) != c.expected ? 1 : 0;
        for (int i = 0; i < 5; ++i) {
            std::shuffle(c.pairs.begin(), c.pairs.end(), random);
            EXPECT_EQ(bitsOf(sumOf(c.pairs)), c.expected);
        }
    }
    EXPECT_GT(plainDiffers, 50); // the control: these sums do depend on how they are formed
}

TEST(WideSum, InfinityAndNan)
{
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = floatOf(0xffc12345U);
    EXPECT_EQ(sumOf({{inf, 2.0F}, {3.0e38F, -3.0e38F}}), inf);
    EXPECT_EQ(sumOf({{1.0F, 2.0F}, {inf, -2.0F}}), -inf);
    EXPECT_EQ(bitsOf(sumOf({{inf, 1.0F}, {-inf, 1.0F}})), kCanonicalNanBits);
    EXPECT_EQ(bitsOf(sumOf({{inf, 0.0F}})), kCanonicalNanBits);
    EXPECT_EQ(bitsOf(sumOf({{nan, 1.0F}, {inf, 1.0F}})), kCanonicalNanBits);
    EXPECT_EQ(bitsOf(WideSum().value()), 0U);
}

TEST(WideSum, ScaledIntegersAreOddAndExact)
{
    EXPECT_EQ(scaledInteger(0.0F).significand, 0);
    EXPECT_EQ(scaledInteger(-1.0F).significand, -1);
    EXPECT_EQ(scaledInteger(-1.0F).exponent, 0);
    EXPECT_EQ(scaledInteger(floatOf(1)).significand, 1);
    EXPECT_EQ(scaledInteger(floatOf(1)).exponent, -149);
    EXPECT_EQ(scaledInteger(floatOf(6)).significand, 3);
    EXPECT_EQ(scaledInteger(floatOf(6)).exponent, -148);
    EXPECT_EQ(scaledInteger(0x1.8p100F).significand, 3);
    EXPECT_EQ(scaledInteger(0x1.8p100F).exponent, 99);
}

TEST(WideSum, ManyLargeTerms)
{
    // Each fills the digits it touches, and the total is known.
    WideSum sum;
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < 1 << 16; ++i) {
        sum.add(largest, -63);
        sum.add(-largest, -63);
        sum.add(largest, -63);
    }
    EXPECT_EQ(sum.value(), 65536.0F); // 2^16 * (1 - 2^-63), rounded
    for (int i = 0; i < 1 << 16; ++i) {
        sum.add(-largest, -63);
    }
    EXPECT_EQ(bitsOf(sum.value()), 0U);
}

} // namespace
} // namespace ulp::numeric
