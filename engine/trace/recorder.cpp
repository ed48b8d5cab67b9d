// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recorder.h"

#include <algorithm>
#include <cmath>

#include "engine/base/logits.h"
#include "engine/base/row_scan.h"

namespace ulp::trace {
namespace {

std::uint64_t asCell(std::uint64_t hash)
{
    return hash == kNotRecorded ? 1 : hash;
}

} // namespace

Recorder::Recorder(std::size_t ops, int topLogits, RowSink sink)
    : m_ops(ops), m_topLogits(static_cast<std::size_t>(std::max(0, topLogits))),
      m_sink(std::move(sink))
{
}

Recorder::Pending& Recorder::pending(std::int32_t position)
{
    Pending& entry = m_pending[position];
    if (entry.cells.empty()) {
        entry.cells.assign(m_ops, kNotRecorded);
    }
    return entry;
}

void Recorder::onOp(const run::OpOutput& output)
{
    const auto width = static_cast<std::size_t>(output.width);
    for (std::int64_t r = 0; r < output.rows; ++r) {
        if (output.sequences[r] != 0) {
            continue;
        }
        const float* row = output.data + r * output.stride;
        const RowScan scan = rowScan().scan(row, width);
        Pending& entry = pending(output.positions[r]);
        const std::uint64_t cell = asCell(scan.hash);
        entry.cells[static_cast<std::size_t>(output.op)] = cell;
        if (!scan.finite) {
            NonFinite counts{output.op, 0, 0};
            for (std::size_t i = 0; i < width; ++i) {
                counts.nan += std::isnan(row[i]) ? 1 : 0;
                counts.infinite += std::isinf(row[i]) ? 1 : 0;
            }
            entry.nonFinite.push_back(counts);
        }
        if (m_sink) {
            m_sink(output.op, output.positions[r], {row, width}, cell);
        }
    }
}

void Recorder::addMagnitude(std::int32_t position, const Magnitude& magnitude)
{
    pending(position).magnitudes.push_back(magnitude);
}

Recorder::Taken Recorder::take(std::int32_t position, std::span<const float> logits)
{
    Taken taken;
    taken.column.position = position;
    if (const auto found = m_pending.find(position); found != m_pending.end()) {
        taken.cells = std::move(found->second.cells);
        taken.column.magnitudes = std::move(found->second.magnitudes);
        taken.column.nonFinite = std::move(found->second.nonFinite);
        m_pending.erase(found);
    } else {
        taken.cells.assign(m_ops, kNotRecorded);
    }
    if (!logits.empty()) {
        // The logits are the last op's row, whose hash is there unless ops were not observed.
        taken.column.logitHash = taken.cells.back() != kNotRecorded
                                     ? taken.cells.back()
                                     : asCell(rowScan().scan(logits.data(), logits.size()).hash);
        taken.column.logSumExp = logSumExp(logits);
        for (const auto& [token, logit] :
             topLogits(logits, std::max<std::size_t>(2, m_topLogits))) {
            taken.column.top.push_back({token, logit});
        }
        if (taken.column.top.size() > 1) {
            taken.column.margin = taken.column.top[0].logit - taken.column.top[1].logit;
        }
    }
    return taken;
}

} // namespace ulp::trace
