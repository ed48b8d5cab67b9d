// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/fake_engine.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "engine/trace/trace_file.h"

namespace ulp::test {
namespace {

using worker::Progress;
using worker::SessionRequest;

trace::SnapshotPtr defaultScript(const SessionRequest& request, double fraction)
{
    const RunSettings& settings = request.runs.front();
    const int runs = static_cast<int>(request.runs.size());
    SessionOptions options = settings.policy == Policy::Ordered
                                 ? SessionOptions{}
                                 : atomicLike(runs, 4, 5, settings.steps);
    options.runs = runs;
    options.layers = 4;
    options.promptTokens = 5;
    options.steps = settings.steps;
    options.policy = settings.policy;
    if (fraction < 1.0) {
        const int columns = options.promptTokens + options.steps - 1;
        options.lastRunColumns = std::max(1, static_cast<int>(fraction * columns));
        options.lastRunStatus = trace::RunStatus::Running;
    }
    return makeSession(options);
}

class FakeRunner final : public gui::Runner {
  public:
    FakeRunner(FakeEngine* engine, SessionRequest request)
        : m_engine(engine), m_request(std::move(request))
    {
    }

    Result<void> check() override { return {}; }

    Result<trace::SnapshotPtr> run(const std::function<void(const Progress&)>& onProgress) override
    {
        ++m_engine->runsStarted;
        const int runs = static_cast<int>(m_request.runs.size());
        for (int i = 1; i <= m_engine->updates && !m_cancelled; ++i) {
            const double fraction = static_cast<double>(i) / (m_engine->updates + 1);
            publish(m_engine->script(m_request, fraction));
            onProgress({runs - 1, runs, i, m_engine->updates + 1, 131.0, 4.1});
        }
        while (m_engine->holdUntilCancelled && !m_cancelled) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        if (m_engine->runError) {
            return *m_engine->runError;
        }
        if (!m_cancelled) {
            publish(m_engine->script(m_request, 1.0));
        }
        return snapshot();
    }

    void cancel() override
    {
        ++m_engine->cancels;
        m_cancelled = true;
    }

    trace::SnapshotPtr snapshot() override
    {
        const std::lock_guard lock(m_mutex);
        return m_snapshot;
    }

  private:
    void publish(trace::SnapshotPtr snapshot)
    {
        const std::lock_guard lock(m_mutex);
        m_snapshot = std::move(snapshot);
    }

    FakeEngine* m_engine;
    SessionRequest m_request;
    std::mutex m_mutex;
    trace::SnapshotPtr m_snapshot;
    std::atomic<bool> m_cancelled{false};
};

} // namespace

FakeEngine::FakeEngine() : script(defaultScript) {}

gui::EnginePort FakeEngine::port()
{
    gui::EnginePort port;
    port.loadModel =
        [this](const std::string& path,
               const gui::EnginePort::LoadProgress& progress) -> Result<gui::LoadedModel> {
        progress(0.5);
        if (loadError) {
            return *loadError;
        }
        gui::LoadedModel model;
        model.path = path;
        model.name = "stories-fake";
        model.context = 1024;
        model.defaultChunk = 32;
        return model;
    };
    port.makeRunner = [this](SessionRequest request) -> std::shared_ptr<gui::Runner> {
        return std::make_shared<FakeRunner>(this, std::move(request));
    };
    port.openTrace = [](const std::string& path) { return trace::openTrace(path); };
    port.saveTrace = [](const trace::Snapshot& snapshot, const std::string& path) {
        return trace::saveTrace(snapshot, path);
    };
    port.isas = {Isa::Portable, Isa::Avx2};
    port.cores = 2;
    return port;
}

trace::SnapshotPtr makeLarge(std::int64_t columns, int layers)
{
    trace::Snapshot snapshot;
    snapshot.ops = makeOps(layers);
    snapshot.model.name = "large";
    snapshot.prompt = "x";
    const std::size_t ops = snapshot.ops.size();
    const auto count = static_cast<std::size_t>(columns);
    for (int run = 0; run < 2; ++run) {
        auto record = std::make_shared<trace::RunRecord>();
        record->run = run;
        record->status = trace::RunStatus::Complete;
        record->settings.threads = 2;
        record->settings.policy = Policy::Atomic;
        record->promptTokens = 1;
        record->columnCount = count;
        record->opCount = ops;
        auto cells = std::make_shared<trace::AppendOnly<std::uint64_t>>(count * ops);
        std::fill_n(cells->at(0), count * ops, 7);
        if (run == 1) { // one cell in the middle
            *cells->at(count / 2 * ops + ops / 2) = 8;
        }
        auto columnStore = std::make_shared<trace::AppendOnly<trace::Column>>(count);
        for (std::size_t c = 0; c < count; ++c) {
            columnStore->at(c)->position = static_cast<std::int32_t>(c);
            columnStore->at(c)->token = 1;
            columnStore->at(c)->chosen = 1;
            columnStore->at(c)->logitHash = 7;
        }
        record->cellStore = cells;
        record->columnStore = columnStore;
        snapshot.runs.push_back(record);
    }
    snapshot.pieces[1] = " x";
    return std::make_shared<const trace::Snapshot>(std::move(snapshot));
}

} // namespace ulp::test
