// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Right, not only repeatable: logits against a float64 forward pass that shares no arithmetic with
// the engine, and against what a peer gives for real checkpoints.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/base/logits.h"
#include "engine/run/score.h"
#include "tests/engine/support/real_model.h"
#include "tests/engine/support/reference_model.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;
using numeric::WeightType;

/// All logits of a text in one pass. [tokens][vocab]
std::vector<std::vector<float>> engineLogits(const std::shared_ptr<const model::Model>& model,
                                             const std::vector<std::int32_t>& tokens)
{
    RunSettings settings;
    settings.threads = 2;
    auto decoder = run::Decoder::create(model, *run::resolveSettings(settings, *model), 1,
                                        static_cast<std::int64_t>(tokens.size()));
    EXPECT_TRUE(decoder.ok());
    std::vector<run::InputToken> pass;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        pass.push_back({tokens[i], 0, static_cast<std::int32_t>(i), true});
    }
    EXPECT_TRUE((*decoder)->forward(pass, nullptr).ok());
    std::vector<std::vector<float>> logits;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto row = (*decoder)->logits(i);
        logits.emplace_back(row.begin(), row.end());
    }
    return logits;
}

struct Gap {
    double largest = 0.0;  // |engine - truth|
    double relative = 0.0; // L2 over L2
};

Gap gapTo(const std::vector<std::vector<double>>& truth, const std::vector<std::vector<float>>& got)
{
    Gap gap;
    double error = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        for (std::size_t j = 0; j < truth[i].size(); ++j) {
            const double d = std::fabs(static_cast<double>(got[i][j]) - truth[i][j]);
            gap.largest = std::max(gap.largest, d);
            error += d * d;
            norm += truth[i][j] * truth[i][j];
        }
    }
    gap.relative = std::sqrt(error / norm);
    return gap;
}

// Float formats: only float32 rounding separates the engine from float64. A wrong pairing, epsilon,
// group or scale is off by orders of magnitude more, as the control below shows.
TEST(Float64Truth, FloatFormatsAreWithinRounding)
{
    for (const WeightType type : {WeightType::F32, WeightType::F16, WeightType::Bf16}) {
        test::TinyLlama tiny;
        tiny.layers = 3;
        tiny.width = 96;
        tiny.heads = 6;
        tiny.ffn = 172; // no multiple of the chunk, as stories260K has
        tiny.type = type;
        const auto model = test::loadTiny(tiny);
        ASSERT_NE(model, nullptr);
        const auto tokens = test::somePrompt(100, model->hyper().vocab);
        const auto truth = test::ReferenceModel(*model).logits(tokens);
        EXPECT_LT(gapTo(truth, engineLogits(model, tokens)).relative, 2e-6);
    }
}

TEST(Float64Truth, QuantisedFormatsAreWithinTheirActivationRounding)
{
    for (const WeightType type : {WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1}) {
        test::TinyLlama tiny;
        tiny.width = 96;
        tiny.heads = 6;
        tiny.type = type;
        tiny.embeddingType = WeightType::Q8_0;
        const auto model = test::loadTiny(tiny);
        ASSERT_NE(model, nullptr);
        const auto tokens = test::somePrompt(60, model->hyper().vocab);
        const auto truth = test::ReferenceModel(*model).logits(tokens);
        const Gap gap = gapTo(truth, engineLogits(model, tokens));
        EXPECT_LT(gap.relative, 0.03); // int8 activations: about 0.4 % for each product
        EXPECT_GT(gap.relative, 1e-6); // the control: they are quantised
    }
}

TEST(Float64Truth, AWrongRopeBaseIsSeen)
{
    test::TinyLlama tiny;
    const auto right = test::loadTiny(tiny);
    tiny.ropeBase = 10500.0F;
    const auto wrong = test::loadTiny(tiny);
    const auto tokens = test::somePrompt(60, right->hyper().vocab);
    const auto truth = test::ReferenceModel(*right).logits(tokens);
    EXPECT_GT(gapTo(truth, engineLogits(wrong, tokens)).relative, 1e-5);
}

fs::path shared(const std::string& name)
{
    return fs::path(ULP_TEST_SHARED_DIR) / name;
}

