// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A comparison as `run` and `compare` print it for a person, and the exit code it amounts to.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <string>

#include "app/cli/console.h"
#include "engine/compare/comparison.h"

namespace ulp::cli {

/// The table of runs, the verdict, where bits and tokens part, and the texts.
[[nodiscard]] std::string comparisonText(const compare::Comparison& comparison);
/// Done when all compared bits are the same, Differs when runs diverged or failed, BadInput when
/// they cannot be compared. A run that was stopped is compared as far as it came.
[[nodiscard]] Exit exitOf(const compare::Comparison& comparison);

} // namespace ulp::cli
