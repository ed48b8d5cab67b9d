// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sampler chain: by hand, by its invariants over random logits, and against the distribution
// that a plain float64 implementation of its definition gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/logits.h"
#include "engine/run/generator.h"
#include "engine/run/sampler.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Logits = std::vector<float>;
using Tokens = std::vector<std::int32_t>;

RunSettings chainOf(float temperature, SamplerSettings sampler)
{
    RunSettings settings;
    settings.temperature = temperature;
    settings.sampler = std::move(sampler);
    return settings;
}

std::int32_t draw(const Logits& logits, const RunSettings& settings, const Tokens& history,
                  std::uint32_t step)
{
    const auto token = run::sample(logits, settings, history, {9, 0, step});
    EXPECT_TRUE(token) << token.error().text();
    return token ? *token : -1;
}

std::set<std::int32_t> drawn(const Logits& logits, const RunSettings& settings, int draws = 600)
{
    std::set<std::int32_t> all;
    for (int i = 0; i < draws; ++i) {
        all.insert(draw(logits, settings, {}, static_cast<std::uint32_t>(i)));
    }
    return all;
}

/// The chain's probabilities in float64, written from its definition: no tricks, no order to break.
std::vector<double> oracle(const Logits& logits, const RunSettings& s, const Tokens& history)
{
    std::vector<double> v(logits.begin(), logits.end());
    for (const auto& [token, bias] : s.sampler.logitBias) {
        v[static_cast<std::size_t>(token)] += static_cast<double>(bias);
    }
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < history.size(); ++i) {
        if (s.sampler.repeatLastN < 0 ||
            history.size() - i <= static_cast<std::size_t>(s.sampler.repeatLastN)) {
            seen.insert(history[i]);
        }
    }
    for (const std::int32_t token : seen) {
        double& x = v[static_cast<std::size_t>(token)];
        const auto penalty = static_cast<double>(s.sampler.repeatPenalty);
        x = x > 0.0 ? x / penalty : x * penalty;
    }
    std::vector<std::size_t> order(v.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return v[a] > v[b]; });
    if (s.sampler.topK > 0) {
        order.resize(std::min(order.size(), static_cast<std::size_t>(s.sampler.topK)));
    }
    const auto share = [&](double temperature) {
        double total = 0.0;
        std::vector<double> p;
        for (const std::size_t id : order) {
            p.push_back(std::exp((v[id] - v[order[0]]) / temperature));
            total += p.back();
        }
        for (double& x : p) {
            x /= total;
        }
        return p;
    };
    std::vector<double> p = share(1.0);
    double sum = 0.0;
    std::size_t count = 0;
    while (count < p.size() && (count == 0 || sum < static_cast<double>(s.sampler.topP))) {
        sum += p[count++];
    }
    order.resize(s.sampler.topP < 1.0F ? count : order.size());
    p = share(1.0);
    while (p[order.size() - 1] < static_cast<double>(s.sampler.minP) * p[0]) {
        order.pop_back();
    }
    p = share(static_cast<double>(s.temperature));
    std::vector<double> all(v.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        all[order[i]] = p[i];
    }
    return all;
}

/// Pearson's statistic over the tokens that can come; -1 when one came that cannot.
double chiSquare(const std::vector<int>& counts, const std::vector<double>& p, int draws)
{
    double statistic = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double expected = p[i] * draws;
        if (expected == 0.0) {
            if (counts[i] > 0) {
                return -1.0;
            }
            continue;
        }
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return statistic;
}

TEST(SamplerChain, EachFilterKeepsWhatItsDefinitionSays)
{
    // Weights e^3, e^2, e^1, e^0: shares 0.644, 0.237, 0.087, 0.032.
    const Logits logits{0.0F, 3.0F, 1.0F, 2.0F};
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {})), (std::set<std::int32_t>{0, 1, 2, 3}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topK = 2})), (std::set<std::int32_t>{1, 3}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topK = 1})), (std::set<std::int32_t>{1}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topP = 0.5F})), (std::set<std::int32_t>{1}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topP = 0.7F})), (std::set<std::int32_t>{1, 3}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topP = 0.9F})), (std::set<std::int32_t>{1, 2, 3}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.minP = 0.2F})), (std::set<std::int32_t>{1, 3}));
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.minP = 1.0F})), (std::set<std::int32_t>{1}));
    // Shares are judged before the temperature: heat does not let more through.
    EXPECT_EQ(drawn(logits, chainOf(50.0F, {.topP = 0.7F})), (std::set<std::int32_t>{1, 3}));
    // top-p judges what top-k left: of e^3 and e^2 the first has 0.731.
    EXPECT_EQ(drawn(logits, chainOf(1.0F, {.topK = 2, .topP = 0.7F})), (std::set<std::int32_t>{1}));
}

