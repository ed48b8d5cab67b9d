// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Painting of the divergence map: cells come from a cached image, the rest is drawn over it.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "views/colour_bar.h"
#include "views/divergence_heatmap.h"
#include "views/plot_style.h"

namespace ulp::views {
namespace {
constexpr double kOpIndent = 12.0;   // ops below a layer's heading
constexpr double kLabelRight = 12.0; // between labels and cells
constexpr double kTickGap = 44.0;    // least distance of step numbers
} // namespace

void DivergenceHeatmap::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    if (comparison() == nullptr || stepAxis() == nullptr || m_layout.rowCount() == 0 ||
        stepAxis()->slotCount() == 0) {
        painter.fillRect(rect(), theme().window);
        paintEmpty(painter);
        return;
    }
    const QRectF plot = plotRect(); // has its own ground; the rest is filled around it
    const QRectF all(rect());
    painter.fillRect(QRectF(all.topLeft(), QPointF(all.right(), plot.top())), theme().window);
    painter.fillRect(QRectF(0.0, plot.top(), plot.left(), all.height()), theme().window);
    painter.fillRect(QRectF(plot.topRight(), all.bottomRight()), theme().window);
    painter.fillRect(QRectF(plot.bottomLeft(), all.bottomRight()), theme().window);
    painter.drawImage(plot.topLeft(), raster());
    paintHeader(painter);
    paintLabels(painter);
    painter.save();
    painter.setClipRect(QRectF(plotRect().left() - 2.0, 0.0, plotRect().width() + 4.0,
                               static_cast<double>(height())));
    paintOverlay(painter);
    painter.restore();
    paintFooter(painter);
}

const QImage& DivergenceHeatmap::raster()
{
    const double ratio = devicePixelRatioF();
    const QRectF plot = plotRect();
    const QSize pixels(std::max(1, static_cast<int>(std::lround(plot.width() * ratio))),
                       std::max(1, static_cast<int>(std::lround(plot.height() * ratio))));
    if (m_stale || m_raster.image.size() != pixels || m_raster.image.devicePixelRatio() != ratio) {
        const AxisMap map = axisMap();
        RasterRequest request;
        request.cells = &m_cells;
        request.rows = &m_layout;
        request.axis = stepAxis();
        request.theme = &theme();
        request.mode = m_mode;
        request.range = m_range;
        request.pixels = pixels;
        request.unit = ratio;
        request.firstSlot = map.first;
        request.pixelsPerSlot = map.pixelsPerSlot * ratio;
        request.firstRow = m_window.first();
        request.pixelsPerRow = m_window.rowHeight() * ratio;
        renderCells(request, m_raster);
        m_stale = false;
    }
    return m_raster.image;
}

void DivergenceHeatmap::paintHeader(QPainter& painter) const
{
    const AxisMap map = axisMap();
    const QRectF plot = plotRect();
    painter.setPen(theme().textMuted);
    painter.setFont(plotFont());
    painter.drawText(QRectF(0.0, 0.0, plot.left() - kLabelRight, plot.top() - 2.0),
                     Qt::AlignRight | Qt::AlignVCenter, tr("step"));
    for (const AxisTick& tick : stepAxis()->ticks(map, kTickGap)) {
        const auto [left, right] = slotEdges(static_cast<std::int64_t>(tick.slot));
        const double half = painter.fontMetrics().horizontalAdvance(tick.label) / 2.0 + 1.0;
        const double centre =
            std::clamp((std::max(left, plot.left()) + std::min(right, plot.right())) / 2.0,
                       plot.left() + half, width() - half);
        painter.drawText(QRectF(centre - 40.0, 0.0, 80.0, plot.top() - 2.0), Qt::AlignCenter,
                         tick.label);
    }
    if (stepAxis()->prefill() > 1 && map.first < static_cast<double>(stepAxis()->prefillSlots())) {
        const bool folded = stepAxis()->prefillFolded();
        const QRectF mark(plot.left() - 9.0, plot.top() / 2.0 - 4.5, 7.0, 7.0);
        paintChevron(painter, mark, folded, theme().textMuted);
    }
}