nlohmann::json readJson(const fs::path& path)
{
    std::ifstream in(path);
    return nlohmann::json::parse(in);
}

std::shared_ptr<const model::Model> load(const fs::path& path, bool dequantise = false)
{
    model::LoadOptions options;
    options.threads = 2;
    options.digests = false;
    options.dequantise = dequantise;
    auto model = model::Model::load(path.string(), options);
    EXPECT_TRUE(model.ok()) << model.error().text();
    return model.ok() ? *model : nullptr;
}

TEST(Stories260K, ContinuesAPromptExactlyAsThePeerDoes)
{
    const fs::path path = shared("models/stories260K/stories260K.gguf");
    if (!fs::exists(path)) {
        GTEST_SKIP() << "no stories260K checkpoint in the folder of shared test data";
    }
    const auto model = load(path);
    ASSERT_NE(model, nullptr);
    for (const std::string name : {"reference-a", "reference-b"}) {
        const auto expected = readJson(shared("models/stories260K/" + name + ".json"));
        const auto tokens = expected["tokens"].get<std::vector<std::int32_t>>();
        const auto promptTokens = expected["prompt_tokens"].get<std::size_t>();
        auto prompt = model->tokenizer().encode(expected["prompt"].get<std::string>(), {});
        ASSERT_TRUE(prompt.ok());
        ASSERT_EQ(*prompt,
                  std::vector<std::int32_t>(
                      tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(promptTokens)));
        RunSettings settings;
        settings.threads = 2;
        settings.steps = static_cast<int>(tokens.size() - promptTokens);
        settings.ignoreEos = true;
        EXPECT_EQ(test::runAndCollect(model, settings, *prompt).result.tokens, tokens);

        const auto logits = engineLogits(model, tokens);
        std::ifstream in(shared("models/stories260K/" + name + ".logits.f32"), std::ios::binary);
        std::vector<float> row(512);
        float largest = 0.0F;
        std::size_t rows = 0;
        while (rows < logits.size() && in.read(reinterpret_cast<char*>(row.data()), 512 * 4)) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                largest = std::max(largest, std::fabs(row[i] - logits[rows][i]));
            }
            ++rows;
        }
        EXPECT_GT(rows, 190U);
        EXPECT_LT(largest, 1e-3F);

        const auto truth = test::ReferenceModel(*model).logits(tokens);
        EXPECT_LT(gapTo(truth, logits).largest, 1e-3);
    }
}

/// What a peer gives for a model that people run: ../shared/models.
struct RealModel {
    std::string name; // its folder
    fs::path path;
    std::vector<std::string> greedy;
};

std::vector<RealModel> realModels()
{
    return {{"smollm2", test::smollm2Path(), {"greedy-raw", "greedy-chat"}},
            {"gemma3", test::gemma3Path(), {"greedy-raw"}}};
}

class Real : public testing::TestWithParam<RealModel> {
  protected:
    void SetUp() override
    {
        if (!fs::exists(GetParam().path) || !fs::exists(shared("models/" + GetParam().name))) {
            GTEST_SKIP() << GetParam().path << " or what a peer gives for it is not here";
        }
    }
    [[nodiscard]] nlohmann::json expected(const std::string& what) const
    {
        return readJson(shared("models/" + GetParam().name + "/" + what + ".json"));
    }
};

TEST_P(Real, AgreesWithThePeerWhereThePeerIsSure)
{
    const auto model = load(GetParam().path);
    ASSERT_NE(model, nullptr);
    for (const std::string& name : GetParam().greedy) {
        const auto truth = expected(name);
        const auto tokens = truth["tokens"].get<std::vector<std::int32_t>>();
        const auto promptTokens = truth["prompt_tokens"].get<std::size_t>();
        model::EncodeOptions encode;
        encode.parseSpecial = truth["special"].get<bool>();
        auto prompt = model->tokenizer().encode(truth["prompt"].get<std::string>(), encode);
        ASSERT_TRUE(prompt.ok());
        ASSERT_EQ(*prompt,
                  std::vector<std::int32_t>(
                      tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(promptTokens)));
        const auto logits = engineLogits(model, tokens);
        int sure = 0;
        for (std::size_t i = promptTokens - 1; i + 1 < tokens.size(); ++i) {
            const auto& top = truth["positions"][i]["top"];
            if (top[0][1].get<double>() - top[1][1].get<double>() > 0.5) {
                EXPECT_EQ(argmax(logits[i]), top[0][0].get<std::int32_t>()) << "position " << i;
                ++sure;
            }
        }
        EXPECT_GT(sure, 30);
    }
}

