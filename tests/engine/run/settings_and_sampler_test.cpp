// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/base/logits.h"
#include "engine/run/sampler.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Argmax, TiesGoToTheLowestIdAndNanNeverWins)
{
    EXPECT_EQ(argmax(std::vector{1.0F, 3.0F, 3.0F, 2.0F}), 1);
    EXPECT_EQ(argmax(std::vector{kNan, -kInfinity, 0.0F, kNan}), 2);
    EXPECT_EQ(argmax(std::vector{-kInfinity, -kInfinity}), 0);
    EXPECT_EQ(argmax(std::vector{kNan, kNan}), -1);
    EXPECT_EQ(argmax(std::vector<float>{}), -1);
}

TEST(TopLogits, SortsByLogitThenId)
{
    const auto top = topLogits(std::vector{1.0F, 5.0F, kNan, 5.0F, 2.0F, 5.0F}, 4);
    const std::vector<std::pair<std::int32_t, float>> expected{
        {1, 5.0F}, {3, 5.0F}, {5, 5.0F}, {4, 2.0F}};
    EXPECT_EQ(top, expected);
    EXPECT_EQ(topLogits(std::vector{1.0F, 2.0F}, 5).size(), 2U);
    EXPECT_TRUE(topLogits(std::vector{1.0F, 2.0F}, 0).empty());
}

TEST(LogSumExp, SurvivesLargeAndInfiniteLogits)
{
    EXPECT_NEAR(logSumExp(std::vector{1000.0F, 1000.0F}), 1000.0 + std::log(2.0), 1e-12);
    EXPECT_EQ(logSumExp(std::vector{kInfinity, 0.0F}), static_cast<double>(kInfinity));
    EXPECT_TRUE(std::isnan(logSumExp(std::vector{kNan})));
}

RunSettings at(float temperature, SamplerSettings sampler = {})
{
    RunSettings settings;
    settings.temperature = temperature;
    settings.sampler = std::move(sampler);
    return settings;
}

std::int32_t draw(const std::vector<float>& logits, const RunSettings& settings, std::uint64_t seed,
                  std::uint32_t step)
{
    const auto token = run::sample(logits, settings, {}, {seed, 0, step});
    EXPECT_TRUE(token) << token.error().text();
    return token ? *token : -1;
}

TEST(Sample, GreedyIsArgmaxAndAllNanIsAnError)
{
    EXPECT_EQ(draw({0.0F, 1.0F, 1.0F}, at(0.0F), 7, 0), 1);
    EXPECT_FALSE(run::sample(std::vector{kNan, kNan}, at(0.0F), {}, {7, 0, 0}).ok());
    EXPECT_FALSE(run::sample(std::vector{kNan, kNan}, at(1.0F, {.topK = 2}), {}, {7, 0, 0}).ok());
}

TEST(Sample, DrawsDependOnTheirKeyAloneAndFollowTheSoftmax)
{
    const std::vector<float> logits{0.0F, 1.0F, 2.0F, -kInfinity};
    std::vector<int> count(4, 0);
    constexpr int kDraws = 20000;
    int movedBySeed = 0;
    for (std::uint32_t step = 0; step < kDraws; ++step) {
        const std::int32_t token = draw(logits, at(1.0F), 42, step);
        ++count[static_cast<std::size_t>(token)];
        EXPECT_EQ(draw(logits, at(1.0F), 42, step), token);
        movedBySeed += draw(logits, at(1.0F), 43, step) != token ? 1 : 0;
    }
    EXPECT_GT(movedBySeed, kDraws / 10);
    const double total = 1.0 + std::exp(1.0) + std::exp(2.0);
    for (std::size_t i = 0; i < 3; ++i) {
        const double p = std::exp(static_cast<double>(logits[i])) / total;
        const double sigma = std::sqrt(p * (1 - p) / kDraws);
        EXPECT_NEAR(count[i] / static_cast<double>(kDraws), p, 5 * sigma);
    }
    EXPECT_EQ(count[3], 0);
}

struct BadSetting {
    const char* name;
    void (*spoil)(RunSettings&);
    const char* says;
};

