// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One worker thread that does one task after another. Destruction drops what has not begun and
// waits for what has. Thread-safety: post() from any thread. Ownership: owns its thread and tasks.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include <QThread>

namespace ulp::gui {

class TaskThread {
  public:
    /// A QThread, since laying out a document for PDF needs Qt's timers.
    TaskThread() : m_thread(QThread::create([this] { work(); })) { m_thread->start(); }
    ~TaskThread()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
            m_tasks.clear();
        }
        m_wake.notify_all();
        m_thread->wait();
    }
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    void post(std::function<void()> task)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_tasks.push_back(std::move(task));
        }
        m_wake.notify_one();
    }

  private:
    void work()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_wake.wait(lock, [this] { return m_stop || !m_tasks.empty(); });
            if (m_tasks.empty()) {
                return;
            }
            const std::function<void()> task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_stop = false;
    std::unique_ptr<QThread> m_thread; // last: it uses the others
};

} // namespace ulp::gui
