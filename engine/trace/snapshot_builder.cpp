// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/snapshot_builder.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/base/sha256.h"

namespace ulp::trace {

struct SnapshotBuilder::LiveRun {
    RunRecord record;                           // as of the last append
    std::shared_ptr<const RunRecord> published; // null: stale
    std::shared_ptr<AppendOnly<std::uint64_t>> cells;
    std::shared_ptr<AppendOnly<Column>> columns;
};

SnapshotBuilder::SnapshotBuilder(Snapshot head) : m_head(std::move(head))
{
    m_head.runs.clear();
}

SnapshotBuilder::~SnapshotBuilder() = default;

int SnapshotBuilder::beginRun(const RunSettings& settings, std::int32_t promptTokens,
                              std::size_t maxColumns)
{
    auto live = std::make_unique<LiveRun>();
    const std::size_t opCount = m_head.ops.size();
    live->cells = std::make_shared<AppendOnly<std::uint64_t>>(maxColumns * opCount);
    live->columns = std::make_shared<AppendOnly<Column>>(maxColumns);
    live->record.settings = settings;
    live->record.promptTokens = promptTokens;
    live->record.opCount = opCount;
    live->record.cellStore = live->cells;
    live->record.columnStore = live->columns;

    const std::lock_guard lock(m_mutex);
    live->record.run = static_cast<int>(m_runs.size());
    m_runs.push_back(std::move(live));
    return m_runs.back()->record.run;
}

SnapshotBuilder::LiveRun& SnapshotBuilder::live(int run)
{
    return *m_runs.at(static_cast<std::size_t>(run));
}

void SnapshotBuilder::appendColumn(int run, Column column, std::span<const std::uint64_t> cells)
{
    LiveRun& target = live(run);
    const std::size_t index = target.record.columnCount;
    const std::size_t opCount = target.record.opCount;
    if (cells.size() != opCount || index >= target.columns->capacity()) {
        std::abort(); // writing on would corrupt memory that readers hold
    }
    // Slots at or beyond the published count are the writer's alone: no lock is needed to fill
    // them.
    std::copy(cells.begin(), cells.end(), target.cells->at(index * opCount));
    *target.columns->at(index) = std::move(column);

    const std::lock_guard lock(m_mutex);
    target.record.columnCount = index + 1;
    target.published.reset();
}

void SnapshotBuilder::setRates(int run, double prefillTokensPerSecond, double decodeTokensPerSecond)
{
    const std::lock_guard lock(m_mutex);
    LiveRun& target = live(run);
    target.record.prefillTokensPerSecond = prefillTokensPerSecond;
    target.record.decodeTokensPerSecond = decodeTokensPerSecond;
    target.published.reset();
}

void SnapshotBuilder::finishRun(int run, RunStatus status, std::string stopReason,
                                std::string error)
{
    std::string cellsDigest;
    std::string textDigest;
    if (status == RunStatus::Complete) {
        // Only this thread appends, so the record cannot change under the digests.
        const RunRecord& record = live(run).record;
        cellsDigest = traceHash(record);
        textDigest = outputSha256(record, m_head.pieces);
    }
    const std::lock_guard lock(m_mutex);
    LiveRun& target = live(run);
    target.record.status = status;
    target.record.stopReason = std::move(stopReason);
    target.record.error = std::move(error);
    target.record.traceHash = std::move(cellsDigest);
    target.record.outputSha256 = std::move(textDigest);
    target.published.reset();
}

void SnapshotBuilder::addPiece(std::int32_t token, std::string text)
{
    const std::lock_guard lock(m_mutex);
    m_head.pieces.insert_or_assign(token, std::move(text));
}

bool SnapshotBuilder::hasPiece(std::int32_t token) const
{
    const std::lock_guard lock(m_mutex);
    return m_head.pieces.contains(token);
}

SnapshotPtr SnapshotBuilder::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    auto result = std::make_shared<Snapshot>(m_head);
    result->runs.reserve(m_runs.size());
    for (const auto& live : m_runs) {
        result->runs.push_back(published(*live));
    }
    return result;
}

std::shared_ptr<const RunRecord> SnapshotBuilder::run(int index) const
{
    const std::lock_guard lock(m_mutex);
    return published(*m_runs.at(static_cast<std::size_t>(index)));
}

std::shared_ptr<const RunRecord> SnapshotBuilder::published(LiveRun& live)
{
    if (!live.published) {
        live.published = std::make_shared<RunRecord>(live.record);
    }
    return live.published;
}

std::string traceHash(const RunRecord& run)
{
    Sha256 digest;
    for (std::size_t c = 0; c < run.columnCount; ++c) {
        const Column& column = run.columns()[c];
        const auto cells = run.cells().subspan(c * run.opCount, run.opCount);
        digest.update(cells.data(), cells.size_bytes());
        digest.update(&column.token, sizeof column.token);
        digest.update(&column.logitHash, sizeof column.logitHash);
    }
    // Every other choice is the next column's token; the last one stands nowhere else.
    const std::int32_t last = run.columnCount == 0 ? -1 : run.columns()[run.columnCount - 1].chosen;
    digest.update(&last, sizeof last);
    return digest.finish();
}

std::string outputText(const RunRecord& run, const std::map<std::int32_t, std::string>& pieces)
{
    std::string text;
    for (const Column& column : run.columns()) {
        const auto piece = pieces.find(column.chosen);
        if (column.chosen >= 0 && piece != pieces.end()) {
            text += piece->second;
        }
    }
    return text;
}

std::string outputSha256(const RunRecord& run, const std::map<std::int32_t, std::string>& pieces)
{
    return sha256Hex(outputText(run, pieces));
}

} // namespace ulp::trace
