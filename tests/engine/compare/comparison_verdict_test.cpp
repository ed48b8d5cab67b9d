// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verdicts, references and records that make no sense: what a comparison says where it cannot say
// "same".
#include "engine/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "engine/compare/pyramid.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::compare {
namespace {

using test::SessionOptions;
using trace::SnapshotPtr;

TEST(Comparison, NothingToCompareIsEmptyAndNotSame)
{
    EXPECT_EQ(Comparison::compute(std::make_shared<trace::Snapshot>())->verdict(), Verdict::Empty);
    SessionOptions one;
    one.runs = 1;
    EXPECT_EQ(Comparison::compute(test::makeSession(one))->verdict(), Verdict::Empty);
    Options hideAll;
    hideAll.hiddenRuns = {0, 1, 2, 3};
    const ComparisonPtr hidden = Comparison::compute(test::makeSession(), hideAll);
    EXPECT_EQ(hidden->verdict(), Verdict::Empty);
    EXPECT_EQ(hidden->columns(), 0);

    // Runs without a single recorded cell have equal tokens, but that says nothing about bits.
    const SnapshotPtr session = test::makeSession();
    auto unhashed = std::make_shared<trace::Snapshot>(*session);
    for (auto& run : unhashed->runs) {
        auto content = test::contentOf(*run);
        std::fill(content.cells.begin(), content.cells.end(), trace::kNotRecorded);
        for (auto& column : content.columns) {
            column.logitHash = trace::kNotRecorded;
        }
        run = test::toRecord(std::move(content));
    }
    EXPECT_EQ(Comparison::compute(unhashed)->verdict(), Verdict::Empty);
}

TEST(Comparison, NanInEveryRunIsAFailureNotAMatch)
{
    SessionOptions options;
    options.runs = 2;
    options.nonFinite = {{0, 2, "ffn_out-1"}, {1, 2, "ffn_out-1"}};
    const SnapshotPtr snapshot = test::makeSession(options);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    EXPECT_EQ(comparison->uniqueTraces(), 1);
    EXPECT_EQ(comparison->verdict(), Verdict::Failed);
    EXPECT_EQ(comparison->reason(), "NaN or infinity in every run, first in ffn_out-1 at step 2");
    EXPECT_EQ(comparison->nonFiniteCells(0), comparison->nonFiniteCells(1));
    EXPECT_GT(comparison->nonFiniteCells(0), 1);

    options.nonFinite.pop_back();
    const ComparisonPtr one = Comparison::compute(test::makeSession(options));
    EXPECT_NE(one->verdict(), Verdict::Failed);
    EXPECT_EQ(one->nonFiniteCells(1), 0);
}

TEST(Comparison, AFailedRunFailsTheSessionAndSaysWhy)
{
    SessionOptions options;
    options.lastRunColumns = 6;
    options.lastRunStatus = trace::RunStatus::Failed;
    const ComparisonPtr comparison = Comparison::compute(test::makeSession(options));
    EXPECT_EQ(comparison->verdict(), Verdict::Failed);
    EXPECT_EQ(comparison->reason(), "run 3 failed: all logits are NaN at step 3");
    Options hide;
    hide.hiddenRuns = {3};
    EXPECT_EQ(Comparison::compute(test::makeSession(options), hide)->verdict(), Verdict::SameBits);
}

TEST(Comparison, DifferentPromptsAreIncomparable)
{
    const SnapshotPtr session = test::makeSession();
    auto content = test::contentOf(*session->runs[2]);
    content.columns[3].token += 1;
    const ComparisonPtr comparison = Comparison::compute(test::withRun(*session, 2, content));
    EXPECT_EQ(comparison->verdict(), Verdict::Incomparable);
    EXPECT_EQ(comparison->reason(), "run 2 and run 0 have different prompts, from position 3 on");
    EXPECT_EQ(comparison->columns(), 0);

    content = test::contentOf(*session->runs[1]);
    content.record.promptTokens -= 1;
    EXPECT_EQ(Comparison::compute(test::withRun(*session, 1, content))->verdict(),
              Verdict::Incomparable);
    content = test::contentOf(*session->runs[1]);
    content.record.opCount -= 1;
    EXPECT_EQ(Comparison::compute(test::withRun(*session, 1, content))->verdict(),
              Verdict::Incomparable);
}

TEST(Comparison, RelativeL2IsTheLargestOverRunsAndNanWhenUnknown)
{
    SessionOptions options = test::atomicLike(6, 3, 4, 10);
    const SnapshotPtr snapshot = test::makeSession(options);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    options.magnitudes = false;
    const ComparisonPtr unknown = Comparison::compute(test::makeSession(options));
    std::vector<float> column(static_cast<std::size_t>(comparison->ops()));
    int divergent = 0;
    for (std::int64_t c = 0; c < comparison->columns(); ++c) {
        comparison->relativeL2Column(c, column);
        for (std::int64_t op = 0; op < comparison->ops(); ++op) {
            double expected = 0.0;
            for (const auto& run : snapshot->runs) {
                for (const auto& m : run->columns()[static_cast<std::size_t>(c)].magnitudes) {
                    expected = m.op == op ? std::max(expected, m.relativeL2) : expected;
                }
            }
            ASSERT_EQ(comparison->relativeL2(c, op), static_cast<float>(expected));
            ASSERT_EQ(column[static_cast<std::size_t>(op)], static_cast<float>(expected));
            ASSERT_EQ(std::isnan(unknown->relativeL2(c, op)), comparison->cell(c, op).classes >= 2);
            divergent += comparison->cell(c, op).classes >= 2 ? 1 : 0;
        }
    }
    EXPECT_GT(divergent, 100);
}

TEST(Comparison, MagnitudesAgainstAnotherReferenceCountOnlyWhereTheBitsAreTheSame)
{
    SessionOptions options;
    options.runs = 3;
    options.divergences = {{.run = 1, .step = 2, .op = "ffn_out-1", .variant = 4},
                           {.run = 2, .step = 1, .op = "ffn_out-3", .variant = 5}};
    const SnapshotPtr snapshot = test::makeSession(options);
    Options other;
    other.reference = 1;
    const ComparisonPtr comparison = Comparison::compute(snapshot, other);
    const std::int64_t column = options.promptTokens - 1 + 1;
    // At step 1 run 1 still has the bits of run 0, so what was measured against run 0 holds.
    const int op = test::opIndex(snapshot->ops, "ffn_out-3");
    EXPECT_FLOAT_EQ(comparison->relativeL2(column, op), 1e-8F);
    EXPECT_TRUE(comparison->magnitude(2, column, op));
    // From step 2 on it has not.
    EXPECT_TRUE(std::isnan(comparison->relativeL2(column + 3, op)));
    EXPECT_FALSE(comparison->magnitude(2, column + 3, op));
    std::vector<float> values(static_cast<std::size_t>(comparison->ops()));
    comparison->relativeL2Column(column + 3, values);
    EXPECT_TRUE(std::isnan(values[static_cast<std::size_t>(op)]));
    comparison->relativeL2Column(column, values);
    EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(op)], 1e-8F);
}