void DivergenceHeatmap::paintLabels(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(QRectF(0.0, plotRect().top(), plotRect().left(), plotRect().height()));
    for (const int row : labelledRows()) {
        paintRowLabel(painter, row);
    }
    painter.restore();
}

/// Middle of a row's label: of its row, but whole even at the plot's edges.
double DivergenceHeatmap::labelCentre(int row) const
{
    const auto [top, bottom] = rowEdges(row);
    const QRectF plot = plotRect();
    const double half = labelLine() / 2.0;
    return std::clamp((top + bottom) / 2.0, plot.top() + half,
                      std::max(plot.bottom() - half, plot.top() + half));
}

double DivergenceHeatmap::labelLine() const
{
    return QFontMetricsF(plotFont()).height() - 2.0;
}

/// Rows whose labels fit: all when rows are high enough, else first the cursor's row, then unfolded
/// layers, then layers and ops outside them, then the ops, each where there is still room.
std::vector<int> DivergenceHeatmap::labelledRows() const
{
    const int first = std::max(static_cast<int>(m_window.first()), 0);
    const int last = std::min(static_cast<int>(std::ceil(m_window.first() + m_window.span())),
                              m_layout.rowCount()) -
                     1;
    const double line = labelLine();
    const bool all = m_window.rowHeight() >= line;
    const double height = plotRect().height();
    std::vector<int> rows;
    std::vector<bool> taken(static_cast<std::size_t>(height) + 1, false); // by pixel
    const auto place = [&](int row) { // ten thousand rows may ask: nothing costly here
        const double half = line / 2.0;
        const double y = std::clamp(m_window.y(row + 0.5), half, std::max(height - half, half));
        const auto from = static_cast<std::size_t>(std::clamp(y - half, 0.0, height));
        const auto to = static_cast<std::size_t>(std::clamp(y + half - 1.0, 0.0, height));
        if (all || (!taken[from] && !taken[to])) {
            std::fill(taken.begin() + static_cast<std::ptrdiff_t>(from),
                      taken.begin() + static_cast<std::ptrdiff_t>(to) + 1, true);
            rows.push_back(row);
        }
    };
    const auto cursor = cursorPlace();
    if (cursor && cursor->row >= first && cursor->row <= last) {
        place(cursor->row);
    }
    for (int rank = 0; rank < 3; ++rank) {
        for (int row = first; row <= last; ++row) {
            const LayoutRow& r = m_layout.rows()[static_cast<std::size_t>(row)];
            const bool open = r.kind == LayoutRow::Kind::Group && !m_layout.folded(r.group);
            const int rowRank = open ? 0 : r.inGroup ? 2 : 1;
            if (rowRank == rank && (!cursor || cursor->row != row)) {
                place(row);
            }
        }
    }
    return rows;
}

void DivergenceHeatmap::paintRowLabel(QPainter& painter, int row) const
{
    const LayoutRow& layoutRow = m_layout.rows()[static_cast<std::size_t>(row)];
    const auto cursor = cursorPlace();
    const bool current = cursor && cursor->row == row;
    const bool hovered = (m_hover && m_hover->row == row) || m_hoverLabel == row;
    QFont labelFont = plotFont();
    labelFont.setWeight(current ? QFont::DemiBold : QFont::Normal);
    painter.setFont(labelFont);
    painter.setPen(current                        ? theme().link
                   : hovered || layoutRow.inGroup ? theme().text
                                                  : theme().textMuted);
    const double line = QFontMetricsF(labelFont).height();
    const double left = kPlotLabelLeft + kOpIndent + (layoutRow.inGroup ? kOpIndent : 0.0);
    const QRectF box(left, labelCentre(row) - line / 2.0, plotRect().left() - kLabelRight - left,
                     line);
    if (layoutRow.kind == LayoutRow::Kind::Group) {
        const QRectF mark(kPlotLabelLeft, box.center().y() - 3.5, 7.0, 7.0);
        paintChevron(painter, mark, m_layout.folded(layoutRow.group),
                     hovered ? theme().text : theme().textMuted);
    }
    painter.drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(labelFont).elidedText(m_layout.label(row), Qt::ElideMiddle, box.width()));
}

