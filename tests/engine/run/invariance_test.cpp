// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The guarantee of `ordered`: nothing but model, tokens, precision and chunk changes a bit. Each
// axis has its negative control: a policy or setting for which the same comparison must fail.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/run/decoder.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

using numeric::WeightType;
using test::runAndCollect;

test::TinyLlama shapeOf(WeightType type)
{
    // Odd on purpose: heads that group by three, an FFN that is no multiple of the chunk.
    test::TinyLlama tiny;
    tiny.layers = 2;
    tiny.width = 96;
    tiny.heads = 6;
    tiny.kvHeads = 2;
    tiny.ffn = 160;
    tiny.vocab = 301;
    tiny.type = type;
    tiny.embeddingType = type;
    tiny.outputType = type;
    return tiny;
}

RunSettings baseSettings()
{
    RunSettings settings;
    settings.threads = 1;
    settings.steps = 10;
    settings.ignoreEos = true;
    settings.isa = Isa::Portable;
    return settings;
}

class InvarianceOfFormat : public testing::TestWithParam<WeightType> {};

TEST_P(InvarianceOfFormat, OrderedKeepsEveryCellOverThreadsBatchCutAndIsa)
{
    const auto model = test::loadTiny(shapeOf(GetParam()));
    ASSERT_NE(model, nullptr);
    const auto prompt = test::somePrompt(75, model->hyper().vocab);
    const test::Ran truth = runAndCollect(model, baseSettings(), prompt);
    const std::size_t ops = run::opCatalogue(model->hyper()).size();
    // All ops at every position; the final norm and the logits only where a token is predicted.
    ASSERT_EQ(truth.seen.cells.size(), ops * 10 + (ops - 2) * 74);

    // The full grid by ULPSCOPE_FULL_GRID; else every fifth point, which meets every value of every
    // axis since 5 shares no factor with the axes' sizes.
    const bool full = std::getenv("ULPSCOPE_FULL_GRID") != nullptr;
    int counter = 0;
    for (const Isa isa : kernels::availableIsas()) {
        for (const int threads : {1, 2, 3, 4}) {
            for (const int batch : {1, 2, 5}) {
                for (const int cut : {1, 7, 64, 512}) {
                    if (!full && counter++ % 5 != 0) {
                        continue;
                    }
                    RunSettings settings = baseSettings();
                    settings.isa = isa;
                    settings.threads = threads;
                    settings.batch = batch;
                    settings.prefillChunk = cut;
                    const test::Ran ran = runAndCollect(model, settings, prompt);
                    ASSERT_EQ(ran.result.tokens, truth.result.tokens);
                    ASSERT_EQ(ran.seen.cells, truth.seen.cells)
                        << toString(isa) << " threads " << threads << " batch " << batch << " cut "
                        << cut;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, InvarianceOfFormat,
                         testing::Values(WeightType::F32, WeightType::F16, WeightType::Bf16,
                                         WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1),
                         [](const auto& param) {
                             return std::string(numeric::weightTypeInfo(param.param).name);
                         });

TEST(Invariance, HoldsForEachActivationPrecision)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F16));
    const auto prompt = test::somePrompt(33, model->hyper().vocab);
    std::map<Precision, test::Ran> runs;
    for (const Precision precision : {Precision::F32, Precision::Bf16, Precision::F16}) {
        RunSettings settings = baseSettings();
        settings.activation = precision;
        runs[precision] = runAndCollect(model, settings, prompt);
        settings.threads = 3;
        settings.batch = 2;
        settings.prefillChunk = 5;
        settings.isa = kernels::bestIsa();
        EXPECT_EQ(runAndCollect(model, settings, prompt).seen.cells, runs[precision].seen.cells);
    }
    EXPECT_NE(runs[Precision::F32].seen.cells, runs[Precision::Bf16].seen.cells);
    EXPECT_NE(runs[Precision::F32].seen.cells, runs[Precision::F16].seen.cells);
}

TEST(Invariance, RoundedActivationsAreRepresentable)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F16));
    RunSettings settings = baseSettings();
    settings.activation = Precision::Bf16;
    const test::Ran ran =
        runAndCollect(model, settings, test::somePrompt(9, model->hyper().vocab), true);
    std::size_t elements = 0;
    for (const auto& [key, row] : ran.seen.rows) {
        for (const float x : row) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(x) & 0xFFFFU, 0U) << "op " << key.second;
            ++elements;
        }
    }
    EXPECT_GT(elements, 10000U);
}

