// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Company in the batch and a cache with a past: what they are, and that `ordered` does not care.
#include "engine/run/companions.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/engine/support/tiny_run.h"

namespace ulp {
namespace {

using test::runAndCollect;

RunSettings baseSettings()
{
    RunSettings settings;
    settings.threads = 2;
    settings.steps = 24;
    settings.ignoreEos = true;
    return settings;
}

std::shared_ptr<const model::Model> tinyModel()
{
    test::TinyLlama tiny;
    tiny.layers = 2;
    tiny.width = 96;
    tiny.heads = 6;
    tiny.kvHeads = 2;
    tiny.ffn = 160;
    tiny.vocab = 301;
    return test::loadTiny(tiny);
}

TEST(Companions, SteadyOnesNeverLeave)
{
    const run::Stay stay = run::firstStay(baseSettings(), 3);
    EXPECT_EQ(stay.begin, 0);
    EXPECT_GT(stay.end, std::int64_t{1} << 60);
}

TEST(Companions, JoiningOnesComeAndGoAtTimesOfTheirOwn)
{
    RunSettings settings = baseSettings();
    settings.companions = Companions::Joining;
    std::set<std::uint64_t> guests;
    std::set<std::size_t> lengths;
    std::set<int> present; // how many companions of 5 places a pass saw
    std::vector<run::Stay> stays;
    for (int place = 1; place <= 5; ++place) {
        stays.push_back(run::firstStay(settings, place));
    }
    for (std::int64_t pass = 0; pass < 200; ++pass) {
        int here = 0;
        for (int place = 1; place <= 5; ++place) {
            run::Stay& stay = stays[static_cast<std::size_t>(place - 1)];
            while (stay.end <= pass) {
                const run::Stay next = run::nextStay(settings, place, stay);
                ASSERT_GE(next.begin, stay.end);
                ASSERT_GT(next.end, next.begin);
                stay = next;
            }
            if (stay.begin <= pass) {
                ++here;
                guests.insert(stay.guest);
                lengths.insert(run::companionPrompt(settings, stay.guest, 20, 301).size());
            }
        }
        present.insert(here);
    }
    EXPECT_GT(guests.size(), 50U);
    EXPECT_GT(lengths.size(), 15U);
    EXPECT_EQ(*lengths.rbegin(), 20U);
    EXPECT_GE(present.size(), 4U);
}

TEST(Companions, EachHasAPromptOfItsOwn)
{
    std::set<std::vector<std::int32_t>> prompts;
    for (std::uint64_t guest = 1; guest <= 40; ++guest) {
        prompts.insert(run::companionPrompt(baseSettings(), guest, 30, 301));
    }
    EXPECT_EQ(prompts.size(), 40U);
}

/// Counts the sequences of each pass, to see that the company really changes.
struct CompanyCounter : test::CellCollector {
    std::vector<std::size_t> sequences;
    void onOp(const run::OpOutput& output) override
    {
        test::CellCollector::onOp(output);
        if (output.op == 0) {
            sequences.push_back(std::set(output.sequences, output.sequences + output.rows).size());
        }
    }
};

TEST(Companions, ComingAndGoingChangesNoBitOfTheRecordedSequence)
{
    const auto model = tinyModel();
    const auto prompt = test::somePrompt(19, 301);
    const test::Ran alone = runAndCollect(model, baseSettings(), prompt);
    for (const int batch : {2, 5, 16}) {
        RunSettings settings = baseSettings();
        settings.batch = batch;
        settings.companions = Companions::Joining;
        settings.prefillChunk = 6;
        CompanyCounter seen;
        auto generator =
            *run::Generator::create(model, *run::resolveSettings(settings, *model), prompt);
        ASSERT_TRUE(generator->run(&seen, true).ok());
        EXPECT_EQ(seen.cells, alone.seen.cells) << batch;
        EXPECT_GT(std::set(seen.sequences.begin(), seen.sequences.end()).size(), 1U) << batch;
    }
}

TEST(PromptCache, ReuseShowsEveryColumnOnceWithTheBitsOfAColdRun)
{
    const auto model = tinyModel();
    for (const std::size_t length : {2U, 3U, 64U, 131U}) {
        const auto prompt = test::somePrompt(length, 301);
        RunSettings settings = baseSettings();
        settings.steps = 4;
        const test::Ran cold = runAndCollect(model, settings, prompt);
        settings.cache = PromptCache::Reused;
        for (const int cut : {1, 7, 512}) {
            settings.prefillChunk = cut;
            const test::Ran warm = runAndCollect(model, settings, prompt);
            EXPECT_EQ(warm.seen.cells, cold.seen.cells) << length << " cut " << cut;
            EXPECT_EQ(warm.seen.columns, cold.seen.columns);
            EXPECT_EQ(warm.result.tokens, cold.result.tokens);
        }
    }
}

// A planted fault inside the reused part must reach what is built on it.
TEST(PromptCache, AFaultInTheReusedPartIsKept)
{
    const auto model = tinyModel();
    const auto prompt = test::somePrompt(30, 301);
    RunSettings settings = baseSettings();
    const test::Ran clean = runAndCollect(model, settings, prompt);
    settings.perturb = Perturbation{"Vcur-0", 4, 1, 1 << 16};
    const test::Ran cold = runAndCollect(model, settings, prompt);
    settings.cache = PromptCache::Reused;
    const test::Ran warm = runAndCollect(model, settings, prompt);
    EXPECT_NE(warm.seen.cells, clean.seen.cells);
    EXPECT_EQ(warm.seen.cells, cold.seen.cells);
}

TEST(PromptCache, ASingleTokenHasNoPartToReuse)
{
    const auto model = tinyModel();
    RunSettings settings = baseSettings();
    settings.cache = PromptCache::Reused;
    auto refused = run::Generator::create(model, *run::resolveSettings(settings, *model), {5});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::BadUsage);
}

} // namespace
} // namespace ulp
