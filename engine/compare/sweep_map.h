// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The class map of a sweep: which cell of a grid of settings gave which bits, which axes change
// them, and between which neighbouring values. Thread-safety: pure functions, plain values.
// Ownership: by value; run numbers are indices into snapshot.runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/axis.h"
#include "engine/compare/comparison.h"

namespace ulp::compare {

struct SweepCell {
    std::vector<int> values;  // by axis: index into its values
    std::vector<int> runs;    // complete ones
    std::vector<int> classes; // distinct, of those runs, ascending; empty: nothing to tell yet
    /// Its runs gave the same bits, and a policy that leaves the order to chance was asked more
    /// than once.
    bool repeats = false;
};

/// Whether an axis changes the bits, all others kept. A line is the cells that differ in this axis
/// alone; it counts where at least two of its cells have runs.
struct AxisEffect {
    int axis = 0;
    std::int64_t lines = 0;
    std::int64_t differing = 0; // lines on which cells differ for sure
    /// Lines on which cells differ, but none that differs repeats its own bits: the axis cannot be
    /// told from chance.
    std::int64_t untold = 0;
};

/// Between `below` and `above` the class changes, all other axes at the cell's values.
struct SwitchPoint {
    int axis = 0;
    std::int64_t below = 0;
    std::int64_t above = 0;
    bool exact = false;    // the two values are neighbours
    std::vector<int> cell; // values of the cell at the lower end of the line; [axis] is not used
    int runBelow = 0;
    int runAbove = 0;
};

struct SweepMap {
    std::vector<Axis> axes;
    std::vector<SweepCell> cells;    // the last axis fastest
    std::vector<RunClass> classes;   // of all complete runs, extra ones included; A first
    std::vector<AxisEffect> effects; // by axis
    std::vector<SwitchPoint> switches;
    int gridClasses = 0; // distinct classes among the cells
    std::vector<int> extraRuns;

    [[nodiscard]] int classOf(int run) const; // -1: in none
};

/// What was run: `runs[i]` are the snapshot's runs of cell i, whatever their state.
struct SweepRuns {
    std::vector<Axis> axes;
    std::vector<std::vector<int>> runs;
    std::vector<int> extra; // repeats and values between those of the grid
};

/// Classes, cells and effects; switch points are the bisection's.
[[nodiscard]] SweepMap sweepMap(const trace::Snapshot& snapshot, const SweepRuns& runs);

/// Whether the settings leave an order to chance, so that one run says nothing about the next.
[[nodiscard]] bool leavesOrderToChance(const RunSettings& settings);

/// Whether two cells differ for sure: no class in common, and at least one of them repeats.
[[nodiscard]] bool differForSure(const SweepCell& a, const SweepCell& b);

/// The cells of a line: those that agree with `cell` in all axes but `axis`.
[[nodiscard]] std::vector<std::size_t> lineThrough(const std::vector<Axis>& axes, std::size_t cell,
                                                   std::size_t axis);

} // namespace ulp::compare
