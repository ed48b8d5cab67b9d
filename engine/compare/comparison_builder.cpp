// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/comparison_builder.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "engine/compare/cell_classes.h"
#include "engine/compare/run_classes.h"

namespace ulp::compare {

using trace::Column;
using trace::RunRecord;

ComparisonBuilder::ComparisonBuilder(Comparison& target, trace::SnapshotPtr snapshot,
                                     const Options& options)
    : m_to(target)
{
    m_to.m_snapshot = std::move(snapshot);
    m_ops = m_to.m_snapshot->ops.size();
    m_to.m_ops = static_cast<std::int64_t>(m_ops);
    m_to.m_nonFinite.assign(m_to.m_snapshot->runs.size(), 0);
    m_to.m_inputsDiffer.assign(m_to.m_snapshot->runs.size(), -1);
    chooseRuns(options);
}

const RunRecord& ComparisonBuilder::record(int run) const
{
    return *m_to.m_snapshot->runs[static_cast<std::size_t>(run)];
}

void ComparisonBuilder::chooseRuns(const Options& options)
{
    const auto& all = m_to.m_snapshot->runs;
    for (int run = 0; run < static_cast<int>(all.size()); ++run) {
        if (std::find(options.hiddenRuns.begin(), options.hiddenRuns.end(), run) ==
            options.hiddenRuns.end()) {
            m_to.m_runs.push_back(run);
        }
    }
    const int wanted = options.reference.value_or(m_to.m_snapshot->referenceRun);
    const bool there =
        std::find(m_to.m_runs.begin(), m_to.m_runs.end(), wanted) != m_to.m_runs.end();
    m_to.m_reference = there || m_to.m_runs.empty() ? wanted : m_to.m_runs.front();
    m_to.m_magnitudesOfOther = m_to.m_reference != m_to.m_snapshot->referenceRun;
    if (!m_to.m_runs.empty()) {
        m_to.m_promptTokens = record(m_to.m_reference).promptTokens;
    }
}

/// One sentence, or empty when the runs can be compared.
std::string ComparisonBuilder::whyIncomparable() const
{
    const RunRecord& reference = record(m_to.m_reference);
    for (const int run : m_to.m_runs) {
        const RunRecord& other = record(run);
        const std::string pair =
            "run " + std::to_string(run) + " and run " + std::to_string(m_to.m_reference);
        if (other.opCount != m_ops) {
            return "run " + std::to_string(run) + " lists " + std::to_string(other.opCount) +
                   " ops, the session " + std::to_string(m_ops);
        }
        if (other.promptTokens != reference.promptTokens) {
            return pair + " have prompts of different lengths (" +
                   std::to_string(other.promptTokens) + " and " +
                   std::to_string(reference.promptTokens) + " tokens)";
        }
        const std::size_t common =
            std::min({other.columnCount, reference.columnCount,
                      static_cast<std::size_t>(std::max(reference.promptTokens, 0))});
        for (std::size_t c = 0; c < common; ++c) {
            if (other.columns()[c].token != reference.columns()[c].token) {
                return pair + " have different prompts, from position " + std::to_string(c) + " on";
            }
        }
    }
    return {};
}

void ComparisonBuilder::build()
{
    if (m_to.m_runs.empty()) {
        return;
    }
    m_to.m_reason = whyIncomparable();
    if (!m_to.m_reason.empty()) {
        m_to.m_verdict = Verdict::Incomparable;
        return;
    }
    std::size_t columns = 0;
    for (const int run : m_to.m_runs) {
        columns = std::max(columns, record(run).columnCount);
    }
    m_to.m_columns = static_cast<std::int64_t>(columns);
    m_to.m_cells.resize(columns * m_ops);
    m_to.m_columnFlags.resize(columns);
    m_inputs = flatten(&OpInfo::inputs);
    m_history = flatten(&OpInfo::history);
    for (const OpInfo& op : m_to.m_snapshot->ops) {
        m_readsToken.push_back(op.readsToken ? 1 : 0);
    }
    m_pastDiffers.resize(m_to.m_snapshot->runs.size());
    m_firstDifferent.assign(m_to.m_snapshot->runs.size(), -1);
    m_differs.resize(m_ops);
    m_classes.resize(m_ops);
    m_missing.resize(m_ops);

    compareTokens();
    for (std::size_t column = 0; column < columns; ++column) {
        compareColumn(column);
    }
    m_to.m_runClasses =
        groupTraces(*m_to.m_snapshot, m_to.m_runs, m_to.m_reference, m_firstDifferent);
    m_to.m_uniqueOutputs = countOutputs(*m_to.m_snapshot, m_to.m_runs);
    measureDrift();
    describeFirst();
    decide();
}

ComparisonBuilder::Reads ComparisonBuilder::flatten(std::vector<int> OpInfo::*list) const
{
    Reads reads;
    reads.start.push_back(0);
    for (const OpInfo& op : m_to.m_snapshot->ops) {
        for (const int index : op.*list) {
            if (index >= 0 && static_cast<std::size_t>(index) < m_ops) {
                reads.ops.push_back(static_cast<std::uint32_t>(index));
            }
        }
        reads.start.push_back(static_cast<std::uint32_t>(reads.ops.size()));
    }
    return reads;
}

/// First different input and first different choice, before the cells: origins ask for them.
void ComparisonBuilder::compareTokens()
{
    const RunRecord& reference = record(m_to.m_reference);
    for (const int run : m_to.m_runs) {
        const auto mine = record(run).columns();
        const std::size_t common = std::min(mine.size(), reference.columnCount);
        for (std::size_t c = 0; c < common; ++c) {
            if (mine[c].token != reference.columns()[c].token) {
                m_to.m_inputsDiffer[static_cast<std::size_t>(run)] = static_cast<std::int64_t>(c);
                break;
            }
        }
    }
    for (std::int64_t c = 0; c < m_to.m_columns && !m_to.m_firstToken; ++c) {
        const auto column = static_cast<std::size_t>(c);
        std::map<std::int32_t, std::vector<int>> groups;
        for (const int run : m_to.m_runs) {
            if (column < record(run).columnCount && record(run).columns()[column].chosen >= 0) {
                groups[record(run).columns()[column].chosen].push_back(run);
            }
        }
        if (groups.size() < 2) {
            continue;
        }
        TokenDivergence divergence;
        divergence.column = c;
        divergence.step = m_to.stepOf(c);
        divergence.tokens.assign(groups.begin(), groups.end());
        std::stable_sort(
            divergence.tokens.begin(), divergence.tokens.end(), [](const auto& a, const auto& b) {
                return a.second.size() != b.second.size() ? a.second.size() > b.second.size()
                                                          : a.second.front() < b.second.front();
            });
        divergence.margin =
            column < reference.columnCount ? reference.columns()[column].margin : 0.0F;
        m_to.m_firstToken = std::move(divergence);
    }
}

void ComparisonBuilder::measureDrift()
{
    m_to.m_drift.resize(m_to.m_snapshot->runs.size());
    const std::size_t referenceColumns = record(m_to.m_reference).columnCount;
    for (const int run : m_to.m_runs) {
        auto& drift = m_to.m_drift[static_cast<std::size_t>(run)];
        drift.resize(std::min(record(run).columnCount, referenceColumns));
        for (std::size_t c = 0; c < drift.size(); ++c) {
            drift[c] = m_to.computeDrift(run, static_cast<std::int64_t>(c));
        }
    }
}

void ComparisonBuilder::compareColumn(std::size_t column)
{
    m_distinct.clear();
    std::size_t present = 0;
    const std::size_t bytes = m_ops * sizeof(std::uint64_t);
    for (const int run : m_to.m_runs) {
        if (column >= record(run).columnCount) {
            continue;
        }
        ++present;
        const std::uint64_t* row = record(run).cells().data() + column * m_ops;
        const auto equal = [row, bytes](const std::uint64_t* other) {
            return bytes == 0 || std::memcmp(row, other, bytes) == 0;
        };
        if (std::none_of(m_distinct.begin(), m_distinct.end(), equal)) {
            m_distinct.push_back(row);
        }
    }
    CellState* out = m_to.m_cells.data() + column * m_ops;
    const bool partial = present < m_to.m_runs.size();
    if (m_distinct.size() == 1) {
        fillEqualColumn(m_distinct.front(), out, partial);
    } else {
        countClasses(m_distinct, m_ops, m_classes.data(), m_missing.data());
        for (std::size_t op = 0; op < m_ops; ++op) {
            const bool some = m_classes[op] > 0 && (partial || m_missing[op] != 0);
            out[op] = {m_classes[op], some ? std::uint8_t{Partial} : std::uint8_t{0}};
        }
        markOrigins(column, out);
    }
    markNonFinite(column, out);
    if (m_distinct.size() > 1) {
        countColumn(column, out);
    }
}

void ComparisonBuilder::fillEqualColumn(const std::uint64_t* row, CellState* out,
                                        bool partial) const
{
    const CellState same{1, partial ? std::uint8_t{Partial} : std::uint8_t{0}};
    std::fill_n(out, m_ops, same);
    if (hasUnrecorded(row, m_ops)) {
        for (std::size_t op = 0; op < m_ops; ++op) {
            out[op] = row[op] == trace::kNotRecorded ? CellState{} : same;
        }
    }
}

void ComparisonBuilder::markOrigins(std::size_t column, CellState* out)
{
    const RunRecord& reference = record(m_to.m_reference);
    if (column >= reference.columnCount) {
        return;
    }
    const std::uint64_t* theirs = reference.cells().data() + column * m_ops;
    for (const int run : m_to.m_runs) {
        const RunRecord& other = record(run);
        if (run == m_to.m_reference || column >= other.columnCount) {
            continue;
        }
        const std::uint64_t* mine = other.cells().data() + column * m_ops;
        if (std::memcmp(mine, theirs, m_ops * sizeof(std::uint64_t)) == 0) {
            continue;
        }
        const std::size_t found = markDifferences(mine, theirs, m_ops, m_differs.data());
        if (found == 0) {
            continue; // what was not recorded is no difference
        }
        const auto index = static_cast<std::size_t>(run);
        if (m_firstDifferent[index] < 0) {
            m_firstDifferent[index] = static_cast<std::int64_t>(column);
            m_pastDiffers[index].assign(m_ops, 0);
        }
        markOriginsOf(index, column, found, out);
    }
}

/// An op whose output differs although everything it read is equal, as far as it was recorded.
void ComparisonBuilder::markOriginsOf(std::size_t run, std::size_t column, std::size_t found,
                                      CellState* out)
{
    std::vector<std::uint8_t>& past = m_pastDiffers[run];
    const std::int64_t inputsDiffer = m_to.m_inputsDiffer[run];
    const bool tokenDiffers =
        inputsDiffer >= 0 && record(static_cast<int>(run)).columns()[column].token !=
                                 record(m_to.m_reference).columns()[column].token;
    for (std::size_t op = 0; op < m_ops && found > 0; ++op) {
        if (m_differs[op] == 0) {
            continue;
        }
        --found;
        bool inherited = tokenDiffers && m_readsToken[op] != 0;
        for (std::uint32_t i = m_inputs.start[op]; i < m_inputs.start[op + 1] && !inherited; ++i) {
            inherited = m_differs[m_inputs.ops[i]] != 0;
        }
        for (std::uint32_t i = m_history.start[op]; i < m_history.start[op + 1] && !inherited;
             ++i) {
            inherited = (m_differs[m_history.ops[i]] | past[m_history.ops[i]]) != 0;
        }
        if (!inherited) {
            out[op].flags |= Origin;
        }
    }
    for (std::size_t op = 0; op < m_ops; ++op) {
        past[op] = static_cast<std::uint8_t>(past[op] | m_differs[op]);
    }
}

void ComparisonBuilder::markNonFinite(std::size_t column, CellState* out)
{
    for (const int run : m_to.m_runs) {
        if (column >= record(run).columnCount) {
            continue;
        }
        for (const trace::NonFinite& entry : record(run).columns()[column].nonFinite) {
            if (entry.op >= 0 && static_cast<std::size_t>(entry.op) < m_ops) {
                out[entry.op].flags |= HasNonFinite;
                ++m_to.m_nonFinite[static_cast<std::size_t>(run)];
            }
        }
    }
}

void ComparisonBuilder::countColumn(std::size_t column, const CellState* out)
{
    std::int64_t divergent = 0;
    std::int64_t origins = 0;
    for (std::size_t op = 0; op < m_ops; ++op) {
        divergent += out[op].classes >= 2 ? 1 : 0;
        origins += (out[op].flags & Origin) != 0 ? 1 : 0;
    }
    const bool step = m_to.stepOf(static_cast<std::int64_t>(column)) >= 0;
    (step ? m_to.m_divergentCells : m_to.m_divergentPrefillCells) += divergent;
    m_to.m_originCells += origins;
    m_to.m_columnFlags[column] = static_cast<std::uint8_t>((divergent > 0 ? kHasDivergence : 0) |
                                                           (origins > 0 ? kHasOrigin : 0));
}

void ComparisonBuilder::describeFirst()
{
    const auto at = m_to.next({-1, 0}, false);
    if (!at) {
        return;
    }
    Divergence divergence;
    divergence.column = at->column;
    divergence.step = m_to.stepOf(at->column);
    divergence.position = at->column;
    divergence.op = at->op;
    divergence.origin = (m_to.cell(at->column, at->op).flags & Origin) != 0;
    divergence.classes = m_to.classesAt(at->column, at->op);
    for (const int run : m_to.m_runs) {
        const auto magnitude = m_to.magnitude(run, at->column, at->op);
        const auto size = [](const trace::Magnitude& m) {
            return std::pair(m.relativeL2, m.maxUlp);
        };
        if (magnitude &&
            (!divergence.magnitude || size(*divergence.magnitude) < size(*magnitude))) {
            divergence.magnitude = magnitude;
        }
    }
    m_to.m_first = std::move(divergence);
}

/// Logit hashes count as bits too: they exist even where cells were not recorded.
bool ComparisonBuilder::anyBitsDiffer() const
{
    return m_to.m_first.has_value() || m_to.m_runClasses.size() > 1;
}

std::string ComparisonBuilder::whyFailed() const
{
    std::size_t withColumns = 0;
    std::size_t withNonFinite = 0;
    for (const int run : m_to.m_runs) {
        if (record(run).status == trace::RunStatus::Failed) {
            const std::string& error = record(run).error;
            return "run " + std::to_string(run) + " failed" + (error.empty() ? "" : ": " + error);
        }
        withColumns += record(run).columnCount > 0 ? 1 : 0;
        withNonFinite += m_to.nonFiniteCells(run) > 0 ? 1 : 0;
    }
    if (withColumns == 0 || withNonFinite < withColumns) {
        return {};
    }
    for (std::int64_t c = 0; c < m_to.m_columns; ++c) {
        for (std::int64_t op = 0; op < m_to.m_ops; ++op) {
            if ((m_to.cell(c, op).flags & HasNonFinite) != 0) {
                return "NaN or infinity in every run, first in " +
                       m_to.m_snapshot->ops[static_cast<std::size_t>(op)].name + " at step " +
                       std::to_string(m_to.stepOf(c));
            }
        }
    }
    return {};
}

void ComparisonBuilder::decide()
{
    m_to.m_reason = whyFailed();
    std::size_t withCells = 0;
    for (const int run : m_to.m_runs) {
        const auto cells = record(run).cells();
        withCells += std::any_of(cells.begin(), cells.end(),
                                 [](std::uint64_t cell) { return cell != trace::kNotRecorded; })
                         ? 1
                         : 0;
    }
    if (!m_to.m_reason.empty()) {
        m_to.m_verdict = Verdict::Failed;
    } else if (m_to.m_firstToken) {
        m_to.m_verdict = Verdict::Diverged;
    } else if (anyBitsDiffer()) {
        m_to.m_verdict = Verdict::SameTokensDifferentBits;
    } else {
        m_to.m_verdict = withCells >= 2 ? Verdict::SameBits : Verdict::Empty;
    }
}

} // namespace ulp::compare
