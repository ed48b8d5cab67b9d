// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A team of threads (OpenMP) that kernels run on. Thread-safety: one caller at a time; each thread
// that drives a decoder has its own Team. Ownership: a value without resources; libgomp keeps the
// threads. The team size never changes a bit under `ordered`.
#pragma once

#include <atomic>
#include <thread>
#include <type_traits>

#include <omp.h>

namespace ulp::kernels {

class Team {
  public:
    explicit Team(int threads) : m_threads(threads < 1 ? 1 : threads) {}

    [[nodiscard]] int size() const { return m_threads; }

    /// f(threadIndex): called once for each index below size(); waits for all of them. The calls
    /// must not wait for each other: the OpenMP runtime may grant fewer threads than asked for (its
    /// environment can limit them), and then a thread makes several calls.
    /// f(threadIndex, threadCount): called once on each thread granted, threadCount of them, at
    /// most size(); these calls may meet at a Barrier.
    /// f must not throw.
    template <typename F>
    void run(F&& f) const
    {
        constexpr bool takesCount = std::is_invocable_v<F&, int, int>;
        if (m_threads == 1) {
            if constexpr (takesCount) {
                f(0, 1);
            } else {
                f(0);
            }
            return;
        }
#pragma omp parallel num_threads(m_threads)
        {
            const int granted = omp_get_num_threads();
            if constexpr (takesCount) {
                f(omp_get_thread_num(), granted);
            } else {
                for (int i = omp_get_thread_num(); i < m_threads; i += granted) {
                    f(i);
                }
            }
        }
    }

  private:
    int m_threads;
};

/// Where the threads of one run() meet, any number of times. Spins first, since the wait is short
/// when every thread has a core, then gives the core away.
class Barrier {
  public:
    void wait(int threads)
    {
        const int round = m_round.load(std::memory_order_acquire);
        if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
            m_arrived.store(0, std::memory_order_relaxed);
            m_round.store(round + 1, std::memory_order_release);
            return;
        }
        constexpr int kSpins = 4000;
        for (int spins = 0; m_round.load(std::memory_order_acquire) == round; ++spins) {
            if (spins >= kSpins) {
                std::this_thread::yield();
            } else {
#if defined(__x86_64__)
                __builtin_ia32_pause();
#endif
            }
        }
    }

  private:
    std::atomic<int> m_arrived{0};
    std::atomic<int> m_round{0};
};

} // namespace ulp::kernels
