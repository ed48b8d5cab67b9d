// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four engine calls that the inspector makes, behind one seam, so that tests drive the real
// window with a scripted engine. Thread-safety: every call may block and comes from a worker
// thread; Runner::cancel() and snapshot() from any thread. Ownership: a LoadedModel shares its
// model; a Runner is held by whoever runs it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/worker/session_runner.h"
#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/trace/snapshot.h"

namespace ulp::gui {

/// A model and what the run panel wants to know of it.
struct LoadedModel {
    std::shared_ptr<const model::Model> model;
    std::string path;
    std::string name;
    std::int64_t context = 0;
    std::int64_t parameters = 0;
    std::int64_t defaultChunk = 0;
};

class Runner {
  public:
    virtual ~Runner() = default;
    virtual Result<void> check() = 0;
    virtual Result<trace::SnapshotPtr>
    run(const std::function<void(const worker::Progress&)>& onProgress) = 0;
    virtual void cancel() = 0;
    virtual trace::SnapshotPtr snapshot() = 0;
};

struct EnginePort {
    using LoadProgress = std::function<bool(double)>; // false: give up
    std::function<Result<LoadedModel>(const std::string& path, const LoadProgress&)> loadModel;
    std::function<std::shared_ptr<Runner>(worker::SessionRequest)> makeRunner;
    std::function<Result<trace::SnapshotPtr>(const std::string& path)> openTrace;
    std::function<Result<void>(const trace::Snapshot&, const std::string& path)> saveTrace;
    std::vector<Isa> isas; // that this machine runs, the best last
    int cores = 1;
};

/// The engine of this program.
[[nodiscard]] EnginePort realEngine();

} // namespace ulp::gui