TEST(Comparison, ADifferenceOfSignedZerosIsNotShownAsZero)
{
    const SnapshotPtr literal = test::makeLiteral({{{1, 2}}, {{1, 3}}});
    auto content = test::contentOf(*literal->runs[1]);
    content.columns[0].magnitudes = {{1, 1, 8, 0, 0.0, 0.0}};
    const ComparisonPtr comparison = Comparison::compute(test::withRun(*literal, 1, content));
    EXPECT_GT(comparison->relativeL2(0, 1), 0.0F);
}

TEST(Comparison, NonsenseInARecordIsIgnoredNotFollowed)
{
    const SnapshotPtr session = test::makeSession();
    auto hostile = std::make_shared<trace::Snapshot>(*session);
    hostile->ops[3].inputs = {-5, 1 << 30};
    hostile->ops[9].history = {100000};
    hostile->referenceRun = 77;
    auto content = test::contentOf(*session->runs[1]);
    content.cells[40] ^= 5;
    content.columns[0].nonFinite = {{-3, 1, 1}, {1 << 29, 1, 1}};
    content.columns[0].magnitudes = {{-1, 1, 1, 1, 1, 1}, {1 << 29, 1, 1, 1, 1, 1}};
    const SnapshotPtr snapshot = test::withRun(*hostile, 1, content);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    EXPECT_EQ(comparison->reference(), 0);
    EXPECT_EQ(comparison->nonFiniteCells(1), 0);
    std::vector<float> values(static_cast<std::size_t>(comparison->ops()));
    comparison->relativeL2Column(0, values);
    EXPECT_TRUE(std::isnan(values[40]));
    EXPECT_FALSE(comparison->drift(1, 1 << 20).recorded);
    EXPECT_FALSE(comparison->drift(1, -1).recorded);
}

TEST(Comparison, StatesPoolToTheWorst)
{
    const SnapshotPtr snapshot = test::makeSession(test::atomicLike(5, 4, 3, 12));
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    PyramidLevels<CellState> pyramid(comparison->ops());
    pyramid.update(comparison->cells(), 0, comparison->columns());
    std::mt19937_64 random(4);
    for (int i = 0; i < 300; ++i) {
        const auto pick = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n + 1));
        };
        const auto [r0, r1] = std::minmax({pick(comparison->ops()), pick(comparison->ops())});
        const auto [c0, c1] =
            std::minmax({pick(comparison->columns()), pick(comparison->columns())});
        CellState expected;
        for (std::int64_t c = c0; c < c1; ++c) {
            for (std::int64_t r = r0; r < r1; ++r) {
                expected = PyramidTraits<CellState>::combine(expected, comparison->cell(c, r));
            }
        }
        ASSERT_EQ(pyramid.worst(comparison->cells(), r0, r1, c0, c1), expected);
    }
}

} // namespace
} // namespace ulp::compare
