// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Class maps and bisection over made-up engines: a function from settings to bits.
#include <gtest/gtest.h>

#include <functional>

#include "engine/compare/bisection.h"
#include "engine/compare/run_classes.h"
#include "engine/trace/snapshot_builder.h"

namespace ulp::compare {
namespace {

/// The bits that a run gives; the number of the run lets an engine be chancy.
using Engine = std::function<std::uint64_t(const RunSettings&, int run)>;

class Sweep {
  public:
    Sweep(const std::vector<std::string>& axes, Engine engine, int runsPerCell = 1)
        : m_builder(head()), m_engine(std::move(engine))
    {
        for (const std::string& text : axes) {
            m_runs.axes.push_back(*parseAxis(text));
        }
        RunSettings base;
        base.threads = 2;
        m_grid = *expandGrid(base, m_runs.axes, runsPerCell);
        for (const RunSettings& settings : m_grid) {
            m_runs.runs.emplace_back();
            for (int i = 0; i < runsPerCell; ++i) {
                m_runs.runs.back().push_back(execute(settings));
            }
        }
    }

    SweepMap map() { return sweepMap(*m_builder.snapshot(), m_runs); }

    SweepMap bisected(int limit = 100)
    {
        Bisection bisection(m_grid, limit);
        bisection.begin(*m_builder.snapshot(), map());
        for (;;) {
            const auto wanted = bisection.wanted();
            if (wanted.empty()) {
                break;
            }
            const int first = static_cast<int>(m_builder.snapshot()->runs.size());
            for (const RunSettings& settings : wanted) {
                execute(settings);
                ++asked;
            }
            bisection.judge(*m_builder.snapshot(), first, m_runs);
        }
        SweepMap result = map();
        result.switches = bisection.found();
        return result;
    }

    int asked = 0;

  private:
    static trace::Snapshot head()
    {
        trace::Snapshot snapshot;
        snapshot.ops.resize(1);
        return snapshot;
    }

    int execute(const RunSettings& settings)
    {
        const int run = m_builder.beginRun(settings, 1, 1);
        const std::uint64_t cell = m_engine(settings, run);
        trace::Column column;
        column.token = 5;
        column.chosen = 6;
        column.logitHash = cell % 1000 + 1; // hidden cells are told apart by their logits
        const std::uint64_t recorded = settings.hash ? cell + 1 : trace::kNotRecorded;
        m_builder.appendColumn(run, column, std::span(&recorded, 1));
        m_builder.finishRun(run, trace::RunStatus::Complete, "steps", {});
        return run;
    }

