// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/drift.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "engine/base/logits.h"
#include "engine/base/ulp_distance.h"

namespace ulp::compare {
namespace {

trace::Column columnOf(const std::vector<float>& logits, std::size_t top, std::uint64_t hash)
{
    trace::Column column;
    column.logitHash = hash;
    column.logSumExp = logSumExp(logits);
    for (const auto& [token, logit] : topLogits(logits, top)) {
        column.top.push_back({token, logit});
    }
    return column;
}

double exactLogSumExp(const std::vector<float>& logits)
{
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit));
    }
    return std::log(sum);
}

double fullKl(const std::vector<float>& p, const std::vector<float>& q)
{
    const double lp = exactLogSumExp(p);
    const double lq = exactLogSumExp(q);
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double a = static_cast<double>(p[i]) - lp;
        const double b = static_cast<double>(q[i]) - lq;
        sum += std::exp(a) * (a - b);
    }
    return sum;
}

TEST(Drift, KlOfTheWholeVocabularyIsTheTrueOne)
{
    const std::vector<float> p{1.0F, 0.0F, -1.0F};
    const std::vector<float> q{0.5F, 0.25F, -1.5F};
    EXPECT_NEAR(topLogitKl(columnOf(p, 3, 1), columnOf(q, 3, 2)), fullKl(p, q), 1e-8);
    EXPECT_GT(fullKl(p, q), 0.01);
}

TEST(Drift, KlOfTheTopNeverExceedsTheTrueOneAndGrowsTowardsIt)
{
    std::mt19937_64 random(21);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<float> p(57);
        std::vector<float> q(57);
        const float noise = std::pow(10.0F, -static_cast<float>(trial % 6));
        for (std::size_t i = 0; i < p.size(); ++i) {
            p[i] = normal(random);
            q[i] = p[i] + noise * normal(random);
        }
        const double truth = fullKl(p, q);
        for (const std::size_t top : {std::size_t{1}, std::size_t{5}, std::size_t{20}}) {
            const double found = topLogitKl(columnOf(p, top, 1), columnOf(q, top, 2));
            ASSERT_GE(found, 0.0);
            ASSERT_LE(found, truth * (1 + 1e-5) + 1e-13);
        }
        ASSERT_NEAR(topLogitKl(columnOf(p, 57, 1), columnOf(q, 57, 2)), truth,
                    truth * 1e-6 + 1e-13);
    }
}

TEST(Drift, EqualHashesAreZeroWithoutLookingFurther)
{
    const auto a = columnOf({1.0F, 2.0F}, 2, 5);
    auto b = columnOf({9.0F, 2.0F}, 2, 5);
    const Drift drift = logitDrift(a, b, nullptr);
    EXPECT_TRUE(drift.recorded);
    EXPECT_EQ(drift.maxAbs, 0.0);
    EXPECT_EQ(drift.kl, 0.0);
}

TEST(Drift, RecordedMagnitudeIsPreferredToTheTop)
{
    const auto a = columnOf({1.0F, 2.0F}, 2, 5);
    const auto b = columnOf({1.0F, std::nextafterf(2.0F, 3.0F)}, 2, 6);
    const Drift top = logitDrift(a, b, nullptr);
    EXPECT_TRUE(top.recorded);
    EXPECT_EQ(top.maxUlp, 1U);
    EXPECT_EQ(top.maxAbs, 0x1p-22);
    EXPECT_GT(top.kl, 0.0);
    const trace::Magnitude exact{1, 7, 100, 12, 0.25, 1e-3};
    const Drift recorded = logitDrift(a, b, &exact);
    EXPECT_EQ(recorded.maxUlp, 12U);
    EXPECT_EQ(recorded.maxAbs, 0.25);
    EXPECT_EQ(recorded.kl, top.kl);
}

TEST(Drift, WithoutLogitsThereIsNone)
{
    const auto a = columnOf({1.0F, 2.0F}, 2, 5);
    EXPECT_FALSE(logitDrift(a, trace::Column{}, nullptr).recorded);
    auto bare = a;
    bare.top.clear();
    bare.logitHash = 6;
    EXPECT_FALSE(logitDrift(a, bare, nullptr).recorded);
    EXPECT_EQ(topLogitKl(a, bare), 0.0);
}

TEST(UlpDistance, CountsRepresentableValuesBetween)
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(ulpDistance(1.0F, 1.0F), 0U);
    EXPECT_EQ(ulpDistance(1.0F, std::nextafterf(1.0F, 2.0F)), 1U);
    EXPECT_EQ(ulpDistance(std::nextafterf(1.0F, 0.0F), std::nextafterf(1.0F, 2.0F)), 2U);
    EXPECT_EQ(ulpDistance(-0.0F, 0.0F), 0U);
    EXPECT_EQ(ulpDistance(-std::numeric_limits<float>::denorm_min(),
                          std::numeric_limits<float>::denorm_min()),
              2U);
    EXPECT_EQ(ulpDistance(inf, -inf), 0xff000000U);
    EXPECT_EQ(ulpDistance(std::numeric_limits<float>::max(), inf), 1U);
    EXPECT_EQ(ulpDistance(nan, 1.0F), std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(ulpDistance(1.0F, nan), std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(ulpDistance(nan, nan), 0U);
    EXPECT_EQ(ulpDistance(nan, -nan), std::numeric_limits<std::uint32_t>::max());
}

} // namespace
} // namespace ulp::compare
