// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/engine_port.h"

#include <algorithm>
#include <thread>

#include "engine/kernels/matmul.h"
#include "engine/trace/trace_file.h"

namespace ulp::gui {
namespace {

class SessionRun final : public Runner {
  public:
    explicit SessionRun(worker::SessionRequest request) : m_runner(std::move(request)) {}
    Result<void> check() override { return m_runner.check(); }
    Result<trace::SnapshotPtr>
    run(const std::function<void(const worker::Progress&)>& onProgress) override
    {
        return m_runner.run(onProgress);
    }
    void cancel() override { m_runner.cancel(); }
    trace::SnapshotPtr snapshot() override { return m_runner.snapshot(); }

  private:
    worker::SessionRunner m_runner;
};

Result<LoadedModel> load(const std::string& path, const EnginePort::LoadProgress& progress)
{
    model::LoadOptions options;
    options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.progress = progress;
    auto model = model::Model::load(path, options);
    if (!model) {
        return model.error();
    }
    LoadedModel loaded;
    loaded.model = *model;
    loaded.path = path;
    loaded.name = (*model)->hyper().name;
    loaded.context = (*model)->hyper().context;
    loaded.parameters = (*model)->parameters();
    loaded.defaultChunk = (*model)->defaultReductionChunk();
    return loaded;
}

} // namespace

EnginePort realEngine()
{
    EnginePort port;
    port.loadModel = load;
    port.makeRunner = [](worker::SessionRequest request) -> std::shared_ptr<Runner> {
        return std::make_shared<SessionRun>(std::move(request));
    };
    port.openTrace = [](const std::string& path) { return trace::openTrace(path); };
    port.saveTrace = [](const trace::Snapshot& snapshot, const std::string& path) {
        return trace::saveTrace(snapshot, path);
    };
    for (const Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
        if (kernels::isaAvailable(isa)) {
            port.isas.push_back(isa);
        }
    }
    port.cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return port;
}

} // namespace ulp::gui
