// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/colour_bar.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

namespace ulp::views {
namespace {
constexpr double kGap = 6.0;
constexpr double kGradientWidth = 120.0;
constexpr double kGradientHeight = 8.0;
} // namespace

QString decadeText(double log10)
{
    return QStringLiteral("1e%1").arg(static_cast<int>(std::lround(log10)));
}

double paintColourBar(QPainter& painter, const QRectF& box, Qt::Alignment side, const Theme& theme,
                      const MagnitudeRange& range, const QString& title)
{
    const QFontMetricsF metrics(painter.font());
    const QString low = decadeText(range.lowLog);
    const QString high = decadeText(range.highLog);
    const double titleWidth = metrics.horizontalAdvance(title);
    const double lowWidth = metrics.horizontalAdvance(low);
    const double highWidth = metrics.horizontalAdvance(high);
    const double width =
        titleWidth + 2.0 * kGap + lowWidth + kGap + kGradientWidth + kGap + highWidth;
    double x = (side & Qt::AlignRight) != 0 ? box.right() - width : box.left();
    const auto text = [&](const QString& s, double w) {
        painter.drawText(QRectF(x, box.top(), w + 1.0, box.height()), Qt::AlignVCenter, s);
        x += w;
    };
    painter.setPen(theme.textMuted);
    text(title, titleWidth);
    x += 2.0 * kGap;
    text(low, lowWidth);
    x += kGap;
    const double y = std::round(box.center().y() - kGradientHeight / 2.0);
    for (int i = 0; i < static_cast<int>(kGradientWidth); ++i) {
        painter.fillRect(QRectF(std::round(x) + i, y, 1.0, kGradientHeight),
                         cividis(i / (kGradientWidth - 1.0)));
    }
    x += kGradientWidth + kGap;
    text(high, highWidth);
    return width;
}

} // namespace ulp::views
