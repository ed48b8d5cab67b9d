// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that takes time, away from the GUI thread: loading models, running sessions,
// comparing, opening, saving and exporting. The GUI asks and returns at once; answers come as
// queued signals, one for each batch, newest wins. Thread-safety: all methods from the GUI thread.
// Ownership: owns its threads; destruction cancels and waits.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include "app/gui/engine_port.h"
#include "app/gui/live_comparer.h"
#include "app/gui/task_thread.h"
#include "views/run_setup.h"

namespace ulp::gui {

class EngineController : public QObject {
    Q_OBJECT

  public:
    explicit EngineController(EnginePort port, QObject* parent = nullptr);
    ~EngineController() override;

    /// Loads in the background; the loaded model is kept until another one is asked for.
    void loadModel(const QString& path);
    /// Loads the setup's model if it is not the one at hand, then runs. One session at a time.
    void startSession(int session, const views::RunSetup& setup);
    void stop();
    [[nodiscard]] bool busy() const { return m_running.has_value(); }

    void openTrace(int session, const QString& path);
    void saveTrace(trace::SnapshotPtr snapshot, const QString& path);
    /// Any task that writes a file: done() tells how it went, with `path` for the message.
    void writeFile(const QString& path, std::function<Result<void>()> task);
    void setOptions(int session, const compare::Options& options);
    void forget(int session);

    [[nodiscard]] const std::optional<LoadedModel>& model() const { return m_model; }
    [[nodiscard]] views::RunLimits limits() const;

  signals:
    void loadProgress(double fraction);
    void modelLoaded();
    void modelFailed(const QString& path, const ulp::Error& error);
    /// A newer comparison of a session; while running at most 25 times a second, and no more often
    /// than lets the GUI thread rest nine tenths of its time.
    void updated(const ulp::gui::SessionUpdate& update);
    void sessionEnded(int session);
    void sessionFailed(int session, const ulp::Error& error);
    void traceFailed(int session, const QString& path, const ulp::Error& error);
    void fileWritten(const QString& path);
    void fileFailed(const QString& path, const ulp::Error& error);

  private:
    void runOnWorker(int session, const views::RunSetup& setup);
    Result<LoadedModel> modelFor(const std::string& path);
    void deliver(SessionUpdate update);
    void scheduleFlush();
    void flushUpdates();
    void finish(int session, const std::optional<Error>& error);
    template <typename F>
    void toGui(F&& call);

    EnginePort m_port;
    std::optional<LoadedModel> m_model; // GUI thread
    std::optional<int> m_running;       // GUI thread

    QTimer m_flushTimer;        // GUI thread, as the two below
    QElapsedTimer m_sinceFlush; // invalid before the first flush
    double m_cpuAtFlush = 0.0;  // milliseconds of this thread

    std::mutex m_mutex; // guards the four below
    std::shared_ptr<Runner> m_runner;
    std::optional<LoadedModel> m_workerModel;
    std::map<int, SessionUpdate> m_outbox;
    bool m_flushPosted = false;

    std::atomic<bool> m_cancelled{false};
    LiveComparer m_comparer;
    TaskThread m_files;
    TaskThread m_runs; // last: its tasks use all others
};

} // namespace ulp::gui