TEST(NegativeControl, ThreadSplitChangesWithTheThreadCountAndOnlyWithIt)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F32));
    const auto prompt = test::somePrompt(20, model->hyper().vocab);
    RunSettings settings = baseSettings();
    settings.policy = Policy::ThreadSplit;
    std::vector<test::Ran> runs;
    for (const int threads : {1, 2, 3}) {
        settings.threads = threads;
        runs.push_back(runAndCollect(model, settings, prompt));
        EXPECT_EQ(runAndCollect(model, settings, prompt).seen.cells, runs.back().seen.cells);
    }
    EXPECT_NE(runs[0].seen.cells, runs[1].seen.cells);
    EXPECT_NE(runs[1].seen.cells, runs[2].seen.cells);
}

TEST(NegativeControl, TheReductionChunkIsPartOfTheContract)
{
    auto shape = shapeOf(WeightType::F32);
    const auto model = test::loadTiny(shape);
    const auto prompt = test::somePrompt(20, model->hyper().vocab);
    RunSettings settings = baseSettings();
    settings.reductionChunk = 32;
    const test::Ran small = runAndCollect(model, settings, prompt);
    settings.reductionChunk = 64;
    EXPECT_NE(runAndCollect(model, settings, prompt).seen.cells, small.seen.cells);
}

TEST(NegativeControl, APolicyForOneOpChangesThatOpFirst)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F32));
    const auto prompt = test::somePrompt(20, model->hyper().vocab);
    const test::Ran truth = runAndCollect(model, baseSettings(), prompt);
    RunSettings settings = baseSettings();
    settings.threads = 2;
    settings.opPolicies = {{"ffn_out-1", Policy::ThreadSplit}};
    const test::Ran ran = runAndCollect(model, settings, prompt);
    const run::OpPlan plan(model->hyper());
    const int planted = plan.at(1, run::LayerOp::Down);
    int first = -1;
    for (int op = 0; first < 0 && op <= plan.logits(); ++op) {
        if (truth.seen.cells.count({0, op}) != 0 &&
            truth.seen.cells.at({0, op}) != ran.seen.cells.at({0, op})) {
            first = op;
        }
    }
    EXPECT_EQ(first, planted);
}

TEST(Perturbation, MovesOneElementByOneUlpAndNothingBeforeIt)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F16));
    const auto prompt = test::somePrompt(12, model->hyper().vocab);
    const test::Ran truth = runAndCollect(model, baseSettings(), prompt, true);
    RunSettings settings = baseSettings();
    settings.perturb = Perturbation{"Vcur-1", 14, 3, 1};
    const test::Ran ran = runAndCollect(model, settings, prompt, true);
    const int planted = run::OpPlan(model->hyper()).at(1, run::LayerOp::V);
    for (const auto& [key, hash] : truth.seen.cells) {
        if (key.first < 14 || (key.first == 14 && key.second < planted)) {
            ASSERT_EQ(ran.seen.cells.at(key), hash);
        }
    }
    const auto& before = truth.seen.rows.at({14, planted});
    const auto& after = ran.seen.rows.at({14, planted});
    int differing = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] != after[i]) {
            ++differing;
            EXPECT_EQ(i, 3U);
            EXPECT_EQ(std::bit_cast<std::int32_t>(before[i]) -
                          std::bit_cast<std::int32_t>(after[i]),
                      before[i] > 0 ? -1 : 1);
        }
    }
    EXPECT_EQ(differing, 1);
}

