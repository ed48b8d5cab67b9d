// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recorder.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/base/logits.h"
#include "engine/base/row_scan.h"

namespace ulp::trace {
namespace {

/// Below this many floats a pass is scanned before a second thread would have woken.
constexpr std::size_t kSharedScanFloats = 16384;

NonFinite countNonFinite(int op, std::span<const float> row)
{
    NonFinite count{op, 0, 0};
    for (const float value : row) {
        count.nan += std::isnan(value) ? 1 : 0;
        count.infinite += std::isinf(value) ? 1 : 0;
    }
    return count;
}

} // namespace

Recorder::Recorder(SnapshotBuilder& builder, int run, std::size_t ops, int topLogits, RowSink sink)
    : m_builder(builder), m_run(run), m_ops(ops),
      m_topLogits(static_cast<std::size_t>(std::max(topLogits, 0))), m_sink(std::move(sink)),
      m_start(std::chrono::steady_clock::now())
{
}

Recorder::Pending& Recorder::pending(std::int32_t position)
{
    const auto index = static_cast<std::size_t>(position - m_next);
    while (m_pending.size() <= index) {
        m_pending.emplace_back().cells.assign(m_ops, kNotRecorded);
    }
    return m_pending[index];
}

/// The rows of the recorded sequence that are new, and their scans. A prefill pass brings more
/// bytes than one core can read beside the compute of several, so the threads of the run share
/// them.
void Recorder::scanRows(const run::OpOutput& output)
{
    m_rows.clear();
    for (std::int64_t r = 0; r < output.rows; ++r) {
        if (output.sequences[r] == 0 && output.positions[r] >= m_next) {
            m_rows.push_back({r, {}});
        }
    }
    const auto width = static_cast<std::size_t>(output.width);
    const auto count = static_cast<std::int64_t>(m_rows.size());
    const bool shared = m_threads > 1 && m_rows.size() * width >= kSharedScanFloats;
#pragma omp parallel for num_threads(m_threads) schedule(static) if (shared)
    for (std::int64_t i = 0; i < count; ++i) {
        ScannedRow& row = m_rows[static_cast<std::size_t>(i)];
        row.scan = rowScan().scan(output.data + row.index * output.stride, width);
    }
}

void Recorder::onOp(const run::OpOutput& output)
{
    if (output.op < 0 || static_cast<std::size_t>(output.op) >= m_ops) {
        return;
    }
    scanRows(output);
    for (const ScannedRow& scanned : m_rows) {
        const std::int32_t position = output.positions[scanned.index];
        const std::span<const float> row(output.data + scanned.index * output.stride,
                                         static_cast<std::size_t>(output.width));
        const std::uint64_t hash = scanned.scan.hash == kNotRecorded ? 1 : scanned.scan.hash;
        Pending& slot = pending(position);
        slot.cells[static_cast<std::size_t>(output.op)] = hash;
        if (!scanned.scan.finite) {
            slot.nonFinite.push_back(countNonFinite(output.op, row));
        }
        if (m_sink) {
            m_sink(output.op, position, row, hash);
        }
    }
}

void Recorder::addMagnitude(std::int32_t position, const Magnitude& magnitude)
{
    if (position >= m_next) {
        pending(position).magnitudes.push_back(magnitude);
    }
}

void Recorder::completeColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                              std::span<const float> logits)
{
    if (position != m_next) {
        return; // a position that was completed before, shown again after a cancelled pass
    }
    Pending& slot = pending(position);
    Column column;
    column.position = position;
    column.token = token;
    column.chosen = chosen;
    column.microseconds = std::chrono::duration_cast<std::chrono::microseconds>(
                              std::chrono::steady_clock::now() - m_start)
                              .count();
    if (!logits.empty()) {
        addLogits(column, logits, m_ops > 0 ? slot.cells.back() : kNotRecorded);
    }
    column.magnitudes = std::move(slot.magnitudes);
    column.nonFinite = std::move(slot.nonFinite);
    m_builder.appendColumn(m_run, std::move(column), slot.cells);
    m_pending.pop_front();
    ++m_next;
}

/// `cell`: the hash of the last op's row, which is the logits; known already when ops are recorded.
void Recorder::addLogits(Column& column, std::span<const float> logits, std::uint64_t cell) const
{
    column.logitHash = cell;
    if (cell == kNotRecorded) { // the ops are not shown: the logits speak for the run all the same
        const std::uint64_t hash = rowScan().scan(logits.data(), logits.size()).hash;
        column.logitHash = hash == kNotRecorded ? 1 : hash;
    }
    if (m_keepLogits) {
        column.logits = std::make_shared<const std::vector<float>>(logits.begin(), logits.end());
    }
    if (m_topLogits == 0) {
        return;
    }
    const auto top = topLogits(logits, std::max<std::size_t>(m_topLogits, 2));
    column.margin = top.size() > 1 ? top[0].second - top[1].second : 0.0F;
    column.logSumExp = logSumExp(logits);
    for (std::size_t i = 0; i < std::min(top.size(), m_topLogits); ++i) {
        column.top.push_back({top[i].first, top[i].second});
    }
}

} // namespace ulp::trace
