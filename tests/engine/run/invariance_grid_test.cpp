// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The guarantee of `ordered` over the whole range of every setting that must not matter, for every
// weight format of the table. A sample in every test run, each format another one; all of it with
// ULPSCOPE_FULL_GRID set (ctest -C Full -L full). The negative controls are in
// invariance_control_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>
#include <sstream>

#include "engine/run/decoder.h"
#include "tests/engine/run/invariance_models.h"

namespace ulp {
namespace {

using numeric::WeightType;
using test::runAndCollect;

bool fullGrid()
{
    return std::getenv("ULPSCOPE_FULL_GRID") != nullptr;
}

template <typename T>
const T& pick(const std::vector<T>& values, std::mt19937& random)
{
    return values[random() % values.size()];
}

std::vector<int> range(int first, int last)
{
    std::vector<int> values;
    for (int i = first; i <= last; ++i) {
        values.push_back(i);
    }
    return values;
}

/// Every cut that is promised: 1 to 64 and 127 to 513.
std::vector<int> allCuts()
{
    std::vector<int> cuts = range(1, 64);
    const std::vector<int> more = range(127, 513);
    cuts.insert(cuts.end(), more.begin(), more.end());
    return cuts;
}

std::string text(const RunSettings& s)
{
    std::ostringstream out;
    out << "threads " << s.threads << " batch " << s.batch << " " << toString(s.companions)
        << " cut " << s.prefillChunk << " cache " << toString(s.cache) << " isa " << toString(s.isa)
        << " hash " << s.hash;
    return out.str();
}

/// All settings that must not matter, anywhere in their ranges.
RunSettings anywhere(const RunSettings& base, std::mt19937& random)
{
    static const std::vector<int> threads = range(1, 8);
    static const std::vector<int> batches = range(1, 16);
    static const std::vector<int> cuts = allCuts();
    RunSettings settings = base;
    settings.threads = pick(threads, random);
    settings.batch = pick(batches, random);
    settings.companions = random() % 2 == 0 ? Companions::Steady : Companions::Joining;
    settings.prefillChunk = pick(cuts, random);
    settings.cache = random() % 2 == 0 ? PromptCache::Cold : PromptCache::Reused;
    settings.isa = pick(kernels::availableIsas(), random);
    return settings;
}

class InvarianceGrid : public testing::TestWithParam<WeightType> {
  protected:
    void SetUp() override
    {
        m_model = test::loadTiny(test::oddShape(GetParam()));
        ASSERT_NE(m_model, nullptr);
        m_random.seed(static_cast<unsigned>(GetParam()));
    }

    /// The readable way: one thread, alone, the whole prompt at once, no vector instructions.
    static RunSettings base()
    {
        RunSettings settings;
        settings.threads = 1;
        settings.steps = 6;
        settings.ignoreEos = true;
        settings.isa = Isa::Portable;
        settings.prefillChunk = 4096;
        return settings;
    }

    void prompt(std::size_t length)
    {
        m_prompt = test::somePrompt(length, m_model->hyper().vocab);
        m_truth = runAndCollect(m_model, base(), m_prompt);
        // Its own control: cells are there to be compared.
        ASSERT_GT(m_truth.seen.cells.size(), length * 10);
    }

    void expectSame(const RunSettings& settings)
    {
        const test::Ran ran = runAndCollect(m_model, settings, m_prompt);
        ASSERT_EQ(ran.result.tokens, m_truth.result.tokens) << text(settings);
        ASSERT_EQ(ran.seen.cells, m_truth.seen.cells) << text(settings);
    }

    /// All values in the full grid, else `count` of them, other ones for each format.
    std::vector<int> some(const std::vector<int>& values, std::size_t count)
    {
        if (!fullGrid()) {
            std::vector<int> sample;
            std::sample(values.begin(), values.end(), std::back_inserter(sample), count, m_random);
            return sample;
        }
        return values;
    }

