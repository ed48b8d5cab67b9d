// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drift_heatmap.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "views/colour_bar.h"
#include "views/heatmap_text.h"
#include "views/plot_style.h"

namespace ulp::views {
namespace {

constexpr double kTallestRow = 16.0;
constexpr double kPadding = 4.0;
// Pyramid values: what is worse is larger. Above kEqual they are magnitude levels.
constexpr std::uint8_t kNothing = 0;
constexpr std::uint8_t kEqual = 1;

std::uint8_t levelOf(const DriftTable::Entry& entry)
{
    if (!entry.recorded) {
        return kNothing;
    }
    return std::max(magnitude::level(entry.maxAbs), kEqual);
}

} // namespace

DriftHeatmap::DriftHeatmap(QWidget* parent) : StepView(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Logit drift: runs by steps"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QImage DriftHeatmap::grabImage(QSize size, qreal ratio, Appearance appearance) const
{
    StepAxis axis;
    axis.setComparisons({comparison()});
    DriftHeatmap copy;
    copy.setThemeOverride(&themeFor(appearance));
    copy.setStepAxis(&axis);
    copy.resize(size);
    copy.setComparison(comparison());
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    static_cast<QWidget&>(copy).render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

QSize DriftHeatmap::sizeHint() const
{
    return {600, static_cast<int>(plotRect().top() + 12.0 * std::clamp(rows(), 4, 10) + kPadding)};
}

QSize DriftHeatmap::minimumSizeHint() const
{
    return {200, static_cast<int>(plotRect().top()) + 24};
}

QRectF DriftHeatmap::plotRect() const
{
    const QRectF all = StepView::plotRect();
    const double top = snap(QFontMetricsF(plotFont()).height() + 2.0 * kPadding);
    return {snap(all.left()), top, snap(all.width()), std::max(height() - top - kPadding, 1.0)};
}

double DriftHeatmap::rowHeight() const
{
    return std::min(plotRect().height() / std::max(rows(), 1), kTallestRow);
}

std::optional<int> DriftHeatmap::rowAt(double y) const
{
    const int row = static_cast<int>(std::floor((y - plotRect().top()) / rowHeight()));
    return row >= 0 && row < rows() ? std::optional(row) : std::nullopt;
}

std::pair<double, double> DriftHeatmap::rowEdges(int row) const
{
    const double top = plotRect().top();
    return {top + snap(row * rowHeight()), top + snap((row + 1) * rowHeight())};
}

std::optional<int> DriftHeatmap::cursorRow() const
{
    if (comparison() == nullptr || cursorModel() == nullptr) {
        return std::nullopt;
    }
    const auto& runs = comparison()->runs();
    const auto it = std::ranges::find(runs, cursorModel()->cursor().run);
    return it != runs.end() ? std::optional(static_cast<int>(it - runs.begin())) : std::nullopt;
}

void DriftHeatmap::comparisonChanged()
{
    const int before = rows();
    m_table.setComparison(comparison());
    updateLevels();
    if (rows() != before) {
        updateGeometry();
    }
    m_stale = true;
    update();
}

void DriftHeatmap::updateLevels()
{
    const std::int64_t columns = comparison() != nullptr ? comparison()->columns() : 0;
    std::vector<std::uint8_t> levels(m_table.runs() * static_cast<std::size_t>(columns), kNothing);
    for (std::size_t run = 0; run < m_table.runs(); ++run) {
        const auto entries = m_table.of(run);
        for (std::size_t c = 0; c < entries.size(); ++c) {
            levels[c * m_table.runs() + run] = levelOf(entries[c]);
        }
    }
    m_levels = compare::MaxPyramid<std::uint8_t>(rows());
    if (rows() > 0) {
        m_levels.append(levels);
    }
    std::uint8_t low = 255;
    std::uint8_t high = 0;
    for (std::size_t run = 0; run < m_table.runs(); ++run) {
        for (const DriftTable::Entry& entry : m_table.of(run)) {
            const std::uint8_t level = levelOf(entry);
            low = level >= magnitude::kLowest ? std::min(low, level) : low;
            high = std::max(high, level);
        }
    }
    m_range = {};
    if (high >= magnitude::kLowest) {
        m_range.lowLog = std::floor(magnitude::log10OfLevel(low));
        m_range.highLog = std::max(std::ceil(magnitude::log10OfLevel(high)), m_range.lowLog + 1.0);
    }
}

void DriftHeatmap::axisChanged()
{
    m_stale = true;
    update();
}

void DriftHeatmap::themeChanged()
{
    axisChanged();
}

void DriftHeatmap::resizeEvent(QResizeEvent* /*event*/)
{
    axisChanged();
}

/// The rows as cells of a divergence map in magnitude colours, so that both look the same.
QImage DriftHeatmap::render() const
{
    const double ratio = devicePixelRatioF();
    const QRectF plot = plotRect();
    const AxisMap map = axisMap();
    RasterRequest request;
    request.axis = stepAxis();
    request.theme = &theme();
    request.mode = ColourMode::Magnitude;
    request.range = m_range;
    request.pixels = QSize(std::max(1, static_cast<int>(std::lround(plot.width() * ratio))),
                           std::max(1, static_cast<int>(std::lround(plot.height() * ratio))));
    request.unit = ratio;
    request.firstSlot = map.first;
    request.pixelsPerSlot = map.pixelsPerSlot * ratio;
    request.pixelsPerRow = rowHeight() * ratio;
    PooledCells pooled;
    pooled.rowBands = makeBands(0.0, request.pixelsPerRow, request.pixels.height(), m_table.runs());
    pooled.slotBands = makeBands(request.firstSlot, request.pixelsPerSlot, request.pixels.width(),
                                 stepAxis()->slotCount());
    const std::int64_t shift = comparison()->promptTokens() - 1;
    for (const Band& row : pooled.rowBands) {
        for (const Band& band : pooled.slotBands) {
            const std::uint8_t worst = m_levels.maxOver(
                row.first, row.last + 1, stepAxis()->stepsOfSlot(band.first).first + shift,
                stepAxis()->stepsOfSlot(band.last).second + shift + 1);
            pooled.bits.push_back(worst == kNothing ? kMissing
                                  : worst == kEqual ? kOneClass
                                                    : kOneClass | kTwoClasses);
            pooled.levels.push_back(worst);
        }
    }
    QImage image;
    paintCells(request, pooled, image);
    return image;
}

void DriftHeatmap::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (comparison() == nullptr || stepAxis() == nullptr || rows() == 0 ||
        stepAxis()->slotCount() == 0) {
        return;
    }
    if (m_stale || m_raster.devicePixelRatio() != devicePixelRatioF()) {
        m_raster = render();
        m_stale = false;
    }
    const QRectF plot = plotRect();
    painter.drawImage(plot.topLeft(), m_raster);
    paintLabels(painter);
    painter.setClipRect(plot.adjusted(-2.0, -3.0, 2.0, 3.0));
    paintPartings(painter);
    const double bottom = rowEdges(rows() - 1).second;
    if (const auto slot = cursorSlot()) {
        const auto [left, right] = slotEdges(*slot);
        paintCursorColumn(painter, theme(),
                          QRectF(QPointF(left, plot.top() - 2.0), QPointF(right, bottom + 2.0)));
        if (const auto row = cursorRow()) {
            const auto [top, lower] = rowEdges(*row);
            strokeInside(painter, QRectF(QPointF(left - 1.0, top - 1.0), QPointF(right, lower)),
                         theme().cursorLine, 2.0);
        }
    }
}

void DriftHeatmap::paintLabels(QPainter& painter) const
{
    const QRectF plot = plotRect();
    QFont heading = plotFont();
    heading.setWeight(QFont::DemiBold);
    painter.setFont(heading);
    painter.setPen(theme().textMuted);
    const QRectF title(kPlotLabelLeft, 0.0, plot.right() - kPlotLabelLeft, plot.top());
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, tr("Logit drift: runs \u00d7 steps"));
    painter.setFont(plotFont());
    paintColourBar(painter, title, Qt::AlignRight, theme(), m_range, tr("max |\u0394 logit|"));
    const double line = QFontMetricsF(plotFont()).height() - 1.5;
    const int every = std::max(1, static_cast<int>(std::ceil(line / rowHeight())));
    const auto cursor = cursorRow();
    for (int row = 0; row < rows(); ++row) {
        const bool near = cursor && std::abs(row - *cursor) < every && row != *cursor;
        if ((row % every != 0 && row != cursor) || near) {
            continue;
        }
        const auto [top, bottom] = rowEdges(row);
        const int run = comparison()->runs()[static_cast<std::size_t>(row)];
        painter.setPen(row == cursor ? theme().link : theme().textMuted);
        painter.drawText(QRectF(kPlotLabelLeft, (top + bottom) / 2.0 - 10.0,
                                plot.left() - kPlotLabelLeft - 6.0, 20.0),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         run == comparison()->reference() ? tr("run %1, reference").arg(run)
                                                          : tr("run %1").arg(run));
    }
}

/// A line where a run's text leaves the reference's: what follows is the drift of another text.
void DriftHeatmap::paintPartings(QPainter& painter) const
{
    for (int row = 0; row < rows(); ++row) {
        const auto entries = m_table.of(static_cast<std::size_t>(row));
        const auto it = std::ranges::find(entries, false, &DriftTable::Entry::sameInput);
        if (it != entries.end()) {
            const double x =
                slotEdges(stepAxis()->slotOfStep(comparison()->stepOf(it - entries.begin()))).first;
            const auto [top, bottom] = rowEdges(row);
            painter.fillRect(QRectF(x - 1.5, top, 2.0, bottom - top), theme().flip);
        }
    }
}

void DriftHeatmap::clicked(QPointF position, Qt::KeyboardModifiers /*modifiers*/)
{
    const auto row = rowAt(position.y());
    if (!row || cursorModel() == nullptr) {
        return;
    }
    CellCursor to = cursorModel()->cursor();
    to.run = comparison()->runs()[static_cast<std::size_t>(*row)];
    to.column = columnAt(position.x()).value_or(to.column);
    cursorModel()->moveTo(to);
}

bool DriftHeatmap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto row = rowAt(help->pos().y());
        const auto column = columnAt(help->pos().x());
        if (row && column) {
            const int run = comparison()->runs()[static_cast<std::size_t>(*row)];
            QToolTip::showText(help->globalPos(), driftToolTip(*comparison(), run, *column), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return StepView::event(event);
}

void DriftHeatmap::keyPressEvent(QKeyEvent* event)
{
    const auto row = cursorRow();
    const int key = event->key();
    if (!row ||
        (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_Left && key != Qt::Key_Right)) {
        StepView::keyPressEvent(event);
        return;
    }
    CellCursor to = cursorModel()->cursor();
    const int next = std::clamp(*row + (key == Qt::Key_Down ? 1
                                        : key == Qt::Key_Up ? -1
                                                            : 0),
                                0, rows() - 1);
    to.run = comparison()->runs()[static_cast<std::size_t>(next)];
    to.column += key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    cursorModel()->moveTo(to, CursorModel::Move::Step);
}

} // namespace ulp::views
