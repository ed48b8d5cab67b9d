// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Policy `exact` over whole runs: nothing changes its bits, the reduction chunk included, and no
// policy is nearer to the truth.
#include <gtest/gtest.h>

#include "tests/engine/support/reference_model.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

using numeric::WeightType;

test::TinyLlama shapeOf(WeightType type)
{
    test::TinyLlama tiny;
    tiny.width = 96;
    tiny.heads = 6;
    tiny.ffn = 160;
    tiny.type = type;
    return tiny;
}

TEST(ExactPolicy, NothingChangesIt)
{
    for (const WeightType type : {WeightType::F16, WeightType::Q4_1}) {
        const auto model = test::loadTiny(shapeOf(type));
        const auto prompt = test::somePrompt(70, model->hyper().vocab);
        RunSettings settings;
        settings.policy = Policy::Exact;
        settings.threads = 1;
        settings.steps = 4;
        settings.ignoreEos = true;
        const auto truth = test::runAndCollect(model, settings, prompt).seen.cells;
        RunSettings other = settings;
        other.threads = 3;
        other.batch = 3;
        other.prefillChunk = 11;
        other.isa = Isa::Portable;
        other.reductionChunk = 64;
        EXPECT_EQ(test::runAndCollect(model, other, prompt).seen.cells, truth);
        // The control: `ordered` does follow the chunk, and mixing it in is seen.
        settings.opPolicies = {{"ffn_out-1", Policy::Ordered}};
        EXPECT_NE(test::runAndCollect(model, settings, prompt).seen.cells, truth);
        settings.opPolicies.clear();
        settings.policy = other.policy = Policy::Ordered;
        EXPECT_NE(test::runAndCollect(model, settings, prompt).seen.cells,
                  test::runAndCollect(model, other, prompt).seen.cells);
    }
}

/// Relative L2 of all logits to the float64 forward pass.
double distanceToTruth(const std::shared_ptr<const model::Model>& model, Policy policy)
{
    const auto tokens = test::somePrompt(60, model->hyper().vocab);
    const auto truth = test::ReferenceModel(*model).logits(tokens);
    RunSettings settings;
    settings.policy = policy;
    settings.threads = 2;
    auto decoder = run::Decoder::create(model, *run::resolveSettings(settings, *model), 1, 60);
    EXPECT_TRUE(decoder.ok());
    std::vector<run::InputToken> pass;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        pass.push_back({tokens[i], 0, static_cast<std::int32_t>(i), true});
    }
    EXPECT_TRUE((*decoder)->forward(pass, nullptr).ok());
    double error = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto row = (*decoder)->logits(i);
        for (std::size_t j = 0; j < row.size(); ++j) {
            error += std::pow(static_cast<double>(row[j]) - truth[i][j], 2);
            norm += std::pow(truth[i][j], 2);
        }
    }
    return std::sqrt(error / norm);
}

TEST(ExactPolicy, IsNearestToTheTruthAndOrderedNoFartherThanTheSplits)
{
    auto shape = shapeOf(WeightType::F32);
    shape.width = 192;
    shape.ffn = 512;
    const auto model = test::loadTiny(shape);
    const double exact = distanceToTruth(model, Policy::Exact);
    const double ordered = distanceToTruth(model, Policy::Ordered);
    EXPECT_LT(exact, ordered);
    EXPECT_LT(ordered, distanceToTruth(model, Policy::BatchSplit));
    EXPECT_LT(ordered, distanceToTruth(model, Policy::ThreadSplit));
    EXPECT_LT(ordered, 1e-6);
}

} // namespace
} // namespace ulp
