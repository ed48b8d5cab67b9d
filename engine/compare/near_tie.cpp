// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/near_tie.h"

#include <algorithm>
#include <cmath>

namespace ulp::compare {

double largestDrift(const Comparison& comparison)
{
    double largest = 0.0;
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        for (const int run : comparison.runs()) {
            const Drift drift = comparison.drift(run, column);
            if (drift.recorded && drift.sameInput && std::isfinite(drift.maxAbs)) {
                largest = std::max(largest, drift.maxAbs);
            }
        }
    }
    return largest;
}

bool isNearTie(float margin, double driftSeen)
{
    return driftSeen > 0.0 && static_cast<double>(margin) <= 2.0 * driftSeen;
}

} // namespace ulp::compare
