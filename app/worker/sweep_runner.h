// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a grid of settings as one session, maps its classes and bisects the axes that change them:
// the one engine call behind `sweep` and a sweep map. No Qt. Thread-safety: run() blocks the
// calling thread; cancel() and snapshot() from any. Ownership: shares the model and the snapshots.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/worker/session_runner.h"
#include "engine/base/axis.h"
#include "engine/compare/sweep_map.h"

namespace ulp::worker {

struct SweepRequest {
    SessionRequest session; // its runs and `more` are the sweep's business
    RunSettings base;       // what the axes do not set
    std::vector<Axis> axes;
    int runsPerCell = 1;
    int extraRuns = 64; // at most, for bisection; 0: none
};

struct SweepProgress {
    Progress run;
    bool bisecting = false; // the grid is done
    int gridRuns = 0;
};

struct SweepResult {
    trace::SnapshotPtr snapshot;
    compare::SweepMap map;
    bool cancelled = false;
};

class SweepRunner {
  public:
    /// Errors: BadUsage when the grid is too large or an axis comes twice.
    static Result<std::unique_ptr<SweepRunner>> create(SweepRequest request);
    ~SweepRunner();

    /// Checks every cell without running: settings, prompt. Errors name the first that cannot run.
    [[nodiscard]] Result<void> check() const;
    /// Executes the grid cell by cell, the last axis fastest, then bisects. What a cancelled sweep
    /// has done is mapped; cells without a complete run are in no class.
    Result<SweepResult> run(const std::function<void(const SweepProgress&)>& onProgress);
    void cancel();
    [[nodiscard]] trace::SnapshotPtr snapshot() const;
    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    struct Impl;
    explicit SweepRunner(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ulp::worker
