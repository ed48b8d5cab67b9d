// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The divergence map as inline SVG. A block of pixels that stands for several cells shows the worst
// of them, so that no divergent cell can be lost to scale. Thread-safety: pure functions.
#pragma once

#include <string>

#include "engine/compare/comparison.h"

namespace ulp::audit::html {

/// One row for each layer (and for each op outside the layers), its worst cell shown.
[[nodiscard]] std::string heatmapByLayer(const compare::Comparison& comparison);
/// One row for each op, several to a row when there are more than the drawing can hold.
[[nodiscard]] std::string heatmapByOp(const compare::Comparison& comparison);
/// What the colours and patterns mean.
[[nodiscard]] std::string heatmapLegend(const compare::Comparison& comparison);

} // namespace ulp::audit::html
