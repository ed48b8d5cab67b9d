// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes a trace file (.ulp, SQLite 3) as runs go on. Each appended column is committed, so that a
// killed process leaves a file that opens and holds every committed step, marked incomplete.
// Thread-safety: one thread at a time. Ownership: owns its database connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/snapshot.h"

namespace ulp::trace {

class TraceWriter {
  public:
    /// Creates `path` (refuses to overwrite unless `overwrite`). `head` gives everything but runs.
    static Result<std::unique_ptr<TraceWriter>> create(const std::string& path,
                                                       const Snapshot& head, bool overwrite);
    virtual ~TraceWriter() = default;
    virtual Result<void> beginRun(const RunRecord& run) = 0;
    /// Commits all columns of `run` that are not yet in the file.
    virtual Result<void> appendColumns(const RunRecord& run) = 0;
    virtual Result<void> finishRun(const RunRecord& run) = 0;
    /// Adds pieces not yet in the file.
    virtual Result<void> addPieces(const std::map<std::int32_t, std::string>& pieces) = 0;
    /// Writes the digest chain head, marks the trace complete, leaves WAL mode: one file.
    virtual Result<void> close() = 0;
};

/// Writes a whole snapshot to `path` through a temporary file beside it: all or nothing.
Result<void> saveTrace(const Snapshot& snapshot, const std::string& path);
/// Opens without modifying the file. Incomplete recordings open, marked so.
Result<SnapshotPtr> openTrace(const std::string& path);

struct VerifyReport {
    bool ok = false; // no problems
    bool sealed = false;
    std::int64_t rows = 0;
    std::string chainHead;             // hex
    std::vector<std::string> problems; // each names the table, the row and what is wrong
};
/// What is promised. Of a closed trace: any changed byte of the file is found, because the seal
/// holds the SHA-256 of all others; which row changed is told by the digest chain. Of a recording
/// that was cut short there is no seal: every row that is there is checked against the chain, but
/// rows missing at the end cannot be told from rows never written; `sealed` is false then and `ok`
/// speaks of the rows found. Digests keep out damage and mistakes; against a forger who computes
/// them anew, compare chainHead with a copy kept elsewhere.
/// Errors only where the file cannot be opened as a trace at all, as openTrace.
Result<VerifyReport> verifyTrace(const std::string& path);

} // namespace ulp::trace
