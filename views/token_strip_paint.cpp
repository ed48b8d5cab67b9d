// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the token strip is painted.
#include <QPainter>
#include <QScrollBar>

#include "views/compact_table.h"
#include "views/plot_style.h"
#include "views/theme.h"
#include "views/token_strip.h"

namespace ulp::views {
namespace {
constexpr int kMargin = TokenStrip::kMargin;
constexpr int kTop = TokenStrip::kTop;
} // namespace

void TokenStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = currentTheme();
    painter.fillRect(viewport()->rect(), theme.window);
    int y = kTop - verticalScrollBar()->value();
    for (const Line& line : m_lines) {
        if (y + lineHeight() > 0 && y < viewport()->height()) {
            paintLine(painter, line, y);
            paintLabel(painter, line, y);
        }
        y += lineHeight();
    }
    painter.setPen(theme.textMuted);
    painter.setFont(scaledFont(-1));
    const QRect hint(kMargin, y + 3, viewport()->width() - 2 * kMargin, lineHeight());
    const QString text = m_lines.empty()
                             ? tr("The text of each class of runs appears here.")
                             : tr("dotted: near-tie (margin within twice the drift seen) · "
                                  "outlined: first differing token "
                                  "· click a token to move the cursor");
    painter.drawText(hint, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, hint.width()));
}

void TokenStrip::paintLine(QPainter& painter, const Line& line, int y)
{
    const QRect area(labelWidth(), y, viewport()->width() - labelWidth() - pillWidth(),
                     lineHeight());
    painter.save();
    painter.setClipRect(area);
    painter.setFont(monospaceFont());
    const int scroll = horizontalScrollBar()->value();
    const std::int64_t first = std::max<std::int64_t>(positionAt(scroll), 0);
    for (std::int64_t p = first; p < static_cast<std::int64_t>(line.tokens.size()); ++p) {
        const double x = area.left() + m_x[static_cast<std::size_t>(p)] - scroll;
        if (x > area.right()) {
            break;
        }
        paintToken(painter, line, p, x, y);
    }
    painter.restore();
    if (!line.sameTokens) {
        return;
    }
    const QRectF pill(viewport()->width() - pillWidth() + 8, y + 2, pillWidth() - 8 - kMargin,
                      lineHeight() - 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(currentTheme().latent.background);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setPen(currentTheme().latent.text);
    painter.setFont(scaledFont(-1));
    painter.drawText(pill, Qt::AlignCenter, tr("equal tokens, unequal bits"));
}

void TokenStrip::paintToken(QPainter& painter, const Line& line, std::int64_t position, double x,
                            int y)
{
    const Token& token = *line.tokens[static_cast<std::size_t>(position)];
    const Theme& theme = currentTheme();
    const QRectF box(x, y + 1, static_cast<double>(token.width), lineHeight() - 2);
    const bool prompt = position < m_promptTokens;
    if (position == positionOfColumn(m_cursor->cursor().column)) {
        painter.fillRect(box, theme.hover);
        painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), theme.cursorLine);
    }
    if (position == (line.flip >= 0 ? line.flip : m_flip)) {
        QColor fill = theme.classMany;
        fill.setAlphaF(theme.dark() ? 0.22F : 0.16F);
        painter.setBrush(fill);
        painter.setPen(QPen(theme.classMany, 2));
        painter.drawRoundedRect(box.adjusted(0, 0, 0, 0), 4, 4);
    }
    const bool faded = line.flip >= 0 && position > line.flip;
    painter.setPen(faded || prompt || token.symbol ? theme.textFaded : theme.text);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, token.text);
    if (!faded && isNearTie(position)) { // the margins are the reference run's
        QPen dots(theme.classTwo, 2, Qt::DotLine);
        painter.setPen(dots);
        painter.drawLine(QPointF(box.left() + 1, box.bottom() - 1),
                         QPointF(box.right() - 1, box.bottom() - 1));
    }
}

void TokenStrip::paintLabel(QPainter& painter, const Line& line, int y)
{
    const Theme& theme = currentTheme();
    QFont font = scaledFont(-1);
    font.setBold(line.isClass);
    painter.setFont(font);
    const QRect box(kMargin, y, labelWidth() - kMargin - 6, lineHeight());
    if (!line.isClass) {
        painter.setPen(theme.textMuted);
        painter.drawText(box.adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, line.label);
        return;
    }
    const auto& group = m_comparison->runClasses()[static_cast<std::size_t>(line.classIndex)];
    if (group.runs.size() > 1) {
        const QRectF mark(box.left(), y + lineHeight() / 2.0 - 4, 8, 8);
        paintChevron(painter, mark, m_unfolded.count(line.classIndex) == 0, theme.textMuted);
    }
    painter.setPen(line.classIndex == 0 ? QPen(theme.missing) : QPen(Qt::NoPen));
    painter.setBrush(classSwatch(line.classIndex));
    painter.drawRoundedRect(QRectF(box.left() + 13, y + lineHeight() / 2.0 - 4, 8, 8), 2, 2);
    painter.setPen(theme.text);
    const QRect text = box.adjusted(26, 0, 0, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(line.label, Qt::ElideRight, text.width()));
}

} // namespace ulp::views