TEST(Settings, AreRefusedByName)
{
    const auto model = test::loadTiny({});
    const BadSetting cases[] = {
        {"op policy",
         [](RunSettings& s) {
             s.opPolicies = {{"ffn_out-9", Policy::Atomic}};
         },
         "ffn_out-9"},
        {"device", [](RunSettings& s) { s.device = Device::Cuda; }, "CUDA"},
        {"chunk", [](RunSettings& s) { s.reductionChunk = 48; }, "48"},
        {"batch", [](RunSettings& s) { s.batch = 0; }, "batch 0"},
        {"steps", [](RunSettings& s) { s.steps = 0; }, "steps 0"},
        {"threads", [](RunSettings& s) { s.threads = -1; }, "threads -1"},
        {"cut", [](RunSettings& s) { s.prefillChunk = 0; }, "prefill chunk 0"},
        {"temperature", [](RunSettings& s) { s.temperature = kNan; }, "temperature"},
        {"top-k", [](RunSettings& s) { s.sampler.topK = -1; }, "top-k"},
        {"top-p 0", [](RunSettings& s) { s.sampler.topP = 0.0F; }, "top-p"},
        {"top-p", [](RunSettings& s) { s.sampler.topP = kNan; }, "top-p"},
        {"min-p", [](RunSettings& s) { s.sampler.minP = 1.5F; }, "min-p"},
        {"penalty", [](RunSettings& s) { s.sampler.repeatPenalty = 0.0F; }, "repeat penalty"},
        {"window", [](RunSettings& s) { s.sampler.repeatLastN = -2; }, "window"},
        {"bias",
         [](RunSettings& s) {
             s.sampler.logitBias = {{1 << 20, 1.0F}};
         },
         "1048576"},
        {"bias size",
         [](RunSettings& s) {
             s.sampler.logitBias = {{0, kInfinity}};
         },
         "logit bias"},
        {"fault op",
         [](RunSettings& s) {
             s.perturb = Perturbation{"nope", 0, 0, 1};
         },
         "nope"},
        {"fault element",
         [](RunSettings& s) {
             s.perturb = Perturbation{"Kcur-0", 0, 32, 1};
         },
         "32"},
    };
    for (const BadSetting& bad : cases) {
        RunSettings settings;
        bad.spoil(settings);
        const auto resolved = run::resolveSettings(settings, *model);
        ASSERT_FALSE(resolved.ok()) << bad.name;
        EXPECT_NE(resolved.error().text().find(bad.says), std::string::npos)
            << resolved.error().text();
        EXPECT_FALSE(resolved.error().remedy.empty()) << bad.name;
    }
    const auto good = run::resolveSettings({}, *model);
    ASSERT_TRUE(good.ok());
    EXPECT_GE(good->threads, 1);
    EXPECT_NE(good->isa, Isa::Auto);
    EXPECT_EQ(good->reductionChunk, 32);
}

TEST(Settings, VendorIsRefusedForQuantisedWeightsByName)
{
    test::TinyLlama tiny;
    tiny.type = numeric::WeightType::Q8_0;
    const auto model = test::loadTiny(tiny);
    RunSettings settings;
    settings.policy = Policy::Vendor;
    const auto all = run::resolveSettings(settings, *model);
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().code, ErrorCode::Unsupported);
    EXPECT_NE(all.error().message.find("Q8_0"), std::string::npos);
    EXPECT_EQ(all.error().where, "Qcur-0");
    EXPECT_FALSE(all.error().remedy.empty());

    settings.policy = Policy::Ordered;
    settings.opPolicies = {{"ffn_up-1", Policy::Vendor}};
    const auto one = run::resolveSettings(settings, *model);
    ASSERT_FALSE(one.ok());
    EXPECT_EQ(one.error().where, "ffn_up-1");
    // Norms and attention have no vendor; their policy is taken and they stay in order.
    settings.opPolicies = {{"attn_norm-*", Policy::Vendor}};
    EXPECT_TRUE(run::resolveSettings(settings, *model).ok());
}

} // namespace
} // namespace ulp
