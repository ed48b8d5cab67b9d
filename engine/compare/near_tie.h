// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a token was in reach of another: the one rule behind the inspector, the reports and the
// help. Thread-safety: pure functions. Ownership: none.
#pragma once

#include "engine/compare/comparison.h"

namespace ulp::compare {

/// The largest logit difference over all compared runs and columns with equal input tokens: the
/// yardstick of a near-tie. One pass over all columns, so not for a thread that draws.
[[nodiscard]] double largestDrift(const Comparison& comparison);

/// Whether a margin is within twice the drift seen: the winner may fall by it and the runner-up
/// rise.
[[nodiscard]] bool isNearTie(float margin, double driftSeen);

} // namespace ulp::compare
