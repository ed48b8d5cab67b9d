// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A lock for merges of a microsecond or so, where putting a thread to sleep would cost more than
// the merge. Thread-safety: it is a lock. Ownership: none.
#pragma once

#include <atomic>
#include <thread>

namespace ulp::kernels {

/// Where there are more threads than cores its holder may
/// not be running, so after a good while a waiting thread gives way.
class SpinLock {
  public:
    void lock()
    {
        while (m_held.test_and_set(std::memory_order_acquire)) {
            for (int spins = 0; m_held.test(std::memory_order_relaxed); ++spins) {
                if (spins < kSpinsBeforeYield) {
                    relax();
                } else {
                    std::this_thread::yield();
                }
            }
        }
    }
    void unlock() { m_held.clear(std::memory_order_release); }

  private:
    // Some tens of microseconds: yielding costs a whole time slice on a busy machine.
    static constexpr int kSpinsBeforeYield = 1000;

    static void relax()
    {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    std::atomic_flag m_held;
};

} // namespace ulp::kernels
