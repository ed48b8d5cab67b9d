// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looking up the sparse magnitudes of a run. Thread-safety: pure functions. Ownership: pointers
// into the run, valid as long as it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/compare/comparison.h"
#include "engine/trace/snapshot.h"

namespace ulp::audit {

/// How far the run's cell is from the recorded reference's, or null where that was not recorded.
[[nodiscard]] inline const trace::Magnitude* magnitudeAt(const trace::RunRecord& run,
                                                         std::int64_t column, int op)
{
    if (column < 0 || column >= static_cast<std::int64_t>(run.columnCount)) {
        return nullptr;
    }
    const auto& all = run.columns()[static_cast<std::size_t>(column)].magnitudes;
    const auto it =
        std::lower_bound(all.begin(), all.end(), op,
                         [](const trace::Magnitude& m, int wanted) { return m.op < wanted; });
    return it != all.end() && it->op == op ? &*it : nullptr;
}

/// The largest magnitude (by relative L2, then ULP) over the compared runs, or null.
[[nodiscard]] inline const trace::Magnitude* largestMagnitude(const compare::Comparison& comparison,
                                                              std::int64_t column, int op)
{
    const trace::Magnitude* largest = nullptr;
    for (const int index : comparison.runs()) {
        const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(index)];
        const auto* m = magnitudeAt(run, column, op);
        if (m != nullptr &&
            (largest == nullptr || m->relativeL2 > largest->relativeL2 ||
             (m->relativeL2 == largest->relativeL2 && m->maxUlp > largest->maxUlp))) {
            largest = m;
        }
    }
    return largest;
}

} // namespace ulp::audit