    std::shared_ptr<const model::Model> m_model;
    std::vector<std::int32_t> m_prompt;
    test::Ran m_truth;
    std::mt19937 m_random;
};

TEST_P(InvarianceGrid, ThreadsAndInstructionSets)
{
    prompt(75);
    for (const Isa isa : kernels::availableIsas()) {
        for (const int threads : some(range(1, 8), 3)) {
            RunSettings settings = base();
            settings.isa = isa;
            settings.threads = threads;
            expectSame(settings);
        }
    }
}

TEST_P(InvarianceGrid, BatchesWithCompanionsThatStayOrComeAndGo)
{
    prompt(21);
    for (const Companions companions : {Companions::Steady, Companions::Joining}) {
        for (const int batch : some(range(2, 16), 2)) {
            RunSettings settings = base();
            settings.steps = 6;
            settings.isa = pick(kernels::availableIsas(), m_random);
            settings.threads = 1 + static_cast<int>(m_random() % 3);
            settings.batch = batch;
            settings.companions = companions;
            settings.prefillChunk = 1 + static_cast<int>(m_random() % 30);
            expectSame(settings);
        }
    }
}

TEST_P(InvarianceGrid, PrefillCuts)
{
    prompt(530);
    for (const int cut : some(allCuts(), 2)) {
        RunSettings settings = base();
        settings.isa = fullGrid() ? kernels::bestIsa() : pick(kernels::availableIsas(), m_random);
        settings.threads = 2;
        settings.prefillChunk = cut;
        expectSame(settings);
    }
}

TEST_P(InvarianceGrid, ReusedCache)
{
    for (const int length : some({2, 3, 9, 63, 64, 65, 127, 128, 129, 257}, 2)) {
        prompt(static_cast<std::size_t>(length));
        for (const int cut : some({1, 5, 64, 512}, 2)) {
            RunSettings settings = base();
            settings.isa = pick(kernels::availableIsas(), m_random);
            settings.cache = PromptCache::Reused;
            settings.prefillChunk = cut;
            expectSame(settings);
        }
    }
}

TEST_P(InvarianceGrid, Anywhere)
{
    prompt(140);
    for (int i = 0; i < (fullGrid() ? 200 : 2); ++i) {
        expectSame(anywhere(base(), m_random));
    }
}

TEST_P(InvarianceGrid, RoundedActivations)
{
    m_prompt = test::somePrompt(40, m_model->hyper().vocab);
    for (const Precision precision : {Precision::Bf16, Precision::F16}) {
        RunSettings plain = base();
        plain.activation = precision;
        m_truth = runAndCollect(m_model, plain, m_prompt);
        for (int i = 0; i < (fullGrid() ? 50 : 1); ++i) {
            expectSame(anywhere(plain, m_random));
        }
    }
}

/// Sees the logits only, as a run whose ops are not hashed does.
struct LogitsSeen : run::RunListener {
    std::vector<std::vector<float>> logits;
    void onOp(const run::OpOutput&) override { ADD_FAILURE() << "nobody asked for ops"; }
    void onColumn(std::int32_t, std::int32_t, std::int32_t, std::span<const float> values) override
    {
        logits.emplace_back(values.begin(), values.end());
    }
};

TEST_P(InvarianceGrid, WatchedOrNot)
{
    prompt(40);
    struct Watched : LogitsSeen {
        int ops = 0;
        void onOp(const run::OpOutput&) override { ++ops; }
    } watched;
    LogitsSeen unwatched;
    const auto settings = *run::resolveSettings(anywhere(base(), m_random), *m_model);
    for (LogitsSeen* listener : {static_cast<LogitsSeen*>(&watched), &unwatched}) {
        auto generator = *run::Generator::create(m_model, settings, m_prompt);
        const auto result = generator->run(listener, listener == &watched);
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result->tokens, m_truth.result.tokens);
    }
    EXPECT_GT(watched.ops, 0);
    EXPECT_EQ(watched.logits, unwatched.logits);
}

INSTANTIATE_TEST_SUITE_P(Formats, InvarianceGrid, testing::ValuesIn(test::allFormats()),
                         [](const auto& param) {
                             return std::string(numeric::weightTypeInfo(param.param).name);
                         });

} // namespace
} // namespace ulp
