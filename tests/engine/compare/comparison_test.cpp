// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/comparison.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/engine/support/snapshot_maker.h"

namespace ulp::compare {
namespace {

using test::SessionOptions;
using trace::SnapshotPtr;

std::vector<std::vector<int>> runsOf(const std::vector<RunClass>& classes)
{
    std::vector<std::vector<int>> result;
    for (const RunClass& entry : classes) {
        result.push_back(entry.runs);
    }
    return result;
}

using Runs = std::vector<std::vector<int>>;

/// The definitions, written a second time without any of the shortcuts.
class Oracle {
  public:
    Oracle(const trace::Snapshot& snapshot, std::vector<int> runs, int reference)
        : m_snapshot(snapshot), m_runs(std::move(runs)), m_reference(reference)
    {
    }

    CellState cell(std::size_t column, std::size_t op) const
    {
        std::set<std::uint64_t> hashes;
        std::size_t recorded = 0;
        CellState state;
        for (const int run : m_runs) {
            const std::uint64_t hash = at(run, column, op);
            hashes.insert(hash);
            recorded += hash != 0 ? 1 : 0;
            if (originIn(run, column, op)) {
                state.flags |= Origin;
            }
            if (nonFinite(run, column, op)) {
                state.flags |= HasNonFinite;
            }
        }
        hashes.erase(0);
        state.classes = static_cast<std::uint8_t>(std::min<std::size_t>(hashes.size(), 255));
        if (recorded > 0 && recorded < m_runs.size()) {
            state.flags |= Partial;
        }
        return state;
    }

  private:
    std::uint64_t at(int run, std::size_t column, std::size_t op) const
    {
        const auto& record = *m_snapshot.runs[static_cast<std::size_t>(run)];
        return column < record.columnCount ? record.cell(column, op) : 0;
    }
    bool differs(int run, std::size_t column, std::size_t op) const
    {
        const std::uint64_t a = at(run, column, op);
        const std::uint64_t b = at(m_reference, column, op);
        return a != 0 && b != 0 && a != b;
    }
    bool originIn(int run, std::size_t column, std::size_t op) const
    {
        if (!differs(run, column, op)) {
            return false;
        }
        const OpInfo& info = m_snapshot.ops[op];
        const auto token = [&](int r) {
            return m_snapshot.runs[static_cast<std::size_t>(r)]->columns()[column].token;
        };
        if (info.readsToken && token(run) != token(m_reference)) {
            return false;
        }
        for (const int input : info.inputs) {
            if (differs(run, column, static_cast<std::size_t>(input))) {
                return false;
            }
        }
        for (const int input : info.history) {
            for (std::size_t c = 0; c <= column; ++c) {
                if (differs(run, c, static_cast<std::size_t>(input))) {
                    return false;
                }
            }
        }
        return true;
    }
    bool nonFinite(int run, std::size_t column, std::size_t op) const
    {
        const auto& record = *m_snapshot.runs[static_cast<std::size_t>(run)];
        if (column >= record.columnCount) {
            return false;
        }
        const auto& list = record.columns()[column].nonFinite;
        return std::any_of(list.begin(), list.end(), [op](const trace::NonFinite& entry) {
            return entry.op == static_cast<int>(op);
        });
    }

