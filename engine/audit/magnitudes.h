// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finding the worst magnitude of a cell. Thread-safety: pure function. Ownership: by value.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compare/comparison.h"

namespace ulp::audit {

/// Whether `a` is farther from the reference than `b`: by relative L2, then ULP.
[[nodiscard]] inline bool isLarger(const trace::Magnitude& a,
                                   const std::optional<trace::Magnitude>& b)
{
    return !b || a.relativeL2 > b->relativeL2 ||
           (a.relativeL2 == b->relativeL2 && a.maxUlp > b->maxUlp);
}

/// The largest recorded magnitude of one cell over the compared runs.
[[nodiscard]] inline std::optional<trace::Magnitude>
largestMagnitude(const compare::Comparison& comparison, std::int64_t column, int op)
{
    std::optional<trace::Magnitude> largest;
    for (const int index : comparison.runs()) {
        const auto m = comparison.magnitude(index, column, op);
        if (m && isLarger(*m, largest)) {
            largest = m;
        }
    }
    return largest;
}

} // namespace ulp::audit
