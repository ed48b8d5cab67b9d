// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sessions that the window holds: what was asked for, what is known so far, how it ended. The
// last ones are kept, so that two can stand one above the other. Thread-safety: GUI thread.
// Ownership: the store owns its sessions; snapshots and comparisons are shared.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include "app/worker/session_runner.h"
#include "engine/base/result.h"
#include "engine/compare/comparison.h"
#include "views/run_setup.h"

namespace ulp::gui {

enum class SessionState { Running, Finished, Stopped, Failed, Opening, Opened };

struct Session {
    int id = 0;
    int number = 0;           // shown: "session 2"; 0 for a trace
    QString file;             // opened or saved as
    views::RunSetup setup;    // empty for an opened trace
    compare::Options options; // hidden runs, reference
    SessionState state = SessionState::Running;
    compare::ComparisonPtr comparison;
    double driftSeen = 0.0;
    worker::Progress progress;
    std::optional<Error> error;
    bool complete = false; // the last comparison has all that there will be
    bool stopRequested = false;
    bool saved = false;
    QElapsedTimer timer;
    double seconds = 0.0; // how long it ran

    [[nodiscard]] bool running() const { return state == SessionState::Running; }
    /// "session 2 · atomic · 8 runs" or "a.ulp · atomic · 8 runs".
    [[nodiscard]] QString title() const;
    [[nodiscard]] trace::SnapshotPtr snapshot() const
    {
        return comparison ? comparison->snapshotPtr() : nullptr;
    }
};

/// The setup that would run an opened trace again, as far as the trace tells.
[[nodiscard]] views::RunSetup setupOf(const trace::Snapshot& snapshot);

class SessionStore : public QObject {
    Q_OBJECT

  public:
    explicit SessionStore(QObject* parent = nullptr);
    Session& add(SessionState state);
    [[nodiscard]] Session* find(int id);
    [[nodiscard]] const std::vector<std::unique_ptr<Session>>& all() const { return m_sessions; }
    void remove(int id);
    /// The session that was run before the newest one; what "changed" marks refer to.
    [[nodiscard]] Session* lastRun();

  signals:
    void removed(int id);

  private:
    void trim();
    std::vector<std::unique_ptr<Session>> m_sessions; // oldest first
    int m_nextId = 1;
    int m_nextNumber = 1;
};

} // namespace ulp::gui
