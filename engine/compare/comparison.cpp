// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/compare/comparison_builder.h"
#include "engine/compare/drift.h"
#include "engine/compare/run_classes.h"

namespace ulp::compare {
namespace {

using trace::Magnitude;
using trace::RunRecord;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// The recorded magnitude of an op, or null. Lists are nearly always the last ops of a column, all
/// of them: those are found at once.
const Magnitude* find(const std::vector<Magnitude>& sorted, std::int64_t op, std::int64_t ops)
{
    const std::int64_t guess = op - (ops - static_cast<std::int64_t>(sorted.size()));
    if (guess >= 0 && guess < static_cast<std::int64_t>(sorted.size()) &&
        sorted[static_cast<std::size_t>(guess)].op == op) {
        return &sorted[static_cast<std::size_t>(guess)];
    }
    const auto it = std::lower_bound(sorted.begin(), sorted.end(), op,
                                     [](const Magnitude& m, std::int64_t o) { return m.op < o; });
    return it != sorted.end() && it->op == op ? &*it : nullptr;
}

/// The larger size of a difference; unknown (NaN) gives way to numbers. A difference is never shown
/// as zero, even where it underflows or is one of signed zeros.
float larger(float have, double relativeL2)
{
    const float value =
        std::max(static_cast<float>(relativeL2), std::numeric_limits<float>::denorm_min());
    return std::isnan(have) || value > have ? value : have;
}

} // namespace

std::string_view toString(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Empty:
        return "empty";
    case Verdict::SameBits:
        return "same-bits";
    case Verdict::SameTokensDifferentBits:
        return "same-tokens-different-bits";
    case Verdict::Diverged:
        return "diverged";
    case Verdict::Failed:
        return "failed";
    case Verdict::Incomparable:
        return "incomparable";
    }
    return "?";
}

std::shared_ptr<const Comparison> Comparison::compute(trace::SnapshotPtr snapshot,
                                                      const Options& options)
{
    auto result = std::make_shared<Comparison>();
    ComparisonBuilder(*result, std::move(snapshot), options).build();
    return result;
}

bool Comparison::magnitudesApply(std::int64_t column, std::int64_t op) const
{
    if (!m_magnitudesOfOther) {
        return true;
    }
    // Recorded against another run: exact for this reference too where the two have equal bits.
    const auto recorded = static_cast<std::size_t>(m_snapshot->referenceRun);
    if (recorded >= m_snapshot->runs.size()) {
        return false;
    }
    const RunRecord& theirs = *m_snapshot->runs[recorded];
    const RunRecord& mine = *m_snapshot->runs[static_cast<std::size_t>(m_reference)];
    const auto c = static_cast<std::size_t>(column);
    const auto o = static_cast<std::size_t>(op);
    return theirs.opCount == mine.opCount && c < theirs.columnCount && c < mine.columnCount &&
           theirs.cell(c, o) == mine.cell(c, o);
}

/// Whatever it was recorded against: see magnitudesApply.
const Magnitude* Comparison::findMagnitude(int run, std::int64_t column, std::int64_t op) const
{
    const RunRecord& record = *m_snapshot->runs[static_cast<std::size_t>(run)];
    const auto c = static_cast<std::size_t>(column);
    if (column < 0 || c >= record.columnCount || op < 0 || op >= m_ops || run == m_reference) {
        return nullptr;
    }
    return find(record.columns()[c].magnitudes, op, m_ops);
}

std::optional<Magnitude> Comparison::magnitude(int run, std::int64_t column, std::int64_t op) const
{
    const Magnitude* found = findMagnitude(run, column, op);
    return found != nullptr && magnitudesApply(column, op) ? std::optional(*found) : std::nullopt;
}

float Comparison::relativeL2(std::int64_t column, std::int64_t op) const
{
    if (cell(column, op).classes < 2) {
        return 0.0F;
    }
    float largest = kUnknown;
    for (const int run : m_runs) {
        if (const Magnitude* found = findMagnitude(run, column, op)) {
            largest = larger(largest, found->relativeL2);
        }
    }
    return magnitudesApply(column, op) ? largest : kUnknown;
}

