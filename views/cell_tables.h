// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the cell panel says about one cell, as plain texts and table rows, so that the panel, its
// "copy as" commands and the tests read the same thing. Thread-safety: pure functions over an
// immutable comparison. Ownership: none kept.
#pragma once

#include <cstdint>
#include <vector>

#include <QString>
#include <QStringList>

#include "engine/compare/comparison.h"
#include "views/cursor.h"
#include "views/text_table_model.h"

namespace ulp::views {

[[nodiscard]] bool isInside(const CellCursor& cell, const compare::Comparison& comparison);

/// "origin", "inherited", "same bits", "not recorded", with NaN and partly recorded added in words.
[[nodiscard]] QString kindText(const compare::Comparison& comparison, const CellCursor& cell);
/// "equal in all runs", "differ: ffn_norm-2, l_out-1", "not recorded".
[[nodiscard]] QString inputsText(const compare::Comparison& comparison, const CellCursor& cell);
/// "step 3" or "prompt 2".
[[nodiscard]] QString placeText(const compare::Comparison& comparison, std::int64_t column);
/// "step 3 · ffn_out-2".
[[nodiscard]] QString cellTitle(const compare::Comparison& comparison, const CellCursor& cell);

[[nodiscard]] QStringList classHeader();
[[nodiscard]] TableRows classRows(const compare::Comparison& comparison, const CellCursor& cell);
[[nodiscard]] QStringList magnitudeHeader();
[[nodiscard]] TableRows magnitudeRows(const compare::Comparison& comparison,
                                      const CellCursor& cell);
/// The reference run beside `other`; see logitsPartner.
[[nodiscard]] QStringList logitsHeader(const compare::Comparison& comparison, int other);
[[nodiscard]] TableRows logitsRows(const compare::Comparison& comparison, const CellCursor& cell,
                                   int other);
/// The run to put beside the reference: the cursor's run if it is another one, else the first run
/// whose logits differ at that column, else the next run.
[[nodiscard]] int logitsPartner(const compare::Comparison& comparison, const CellCursor& cell);

/// Everything above as text, as JSON with stable keys, and as the command that prints it.
[[nodiscard]] QString cellAsText(const compare::Comparison& comparison, const CellCursor& cell);
[[nodiscard]] QString cellAsJson(const compare::Comparison& comparison, const CellCursor& cell);
[[nodiscard]] QString cellAsCommand(const compare::Comparison& comparison);

} // namespace ulp::views
