// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot_style.h"

#include <QPainter>
#include <QPolygonF>

#include "views/theme.h"

namespace ulp::views {

QFont plotFont()
{
    return scaledFont(-1.0);
}

void strokeInside(QPainter& painter, const QRectF& rect, const QColor& colour, double width)
{
    if (rect.isEmpty()) {
        return;
    }
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), width), colour);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - width, rect.width(), width), colour);
    painter.fillRect(QRectF(rect.left(), rect.top(), width, rect.height()), colour);
    painter.fillRect(QRectF(rect.right() - width, rect.top(), width, rect.height()), colour);
}

void paintCursorColumn(QPainter& painter, const Theme& theme, const QRectF& rect)
{
    QColor tint = theme.cursorLine;
    tint.setAlphaF(0.10F);
    painter.fillRect(rect, tint);
    strokeInside(painter, rect.adjusted(-1.0, 0.0, 0.0, 0.0), theme.cursorLine, 1.0);
}

void paintChevron(QPainter& painter, const QRectF& rect, bool folded, const QColor& colour)
{
    const QPointF c = rect.center();
    const double s = rect.width() / 2.0;
    const QPolygonF shape = folded
                                ? QPolygonF({c + QPointF(-s * 0.5, -s), c + QPointF(s * 0.7, 0.0),
                                             c + QPointF(-s * 0.5, s)})
                                : QPolygonF({c + QPointF(-s, -s * 0.5), c + QPointF(s, -s * 0.5),
                                             c + QPointF(0.0, s * 0.7)});
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(shape);
    painter.restore();
}

} // namespace ulp::views
