// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/legend.h"

#include <array>

#include <QPainter>

#include "views/theme.h"

namespace ulp::views {
namespace {

enum class Mark { One, Two, Many, Origin, NonFinite, Missing };
constexpr std::array kMarks{Mark::One,    Mark::Two,       Mark::Many,
                            Mark::Origin, Mark::NonFinite, Mark::Missing};
constexpr int kSwatch = 10;

QString textOf(Mark mark)
{
    switch (mark) {
    case Mark::One:
        return Legend::tr("one class: same bits");
    case Mark::Two:
        return Legend::tr("two classes");
    case Mark::Many:
        return Legend::tr("three or more");
    case Mark::Origin:
        return Legend::tr("origin (inputs were equal)");
    case Mark::NonFinite:
        return Legend::tr("NaN or infinity");
    case Mark::Missing:
        return Legend::tr("not recorded");
    }
    return {};
}

void paintMark(QPainter& painter, Mark mark, const QRect& box)
{
    const Theme& theme = currentTheme();
    switch (mark) {
    case Mark::One:
        painter.fillRect(box, theme.classOne);
        break;
    case Mark::Two:
        painter.fillRect(box, theme.classTwo);
        break;
    case Mark::Many:
        painter.fillRect(box, theme.classMany);
        break;
    case Mark::Origin:
        painter.setPen(QPen(theme.origin, 2));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
        break;
    case Mark::NonFinite:
        painter.fillRect(box, theme.classOne);
        painter.fillRect(box, QBrush(theme.nonFinite, Qt::BDiagPattern));
        break;
    case Mark::Missing:
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.missing);
        for (int y = 0; y < 3; ++y) {
            for (int x = 0; x < 3; ++x) {
                painter.drawRect(
                    QRectF(box.left() + 1 + x * 3.5, box.top() + 1 + y * 3.5, 1.4, 1.4));
            }
        }
        break;
    }
}

} // namespace

Legend::Legend(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Legend of the divergence map"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int Legend::lineHeight() const
{
    return fontMetrics().height() + 6;
}

QSize Legend::sizeHint() const
{
    return {160, lineHeight() * static_cast<int>(kMarks.size())};
}

void Legend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    int y = 0;
    for (const Mark mark : kMarks) {
        painter.save();
        paintMark(painter, mark, QRect(0, y + (lineHeight() - kSwatch) / 2, kSwatch, kSwatch));
        painter.restore();
        painter.setPen(currentTheme().text);
        painter.drawText(QRect(kSwatch + 8, y, width() - kSwatch - 8, lineHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, textOf(mark));
        y += lineHeight();
    }
}

} // namespace ulp::views