    trace::SnapshotBuilder m_builder;
    Engine m_engine;
    SweepRuns m_runs;
    std::vector<RunSettings> m_grid;
};

std::uint64_t constant(const RunSettings&, int)
{
    return 7;
}

std::string text(const SwitchPoint& point)
{
    return std::to_string(point.below) + (point.exact ? "|" : "..") + std::to_string(point.above);
}

std::vector<std::string> texts(const SweepMap& map)
{
    std::vector<std::string> all;
    for (const SwitchPoint& point : map.switches) {
        all.push_back(text(point));
    }
    return all;
}

using Texts = std::vector<std::string>;

TEST(SweepMap, OneClassAndNoEffects)
{
    Sweep sweep({"threads=1,2,3", "batch=1,8"}, constant);
    const SweepMap map = sweep.bisected();
    EXPECT_EQ(map.gridClasses, 1);
    EXPECT_EQ(map.effects[0].lines, 2);
    EXPECT_EQ(map.effects[1].lines, 3);
    EXPECT_EQ(map.effects[0].differing + map.effects[1].differing, 0);
    EXPECT_TRUE(map.switches.empty());
    EXPECT_EQ(sweep.asked, 0); // nothing to look for costs nothing
    EXPECT_EQ(map.cells[3].values, (std::vector<int>{1, 1}));
}

TEST(SweepMap, TheAxisThatMattersIsNamedAndNoOther)
{
    Sweep sweep({"threads=1,2,3", "policy=ordered,batch-split", "batch=1,8,9"},
                [](const RunSettings& s, int) {
                    return s.policy == Policy::BatchSplit && s.batch > 8 ? 2U : 1U;
                });
    const SweepMap map = sweep.map();
    EXPECT_EQ(map.gridClasses, 2);
    EXPECT_EQ(map.effects[0].differing, 0);
    EXPECT_EQ(map.effects[0].lines, 6);
    EXPECT_EQ(map.effects[1].differing, 3); // at batch 9, for each thread count
    EXPECT_EQ(map.effects[1].lines, 9);
    EXPECT_EQ(map.effects[2].differing, 3);
    EXPECT_EQ(map.effects[2].lines, 6);
}

TEST(SweepMap, LettersGoBySize)
{
    Sweep sweep({"batch=1..5"}, [](const RunSettings& s, int) { return s.batch < 3 ? 1U : 2U; });
    const SweepMap map = sweep.map();
    EXPECT_EQ(map.cells[0].classes, std::vector<int>{1});
    EXPECT_EQ(map.cells[4].classes, std::vector<int>{0});
}

TEST(SweepMap, ChanceIsNotTakenForTheWorkOfAnAxis)
{
    const auto chancy = [](const RunSettings& s, int run) {
        return s.policy == Policy::Atomic && s.threads > 1 ? static_cast<std::uint64_t>(run) : 900U;
    };
    Sweep sweep({"batch=1,2,3", "policy=ordered,atomic"}, chancy);
    const SweepMap map = sweep.bisected();
    EXPECT_EQ(map.effects[0].differing, 0);
    EXPECT_EQ(map.effects[0].untold, 1); // of the atomic line
    EXPECT_EQ(map.effects[1].differing, 3);
    EXPECT_TRUE(map.switches.empty());
}

TEST(SweepMap, UnhashedRunsAreToldByTokensAndLogits)
{
    Sweep equal({"hash=on,off"}, constant);
    EXPECT_EQ(equal.map().gridClasses, 1);
    Sweep different({"hash=on,off"}, [](const RunSettings& s, int) { return s.hash ? 1U : 2U; });
    EXPECT_EQ(different.map().gridClasses, 2);
    EXPECT_EQ(different.map().effects[0].differing, 1);
}

TEST(Bisection, FindsTheExactSwitchPoint)
{
    for (const int last : {1, 2, 8, 30, 62, 63}) {
        Sweep sweep({"batch=1,64"},
                    [last](const RunSettings& s, int) { return s.batch > last ? 2U : 1U; });
        const SweepMap map = sweep.bisected();
        ASSERT_EQ(map.switches.size(), 1U) << last;
        EXPECT_EQ(map.switches[0].below, last);
        EXPECT_EQ(map.switches[0].above, last + 1);
        EXPECT_TRUE(map.switches[0].exact);
        EXPECT_LE(sweep.asked, 2 + 6); // two repeats, then halving
        EXPECT_NE(map.classOf(map.switches[0].runBelow), map.classOf(map.switches[0].runAbove));
    }
}

TEST(Bisection, FindsEverySwitchBetweenTwoEnds)
{
    Sweep sweep({"threads=1,16"}, [](const RunSettings& s, int) {
        return static_cast<std::uint64_t>(s.threads < 4 ? 1 : s.threads < 11 ? 2 : 3);
    });
    EXPECT_EQ(texts(sweep.bisected()), (Texts{"3|4", "10|11"}));
}

TEST(Bisection, ValuesNeedNotBeGivenInOrderAndUnitsAreKept)
{
    Sweep sweep({"reduction-chunk=256,32"},
                [](const RunSettings& s, int) { return s.reductionChunk > 96 ? 2U : 1U; });
    EXPECT_EQ(texts(sweep.bisected()), Texts{"96|128"});
}

TEST(Bisection, EachLineHasItsOwnSwitchPoint)
{
    Sweep sweep({"threads=1,2", "batch=1,32"},
                [](const RunSettings& s, int) { return s.batch > s.threads * 8 ? 2U : 1U; });
    const SweepMap map = sweep.bisected();
    EXPECT_EQ(texts(map), (Texts{"8|9", "16|17"}));
    EXPECT_EQ(map.switches[1].cell, (std::vector<int>{1, 0}));
}

TEST(Bisection, TheLimitLeavesAnInexactInterval)
{
    Sweep sweep({"batch=1,64"}, [](const RunSettings& s, int) { return s.batch > 9 ? 2U : 1U; });
    const SweepMap map = sweep.bisected(4);
    EXPECT_EQ(sweep.asked, 4);
    EXPECT_EQ(texts(map), Texts{"1..16"});
}

TEST(Bisection, ACellThatDoesNotRepeatIsFoundOut)
{
    // Not a policy that is known for chance, and it varies all the same: a bug, not an axis.
    Sweep sweep({"batch=1,64"},
                [](const RunSettings&, int run) { return static_cast<std::uint64_t>(run); });
    const SweepMap map = sweep.bisected();
    EXPECT_TRUE(map.switches.empty());
    EXPECT_EQ(map.effects[0].differing, 0);
    EXPECT_EQ(map.effects[0].untold, 1);
    EXPECT_EQ(map.cells[0].classes.size(), 2U);
}

TEST(Bisection, FindsWhereChanceBegins)
{
    Sweep sweep({"threads=1,16", "policy=atomic"}, [](const RunSettings& s, int run) {
        return s.threads > 3 ? static_cast<std::uint64_t>(run) : 900U;
    });
    EXPECT_EQ(texts(sweep.bisected()), Texts{"3|4"});
}

TEST(SameBits, LooksAtCommonColumnsOnly)
{
    trace::Snapshot head;
    head.ops.resize(1);
    trace::SnapshotBuilder builder(head);
    const auto add = [&](std::vector<std::uint64_t> cells) {
        const int run = builder.beginRun({}, 1, cells.size());
        for (const std::uint64_t& cell : cells) {
            builder.appendColumn(run, {}, std::span(&cell, 1));
        }
        return builder.run(run);
    };
    EXPECT_TRUE(sameBits(*add({1, 2, 3}), *add({1, 2})));
    EXPECT_FALSE(sameBits(*add({1, 2, 3}), *add({1, 3})));
    EXPECT_TRUE(sameBits(*add({1, 2, 3}), *add({1, trace::kNotRecorded, 3})));
    EXPECT_FALSE(sameBits(*add({1, 2, 3}), *add({1, trace::kNotRecorded, 4})));
}

} // namespace
} // namespace ulp::compare
