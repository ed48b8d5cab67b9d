// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small pieces of drawing that several views share, so that a cursor, a frame or a fold mark looks
// the same everywhere.
// Thread-safety: GUI thread only. Ownership: none.
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>

class QPainter;

namespace ulp::views {

struct Theme;

inline constexpr double kPlotLabelLeft = 14.0; // of text in the margin left of a plot

/// Labels of plots: a little smaller than the application's text.
[[nodiscard]] QFont plotFont();

/// A frame of `width` whose outer edge is the rectangle; crisp when the rectangle is.
void strokeInside(QPainter& painter, const QRectF& rect, const QColor& colour, double width);
/// The column of the cursor: a tint and two lines.
void paintCursorColumn(QPainter& painter, const Theme& theme, const QRectF& rect);
/// A triangle that points right when folded, down when not.
void paintChevron(QPainter& painter, const QRectF& rect, bool folded, const QColor& colour);

} // namespace ulp::views
