// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the exact values of an ordered axis between which the class of a sweep changes, by asking
// for runs at values between those of the grid. It plans and judges; someone else runs.
// Thread-safety: one thread. Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/compare/sweep_map.h"

namespace ulp::compare {

/// Round by round: wanted() lists runs to make, took() says which runs of the session they became,
/// judge() looks at them. The ends of an interval are run once more before anything is looked for
/// between them, so that what does not repeat is never taken for the work of an axis. A change that
/// is undone between two values of equal class is not looked for.
class Bisection {
  public:
    /// `grid`: the settings of each cell. At most `limit` runs are asked for.
    Bisection(std::vector<RunSettings> grid, int limit);

    /// Takes the intervals whose ends differ for sure from the map of the grid.
    void begin(const trace::Snapshot& snapshot, const SweepMap& map);
    /// The next runs, or none when everything is found or the limit is reached.
    [[nodiscard]] std::vector<RunSettings> wanted();
    /// The runs asked for are those from `firstRun` on, in the same order. `runs` gets repeats of
    /// cells as runs of these cells, and the others as extra.
    void judge(const trace::Snapshot& snapshot, int firstRun, SweepRuns& runs);
    /// Ascending by axis, cell and value; what the limit or a stop left open is
    /// there as inexact.
    [[nodiscard]] std::vector<SwitchPoint> found() const;

  private:
    static constexpr std::size_t kNoCell = static_cast<std::size_t>(-1);
    struct End {
        std::int64_t value = 0;
        int run = 0;
        std::size_t cell = kNoCell; // of the grid; a value between has none
        bool steady = false;        // another run would give the same bits
    };
    struct Interval {
        int axis = 0;
        std::size_t line = 0; // the first cell of the line
        End low;
        End high;
    };
    struct Asked {
        RunSettings settings;
        std::size_t cell = kNoCell; // of a repeat
        std::size_t interval = 0;   // of a middle: into m_open
        std::int64_t value = 0;     // of a middle
    };

    void addLine(const trace::Snapshot& snapshot, const SweepMap& map, std::size_t axis,
                 std::size_t cell);
    void ask(Asked asked);
    void askRepeats();
    void askMiddles();
    void judgeRepeat(const trace::Snapshot& snapshot, const Asked& asked, int run);
    void split(const trace::Snapshot& snapshot, const Asked& asked, int run);
    void close(const Interval& interval, bool exact);
    [[nodiscard]] SwitchPoint pointOf(const Interval& interval, bool exact) const;

    std::vector<RunSettings> m_grid;
    int m_left;
    std::vector<Axis> m_axes;
    std::vector<std::vector<int>> m_cellValues; // of each cell, by axis
    std::vector<Interval> m_open;
    std::vector<Interval> m_next; // open in the round to come
    std::vector<Asked> m_asked;
    bool m_confirmed = false; // the ends have been repeated
    std::vector<SwitchPoint> m_found;
};

} // namespace ulp::compare
