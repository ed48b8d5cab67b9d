// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/sweep_map.h"

#include <algorithm>
#include <set>

#include "engine/compare/run_classes.h"

namespace ulp::compare {
namespace {

const trace::RunRecord& runAt(const trace::Snapshot& snapshot, int run)
{
    return *snapshot.runs[static_cast<std::size_t>(run)];
}

std::vector<int> completeRuns(const trace::Snapshot& snapshot, const std::vector<int>& runs)
{
    std::vector<int> complete;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(complete), [&](int run) {
        return runAt(snapshot, run).status == trace::RunStatus::Complete;
    });
    return complete;
}

std::size_t strideOf(const std::vector<Axis>& axes, std::size_t axis)
{
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < axes.size(); ++i) {
        stride *= axes[i].values.size();
    }
    return stride;
}

void addCells(const trace::Snapshot& snapshot, const SweepRuns& runs, SweepMap& map)
{
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        SweepCell cell;
        for (std::size_t axis = 0; axis < map.axes.size(); ++axis) {
            const std::size_t values = map.axes[axis].values.size();
            cell.values.push_back(static_cast<int>(i / strideOf(map.axes, axis) % values));
        }
        cell.runs = completeRuns(snapshot, runs.runs[i]);
        std::set<int> classes;
        for (const int run : cell.runs) {
            classes.insert(map.classOf(run));
        }
        cell.classes.assign(classes.begin(), classes.end());
        const bool chance =
            !cell.runs.empty() && leavesOrderToChance(runAt(snapshot, cell.runs.front()).settings);
        cell.repeats = cell.classes.size() == 1 && (!chance || cell.runs.size() > 1);
        map.cells.push_back(std::move(cell));
    }
}

/// What one line says about its axis.
void judgeLine(const SweepMap& map, const std::vector<std::size_t>& line, AxisEffect& effect)
{
    std::vector<const SweepCell*> known;
    for (const std::size_t cell : line) {
        if (!map.cells[cell].classes.empty()) {
            known.push_back(&map.cells[cell]);
        }
    }
    if (known.size() < 2) {
        return;
    }
    ++effect.lines;
    bool differs = false;
    bool sure = false;
    for (std::size_t i = 0; i < known.size() && !sure; ++i) {
        for (std::size_t j = i + 1; j < known.size() && !sure; ++j) {
            differs = differs || known[i]->classes != known[j]->classes;
            sure = differForSure(*known[i], *known[j]);
        }
    }
    effect.differing += sure ? 1 : 0;
    effect.untold += differs && !sure ? 1 : 0;
}

} // namespace

int SweepMap::classOf(int run) const
{
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (std::binary_search(classes[i].runs.begin(), classes[i].runs.end(), run)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

bool leavesOrderToChance(const RunSettings& settings)
{
    const auto chance = [](Policy policy) {
        return policy == Policy::Atomic || policy == Policy::AtomicAdd || policy == Policy::Kahan;
    };
    return settings.threads != 1 &&
           (chance(settings.policy) ||
            std::any_of(settings.opPolicies.begin(), settings.opPolicies.end(),
                        [&](const OpPolicy& entry) { return chance(entry.policy); }));
}

bool differForSure(const SweepCell& a, const SweepCell& b)
{
    std::vector<int> common;
    std::set_intersection(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(),
                          std::back_inserter(common));
    return !a.classes.empty() && !b.classes.empty() && common.empty() && (a.repeats || b.repeats);
}

std::vector<std::size_t> lineThrough(const std::vector<Axis>& axes, std::size_t cell,
                                     std::size_t axis)
{
    const std::size_t stride = strideOf(axes, axis);
    const std::size_t values = axes[axis].values.size();
    const std::size_t first = cell - cell / stride % values * stride;
    std::vector<std::size_t> line;
    for (std::size_t i = 0; i < values; ++i) {
        line.push_back(first + i * stride);
    }
    return line;
}

SweepMap sweepMap(const trace::Snapshot& snapshot, const SweepRuns& runs)
{
    SweepMap map;
    map.axes = runs.axes;
    map.extraRuns = completeRuns(snapshot, runs.extra);
    std::vector<int> all = map.extraRuns;
    for (const auto& cell : runs.runs) {
        const auto complete = completeRuns(snapshot, cell);
        all.insert(all.end(), complete.begin(), complete.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (!all.empty()) {
        map.classes = groupTraces(snapshot, all, all.front(),
                                  std::vector<std::int64_t>(snapshot.runs.size(), 0));
    }
    addCells(snapshot, runs, map);
    std::set<int> classes;
    for (const SweepCell& cell : map.cells) {
        classes.insert(cell.classes.begin(), cell.classes.end());
    }
    map.gridClasses = static_cast<int>(classes.size());
    for (std::size_t axis = 0; axis < map.axes.size(); ++axis) {
        AxisEffect effect;
        effect.axis = static_cast<int>(axis);
        for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
            if (map.cells[cell].values[axis] == 0) {
                judgeLine(map, lineThrough(map.axes, cell, axis), effect);
            }
        }
        map.effects.push_back(effect);
    }
    return map;
}

} // namespace ulp::compare
