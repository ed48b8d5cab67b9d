// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Grows a Snapshot while runs execute. Writers append, anyone takes a snapshot at any time.
// Thread-safety: append calls from one thread; snapshot() from any. Ownership: shared storage.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "engine/trace/snapshot.h"

namespace ulp::trace {

class SnapshotBuilder {
  public:
    /// `head`: everything but runs (model, fingerprint, ops, prompt).
    explicit SnapshotBuilder(Snapshot head);

    /// Starts a run of at most `maxColumns` columns; returns its index.
    int beginRun(const RunSettings& settings, std::int32_t promptTokens, std::size_t maxColumns);
    /// Appends the next column: its cells ([ops] hashes) and everything else. Columns come in
    /// order.
    void appendColumn(int run, Column column, std::span<const std::uint64_t> cells);
    void setRates(int run, double prefillTokensPerSecond, double decodeTokensPerSecond);
    /// Computes traceHash and outputSha256 when status is Complete.
    void finishRun(int run, RunStatus status, std::string stopReason, std::string error);
    void addPiece(std::int32_t token, std::string text);
    [[nodiscard]] bool hasPiece(std::int32_t token) const;

    [[nodiscard]] SnapshotPtr snapshot() const;
    [[nodiscard]] std::shared_ptr<const RunRecord> run(int index) const;

  private:
    mutable std::mutex m_mutex;
    Snapshot m_head; // runs kept below
    std::vector<std::shared_ptr<const RunRecord>> m_runs;
    std::vector<std::shared_ptr<AppendOnly<std::uint64_t>>> m_cells;
    std::vector<std::shared_ptr<AppendOnly<Column>>> m_columns;
};

/// The digest of every cell hash, token and logit hash of a run in order, and of nothing else; hex.
[[nodiscard]] std::string traceHash(const RunRecord& run);

} // namespace ulp::trace
