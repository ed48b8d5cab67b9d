// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every architecture, op by op: a tiny random model of each (tests/data/make_tiny_models.py)
// against a float64 forward pass written from the definitions, and `ordered` against itself on
// other threads, batches, cuts and instruction sets. Each fact of an architecture has a control:
// the reference with that fact wrong must not agree.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "engine/run/op_catalogue.h"
#include "tests/engine/support/reference_forward.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

constexpr std::size_t kPrompt = 90; // beyond a KV chunk of 64 and the longest window, 70

std::shared_ptr<const model::Model> tinyModel(const std::string& name)
{
    model::LoadOptions options;
    options.digests = false;
    auto model = model::Model::load(ULP_TEST_DATA_DIR "/models/tiny-" + name + ".gguf", options);
    EXPECT_TRUE(model.ok()) << model.error().text();
    return model.ok() ? *model : nullptr;
}

RunSettings baseSettings()
{
    RunSettings settings;
    settings.threads = 1;
    settings.steps = 6;
    settings.ignoreEos = true;
    settings.isa = Isa::Portable;
    return settings;
}

/// The largest relative L2 distance of any op output from the reference, and whose it is.
struct Gap {
    double relative = 0.0;
    std::string op;
    int compared = 0;
};

Gap gapToReference(const model::Model& model, const test::Ran& ran, const test::Twist& twist)
{
    const auto& tokens = ran.result.tokens;
    const auto positions = static_cast<std::int64_t>(tokens.size()) - 1;
    test::ReferenceForward reference(model.file(), positions, twist);
    const std::vector<OpInfo> ops = run::opCatalogue(model.hyper());
    Gap gap;
    for (std::int32_t position = 0; position < positions; ++position) {
        const auto truth = reference.step(tokens[static_cast<std::size_t>(position)]);
        for (std::size_t op = 0; op < ops.size(); ++op) {
            const auto row = ran.seen.rows.find({position, static_cast<int>(op)});
            const auto wanted = truth.find(ops[op].name);
            if (row == ran.seen.rows.end() || wanted == truth.end()) {
                continue;
            }
            double error = 0.0;
            double size = 0.0;
            for (std::size_t i = 0; i < wanted->second.size(); ++i) {
                const double d = static_cast<double>(row->second.at(i)) - wanted->second[i];
                error += d * d;
                size += wanted->second[i] * wanted->second[i];
            }
            const double relative = std::sqrt(error / std::max(size, 1e-30));
            ++gap.compared;
            if (!(relative <= gap.relative)) {
                gap.relative = relative;
                gap.op = ops[op].name + " at " + std::to_string(position);
            }
        }
    }
    return gap;
}

constexpr double kRounding = 3e-5; // of float32, over two layers

struct Case {
    std::string name;
    std::vector<std::pair<std::string, test::Twist>> twists; // each must be seen
};

test::Twist twisted(void (*change)(test::Twist&))
{
    test::Twist twist;
    change(twist);
    return twist;
}

const std::pair<std::string, test::Twist> kPairing{
    "pairing", twisted([](test::Twist& t) { t.otherPairing = true; })};
const std::pair<std::string, test::Twist> kEpsilon{
    "epsilon", twisted([](test::Twist& t) { t.epsilonFactor = 1.5; })};
const std::pair<std::string, test::Twist> kWindow{
    "window", twisted([](test::Twist& t) { t.windowShift = 1; })};
const std::pair<std::string, test::Twist> kWindowBase{
    "base of the window layers", twisted([](test::Twist& t) { t.windowBaseFactor = 1.1; })};
const std::pair<std::string, test::Twist> kCaps{
    "caps", twisted([](test::Twist& t) { t.withoutCaps = true; })};
const std::pair<std::string, test::Twist> kQkNorm{
    "QK norm", twisted([](test::Twist& t) { t.withoutQkNorm = true; })};
const std::pair<std::string, test::Twist> kScaling{
    "RoPE scaling", twisted([](test::Twist& t) { t.withoutRopeScaling = true; })};
const std::pair<std::string, test::Twist> kBiases{
    "biases", twisted([](test::Twist& t) { t.withoutBiases = true; })};
const std::pair<std::string, test::Twist> kExperts{
    "experts", twisted([](test::Twist& t) { t.expertShift = 1; })};

std::vector<Case> allCases()
{
    return {{"llama", {kPairing, kEpsilon, kScaling}},
            {"llama-linear", {kPairing, kEpsilon, kScaling}},
            {"qwen2", {kPairing, kEpsilon, kBiases}},
            {"qwen2-yarn", {kPairing, kScaling, kBiases}},
            {"qwen3", {kPairing, kEpsilon, kQkNorm}},
            {"qwen3moe", {kPairing, kEpsilon, kQkNorm, kExperts}},
            {"gemma2", {kPairing, kEpsilon, kWindow, kCaps}},
            {"gemma3", {kPairing, kEpsilon, kWindow, kWindowBase, kQkNorm, kScaling}},
            {"phi3", {kPairing, kEpsilon, kWindow, kScaling}},
            {"gpt2", {kEpsilon, kBiases}}};
}