TEST(SamplerChain, TiesGoToTheLowestIds)
{
    const Logits equal(9, 1.5F);
    EXPECT_EQ(drawn(equal, chainOf(1.0F, {.topK = 3})), (std::set<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(drawn(equal, chainOf(1.0F, {.topP = 0.4F})), (std::set<std::int32_t>{0, 1, 2, 3}));
    EXPECT_EQ(draw(equal, chainOf(0.0F, {.logitBias = {{0, -1.0F}}}), {}, 0), 1);
}

TEST(SamplerChain, BiasesAndPenaltyMoveTheGreedyChoiceToo)
{
    const Logits logits{1.0F, 3.0F, 2.5F, -1.0F};
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.logitBias = {{3, 5.0F}}}), {}, 0), 3);
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.logitBias = {{1, -kInfinity}}}), {}, 0), 2);
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 1.5F}), {1}, 0), 2);
    // Once each, however often a token came: 3 / 1.1 is above 2.5, 3 / 1.21 is not.
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 1.1F}), {1, 1, 1}, 0), 1);
    // A token that left the window is forgotten; -1 forgets none, 0 all.
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 2.0F, .repeatLastN = 2}), {1, 0, 0}, 0),
              1);
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 2.0F, .repeatLastN = 3}), {1, 0, 0}, 0),
              2);
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 2.0F, .repeatLastN = -1}), {1, 0, 0}, 0),
              2);
    EXPECT_EQ(draw(logits, chainOf(0.0F, {.repeatPenalty = 2.0F, .repeatLastN = 0}), {1}, 0), 1);
    // A negative logit becomes more so.
    EXPECT_EQ(draw({-1.0F, -1.5F}, chainOf(0.0F, {.repeatPenalty = 2.0F}), {0}, 0), 1);
}

TEST(SamplerChain, NothingLeftIsAnErrorNotAChoice)
{
    const auto chain = chainOf(0.0F, {.logitBias = {{0, -kInfinity}, {1, -kInfinity}}});
    const auto none = run::sample(Logits{1.0F, 2.0F}, chain, {}, {1, 0, 4});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("forbid every token"), std::string::npos);
    EXPECT_EQ(draw({1.0F, kNan, kInfinity, 0.0F}, chainOf(1.0F, {.topK = 3}), {}, 0), 2);
    EXPECT_EQ(drawn({kNan, 1.0F, kNan}, chainOf(1.0F, {.topK = 3}), 40),
              (std::set<std::int32_t>{1}));
}

TEST(SamplerChain, FiltersThatLeaveAllChangeNoDraw)
{
    test::Random random(3);
    for (std::uint32_t step = 0; step < 300; ++step) {
        Logits logits;
        for (int i = 0; i < 97; ++i) {
            logits.push_back(static_cast<float>(random.below(1000)) / 100.0F);
        }
        const std::int32_t plain = draw(logits, chainOf(0.9F, {}), {}, step);
        EXPECT_EQ(draw(logits, chainOf(0.9F, {.topK = 97}), {}, step), plain);
        EXPECT_EQ(draw(logits, chainOf(0.9F, {.topK = 5000}), {}, step), plain);
        EXPECT_EQ(draw(logits, chainOf(0.9F, {.minP = 1e-30F}), {}, step), plain);
        EXPECT_EQ(draw(logits, chainOf(0.9F, {.repeatPenalty = 1.0F}), {1, 2}, step), plain);
        EXPECT_EQ(draw(logits, chainOf(0.9F, {.logitBias = {{3, 0.0F}}}), {}, step), plain);
    }
}

