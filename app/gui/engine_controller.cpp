// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/engine_controller.h"

#include <algorithm>
#include <ctime>

#include <QMetaObject>

namespace ulp::gui {
namespace {

constexpr double kShortestPause = 40.0;  // milliseconds: 25 updates a second
constexpr double kLongestPause = 1000.0; // so that a busy window still moves
constexpr double kRest = 10.0;           // of ten milliseconds one is ours

/// Processor time of the calling thread in milliseconds.
double threadCpu()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace

EngineController::EngineController(EnginePort port, QObject* parent)
    : QObject(parent), m_port(std::move(port)),
      m_comparer([this](SessionUpdate update) { deliver(std::move(update)); })
{
    m_flushTimer.setSingleShot(true);
    connect(&m_flushTimer, &QTimer::timeout, this, &EngineController::flushUpdates);
}

EngineController::~EngineController()
{
    stop();
}

/// Runs `call` in the GUI thread, soon; dropped when the controller is gone by then.
template <typename F>
void EngineController::toGui(F&& call)
{
    QMetaObject::invokeMethod(this, std::forward<F>(call), Qt::QueuedConnection);
}

views::RunLimits EngineController::limits() const
{
    views::RunLimits limits;
    limits.cores = m_port.cores;
    limits.isas = m_port.isas;
    if (m_model) {
        limits.context = m_model->context;
        limits.defaultChunk = m_model->defaultChunk;
    }
    return limits;
}

Result<LoadedModel> EngineController::modelFor(const std::string& path)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_workerModel && m_workerModel->path == path) {
            return *m_workerModel;
        }
    }
    auto loaded = m_port.loadModel(path, [this](double fraction) {
        toGui([this, fraction] { emit loadProgress(fraction); });
        return !m_cancelled.load();
    });
    if (!loaded) {
        return loaded.error();
    }
    {
        const std::lock_guard lock(m_mutex);
        m_workerModel = *loaded;
    }
    toGui([this, model = *loaded] {
        m_model = model;
        emit modelLoaded();
    });
    return loaded;
}

void EngineController::loadModel(const QString& path)
{
    m_cancelled = false;
    m_runs.post([this, path] {
        auto loaded = modelFor(path.toStdString());
        if (!loaded) {
            toGui([this, path, error = loaded.error()] { emit modelFailed(path, error); });
        }
    });
}

void EngineController::startSession(int session, const views::RunSetup& setup)
{
    m_cancelled = false;
    m_running = session;
    m_runs.post([this, session, setup] { runOnWorker(session, setup); });
}

void EngineController::runOnWorker(int session, const views::RunSetup& setup)
{
    auto loaded = modelFor(setup.modelPath.toStdString());
    if (!loaded) {
        toGui([this, session, error = loaded.error()] { finish(session, error); });
        return;
    }
    worker::SessionRequest request;
    request.model = loaded->model;
    request.prompt = setup.prompt.toStdString();
    request.parseSpecial = setup.parseSpecial;
    request.runs = setup.runSettings();
    const auto runner = m_port.makeRunner(std::move(request));
    {
        const std::lock_guard lock(m_mutex);
        m_runner = runner;
    }
    if (m_cancelled) { // stop() came between loading and here
        runner->cancel();
    }
    worker::Progress last;
    const auto result = runner->run([&](const worker::Progress& progress) {
        last = progress;
        if (auto snapshot = runner->snapshot()) {
            m_comparer.update(session, std::move(snapshot), progress, false);
        }
    });
    {
        const std::lock_guard lock(m_mutex);
        m_runner.reset();
    }
    const trace::SnapshotPtr snapshot = result ? *result : runner->snapshot();
    if (snapshot) {
        m_comparer.update(session, snapshot, last, true);
    }
    std::optional<Error> error;
    if (!result) {
        error = result.error();
    }
    toGui([this, session, error] { finish(session, error); });
}

void EngineController::finish(int session, const std::optional<Error>& error)
{
    m_running.reset();
    if (error) {
        emit sessionFailed(session, *error);
    } else {
        emit sessionEnded(session);
    }
}

void EngineController::stop()
{
    m_cancelled = true;
    const std::lock_guard lock(m_mutex);
    if (m_runner) {
        m_runner->cancel();
    }
}

void EngineController::openTrace(int session, const QString& path)
{
    m_files.post([this, session, path] {
        auto snapshot = m_port.openTrace(path.toStdString());
        if (!snapshot) {
            toGui([this, session, path, error = snapshot.error()] {
                emit traceFailed(session, path, error);
            });
            return;
        }
        m_comparer.update(session, *snapshot, {}, true);
    });
}

void EngineController::saveTrace(trace::SnapshotPtr snapshot, const QString& path)
{
    writeFile(path, [this, snapshot = std::move(snapshot), path] {
        return m_port.saveTrace(*snapshot, path.toStdString());
    });
}

void EngineController::writeFile(const QString& path, std::function<Result<void>()> task)
{
    m_files.post([this, path, task = std::move(task)] {
        const Result<void> result = task();
        if (result) {
            toGui([this, path] { emit fileWritten(path); });
        } else {
            toGui([this, path, error = result.error()] { emit fileFailed(path, error); });
        }
    });
}

void EngineController::setOptions(int session, const compare::Options& options)
{
    m_comparer.setOptions(session, options);
}

void EngineController::forget(int session)
{
    m_comparer.forget(session);
}

/// Comparer's thread. Updates that the GUI has not fetched yet are replaced, not queued.
void EngineController::deliver(SessionUpdate update)
{
    const std::lock_guard lock(m_mutex);
    const bool urgent = update.finished;
    m_outbox[update.session] = std::move(update);
    if (urgent) {
        toGui([this] { flushUpdates(); });
    } else if (!m_flushPosted) {
        m_flushPosted = true;
        toGui([this] { scheduleFlush(); });
    }
}

/// Showing an update costs time after it is delivered, in painting; what the GUI thread has used
/// since the last one tells how long to wait with the next.
void EngineController::scheduleFlush()
{
    if (m_flushTimer.isActive()) {
        return;
    }
    const double pause =
        std::clamp(kRest * (threadCpu() - m_cpuAtFlush), kShortestPause, kLongestPause);
    const double left =
        m_sinceFlush.isValid() ? pause - static_cast<double>(m_sinceFlush.elapsed()) : 0.0;
    m_flushTimer.start(std::max(0, static_cast<int>(left)));
}

void EngineController::flushUpdates()
{
    std::map<int, SessionUpdate> batch;
    {
        const std::lock_guard lock(m_mutex);
        batch.swap(m_outbox);
        m_flushPosted = false;
    }
    m_flushTimer.stop();
    m_sinceFlush.start();
    m_cpuAtFlush = threadCpu();
    for (const auto& [session, update] : batch) {
        emit updated(update);
    }
}

} // namespace ulp::gui