class Architecture : public testing::TestWithParam<Case> {};

TEST_P(Architecture, AgreesWithFloat64OpByOpAndOnlyWithTheRightFacts)
{
    const auto model = tinyModel(GetParam().name);
    ASSERT_NE(model, nullptr);
    RunSettings settings = baseSettings();
    settings.isa = kernels::bestIsa();
    settings.prefillChunk = 31;
    const test::Ran ran =
        test::runAndCollect(model, settings, test::somePrompt(kPrompt, model->hyper().vocab), true);
    const Gap gap = gapToReference(*model, ran, {});
    EXPECT_LT(gap.relative, kRounding) << gap.op;
    // Every op of every layer at every position has a counterpart, but the experts' insides.
    const auto ops = static_cast<int>(run::opCatalogue(model->hyper()).size());
    const int inside = model->hyper().experts > 0 ? 4 * model->hyper().layers : 0;
    EXPECT_EQ(gap.compared, (ops - inside - 2) * static_cast<int>(kPrompt + 5) + 2 * 6);
    for (const auto& [what, twist] : GetParam().twists) {
        EXPECT_GT(gapToReference(*model, ran, twist).relative, 10.0 * kRounding) << what;
    }
}

TEST_P(Architecture, OrderedKeepsEveryCell)
{
    const auto model = tinyModel(GetParam().name);
    ASSERT_NE(model, nullptr);
    const auto prompt = test::somePrompt(kPrompt, model->hyper().vocab);
    const test::Ran truth = test::runAndCollect(model, baseSettings(), prompt);
    EXPECT_GT(truth.seen.cells.size(), 1000U);
    struct Variant {
        int threads;
        int batch;
        int cut;
    };
    for (const Isa isa : kernels::availableIsas()) {
        for (const Variant& v : {Variant{1, 1, 512}, Variant{3, 2, 7}, Variant{2, 5, 64}}) {
            RunSettings settings = baseSettings();
            settings.isa = isa;
            settings.threads = v.threads;
            settings.batch = v.batch;
            settings.prefillChunk = v.cut;
            settings.cache = v.batch == 5 ? PromptCache::Reused : PromptCache::Cold;
            const test::Ran ran = test::runAndCollect(model, settings, prompt);
            ASSERT_EQ(ran.result.tokens, truth.result.tokens);
            ASSERT_TRUE(ran.seen.cells == truth.seen.cells)
                << toString(isa) << " threads " << v.threads << " batch " << v.batch << " cut "
                << v.cut;
        }
    }
    RunSettings moved = baseSettings(); // the control: one element by one ULP is seen
    moved.perturb = Perturbation{"Vcur-0", 3, 1, 1};
    EXPECT_TRUE(test::runAndCollect(model, moved, prompt).seen.cells != truth.seen.cells);
}

INSTANTIATE_TEST_SUITE_P(All, Architecture, testing::ValuesIn(allCases()), [](const auto& param) {
    std::string name = param.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(ArchitectureFacts, LongRopeTakesItsFactorsByTheLengthOfTheRun)
{
    const auto model = tinyModel("phi3");
    ASSERT_NE(model, nullptr);
    for (const int steps : {11, 12}) { // 40 positions, the original context, and one more
        RunSettings settings = baseSettings();
        settings.steps = steps;
        const test::Ran ran =
            test::runAndCollect(model, settings, test::somePrompt(30, model->hyper().vocab), true);
        EXPECT_LT(gapToReference(*model, ran, {}).relative, kRounding) << steps;
    }
}

TEST(ArchitectureFacts, LearnedPositionsEndWhereTheyEnd)
{
    const auto model = tinyModel("gpt2");
    ASSERT_NE(model, nullptr);
    const auto settings = *run::resolveSettings(baseSettings(), *model);
    EXPECT_TRUE(run::Decoder::create(model, settings, 1, 160).ok());
    const auto refused = run::Decoder::create(model, settings, 1, 161);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().text().find("160 positions"), std::string::npos);
}

TEST(Experts, TiesGoToTheLowestExpert)
{
    const std::vector<float> probabilities{0.1F, 0.3F, 0.1F, 0.3F, 0.2F, //
                                           0.2F, 0.2F, 0.2F, 0.2F, 0.2F};
    std::vector<std::int32_t> ids(6);
    kernels::chooseExperts(probabilities.data(), 2, 5, 3, ids.data());
    EXPECT_EQ(ids, (std::vector<std::int32_t>{1, 3, 4, 0, 1, 2}));
    std::vector<float> weights(6);
    kernels::expertWeights(probabilities.data(), ids.data(), 2, 5, 3, weights.data());
    EXPECT_EQ(weights[0], 0.3F / ((0.3F + 0.3F) + 0.2F));
    EXPECT_EQ(weights[3], 0.2F / ((0.2F + 0.2F) + 0.2F));
    const std::vector<float> nothing(5, std::nanf(""));
    kernels::chooseExperts(nothing.data(), 1, 5, 2, ids.data());
    EXPECT_EQ(ids[0], 0);
    EXPECT_EQ(ids[1], 1);
}

} // namespace
} // namespace ulp