TEST(SamplerChain, DrawsFollowTheFloat64Oracle)
{
    // 99.99 % of Pearson's statistic with up to 23 degrees of freedom lies below 58.
    constexpr double kBound = 58.0;
    constexpr int kDraws = 20000;
    test::Random random(11);
    double wrongTemperature = 0.0;
    for (int trial = 0; trial < 12; ++trial) {
        Logits logits;
        for (int i = 0; i < 24; ++i) {
            logits.push_back(static_cast<float>(random.below(600)) / 100.0F - 2.0F);
        }
        SamplerSettings chain;
        chain.topK = trial % 3 == 0 ? 0 : static_cast<int>(3 + random.below(20));
        chain.topP = trial % 2 == 0 ? 1.0F : 0.5F + static_cast<float>(random.below(50)) / 101.0F;
        chain.minP = trial % 4 == 0 ? 0.0F : static_cast<float>(random.below(20)) / 211.0F;
        chain.repeatPenalty = trial % 5 == 0 ? 1.0F : 1.3F;
        chain.repeatLastN = 4;
        chain.logitBias = {{static_cast<std::int32_t>(random.below(24)), 1.25F}};
        const RunSettings settings = chainOf(0.7F + 0.1F * static_cast<float>(trial % 5), chain);
        const Tokens history{1, 2, 3, 2, 5, 7};
        std::vector<int> counts(logits.size(), 0);
        for (int i = 0; i < kDraws; ++i) {
            ++counts[static_cast<std::size_t>(
                draw(logits, settings, history, static_cast<std::uint32_t>(i)))];
        }
        const double statistic = chiSquare(counts, oracle(logits, settings, history), kDraws);
        EXPECT_GE(statistic, 0.0) << "trial " << trial << " drew what the filters left out";
        EXPECT_LT(statistic, kBound) << "trial " << trial;
        RunSettings other = settings;
        other.temperature *= 1.2F;
        wrongTemperature =
            std::max(wrongTemperature, chiSquare(counts, oracle(logits, other, history), kDraws));
    }
    EXPECT_GT(wrongTemperature, kBound); // the statistic can tell
}

TEST(SamplerChain, TheSameSeedGivesTheSameTokensWhateverRunsBesideIt)
{
    const auto model = test::loadTiny({});
    RunSettings settings = chainOf(0.9F, {.logitBias = {{5, 1.0F}},
                                          .repeatPenalty = 1.2F,
                                          .repeatLastN = 8,
                                          .topK = 20,
                                          .topP = 0.95F,
                                          .minP = 0.01F});
    settings.steps = 24;
    settings.ignoreEos = true;
    settings.seed = 5;
    const auto tokens = [&](int threads, int batch, int cut, std::uint64_t seed) {
        RunSettings s = settings;
        s.threads = threads;
        s.batch = batch;
        s.prefillChunk = cut;
        s.seed = seed;
        const auto resolved = run::resolveSettings(s, *model);
        EXPECT_TRUE(resolved) << resolved.error().text();
        auto generator = run::Generator::create(model, *resolved, {1, 4, 9, 16, 25});
        EXPECT_TRUE(generator) << generator.error().text();
        const auto result = (*generator)->run(nullptr, false);
        EXPECT_TRUE(result) << result.error().text();
        return result->tokens;
    };
    const Tokens first = tokens(1, 1, 512, 5);
    EXPECT_EQ(tokens(2, 1, 512, 5), first);
    EXPECT_EQ(tokens(3, 4, 2, 5), first);
    EXPECT_NE(tokens(1, 1, 512, 6), first);
}

TEST(LogitBias, IsReadFromText)
{
    EXPECT_EQ(*parseLogitBias("198=-2.5"), (LogitBias{198, -2.5F}));
    EXPECT_EQ(*parseLogitBias("0=-inf"), (LogitBias{0, -kInfinity}));
    for (const char* bad : {"", "=", "5", "5=", "=1", "-1=2", "5=x", "5=nan", "5=inf", "5=1 ",
                            "a=1", "99999999999=1", "5==1"}) {
        const auto refused = parseLogitBias(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_FALSE(refused.error().remedy.empty());
    }
}

} // namespace
} // namespace ulp
