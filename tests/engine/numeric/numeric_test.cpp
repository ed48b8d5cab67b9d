// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#include <cfenv>

#include "engine/numeric/activation_quant.h"
#include "engine/numeric/fp_environment.h"
#include "engine/numeric/lanes.h"
#include "engine/numeric/random.h"
#include "engine/numeric/ulp.h"

namespace ulp::numeric {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();

TEST(Ulp, DistanceCountsTheFloatsBetween)
{
    EXPECT_EQ(ulpDistance(1.0F, 1.0F), 0U);
    EXPECT_EQ(ulpDistance(1.0F, std::nextafter(1.0F, 2.0F)), 1U);
    EXPECT_EQ(ulpDistance(1.0F, 2.0F), 1U << 23);
    EXPECT_EQ(ulpDistance(0.0F, -0.0F), 0U);
    EXPECT_FALSE(sameBits(0.0F, -0.0F));
    EXPECT_EQ(ulpDistance(0x1p-149F, -0x1p-149F), 2U);
    EXPECT_EQ(ulpDistance(kMax, kInf), 1U);
    EXPECT_EQ(ulpDistance(-kInf, kInf), 2U * 0x7f800000U);
    EXPECT_EQ(ulpDistance(kNan, 1.0F), kUlpsToNan);
    EXPECT_EQ(ulpDistance(1.0F, kNan), kUlpsToNan);
    EXPECT_EQ(ulpDistance(kNan, -kNan), 0U);
}

TEST(Ulp, MoveGoesAsFarAsItSays)
{
    EXPECT_EQ(moveUlps(1.0F, 1), std::nextafter(1.0F, 2.0F));
    EXPECT_EQ(moveUlps(1.0F, -1), std::nextafter(1.0F, 0.0F));
    EXPECT_EQ(moveUlps(-1.0F, 1), std::nextafter(-1.0F, 0.0F));
    EXPECT_EQ(moveUlps(0.0F, -1), -0x1p-149F);
    EXPECT_EQ(moveUlps(-0.0F, 1), 0x1p-149F);
    EXPECT_TRUE(sameBits(moveUlps(-0.0F, 0), -0.0F));
    EXPECT_EQ(moveUlps(kMax, 5), kInf);
    EXPECT_EQ(moveUlps(-kMax, std::numeric_limits<std::int32_t>::min()), -kInf);
    EXPECT_TRUE(std::isnan(moveUlps(kNan, 3)));
    for (const float x : {3.5F, -7e-41F, 1e30F}) {
        for (const int n : {1, -1, 77, -1000}) {
            EXPECT_EQ(ulpDistance(x, moveUlps(x, n)), static_cast<std::uint32_t>(std::abs(n)));
        }
    }
}

TEST(Philox, AgreesWithThePublishedVectors)
{
    // Random123, kat_vectors: philox4x32, 10 rounds
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (PhiloxCounter{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
    EXPECT_EQ(philox4x32({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU},
                         {0xffffffffU, 0xffffffffU}),
              (PhiloxCounter{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
    EXPECT_EQ(philox4x32({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U},
                         {0xa4093822U, 0x299f31d0U}),
              (PhiloxCounter{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(UniformFloat, StaysInRangeAndDependsOnEachKey)
{
    double mean = 0.0;
    std::set<float> seen;
    for (std::uint64_t step = 0; step < 4000; ++step) {
        const float u = uniformFloat(7, 0, step);
        ASSERT_GE(u, 0.0F);
        ASSERT_LT(u, 1.0F);
        mean += static_cast<double>(u) / 4000.0;
        seen.insert(u);
    }
    EXPECT_NEAR(mean, 0.5, 0.02);
    EXPECT_GT(seen.size(), 3990U);
    EXPECT_NE(uniformFloat(7, 0, 0), uniformFloat(8, 0, 0));
    EXPECT_NE(uniformFloat(7, 0, 0), uniformFloat(7, 1, 0));
    EXPECT_NE(uniformFloat(7, 1, 0), uniformFloat(7, 0, 1));
    EXPECT_NE(uniformFloat(1, 0, 0), uniformFloat(std::uint64_t{1} << 32, 0, 0));
}

TEST(Lanes, FollowTheWrittenOrder)
{
    // Values whose sums round differently in any other order.
    std::vector<float> x(67);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = (uniformFloat(1, 2, i) - 0.5F) / 3.0F * std::ldexp(1.0F, static_cast<int>(i % 19));
    }
    float lanes[16];
    for (std::size_t j = 0; j < 16; ++j) {
        lanes[j] = 0.0F;
        for (std::size_t i = j; i < x.size(); i += 16) {
            lanes[j] += x[i];
        }
    }
    float pairs[8];
    for (std::size_t j = 0; j < 8; ++j) {
        pairs[j] = lanes[j] + lanes[j + 8];
    }
    const float by4[4] = {pairs[0] + pairs[4], pairs[1] + pairs[5], pairs[2] + pairs[6],
                          pairs[3] + pairs[7]};
    const float expected = (by4[0] + by4[2]) + (by4[1] + by4[3]);
    EXPECT_TRUE(sameBits(laneSum(x.data(), 67), expected));
    float naive = 0.0F;
    for (const float v : x) {
        naive += v;
    }
    EXPECT_FALSE(sameBits(naive, expected)); // else this test could not tell
    EXPECT_EQ(laneSumOfSquares(x.data(), 1), x[0] * x[0]);
    EXPECT_TRUE(sameBits(laneSum(x.data(), 0), 0.0F));
}

TEST(CompensatedSum, KeepsWhatAPlainSumLoses)
{
    CompensatedSum sum;
    float plain = 0.0F;
    for (const float x : {1.0F, 1e8F, 3.0F, -1e8F, 0.5F}) {
        sum.add(x);
        plain += x;
    }
    EXPECT_EQ(sum.value(), 4.5F);
    EXPECT_NE(plain, 4.5F);
    CompensatedSum other;
    other.add(1e8F);
    other.add(0.25F);
    sum.merge(other);
    sum.add(-1e8F);
    EXPECT_EQ(sum.value(), 4.75F);
    CompensatedSum overflow;
    overflow.add(kMax);
    overflow.add(kMax);
    EXPECT_EQ(overflow.value(), kInf);
}

TEST(QuantiseBlock, RoundsTiesToEvenAndKeepsTheSum)
{
    float x[32] = {};
    std::int8_t q[32];
    float scale = 0.0F;
    std::int32_t sum = 0;
    x[0] = 127.0F; // inverse is exactly 1
    x[1] = 0.5F;
    x[2] = 1.5F;
    x[3] = -2.5F;
    x[4] = -126.6F;
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_EQ(scale, 1.0F);
    EXPECT_EQ(q[0], 127);
    EXPECT_EQ(q[1], 0);
    EXPECT_EQ(q[2], 2);
    EXPECT_EQ(q[3], -2);
    EXPECT_EQ(q[4], -127);
    EXPECT_EQ(sum, 127 + 0 + 2 - 2 - 127);
    x[0] = -127.0F;
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_EQ(q[0], -127);
}

TEST(QuantiseBlock, IsDefinedForEveryInput)
{
    float x[32] = {};
    std::int8_t q[32];
    float scale = 1.0F;
    std::int32_t sum = 1;
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_TRUE(sameBits(scale, 0.0F));
    EXPECT_EQ(sum, 0);
    x[9] = 0x1p-130F; // counts as zero: its reciprocal would overflow
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_EQ(scale, 0.0F);
    EXPECT_EQ(q[9], 0);
    x[9] = kSmallestAmax;
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_EQ(q[9], 127);
    EXPECT_GT(scale, 0.0F);
    x[9] = -kMax;
    x[10] = kMax;
    quantiseBlock(x, q, &scale, &sum);
    EXPECT_EQ(q[9], -127);
    EXPECT_EQ(q[10], 127);
    for (const float bad : {kNan, -kNan, kInf, -kInf}) {
        x[31] = bad;
        quantiseBlock(x, q, &scale, &sum);
        EXPECT_EQ(bitsOf(scale), kCanonicalNanBits);
        EXPECT_EQ(q[10], 0);
        EXPECT_EQ(sum, 0);
    }
}

TEST(FpEnvironment, IsAcceptedAsItIsAndRefusedWhenSpoilt)
{
    EXPECT_TRUE(checkFpEnvironment().ok());
    std::thread([] { // a thread of its own, so that nothing leaks into other tests
        std::fesetround(FE_UPWARD);
        EXPECT_FALSE(checkFpEnvironment().ok());
        {
            const ScopedFpEnvironment scope;
            EXPECT_TRUE(checkFpEnvironment().ok());
        }
        EXPECT_FALSE(checkFpEnvironment().ok());
        std::fesetround(FE_TONEAREST);
        EXPECT_TRUE(checkFpEnvironment().ok());
#if defined(__SSE2__)
        for (const unsigned bit : {1U << 15, 1U << 6}) {
            _mm_setcsr(_mm_getcsr() | bit);
            EXPECT_FALSE(checkFpEnvironment().ok());
            {
                const ScopedFpEnvironment scope;
                EXPECT_TRUE(checkFpEnvironment().ok());
            }
            EXPECT_FALSE(checkFpEnvironment().ok());
            _mm_setcsr(_mm_getcsr() & ~bit);
        }
#endif
    })
        .join();
}

} // namespace
} // namespace ulp::numeric
