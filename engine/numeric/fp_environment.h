// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The floating-point environment that the contract needs: rounding to nearest, subnormals kept.
// Libraries loaded into a process (and start-up code linked with -ffast-math) are known to turn
// flush-to-zero on for a thread, so it is checked at the start of a run and set on worker threads.
// Thread-safety: everything concerns the calling thread only. Ownership: the scope restores what it
// found.
#pragma once

#include "engine/base/result.h"

namespace ulp::numeric {

/// Whether the calling thread rounds to nearest and keeps subnormals, by its control register and
/// by trying. Errors: Internal, naming what is wrong.
[[nodiscard]] Result<void> checkFpEnvironment();

/// Rounding to nearest and no flush-to-zero on this thread while it lives.
class ScopedFpEnvironment {
  public:
    ScopedFpEnvironment();
    ~ScopedFpEnvironment();
    ScopedFpEnvironment(const ScopedFpEnvironment&) = delete;
    ScopedFpEnvironment& operator=(const ScopedFpEnvironment&) = delete;

  private:
    int m_rounding;
    unsigned m_control; // MXCSR on x86, else unused
};

} // namespace ulp::numeric
