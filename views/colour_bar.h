// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The key of a logarithmic colour scale: title, lowest decade, gradient, highest decade, in one
// line of text height. Drawn by the views that use the scale, so that an exported picture carries
// its key.
// Thread-safety: GUI thread only. Ownership: none.
#pragma once

#include <QRectF>
#include <QString>

#include "views/heatmap_raster.h"

class QPainter;

namespace ulp::views {

/// "1e-7".
[[nodiscard]] QString decadeText(double log10);
/// Draws with the painter's font, aligned to the left or right end of `box`; returns its width.
double paintColourBar(QPainter& painter, const QRectF& box, Qt::Alignment side, const Theme& theme,
                      const MagnitudeRange& range, const QString& title);

} // namespace ulp::views
