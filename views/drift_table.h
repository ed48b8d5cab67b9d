// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The logit drift of every run at every column, computed once and extended as runs grow: what the
// drift map and the margin chart draw.
// Thread-safety: GUI thread only. Ownership: by value; keeps the comparison alive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::views {

class DriftTable {
  public:
    struct Entry {
        bool recorded = false;
        bool sameInput = true;
        float maxAbs = 0.0F;
    };

    void setComparison(compare::ComparisonPtr comparison);
    [[nodiscard]] const compare::ComparisonPtr& comparison() const { return m_comparison; }
    /// Of the i-th compared run (not an index into snapshot.runs). [columns so far of that run]
    [[nodiscard]] std::span<const Entry> of(std::size_t i) const { return m_entries[i]; }
    [[nodiscard]] std::size_t runs() const { return m_entries.size(); }

  private:
    [[nodiscard]] bool continues(const compare::Comparison& next) const;

    compare::ComparisonPtr m_comparison;
    std::vector<std::vector<Entry>> m_entries; // [compared runs][columns]
};

} // namespace ulp::views
