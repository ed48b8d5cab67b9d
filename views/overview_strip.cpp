// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview_strip.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "views/plot_style.h"

namespace ulp::views {
namespace {
constexpr int kHeight = 24;
constexpr double kPadding = 3.0; // above and below, for the frame
} // namespace

OverviewStrip::OverviewStrip(QWidget* parent) : StepView(parent)
{
    setAccessibleName(tr("Overview of the whole session"));
    setAccessibleDescription(tr("Drag the frame to move what the divergence map shows"));
    setToolTip(accessibleDescription());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OverviewStrip::setHeatmap(DivergenceHeatmap* map)
{
    if (m_map != nullptr) {
        m_map->disconnect(this);
    }
    m_map = map;
    if (map != nullptr) {
        connect(map, &DivergenceHeatmap::viewportChanged, this, qOverload<>(&QWidget::update));
        connect(map, &DivergenceHeatmap::contentChanged, this, &OverviewStrip::invalidate);
        connect(map, &DivergenceHeatmap::rowsChanged, this, &OverviewStrip::invalidate);
    }
    invalidate();
}

QSize OverviewStrip::sizeHint() const
{
    return {600, kHeight};
}

QSize OverviewStrip::minimumSizeHint() const
{
    return {200, kHeight};
}

QRectF OverviewStrip::plotRect() const
{
    const QRectF all = StepView::plotRect();
    return {snap(all.left()), kPadding, snap(all.width()), height() - 2.0 * kPadding};
}

bool OverviewStrip::ready() const
{
    return m_map != nullptr && stepAxis() != nullptr && m_map->cells().comparison() != nullptr &&
           stepAxis()->slotCount() > 0 && m_map->rowLayout().rowCount() > 0;
}

double OverviewStrip::pixelsPerSlot() const
{
    return plotRect().width() / static_cast<double>(stepAxis()->slotCount());
}

double OverviewStrip::pixelsPerRow() const
{
    return plotRect().height() / m_map->rowLayout().rowCount();
}

QRectF OverviewStrip::frameRect() const
{
    if (!ready()) {
        return {};
    }
    const QRectF plot = plotRect();
    const RowWindow& rows = m_map->rowWindow();
    const double span = std::min<double>(rows.span(), rows.rows());
    const QRectF frame(plot.left() + stepAxis()->first() * pixelsPerSlot(),
                       plot.top() + rows.first() * pixelsPerRow(),
                       stepAxis()->span() * pixelsPerSlot(), span * pixelsPerRow());
    return QRectF(QPointF(snap(frame.left()), snap(frame.top())),
                  QPointF(snap(frame.right()), snap(frame.bottom())))
        .adjusted(-1.0, -2.0, 1.0, 2.0);
}

void OverviewStrip::invalidate()
{
    m_stale = true;
    update();
}

void OverviewStrip::comparisonChanged()
{
    invalidate();
}

void OverviewStrip::themeChanged()
{
    invalidate();
}

const QImage& OverviewStrip::raster()
{
    const double ratio = devicePixelRatioF();
    const QSize pixels(std::max(1, static_cast<int>(std::lround(plotRect().width() * ratio))),
                       std::max(1, static_cast<int>(std::lround(plotRect().height() * ratio))));
    const std::pair extent{stepAxis()->prefillSlots(), stepAxis()->slotCount()};
    if (m_stale || m_raster.image.size() != pixels || m_rasterSlots != extent) {
        m_rasterSlots = extent;
        RasterRequest request;
        request.cells = &m_map->cells();
        request.rows = &m_map->rowLayout();
        request.axis = stepAxis();
        request.theme = &theme();
        request.mode = m_map->colourMode();
        request.range = m_map->magnitudeRange();
        request.pixels = pixels;
        request.unit = ratio;
        request.pixelsPerSlot = pixelsPerSlot() * ratio;
        request.pixelsPerRow = pixelsPerRow() * ratio;
        renderCells(request, m_raster);
        m_stale = false;
    }
    return m_raster.image;
}

void OverviewStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (!ready()) {
        return;
    }
    const QRectF plot = plotRect();
    painter.setFont(plotFont());
    painter.setPen(theme().textMuted);
    painter.drawText(QRectF(kPlotLabelLeft, 0.0, plot.left() - kPlotLabelLeft, height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("overview"));
    painter.drawImage(plot.topLeft(), raster());
    const QRectF frame = frameRect();
    QColor veil = theme().window;
    veil.setAlphaF(0.55F);
    painter.fillRect(QRectF(plot.left(), plot.top(), frame.left() - plot.left(), plot.height()),
                     veil);
    painter.fillRect(QRectF(frame.right(), plot.top(), plot.right() - frame.right(), plot.height()),
                     veil);
    if (const auto slot = cursorSlot()) {
        const double x = snap(plot.left() + (static_cast<double>(*slot) + 0.5) * pixelsPerSlot());
        painter.fillRect(QRectF(x, 0.0, 1.0, height()), theme().cursorLine);
    }
    strokeInside(painter, frame, theme().cursorLine, m_dragging ? 2.0 : 1.0);
}

void OverviewStrip::centreOn(QPointF position)
{
    const QRectF plot = plotRect();
    const RowWindow& rows = m_map->rowWindow();
    const double slot = (position.x() - plot.left()) / pixelsPerSlot();
    const double row = (position.y() - plot.top()) / pixelsPerRow();
    if (!stepAxis()->fitted()) {
        stepAxis()->setWindow(slot - stepAxis()->span() / 2.0, stepAxis()->span());
    }
    if (!rows.fitted()) {
        m_map->showRows(row - rows.span() / 2.0, rows.span());
    }
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !ready()) {
        return;
    }
    const QRectF frame = frameRect();
    m_dragging = true;
    m_grip = frame.contains(event->position()) ? event->position() - frame.center() : QPointF();
    setCursor(Qt::ClosedHandCursor);
    centreOn(event->position() - m_grip);
    update();
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging && ready()) {
        centreOn(event->position() - m_grip);
    } else if (ready()) {
        frameRect().contains(event->position()) ? setCursor(Qt::OpenHandCursor) : unsetCursor();
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* /*event*/)
{
    m_dragging = false;
    unsetCursor();
    update();
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_map != nullptr) {
        m_map->fit();
    }
}

/// The strip shows everything, so a wheel over it zooms the map about the strip's place.
void OverviewStrip::wheelEvent(QWheelEvent* event)
{
    if (ready() && event->angleDelta().y() != 0) {
        const double slot = (event->position().x() - plotRect().left()) / pixelsPerSlot();
        stepAxis()->zoomAt(slot, std::pow(1.25, event->angleDelta().y() / 120.0));
    }
    event->accept();
}

} // namespace ulp::views
