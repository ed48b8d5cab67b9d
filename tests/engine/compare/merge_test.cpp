// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/merge.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/compare/comparison.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::compare {
namespace {

using test::SessionOptions;
using trace::SnapshotPtr;

SnapshotPtr named(const SnapshotPtr& snapshot, const std::string& source)
{
    auto copy = std::make_shared<trace::Snapshot>(*snapshot);
    copy->source = source;
    return copy;
}

TEST(Merge, RunsOfTwoSessionsAreComparedTogether)
{
    SessionOptions options;
    options.runs = 2;
    const SnapshotPtr a = named(test::makeSession(options), "a.ulp");
    options.divergences = {{.run = 1, .step = 4, .op = "ffn_out-0"}};
    const SnapshotPtr b = named(test::makeSession(options), "b.ulp");
    const auto merged = mergeSnapshots({a, b});
    ASSERT_TRUE(merged) << merged.error().text();
    const SnapshotPtr session = *merged;
    ASSERT_EQ(session->runs.size(), 4U);
    EXPECT_EQ(session->runs[3]->run, 3);
    EXPECT_EQ(session->source, "a.ulp + b.ulp");
    EXPECT_TRUE(session->readOnly);
    const ComparisonPtr comparison = Comparison::compute(session);
    EXPECT_EQ(comparison->uniqueTraces(), 2);
    ASSERT_TRUE(comparison->first());
    EXPECT_EQ(comparison->first()->step, 4);
    // Both references have the same bits, so the magnitude still holds.
    ASSERT_TRUE(comparison->first()->magnitude);
    EXPECT_EQ(comparison->first()->magnitude->maxUlp, 1U);
}

TEST(Merge, MagnitudesSurviveExactlyWhereTheReferencesAgree)
{
    SessionOptions options;
    options.runs = 2;
    options.divergences = {{.run = 0, .step = 6, .op = "attn_out-1", .variant = 3}};
    const SnapshotPtr a = test::makeSession(options); // its reference parts at step 6
    options.divergences = {{.run = 1, .step = 2, .op = "ffn_out-0", .variant = 4}};
    const SnapshotPtr b = test::makeSession(options);
    const auto merged = mergeSnapshots({a, b});
    ASSERT_TRUE(merged);
    const auto& before = *b->runs[1];
    const auto& after = *(*merged)->runs[3];
    std::size_t kept = 0;
    std::size_t dropped = 0;
    for (std::size_t c = 0; c < before.columnCount; ++c) {
        for (const trace::Magnitude& magnitude : before.columns()[c].magnitudes) {
            const auto op = static_cast<std::size_t>(magnitude.op);
            const bool same = a->runs[0]->cell(c, op) == b->runs[0]->cell(c, op);
            const auto& list = after.columns()[c].magnitudes;
            const bool there = std::find(list.begin(), list.end(), magnitude) != list.end();
            ASSERT_EQ(there, same);
            (same ? kept : dropped) += 1;
        }
    }
    EXPECT_GT(kept, 0U);
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(before.columns()[12].magnitudes.empty(), false); // the source is untouched
}

TEST(Merge, RefusesWhatCannotBeComparedAndSaysWhy)
{
    SessionOptions options;
    options.runs = 1;
    const SnapshotPtr a = named(test::makeSession(options), "a.ulp");
    const auto errorWith = [&](SessionOptions other) {
        const auto result = mergeSnapshots({a, named(test::makeSession(other), "b.ulp")});
        return result ? std::string() : result.error().text();
    };
    SessionOptions model = options;
    model.modelSha256 = std::string(64, 'f');
    EXPECT_NE(errorWith(model).find("different models"), std::string::npos);
    EXPECT_NE(errorWith(model).find("a.ulp and b.ulp"), std::string::npos);
    SessionOptions layers = options;
    layers.layers = 5;
    EXPECT_NE(errorWith(layers).find("op lists differ"), std::string::npos);
    SessionOptions length = options;
    length.promptTokens = 6;
    EXPECT_NE(errorWith(length).find("different lengths"), std::string::npos);
    SessionOptions tokens = options;
    tokens.seed = 2;
    EXPECT_NE(errorWith(tokens).find("prompts differ from position 1"), std::string::npos);
    EXPECT_EQ(errorWith(options), "");
    auto contract = std::make_shared<trace::Snapshot>(*a);
    contract->contract += 1;
    EXPECT_NE(mergeSnapshots({a, contract}).error().text().find("different versions"),
              std::string::npos);
    EXPECT_FALSE(mergeSnapshots({}));
}

TEST(Merge, KeepsWhatDiffersInTheFingerprints)
{
    SessionOptions options;
    options.runs = 1;
    const SnapshotPtr a = test::makeSession(options);
    auto b = std::make_shared<trace::Snapshot>(*a);
    b->fingerprint["cpu.model"] = "Another CPU";
    b->incomplete = true;
    const auto merged = mergeSnapshots({a, b});
    ASSERT_TRUE(merged);
    EXPECT_EQ((*merged)->fingerprint.at("cpu.model"), "Synthetic CPU");
    EXPECT_EQ((*merged)->fingerprint.at("trace2.cpu.model"), "Another CPU");
    EXPECT_FALSE((*merged)->fingerprint.contains("trace2.program.version"));
    EXPECT_TRUE((*merged)->incomplete);
}

} // namespace
} // namespace ulp::compare
