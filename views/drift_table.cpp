// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drift_table.h"

#include <algorithm>

namespace ulp::views {

void DriftTable::setComparison(compare::ComparisonPtr comparison)
{
    if (comparison == nullptr) {
        *this = DriftTable{};
        return;
    }
    if (m_comparison == nullptr || !continues(*comparison)) {
        m_entries.assign(comparison->runs().size(), {});
    }
    m_comparison = std::move(comparison);
    const auto& records = m_comparison->snapshot().runs;
    const auto known = static_cast<std::int64_t>(
        records.empty()
            ? 0
            : records[static_cast<std::size_t>(m_comparison->reference())]->columnCount);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const int run = m_comparison->runs()[i];
        // A column is final once both the run and the reference have it.
        const auto count = std::min<std::int64_t>(
            known, static_cast<std::int64_t>(records[static_cast<std::size_t>(run)]->columnCount));
        for (auto c = static_cast<std::int64_t>(m_entries[i].size()); c < count; ++c) {
            const compare::Drift drift = m_comparison->drift(run, c);
            m_entries[i].push_back(
                {drift.recorded, drift.sameInput, static_cast<float>(drift.maxAbs)});
        }
    }
}

bool DriftTable::continues(const compare::Comparison& next) const
{
    if (m_comparison->runs() != next.runs() || m_comparison->reference() != next.reference()) {
        return false;
    }
    return std::ranges::all_of(next.runs(), [&](int run) {
        const auto i = static_cast<std::size_t>(run);
        return m_comparison->snapshot().runs[i]->columnStore ==
               next.snapshot().runs[i]->columnStore;
    });
}

} // namespace ulp::views
