// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Margin of the reference run and logit drift of each class over the steps, as inline SVG on a log
// scale. Thread-safety: pure function.
#pragma once

#include <string>

#include "engine/compare/comparison.h"

namespace ulp::audit::html {

/// The chart with its legend, or an empty string when no logits were recorded.
[[nodiscard]] std::string driftChart(const compare::Comparison& comparison);

} // namespace ulp::audit::html