struct Nearness {
    double meanKl = 0.0;     // over the listed logits, as the peer's
    double wholeKl = 0.0;    // with all others as one outcome, so that it is never negative
    double sameArgmax = 0.0; // share
};

/// KL(truth || ours) over the truth's listed logits, by `score`.
Nearness nearness(const std::shared_ptr<const model::Model>& model, const nlohmann::json& truth)
{
    const auto tokens = truth["tokens"].get<std::vector<std::int32_t>>();
    RunSettings settings;
    settings.threads = 2;
    constexpr int kListed = 512; // no listed token of the truth is that far down
    const auto scored = run::score(model, *run::resolveSettings(settings, *model), tokens, kListed);
    EXPECT_TRUE(scored.ok());
    Nearness near;
    const auto& positions = truth["positions"];
    for (std::size_t i = 0; scored.ok() && i < positions.size(); ++i) {
        const run::ScorePosition& ours = scored->positions[i];
        const std::map<std::int32_t, float> logit(ours.top.begin(), ours.top.end());
        const double lse = positions[i]["log_sum_exp"].get<double>();
        double restTruth = 1.0;
        double restOurs = 1.0;
        double kl = 0.0;
        for (const auto& entry : positions[i]["top"]) {
            const auto found = logit.find(entry[0].get<std::int32_t>());
            if (found == logit.end()) {
                ADD_FAILURE() << "position " << i << " misses a likely token";
                continue;
            }
            const double logp = entry[1].get<double>() - lse;
            const double ourLogp = static_cast<double>(found->second) - ours.logSumExp;
            kl += std::exp(logp) * (logp - ourLogp);
            restTruth -= std::exp(logp);
            restOurs -= std::exp(ourLogp);
        }
        near.meanKl += kl;
        const bool hasRest = restTruth > 1e-9 && restOurs > 1e-9;
        near.wholeKl += kl + (hasRest ? restTruth * std::log(restTruth / restOurs) : 0.0);
        const auto best = positions[i]["top"][0][0].get<std::int32_t>();
        near.sameArgmax += ours.top.front().first == best ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(positions.size());
    return {near.meanKl / n, near.wholeKl / n, near.sameArgmax / n};
}

TEST_P(Real, IsAtLeastAsNearToTheTruthAsThePeer)
{
    const auto model = load(GetParam().path);
    ASSERT_NE(model, nullptr);
    const auto truth = expected("forced-english");
    const Nearness near = nearness(model, truth);
    const auto peerKl = truth["peer"]["mean_kl"].get<double>();
    const auto peerArgmax = truth["peer"]["top1_agreement"].get<double>();
    std::printf("mean KL to the float32 truth %.3g (peer %.3g), equal argmax %.4f (peer %.4f)\n",
                near.meanKl, peerKl, near.sameArgmax, peerArgmax);
    EXPECT_LE(near.meanKl, peerKl);
    EXPECT_GE(near.sameArgmax, peerArgmax - 0.01);
}

// Without quantised activations nothing but float32 rounding is left: a wrong pairing, epsilon,
// window or scale has nowhere to hide.
TEST_P(Real, DequantisedWeightsMeetTheTruth)
{
    const auto model = load(GetParam().path, true);
    ASSERT_NE(model, nullptr);
    const Nearness near = nearness(model, expected("forced-english"));
    std::printf("mean KL of dequantised weights %.3g, equal argmax %.4f\n", near.wholeKl,
                near.sameArgmax);
    // Over the listed tokens alone rounding counts to first order, and with either sign.
    EXPECT_LT(std::fabs(near.wholeKl), 1e-6);
    EXPECT_GT(near.sameArgmax, 0.998);
}

INSTANTIATE_TEST_SUITE_P(Models, Real, testing::ValuesIn(realModels()),
                         [](const auto& param) { return param.param.name; });

} // namespace
} // namespace ulp
