// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Grows a Snapshot while runs execute. Writers append, anyone takes a snapshot at any time.
// Thread-safety: append calls from one thread; snapshot() from any. Ownership: shared storage.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"

namespace ulp::trace {

class SnapshotBuilder {
  public:
    /// `head`: everything but runs (model, fingerprint, ops, prompt).
    explicit SnapshotBuilder(Snapshot head);
    ~SnapshotBuilder();
    SnapshotBuilder(const SnapshotBuilder&) = delete;
    SnapshotBuilder& operator=(const SnapshotBuilder&) = delete;

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
    struct LiveRun;
    [[nodiscard]] LiveRun& live(int run);
    static std::shared_ptr<const RunRecord> published(LiveRun& live);

    mutable std::mutex m_mutex;
    Snapshot m_head; // runs kept below
    std::vector<std::unique_ptr<LiveRun>> m_runs;
};

/// SHA-256 in hex over, for each column in order: the cell hashes (64-bit little-endian, in op
/// order), the input token (32-bit), the logit hash (64-bit). Nothing else enters, so that runs
/// with equal bits have equal trace hashes whatever their settings.
[[nodiscard]] std::string traceHash(const RunRecord& run);
/// The bytes of the generated text: the pieces of the chosen tokens in order.
[[nodiscard]] std::string outputText(const RunRecord& run,
                                     const std::map<std::int32_t, std::string>& pieces);
[[nodiscard]] std::string outputSha256(const RunRecord& run,
                                       const std::map<std::int32_t, std::string>& pieces);

} // namespace ulp::trace
