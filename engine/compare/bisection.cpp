// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/bisection.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "engine/compare/run_classes.h"

namespace ulp::compare {
namespace {

std::int64_t numberOf(const std::string& text)
{
    std::int64_t value = 0; // values of ordered axes are integers: parseAxis saw to it
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool same(const trace::Snapshot& snapshot, int a, int b)
{
    return sameBits(*snapshot.runs[static_cast<std::size_t>(a)],
                    *snapshot.runs[static_cast<std::size_t>(b)]);
}

} // namespace

Bisection::Bisection(std::vector<RunSettings> grid, int limit)
    : m_grid(std::move(grid)), m_left(limit)
{
}

void Bisection::begin(const trace::Snapshot& snapshot, const SweepMap& map)
{
    m_axes = map.axes;
    for (const SweepCell& cell : map.cells) {
        m_cellValues.push_back(cell.values);
    }
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        if (!m_axes[axis].ordered()) {
            continue;
        }
        for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
            if (map.cells[cell].values[axis] == 0) {
                addLine(snapshot, map, axis, cell);
            }
        }
    }
}

/// The intervals of one line: neighbouring values whose cells differ for sure.
void Bisection::addLine(const trace::Snapshot& snapshot, const SweepMap& map, std::size_t axis,
                        std::size_t cell)
{
    std::vector<End> ends;
    for (const std::size_t at : lineThrough(m_axes, cell, axis)) {
        const SweepCell& known = map.cells[at];
        if (!known.runs.empty()) {
            const auto value = static_cast<std::size_t>(known.values[axis]);
            const int run = known.runs.front();
            const bool chance =
                leavesOrderToChance(snapshot.runs[static_cast<std::size_t>(run)]->settings);
            ends.push_back({numberOf(m_axes[axis].values[value]), run, at,
                            known.repeats || (!chance && known.classes.size() == 1)});
        }
    }
    std::sort(ends.begin(), ends.end(),
              [](const End& a, const End& b) { return a.value < b.value; });
    for (std::size_t i = 1; i < ends.size(); ++i) {
        if (differForSure(map.cells[ends[i - 1].cell], map.cells[ends[i].cell])) {
            m_open.push_back({static_cast<int>(axis), cell, ends[i - 1], ends[i]});
        }
    }
}

std::vector<RunSettings> Bisection::wanted()
{
    m_asked.clear();
    if (!m_confirmed) {
        m_confirmed = true;
        askRepeats();
    }
    if (m_asked.empty()) {
        askMiddles();
    }
    std::vector<RunSettings> settings;
    for (const Asked& asked : m_asked) {
        settings.push_back(asked.settings);
    }
    return settings;
}

void Bisection::ask(Asked asked)
{
    --m_left;
    m_asked.push_back(std::move(asked));
}

void Bisection::askRepeats()
{
    std::set<std::size_t> cells;
    for (const Interval& interval : m_open) {
        cells.insert(interval.low.cell);
        cells.insert(interval.high.cell);
    }
    for (const std::size_t cell : cells) {
        if (m_left > 0) {
            ask({m_grid[cell], cell});
        }
    }
}

void Bisection::askMiddles()
{
    std::vector<Interval> open;
    std::swap(open, m_open);
    for (const Interval& interval : open) {
        const auto axis = static_cast<std::size_t>(interval.axis);
        const auto middle =
            valueBetween(m_axes[axis].kind(), interval.low.value, interval.high.value);
        if (!interval.low.steady && !interval.high.steady) {
            continue; // the axis cannot be told from chance
        }
        if (!middle) {
            close(interval, true);
        } else if (m_left <= 0) {
            close(interval, false);
        } else {
            Asked asked;
            asked.settings = m_grid[interval.line];
            asked.interval = m_open.size();
            asked.value = *middle;
            // The name and the number were both taken before, so this cannot fail.
            static_cast<void>(
                setByName(asked.settings, m_axes[axis].name, std::to_string(*middle)));
            m_open.push_back(interval);
            ask(std::move(asked));
        }
    }
}

void Bisection::judge(const trace::Snapshot& snapshot, int firstRun, SweepRuns& runs)
{
    m_next.clear();
    for (std::size_t i = 0; i < m_asked.size(); ++i) {
        const int run = firstRun + static_cast<int>(i);
        if (static_cast<std::size_t>(run) >= snapshot.runs.size() ||
            snapshot.runs[static_cast<std::size_t>(run)]->status != trace::RunStatus::Complete) {
            if (m_asked[i].cell == kNoCell) {
                close(m_open[m_asked[i].interval], false);
            }
            continue;
        }
        if (m_asked[i].cell != kNoCell) {
            runs.runs[m_asked[i].cell].push_back(run);
            judgeRepeat(snapshot, m_asked[i], run);
        } else {
            runs.extra.push_back(run);
            split(snapshot, m_asked[i], run);
        }
    }
    if (m_asked.empty() || m_asked.front().cell == kNoCell) {
        std::swap(m_open, m_next);
    }
}

void Bisection::judgeRepeat(const trace::Snapshot& snapshot, const Asked& asked, int run)
{
    for (Interval& interval : m_open) {
        for (End* end : {&interval.low, &interval.high}) {
            if (end->cell == asked.cell) {
                end->steady = end->steady && same(snapshot, end->run, run);
            }
        }
    }
}

void Bisection::split(const trace::Snapshot& snapshot, const Asked& asked, int run)
{
    const Interval interval = m_open[asked.interval];
    const auto& settings = snapshot.runs[static_cast<std::size_t>(run)]->settings;
    const bool asLow = same(snapshot, interval.low.run, run);
    const bool asHigh = same(snapshot, interval.high.run, run);
    // Where chance may decide, having the bits of a steady end counts as one more repeat of them.
    const bool steady = !leavesOrderToChance(settings) || (asLow && interval.low.steady) ||
                        (asHigh && interval.high.steady);
    const End middle{asked.value, run, kNoCell, steady};
    Interval lower = interval;
    lower.high = middle;
    Interval upper = interval;
    upper.low = middle;
    const bool allSteady = interval.low.steady && interval.high.steady && middle.steady;
    if (asLow) {
        m_next.push_back(upper);
    } else if (asHigh) {
        m_next.push_back(lower);
    } else if (allSteady) { // a third class: the line changes on both sides
        m_next.push_back(lower);
        m_next.push_back(upper);
    } else { // where the steady end's class is left
        m_next.push_back(interval.low.steady ? lower : upper);
    }
}

void Bisection::close(const Interval& interval, bool exact)
{
    m_found.push_back(pointOf(interval, exact));
}

SwitchPoint Bisection::pointOf(const Interval& interval, bool exact) const
{
    SwitchPoint point;
    point.axis = interval.axis;
    point.below = interval.low.value;
    point.above = interval.high.value;
    point.exact = exact;
    point.cell = m_cellValues[interval.line];
    point.runBelow = interval.low.run;
    point.runAbove = interval.high.run;
    return point;
}

std::vector<SwitchPoint> Bisection::found() const
{
    std::vector<SwitchPoint> sorted = m_found;
    for (const Interval& interval : m_open) { // not looked into: the sweep was stopped
        if (interval.low.steady || interval.high.steady) {
            sorted.push_back(pointOf(interval, false));
        }
    }
    std::sort(sorted.begin(), sorted.end(), [](const SwitchPoint& a, const SwitchPoint& b) {
        return std::tie(a.axis, a.cell, a.below) < std::tie(b.axis, b.cell, b.below);
    });
    return sorted;
}

} // namespace ulp::compare
