// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs one prompt many times and records it: the one engine call behind `run`, the run panel and
// the tests. No Qt. Thread-safety: run() blocks the calling thread; cancel() and snapshot() from
// any thread. Ownership: shares the model and the snapshots.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/settings.h"
#include "engine/model/model.h"
#include "engine/trace/snapshot.h"

namespace ulp::worker {

struct SessionRequest {
    std::shared_ptr<const model::Model> model;
    std::string prompt;               // text; ignored when tokens are given
    std::vector<std::int32_t> tokens; // prompt token ids, BOS included
    bool parseSpecial = false;
    bool chat = false;                 // the prompt is the user's text in the model's chat template
    std::optional<std::string> system; // of the chat; nothing: the template's own, if it has one
    std::vector<RunSettings> runs;     // one entry for each run
    /// Asked when all runs so far are done: what to run next, or nothing to end the session.
    std::function<std::vector<RunSettings>(const trace::SnapshotPtr&)> more;
    bool hash = true;                 // false: nothing is recorded but tokens
    std::int64_t referenceBytes = -1; // memory for the reference run's rows; -1 auto, 0 off
    int topLogits = 10;
    bool keepLogits = false; // full logits of every step into the trace
    std::string out;         // trace file written while running; empty: memory only
    bool overwrite = false;
};

struct Progress {
    int run = 0; // index of the run in progress
    int runs = 0;
    std::int64_t column = 0;  // columns done in this run
    std::int64_t columns = 0; // expected in this run
    double tokensPerSecond = 0.0;
    double secondsLeft = 0.0;
};

class SessionRunner {
  public:
    explicit SessionRunner(SessionRequest request);
    ~SessionRunner();
    SessionRunner(const SessionRunner&) = delete;
    SessionRunner& operator=(const SessionRunner&) = delete;

    /// Checks the request without running: settings, prompt, context, memory.
    [[nodiscard]] Result<void> check() const;
    /// Executes all runs. `onProgress` is called from this thread, at most 25 times a second and at
    /// the end of each run. A cancelled session returns its snapshot with the run marked cancelled.
    Result<trace::SnapshotPtr> run(const std::function<void(const Progress&)>& onProgress);
    /// Stops within 100 ms; callable from any thread.
    void cancel();
    /// What is recorded so far; null before the first run.
    [[nodiscard]] trace::SnapshotPtr snapshot() const;
    /// What could not be recorded although the runs went on, in sentences; empty is the rule.
    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ulp::worker
