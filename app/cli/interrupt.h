// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl+C and SIGTERM as a call from an ordinary thread, so that a session can be stopped and its
// trace kept. A second signal ends the process at once. Thread-safety: see each function.
// Ownership: owns its thread; make it before other threads, which inherit the signal mask.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace ulp::cli {

class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Called once, from another thread, when a signal arrives; at once if one has arrived.
    void onSignal(std::function<void()> handler);
    [[nodiscard]] bool received() const { return m_received.load(); }

  private:
    void wait();

    std::atomic<bool> m_received{false};
    std::mutex m_mutex;
    std::function<void()> m_handler;
    std::thread m_thread;
};

} // namespace ulp::cli
