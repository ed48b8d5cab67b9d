// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report as PDF: verdict, settings, the divergence map, first divergence, runs, environment and
// what was not checked, for people who file paper. Thread-safety: reportMap() in the GUI thread (it
// paints with a widget), writePdf() in any. Ownership: none kept.
#pragma once

#include <QImage>
#include <QString>

#include "engine/base/result.h"
#include "engine/compare/comparison.h"

namespace ulp::gui {

/// The whole divergence map, light, at print resolution.
[[nodiscard]] QImage reportMap(const compare::ComparisonPtr& comparison);
/// The report's text as the HTML subset that QTextDocument lays out; `map` is resource map.png.
[[nodiscard]] QString pdfHtml(const compare::Comparison& comparison);
/// Writes through a file beside `path`: all or nothing.
Result<void> writePdf(const compare::Comparison& comparison, const QImage& map,
                      const QString& path);

} // namespace ulp::gui
