// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns snapshots into comparisons on a thread of its own, newest wins: of the snapshots that
// arrive while one is being compared only the last is kept. While a session runs it compares at
// most 25 times a second and spends at most a small share of a core. Thread-safety: all calls from
// any thread; results are delivered on the comparer's thread. Ownership: shares snapshots.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "app/worker/session_runner.h"
#include "engine/compare/comparison.h"

namespace ulp::gui {

/// What the GUI gets to see of a session, whole and immutable.
struct SessionUpdate {
    int session = 0;
    compare::ComparisonPtr comparison;
    double driftSeen = 0.0;
    worker::Progress progress;
    bool finished = false; // no more updates unless options change
};

class LiveComparer {
  public:
    using Deliver = std::function<void(SessionUpdate)>;
    explicit LiveComparer(Deliver deliver);
    ~LiveComparer();
    LiveComparer(const LiveComparer&) = delete;
    LiveComparer& operator=(const LiveComparer&) = delete;

    void update(int session, trace::SnapshotPtr snapshot, const worker::Progress& progress,
                bool finished);
    /// Which runs are hidden and which is the reference; compares again.
    void setOptions(int session, const compare::Options& options);
    void forget(int session);

  private:
    struct Entry {
        trace::SnapshotPtr snapshot;
        compare::Options options;
        worker::Progress progress;
        bool finished = false;
        bool dirty = false;
    };
    void work();
    [[nodiscard]] std::map<int, Entry>::iterator nextDirty();
    [[nodiscard]] bool urgent() const;

    Deliver m_deliver;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::map<int, Entry> m_entries;
    bool m_stop = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace ulp::gui
