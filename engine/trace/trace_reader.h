// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds a Snapshot from the rows of a trace file, trusting none of them. Internal to trace.
// Thread-safety: one thread. Ownership: borrows the source.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/trace_schema.h"
#include "engine/trace/trace_source.h"

namespace ulp::trace {

class TraceReader {
  public:
    explicit TraceReader(const TraceSource& source);
    Result<SnapshotPtr> read();

  private:
    /// Calls `take` for each row of a table, in the order of ids. What the rows hold may not add up
    /// to more than the file: damaged trees can repeat one page without end.
    Result<void> eachRow(Table table, const std::function<Result<void>(Statement&)>& take);
    [[nodiscard]] Error bad(Table table, std::int64_t id, const std::string& what) const;
    Result<void> charge(Table table, std::int64_t bytes);

    Result<void> readMeta();
    Result<void> readModel();
    Result<void> readDigests();
    Result<void> readFacts();
    Result<void> readOps();
    Result<void> readPieces();
    Result<void> readRuns();
    Result<void> readRunEnds();
    Result<void> readSteps();
    Result<void> readStep(Statement& row);
    Result<void> readTensors();
    Result<void> readTensor(Statement& row);
    Result<void> countColumns();
    Result<bool> sealed();

    struct RunDraft {
        RunRecord record;
        std::size_t expected = 0; // columns
        std::shared_ptr<AppendOnly<std::uint64_t>> cells;
        std::shared_ptr<AppendOnly<Column>> columns;
    };

    const TraceSource& m_source;
    std::int64_t m_budget = 0;       // bytes that rows may still hold
    std::int64_t m_tensorBudget = 0; // bytes that tensors may still unfold to
    std::shared_ptr<Snapshot> m_snapshot;
    std::vector<RunDraft> m_runs;
};

} // namespace ulp::trace