    const trace::Snapshot& m_snapshot;
    std::vector<int> m_runs;
    int m_reference;
};

void expectAgrees(const SnapshotPtr& snapshot, const Options& options = {})
{
    const ComparisonPtr comparison = Comparison::compute(snapshot, options);
    const Oracle oracle(*snapshot, comparison->runs(), comparison->reference());
    std::int64_t divergent = 0;
    std::int64_t prefill = 0;
    std::int64_t origins = 0;
    std::vector<Comparison::CellRef> all;
    for (std::int64_t c = 0; c < comparison->columns(); ++c) {
        for (std::int64_t op = 0; op < comparison->ops(); ++op) {
            const CellState expected =
                oracle.cell(static_cast<std::size_t>(c), static_cast<std::size_t>(op));
            const CellState found = comparison->cell(c, op);
            ASSERT_EQ(int(found.classes), int(expected.classes)) << c << ' ' << op;
            ASSERT_EQ(int(found.flags), int(expected.flags)) << c << ' ' << op;
            if (expected.classes >= 2) {
                (comparison->stepOf(c) >= 0 ? divergent : prefill) += 1;
                all.push_back({c, static_cast<int>(op)});
            }
            origins += (expected.flags & Origin) != 0 ? 1 : 0;
        }
    }
    EXPECT_EQ(comparison->divergentCells(), divergent);
    EXPECT_EQ(comparison->divergentPrefillCells(), prefill);
    EXPECT_EQ(comparison->originCells(), origins);
    ASSERT_EQ(comparison->first().has_value(), !all.empty());
    if (!all.empty()) {
        EXPECT_EQ(comparison->first()->column, all.front().column);
        EXPECT_EQ(comparison->first()->op, all.front().op);
    }
    // Walking forwards and backwards meets every divergent cell once.
    std::vector<Comparison::CellRef> forwards;
    for (auto at = comparison->next({-1, 0}, false); at; at = comparison->next(*at, false)) {
        forwards.push_back(*at);
    }
    EXPECT_EQ(forwards, all);
    std::vector<Comparison::CellRef> backwards;
    for (auto at = comparison->previous({comparison->columns(), 0}, false); at;
         at = comparison->previous(*at, false)) {
        backwards.push_back(*at);
    }
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(backwards, all);
    std::int64_t originsWalked = 0;
    for (auto at = comparison->next({-1, 0}, true); at; at = comparison->next(*at, true)) {
        ++originsWalked;
    }
    EXPECT_EQ(originsWalked, origins);
}

TEST(Comparison, LiteralClasses)
{
    const SnapshotPtr snapshot = test::makeLiteral({
        {{1, 2, 3}, {4, 5, 6}},
        {{1, 2, 3}, {4, 9, 7}},
        {{1, 2, 3}, {4, 9, 8}},
    });
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    EXPECT_EQ(comparison->cell(0, 2), (CellState{1, 0}));
    EXPECT_EQ(comparison->cell(1, 0), (CellState{1, 0}));
    EXPECT_EQ(comparison->cell(1, 1), (CellState{2, Origin}));
    EXPECT_EQ(comparison->cell(1, 2), (CellState{3, 0}));
    EXPECT_EQ(runsOf(comparison->classesAt(1, 1)), (Runs{{1, 2}, {0}}));
    EXPECT_EQ(comparison->classesAt(1, 1)[0].hash, 9U);
    EXPECT_EQ(runsOf(comparison->classesAt(1, 2)), (Runs{{0}, {1}, {2}}));
    EXPECT_EQ(comparison->uniqueTraces(), 3);
    EXPECT_EQ(comparison->uniqueOutputs(), 1);
    EXPECT_EQ(comparison->divergentCells(), 2);
    ASSERT_TRUE(comparison->first());
    EXPECT_EQ(comparison->first()->column, 1);
    EXPECT_EQ(comparison->first()->op, 1);
    EXPECT_TRUE(comparison->first()->origin);
    EXPECT_EQ(comparison->verdict(), Verdict::SameTokensDifferentBits);
}

TEST(Comparison, SameBitsHasOneClassEverywhere)
{
    const SnapshotPtr snapshot = test::makeSession();
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    EXPECT_EQ(comparison->verdict(), Verdict::SameBits);
    EXPECT_EQ(toString(comparison->verdict()), "same-bits");
    EXPECT_EQ(comparison->uniqueTraces(), 1);
    EXPECT_EQ(runsOf(comparison->runClasses()), (Runs{{0, 1, 2, 3}}));
    EXPECT_EQ(comparison->uniqueOutputs(), 1);
    EXPECT_FALSE(comparison->first());
    EXPECT_FALSE(comparison->firstToken());
    EXPECT_FALSE(comparison->next({-1, 0}, false));
    EXPECT_FALSE(comparison->previous({comparison->columns(), 0}, false));
    expectAgrees(snapshot);
}

TEST(Comparison, PlantedCellIsNamedWithItsMagnitude)
{
    SessionOptions options;
    options.divergences = {{.run = 2, .step = 3, .op = "ffn_out-2"}};
    const SnapshotPtr snapshot = test::makeSession(options);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    ASSERT_TRUE(comparison->first());
    const Divergence& first = *comparison->first();
    EXPECT_EQ(first.step, 3);
    EXPECT_EQ(first.position, options.promptTokens - 1 + 3);
    EXPECT_EQ(snapshot->ops[static_cast<std::size_t>(first.op)].name, "ffn_out-2");
    EXPECT_TRUE(first.origin);
    EXPECT_EQ(runsOf(first.classes), (Runs{{0, 1, 3}, {2}}));
    ASSERT_TRUE(first.magnitude);
    EXPECT_EQ(first.magnitude->differing, 1);
    EXPECT_EQ(first.magnitude->maxUlp, 1U);
    EXPECT_EQ(comparison->originCells(), 1);
    EXPECT_EQ(comparison->verdict(), Verdict::SameTokensDifferentBits);
    EXPECT_EQ(runsOf(comparison->runClasses()), (Runs{{0, 1, 3}, {2}}));
    expectAgrees(snapshot);
}

TEST(Comparison, ADifferenceInTheCacheIsInheritedByLaterAttention)
{
    SessionOptions options;
    options.runs = 2;
    // Only this cell differs at its own column: what reads it does so through the history.
    options.divergences = {{.run = 1, .step = 1, .op = "Vcur-3"}};
    const SnapshotPtr snapshot = test::makeSession(options);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    const int attention = test::opIndex(snapshot->ops, "kqv_out-3");
    const std::int64_t column = options.promptTokens - 1 + 2;
    EXPECT_EQ(comparison->cell(column, attention).classes, 2);
    EXPECT_EQ(comparison->cell(column, attention).flags & Origin, 0);
    EXPECT_EQ(comparison->originCells(), 1);
    expectAgrees(snapshot);

    // The negative control: without its history the same op would count as an origin.
    auto blind = std::make_shared<trace::Snapshot>(*snapshot);
    blind->ops[static_cast<std::size_t>(attention)].history.clear();
    EXPECT_NE(Comparison::compute(blind)->cell(column, attention).flags & Origin, 0);
}

TEST(Comparison, AfterATokenFlipDifferencesAreInherited)
{
    SessionOptions options;
    options.runs = 3;
    options.divergences = {{.run = 1, .step = 5, .op = "result_output"}};
    options.flips = {{.run = 1, .step = 5}};
    const SnapshotPtr snapshot = test::makeSession(options);
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    ASSERT_TRUE(comparison->firstToken());
    const TokenDivergence& token = *comparison->firstToken();
    EXPECT_EQ(token.step, 5);
    ASSERT_EQ(token.tokens.size(), 2U);
    EXPECT_EQ(token.tokens[0].second, (std::vector<int>{0, 2}));
    EXPECT_EQ(token.tokens[1].second, (std::vector<int>{1}));
    EXPECT_FLOAT_EQ(token.margin,
                    snapshot->runs[0]->columns()[static_cast<std::size_t>(token.column)].margin);
    EXPECT_EQ(comparison->verdict(), Verdict::Diverged);
    EXPECT_EQ(comparison->uniqueOutputs(), 2);
    EXPECT_EQ(comparison->originCells(), 1);
    EXPECT_TRUE(comparison->drift(1, token.column).sameInput);
    EXPECT_FALSE(comparison->drift(1, token.column + 1).sameInput);
    EXPECT_TRUE(comparison->drift(2, token.column + 1).sameInput);
    expectAgrees(snapshot);
}

TEST(Comparison, AgreesWithTheDefinitionsOnRandomSessions)
{
    std::mt19937_64 random(99);
    for (int trial = 0; trial < 40; ++trial) {
        const int runs = 1 + static_cast<int>(random() % 9);
        SessionOptions options = test::atomicLike(runs, 1 + static_cast<int>(random() % 9),
                                                  1 + static_cast<int>(random() % 6),
                                                  6 + static_cast<int>(random() % 12), random());
        for (auto& divergence : options.divergences) {
            divergence.contained = random() % 3 == 0;
        }
        if (random() % 2 == 0) {
            options.nonFinite = {
                {static_cast<int>(random() % static_cast<unsigned>(runs)), 1, "attn_out-0"}};
        }
        if (random() % 3 == 0) {
            options.lastRunColumns = static_cast<int>(random() % 8);
        }
        SnapshotPtr snapshot = test::makeSession(options);
        if (random() % 2 == 0) { // holes in one run's record
            const int run = static_cast<int>(random() % static_cast<unsigned>(runs));
            auto content = test::contentOf(*snapshot->runs[static_cast<std::size_t>(run)]);
            for (std::size_t i = 0; i < content.cells.size(); i += 1 + random() % 40) {
                content.cells[i] = trace::kNotRecorded;
            }
            snapshot = test::withRun(*snapshot, run, std::move(content));
        }
        expectAgrees(snapshot);
        Options other;
        other.reference = static_cast<int>(random() % static_cast<unsigned>(runs));
        if (runs > 3) {
            other.hiddenRuns = {0, static_cast<int>(random() % static_cast<unsigned>(runs))};
        }
        expectAgrees(snapshot, other);
    }
}

TEST(Comparison, ManyRunsAndManyClassesSaturateWithoutLosingAny)
{
    std::vector<std::vector<std::vector<std::uint64_t>>> cells;
    for (std::uint64_t run = 0; run < 300; ++run) {
        cells.push_back({{7, 100 + run, 100 + run / 2}});
    }
    const ComparisonPtr comparison = Comparison::compute(test::makeLiteral(cells));
    EXPECT_EQ(comparison->cell(0, 0).classes, 1);
    EXPECT_EQ(comparison->cell(0, 1).classes, 255);
    EXPECT_EQ(comparison->cell(0, 2).classes, 150);
    EXPECT_EQ(comparison->classesAt(0, 1).size(), 300U);
    EXPECT_EQ(comparison->uniqueTraces(), 300);
}

TEST(Comparison, AGrowingRunIsWithTheRunsItAgreesWithSoFar)
{
    SessionOptions options;
    options.runs = 4;
    options.divergences = {{.run = 1, .step = 2, .op = "ffn_out-0"},
                           {.run = 3, .step = 9, .op = "ffn_out-0", .variant = 7}};
    options.lastRunColumns = 8;
    options.lastRunStatus = trace::RunStatus::Running;
    const ComparisonPtr comparison = Comparison::compute(test::makeSession(options));
    EXPECT_EQ(runsOf(comparison->runClasses()), (Runs{{0, 2, 3}, {1}}));
    EXPECT_EQ(comparison->cell(8, 0).flags & Partial, Partial);
    EXPECT_EQ(comparison->cell(7, 0).flags & Partial, 0);

    options.lastRunColumns = 0; // just begun: in no class
    const ComparisonPtr begun = Comparison::compute(test::makeSession(options));
    EXPECT_EQ(runsOf(begun->runClasses()), (Runs{{0, 2}, {1}}));
}

TEST(Comparison, RunClassesCarryTheTraceHash)
{
    const SnapshotPtr snapshot = test::makeSession();
    const ComparisonPtr comparison = Comparison::compute(snapshot);
    EXPECT_EQ(comparison->runClasses()[0].hash,
              std::stoull(snapshot->runs[0]->traceHash.substr(0, 16), nullptr, 16));
}

} // namespace
} // namespace ulp::compare
