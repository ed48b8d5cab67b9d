// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Negative controls of the invariance suite: for each axis a policy that the same comparison must
// find out. Without them a suite that compared nothing would pass as well.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/decoder.h"
#include "tests/engine/run/invariance_models.h"

namespace ulp {
namespace {

using test::runAndCollect;

class Control : public testing::Test {
  protected:
    Control()
        : m_model(test::loadTiny(test::oddShape(numeric::WeightType::F32))),
          m_prompt(test::somePrompt(75, m_model->hyper().vocab))
    {
    }

    static RunSettings with(Policy policy)
    {
        RunSettings settings;
        settings.policy = policy;
        settings.threads = 2;
        settings.steps = 12;
        settings.ignoreEos = true;
        return settings;
    }

    /// Cells of both, and that each repeats its own.
    void expectDifferent(const RunSettings& a, const RunSettings& b)
    {
        const auto first = runAndCollect(m_model, a, m_prompt).seen.cells;
        const auto second = runAndCollect(m_model, b, m_prompt).seen.cells;
        EXPECT_NE(first, second);
        EXPECT_EQ(runAndCollect(m_model, a, m_prompt).seen.cells, first);
        EXPECT_EQ(runAndCollect(m_model, b, m_prompt).seen.cells, second);
        // What parts them is the policy: `ordered` has the same bits both times.
        RunSettings orderedA = a;
        RunSettings orderedB = b;
        orderedA.policy = orderedB.policy = Policy::Ordered;
        EXPECT_EQ(runAndCollect(m_model, orderedA, m_prompt).seen.cells,
                  runAndCollect(m_model, orderedB, m_prompt).seen.cells);
    }

    std::shared_ptr<const model::Model> m_model;
    std::vector<std::int32_t> m_prompt;
};

TEST_F(Control, ThreadSplitSeesTheThreads)
{
    RunSettings other = with(Policy::ThreadSplit);
    other.threads = 3;
    expectDifferent(with(Policy::ThreadSplit), other);
}

TEST_F(Control, BatchSplitSeesTheBatch)
{
    RunSettings other = with(Policy::BatchSplit);
    other.batch = 3;
    expectDifferent(with(Policy::BatchSplit), other);
}

TEST_F(Control, BatchSplitSeesCompanionsComeAndGo)
{
    RunSettings steady = with(Policy::BatchSplit);
    steady.batch = 5;
    RunSettings joining = steady;
    joining.companions = Companions::Joining;
    expectDifferent(steady, joining);
}

TEST_F(Control, BatchSplitSeesThePrefillCut)
{
    RunSettings other = with(Policy::BatchSplit);
    other.prefillChunk = 2;
    expectDifferent(with(Policy::BatchSplit), other);
}

TEST_F(Control, BatchSplitSeesAReusedCache)
{
    // The cut at half of the prompt leaves another number of rows to the last pass.
    RunSettings cold = with(Policy::BatchSplit);
    cold.prefillChunk = 36;
    RunSettings reused = cold;
    reused.cache = PromptCache::Reused;
    expectDifferent(cold, reused);
}

TEST_F(Control, ActivationAndChunkAreInTheContract)
{
    const auto cells = [&](const RunSettings& settings) {
        return runAndCollect(m_model, settings, m_prompt).seen.cells;
    };
    const RunSettings base = with(Policy::Ordered);
    RunSettings rounded = base;
    rounded.activation = Precision::Bf16;
    RunSettings chunked = base;
    chunked.reductionChunk = 64;
    EXPECT_NE(cells(base), cells(rounded));
    EXPECT_NE(cells(base), cells(chunked));
}

TEST_F(Control, OneUlpInOneElementIsSeen)
{
    const RunSettings base = with(Policy::Ordered);
    RunSettings fault = base;
    fault.perturb = Perturbation{"ffn_out-1", 80, 95, 1};
    const auto clean = runAndCollect(m_model, base, m_prompt).seen.cells;
    const auto moved = runAndCollect(m_model, fault, m_prompt).seen.cells;
    const auto differing = std::count_if(clean.begin(), clean.end(), [&](const auto& cell) {
        return moved.at(cell.first) != cell.second;
    });
    EXPECT_GE(differing, 1);
    for (const auto& [key, hash] : clean) {
        if (key.first < 80) {
            ASSERT_EQ(moved.at(key), hash);
        }
    }
}

} // namespace
} // namespace ulp
