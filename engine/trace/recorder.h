// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns what a run shows of itself into columns of a growing snapshot: hashes every row of sequence
// 0, counts what is not finite, and, when a position is complete, adds token, choice and facts
// about the logits. A prefill pass brings many positions at once; they wait here until they are
// completed in order. Thread-safety: the thread that drives the decoder. Ownership: borrows the
// builder, which must outlive it; rows are borrowed during the call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/row_scan.h"
#include "engine/run/observer.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/snapshot_builder.h"

namespace ulp::trace {

class Recorder : public run::Observer {
  public:
    /// Sees every recorded row with its hash, before its position is complete: the place to keep
    /// reference rows, or to compare with them where the hash differs and call addMagnitude.
    using RowSink = std::function<void(int op, std::int32_t position, std::span<const float> row,
                                       std::uint64_t hash)>;

    /// Records run `run` of `builder`, whose ops it has. `topLogits` 0: nothing about logits but
    /// their hash.
    Recorder(SnapshotBuilder& builder, int run, std::size_t ops, int topLogits, RowSink sink = {});

    /// Whether columns carry all their logits, not only the top ones. Off at first.
    void keepLogits(bool keep) { m_keepLogits = keep; }

    /// The threads that may share the rows of a pass; those of the run. 1 at first.
    void setThreads(int threads) { m_threads = threads < 1 ? 1 : threads; }

    /// Rows of other sequences, of completed positions and of ops outside the catalogue are passed
    /// over.
    void onOp(const run::OpOutput& output) override;

    /// For the sink: the magnitude of a row that it was just shown. Ops ascending.
    void addMagnitude(std::int32_t position, const Magnitude& magnitude);

    /// All ops of the position are done: appends its column. Positions come in order, from 0.
    /// `logits` is empty where none were asked for; cells that were not seen stay not recorded.
    void completeColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                        std::span<const float> logits);

    /// Columns appended so far: also the next position to complete.
    [[nodiscard]] std::int32_t columns() const { return m_next; }

  private:
    struct Pending {
        std::vector<std::uint64_t> cells; // [ops]
        std::vector<Magnitude> magnitudes;
        std::vector<NonFinite> nonFinite;
    };
    struct ScannedRow {
        std::int64_t index = 0; // in the pass
        RowScan scan;
    };
    void scanRows(const run::OpOutput& output);
    [[nodiscard]] Pending& pending(std::int32_t position);
    void addLogits(Column& column, std::span<const float> logits, std::uint64_t cell) const;

    SnapshotBuilder& m_builder;
    int m_run;
    std::size_t m_ops;
    std::size_t m_topLogits;
    bool m_keepLogits = false;
    int m_threads = 1;
    std::vector<ScannedRow> m_rows; // of the op at hand, reused
    RowSink m_sink;
    std::chrono::steady_clock::time_point m_start;
    std::int32_t m_next = 0;       // position of m_pending.front()
    std::deque<Pending> m_pending; // positions m_next, m_next + 1, ...
};

} // namespace ulp::trace
