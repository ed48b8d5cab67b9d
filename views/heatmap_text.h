// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a heatmap says about a cell: the tooltip's exact values and the sentence for screen readers.
// Thread-safety: pure functions. Ownership: none.
#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include "engine/compare/comparison.h"

namespace ulp::views {

/// The largest magnitude (relative L2) of a cell over the compared runs, and whose it is.
struct CellMagnitude {
    int run = 0;
    trace::Magnitude magnitude;
};
[[nodiscard]] std::optional<CellMagnitude> largestMagnitude(const compare::Comparison& comparison,
                                                            std::int64_t column, int op);

/// "step 3" or "prompt position 2".
[[nodiscard]] QString stepText(const compare::Comparison& comparison, std::int64_t column);
/// "step 3, ffn_out-2: 2 classes, origin". Plain text.
[[nodiscard]] QString cellSentence(const compare::Comparison& comparison, std::int64_t column,
                                   int op);
/// The same with classes, runs, hashes and magnitude, as rich text. `heading` comes first.
[[nodiscard]] QString cellToolTip(const compare::Comparison& comparison, std::int64_t column,
                                  int op, const QString& heading);
/// Drift of one run's logits at a column, as rich text.
[[nodiscard]] QString driftToolTip(const compare::Comparison& comparison, int run,
                                   std::int64_t column);

} // namespace ulp::views