void DivergenceHeatmap::paintOverlay(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const double bottom = std::min(rowEdges(m_layout.rowCount() - 1).second, plot.bottom());
    if (m_filter && comparison() != nullptr) { // steps outside the filter stay, under a veil
        const std::int64_t shift = comparison()->promptTokens() - 1;
        const auto veil = [&](double from, double to) {
            QColor colour = theme().window;
            colour.setAlphaF(0.72F);
            from = std::clamp(from, plot.left(), plot.right());
            to = std::clamp(to, plot.left(), plot.right());
            painter.fillRect(QRectF(QPointF(from, plot.top()), QPointF(to, bottom)), colour);
        };
        if (m_filter->firstColumn > 0) {
            veil(plot.left(),
                 slotEdges(stepAxis()->slotOfStep(m_filter->firstColumn - shift)).first);
        }
        if (m_filter->lastColumn + 1 < m_cells.columns()) {
            veil(slotEdges(stepAxis()->slotOfStep(m_filter->lastColumn - shift)).second,
                 plot.right());
        }
    }
    if (stepAxis()->prefillSlots() > 0) {
        const double x = slotEdges(stepAxis()->prefillSlots()).first;
        if (x > plot.left() && x < plot.right()) {
            painter.fillRect(QRectF(x - 1.5, plot.top() - 5.0, 2.0, bottom - plot.top() + 5.0),
                             theme().textMuted);
        }
    }
    if (m_hover) {
        strokeInside(painter, cellRect(*m_hover).adjusted(-1.0, -1.0, 0.0, 0.0), theme().textMuted,
                     1.0);
    }
    if (const auto slot = cursorSlot()) {
        const auto [left, right] = slotEdges(*slot);
        paintCursorColumn(painter, theme(),
                          QRectF(QPointF(left, plot.top() - 3.0), QPointF(right, bottom + 2.0)));
    }
    if (const auto place = cursorPlace()) {
        const QRectF rect = cellRect(*place);
        if (!rect.isEmpty()) {
            // Around the cell, not over it: its colour and outline stay visible.
            strokeInside(painter, rect.adjusted(-2.0, -2.0, 1.0, 1.0), theme().cursorLine, 2.0);
        }
    }
}

void DivergenceHeatmap::paintFooter(QPainter& painter) const
{
    if (footerHeight() == 0) {
        return;
    }
    const QRectF plot = plotRect();
    const QRectF box(plot.left(), plot.bottom(), plot.width(), footerHeight());
    painter.setFont(plotFont());
    if (m_mode == ColourMode::Magnitude) {
        paintColourBar(painter, box, Qt::AlignRight, theme(), m_range,
                       tr("relative L2 against the reference"));
    }
    if (m_saysFilter && m_filter) {
        paintFilterNote(painter, box);
    }
}

void DivergenceHeatmap::paintFilterNote(QPainter& painter, const QRectF& box) const
{
    painter.fillRect(QRectF(box.left(), box.center().y() - 4.0, 8.0, 8.0), theme().classMany);
    painter.setPen(theme().text);
    painter.drawText(
        box.adjusted(14.0, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
        tr("%n divergent cell(s) outside the filter", nullptr,
           static_cast<int>(std::min<std::int64_t>(m_filter->divergentOutside, 2'000'000'000))));
}

void DivergenceHeatmap::paintEmpty(QPainter& painter) const
{
    painter.setPen(theme().textMuted);
    painter.setFont(font());
    const QString text = m_filter && comparison() != nullptr && m_cells.ops() > 0
                             ? tr("No op matches the filter")
                             : tr("Press Run, or open a trace, to see where runs part");
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, text);
    paintFooter(painter);
}

} // namespace ulp::views