void Comparison::relativeL2Column(std::int64_t column, std::span<float> out) const
{
    const auto c = static_cast<std::size_t>(column);
    const auto ops = static_cast<std::size_t>(m_ops);
    for (std::size_t op = 0; op < ops; ++op) {
        out[op] = cell(column, static_cast<std::int64_t>(op)).classes < 2 ? 0.0F : kUnknown;
    }
    if ((m_columnFlags[c] & kHasDivergence) == 0) {
        return;
    }
    for (const int run : m_runs) {
        const RunRecord& record = *m_snapshot->runs[static_cast<std::size_t>(run)];
        if (run == m_reference || c >= record.columnCount) {
            continue;
        }
        for (const Magnitude& entry : record.columns()[c].magnitudes) {
            if (entry.op < 0 || entry.op >= m_ops || !magnitudesApply(column, entry.op)) {
                continue;
            }
            float& value = out[static_cast<std::size_t>(entry.op)];
            if (value != 0.0F) {
                value = larger(value, entry.relativeL2);
            }
        }
    }
}

std::vector<RunClass> Comparison::classesAt(std::int64_t column, std::int64_t op) const
{
    std::vector<RunClass> classes;
    for (const int run : m_runs) {
        const RunRecord& record = *m_snapshot->runs[static_cast<std::size_t>(run)];
        if (static_cast<std::size_t>(column) >= record.columnCount) {
            continue;
        }
        const std::uint64_t hash =
            record.cell(static_cast<std::size_t>(column), static_cast<std::size_t>(op));
        if (hash == trace::kNotRecorded) {
            continue;
        }
        const auto it = std::find_if(classes.begin(), classes.end(),
                                     [hash](const RunClass& entry) { return entry.hash == hash; });
        if (it == classes.end()) {
            classes.push_back({hash, {run}});
        } else {
            it->runs.push_back(run);
        }
    }
    sortClasses(classes);
    return classes;
}

std::int64_t Comparison::nonFiniteCells(int run) const
{
    return m_nonFinite[static_cast<std::size_t>(run)];
}

Drift Comparison::computeDrift(int run, std::int64_t column) const
{
    const RunRecord& other = *m_snapshot->runs[static_cast<std::size_t>(run)];
    const RunRecord& reference = *m_snapshot->runs[static_cast<std::size_t>(m_reference)];
    const auto c = static_cast<std::size_t>(column);
    // The logits are the output of the last op.
    const Magnitude* recorded = findMagnitude(run, column, m_ops - 1);
    const bool applies = recorded != nullptr && magnitudesApply(column, m_ops - 1);
    Drift result =
        logitDrift(reference.columns()[c], other.columns()[c], applies ? recorded : nullptr);
    const std::int64_t inputsDiffer = m_inputsDiffer[static_cast<std::size_t>(run)];
    result.sameInput = inputsDiffer < 0 || column < inputsDiffer;
    return result;
}

Drift Comparison::drift(int run, std::int64_t column) const
{
    const auto r = static_cast<std::size_t>(run);
    const auto c = static_cast<std::size_t>(column);
    return r < m_drift.size() && c < m_drift[r].size() ? m_drift[r][c] : Drift{};
}

bool Comparison::searchable(CellState state, bool originsOnly) const
{
    return originsOnly ? (state.flags & Origin) != 0 : state.classes >= 2;
}

std::optional<Comparison::CellRef> Comparison::next(CellRef from, bool originsOnly) const
{
    const std::uint8_t wanted = originsOnly ? kHasOrigin : kHasDivergence;
    for (std::int64_t c = std::max<std::int64_t>(from.column, 0); c < m_columns; ++c) {
        if ((m_columnFlags[static_cast<std::size_t>(c)] & wanted) == 0) {
            continue;
        }
        const std::int64_t first =
            c == from.column ? std::max<std::int64_t>(from.op, -1) + 1 : std::int64_t{0};
        for (std::int64_t op = first; op < m_ops; ++op) {
            if (searchable(cell(c, op), originsOnly)) {
                return CellRef{c, static_cast<int>(op)};
            }
        }
    }
    return std::nullopt;
}

std::optional<Comparison::CellRef> Comparison::previous(CellRef from, bool originsOnly) const
{
    const std::uint8_t wanted = originsOnly ? kHasOrigin : kHasDivergence;
    for (std::int64_t c = std::min(from.column, m_columns - 1); c >= 0; --c) {
        if ((m_columnFlags[static_cast<std::size_t>(c)] & wanted) == 0) {
            continue;
        }
        const std::int64_t last =
            c == from.column ? std::min<std::int64_t>(from.op, m_ops) - 1 : m_ops - 1;
        for (std::int64_t op = last; op >= 0; --op) {
            if (searchable(cell(c, op), originsOnly)) {
                return CellRef{c, static_cast<int>(op)};
            }
        }
    }
    return std::nullopt;
}

} // namespace ulp::compare