// A cache that is kept and continued, or copied to another sequence, gives the bits of a cold run.
TEST(Cache, ReusedOrCopiedChangesNothing)
{
    const auto model = test::loadTiny(shapeOf(WeightType::Q8_0));
    const auto tokens = test::somePrompt(70, model->hyper().vocab);
    const auto settings = *run::resolveSettings(baseSettings(), *model);
    const auto feed = [&](run::Decoder& decoder, std::int32_t sequence, std::size_t from,
                          std::size_t to) {
        std::vector<run::InputToken> pass;
        for (std::size_t i = from; i < to; ++i) {
            pass.push_back({tokens[i], sequence, static_cast<std::int32_t>(i), i + 1 == to});
        }
        ASSERT_TRUE(decoder.forward(pass, nullptr).ok());
    };
    const auto copyOf = [](std::span<const float> s) {
        return std::vector<float>(s.begin(), s.end());
    };

    auto cold = *run::Decoder::create(model, settings, 3, 80);
    feed(*cold, 0, 0, 70);
    const auto truth = copyOf(cold->logits(0));

    auto warm = *run::Decoder::create(model, settings, 3, 80);
    feed(*warm, 1, 0, 41);
    warm->cache().copySequence(1, 2, 41);
    // The prefix serves three continuations: itself, a copy, and a rewrite after other tokens.
    feed(*warm, 1, 41, 70);
    EXPECT_EQ(copyOf(warm->logits(0)), truth);
    feed(*warm, 2, 41, 70);
    EXPECT_EQ(copyOf(warm->logits(0)), truth);
    std::vector<run::InputToken> other{{5, 2, 41, false}, {6, 2, 42, true}};
    ASSERT_TRUE(warm->forward(other, nullptr).ok());
    EXPECT_NE(copyOf(warm->logits(0)), truth); // the control: other tokens, other logits
    feed(*warm, 2, 41, 70);
    EXPECT_EQ(copyOf(warm->logits(0)), truth);
}

TEST(Observer, SeesColumnsInOrderAndCostsNoBit)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F32));
    const auto prompt = test::somePrompt(9, model->hyper().vocab);
    const test::Ran ran = runAndCollect(model, baseSettings(), prompt);
    ASSERT_EQ(ran.seen.columns.size(), 9U + 9U);
    for (std::size_t i = 0; i < ran.seen.columns.size(); ++i) {
        EXPECT_EQ(ran.seen.columns[i].position, static_cast<std::int32_t>(i));
        EXPECT_EQ(ran.seen.columns[i].token, ran.result.tokens[i]);
        EXPECT_EQ(ran.seen.columns[i].logits, i >= 8);
        EXPECT_EQ(ran.seen.columns[i].chosen, i >= 8 ? ran.result.tokens[i + 1] : -1);
    }
    auto generator =
        run::Generator::create(model, *run::resolveSettings(baseSettings(), *model), prompt);
    auto blind = (*generator)->run(nullptr, false);
    ASSERT_TRUE(blind.ok());
    EXPECT_EQ(blind->tokens, ran.result.tokens);
}

TEST(Generator, CancelStopsBetweenOpsAndSaysSo)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F32));
    struct Canceller : test::CellCollector {
        std::atomic<bool> cancel{false};
        void onOp(const run::OpOutput& output) override
        {
            test::CellCollector::onOp(output);
            if (output.positions[0] == 12 && output.op == 7) {
                cancel = true;
            }
        }
    } listener;
    auto generator = run::Generator::create(model, *run::resolveSettings(baseSettings(), *model),
                                            test::somePrompt(9, model->hyper().vocab));
    auto result = (*generator)->run(&listener, true, &listener.cancel);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->stopReason, "cancelled");
    EXPECT_EQ(listener.columns.size(), 12U);
    EXPECT_EQ(listener.cells.count({12, 7}), 1U);
    EXPECT_EQ(listener.cells.count({12, 8}), 0U);
}

TEST(Generator, PassesTheTrainedContext)
{
    auto shape = shapeOf(WeightType::F32);
    shape.context = 16;
    const auto model = test::loadTiny(shape);
    RunSettings settings = baseSettings();
    settings.steps = 30;
    const test::Ran beyond = runAndCollect(model, settings, test::somePrompt(9, 301));
    EXPECT_EQ(beyond.result.stopReason, "steps");
    EXPECT_EQ(beyond.seen.columns.size(), 38U);
}

TEST(Generator, AsksForMemoryBeforeTakingIt)
{
    const auto model = test::loadTiny(shapeOf(WeightType::F32));
    RunSettings settings = baseSettings();
    settings.steps = 10'000'000;
    settings.batch = 256;
    auto refused = run::Generator::create(model, *run::resolveSettings(settings, *model),
                                          test::somePrompt(9, 301));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().text().find("MiB"), std::string::npos) << refused.error().text();
}

} // namespace
} // namespace ulp
