// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A team of threads (OpenMP) that kernels run on. Thread-safety: one caller at a time; each thread
// that drives a decoder has its own Team. Ownership: a value without resources; libgomp keeps the
// threads. The team size never changes a bit under `ordered`.
#pragma once

#include <omp.h>

namespace ulp::kernels {

class Team {
  public:
    explicit Team(int threads) : m_threads(threads < 1 ? 1 : threads) {}

    [[nodiscard]] int size() const { return m_threads; }

    /// Calls f(threadIndex) once on each of size() threads and waits for all of them.
    /// f must not throw.
    template <typename F>
    void run(F&& f) const
    {
        if (m_threads == 1) {
            f(0);
            return;
        }
#pragma omp parallel num_threads(m_threads)
        {
            f(omp_get_thread_num());
        }
    }

  private:
    int m_threads;
};

} // namespace ulp::kernels
