// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that happens between a running decoder and a growing session: hash the rows, compare
// them with the reference run's, complete columns, append them to the snapshot and to the trace
// file. Thread-safety: the thread that drives the decoder. Ownership: none; it lives for one run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/worker/reference_rows.h"
#include "engine/run/generator.h"
#include "engine/trace/recorder.h"
#include "engine/trace/snapshot_builder.h"
#include "engine/trace/trace_file.h"

namespace ulp::worker {

/// Where a run's recording goes. Pointers outlive the recording; writer and reference may be null.
struct RecordingTarget {
    trace::SnapshotBuilder* builder = nullptr;
    trace::TraceWriter* writer = nullptr;
    ReferenceRows* reference = nullptr; // kept by run 0, compared with by the others
    int run = 0;
    std::size_t ops = 0;
    bool hash = true;
    int topLogits = 10;
    bool keepLogits = false;
    std::atomic<bool>* cancel = nullptr; // set when the trace cannot be written
    std::function<void(std::span<const std::int32_t>)> addPieces;
    std::function<void(std::int64_t columnsDone)> onColumn;
};

class RunRecording : public run::RunListener {
  public:
    explicit RunRecording(RecordingTarget target);
    ~RunRecording() override;

    void onOp(const run::OpOutput& output) override;
    void onColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                  std::span<const float> logits) override;

    /// The trace file refused a column: the run was cancelled for it.
    [[nodiscard]] const Result<void>& failure() const { return m_failure; }
    /// Rows of the reference run could not be kept: later magnitudes are missing.
    [[nodiscard]] const std::string& warning() const { return m_warning; }

  private:
    void onRow(int op, std::int32_t position, std::span<const float> row, std::uint64_t hash);

    RecordingTarget m_target;
    std::shared_ptr<const trace::RunRecord> m_referenceRun; // null for run 0
    std::unique_ptr<trace::Recorder> m_recorder;
    std::vector<std::int32_t> m_tokens; // of the column at hand, reused
    Result<void> m_failure;
    std::string m_warning;
};

} // namespace ulp::worker
