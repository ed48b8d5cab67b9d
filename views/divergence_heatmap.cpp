// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// State and geometry of the divergence map; see divergence_input.cpp and divergence_paint.cpp for
// the rest.
#include "views/divergence_heatmap.h"

#include <algorithm>
#include <cmath>

#include "views/heatmap_text.h"

namespace ulp::views {
namespace {
constexpr int kUnfoldUpTo = 24; // ops: a map this small is shown whole
constexpr int kNarrowestGutter = 96;
constexpr int kWidestGutter = 176;

int score(std::uint8_t bits)
{
    return (bits & kNonFinite) * 16 + (bits & (kManyClasses | kTwoClasses)) * 2 +
           ((bits & kOrigin) != 0 ? 1 : 0);
}
} // namespace

DivergenceHeatmap::DivergenceHeatmap(QWidget* parent) : StepView(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Divergence map: ops by steps"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    updateAccessible();
}

void DivergenceHeatmap::showRows(double first, double span)
{
    m_window.show(first, span);
    invalidate();
    emit viewportChanged();
}

void DivergenceHeatmap::setFilter(std::optional<FilterOutcome> filter)
{
    m_filter = std::move(filter);
    m_layout.setVisible(m_filter ? m_filter->ops : std::vector<bool>{});
    relayout();
}

QImage DivergenceHeatmap::grabImage(QSize size, qreal ratio, Appearance appearance) const
{
    StepAxis axis;
    axis.setComparisons({comparison()});
    axis.setPrefillFolded(stepAxis() == nullptr || stepAxis()->prefillFolded());
    DivergenceHeatmap copy;
    copy.m_saysFilter = true;
    copy.setThemeOverride(&themeFor(appearance));
    copy.setStepAxis(&axis);
    copy.resize(size);
    copy.setColourMode(m_mode);
    copy.setComparison(comparison());
    copy.m_layout = m_layout;
    copy.setFilter(m_filter);
    copy.fit();
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    copy.render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

std::optional<compare::Comparison::CellRef>
DivergenceHeatmap::representative(int row, std::int64_t slot) const
{
    if (comparison() == nullptr || stepAxis() == nullptr || row < 0 || row >= m_layout.rowCount()) {
        return std::nullopt;
    }
    const auto [from, to] = stepAxis()->stepsOfSlot(slot);
    const std::int64_t shift = comparison()->promptTokens() - 1;
    const std::int64_t last = std::min(to + shift, m_cells.columns() - 1);
    std::optional<compare::Comparison::CellRef> best;
    int bestScore = -1;
    for (std::int64_t c = std::max<std::int64_t>(from + shift, 0); c <= last; ++c) {
        for (const OpRange& range : m_layout.ranges(row)) {
            for (int op = range.first; op <= range.last; ++op) {
                const int value = score(m_cells.bits(op)[static_cast<std::size_t>(c)]);
                if (value > bestScore) {
                    bestScore = value;
                    best = compare::Comparison::CellRef{c, op};
                }
            }
        }
    }
    return best;
}

QSize DivergenceHeatmap::sizeHint() const
{
    const int rows = std::clamp(m_layout.rowCount(), 8, 36);
    return {900, headerHeight() + rows * 13 + footerHeight()};
}

QSize DivergenceHeatmap::minimumSizeHint() const
{
    return {kNarrowestGutter + 160, headerHeight() + 60};
}

void DivergenceHeatmap::setColourMode(ColourMode mode)
{
    if (mode == m_mode) {
        return;
    }
    m_mode = mode;
    m_cells.setMagnitudes(mode == ColourMode::Magnitude);
    updateRange();
    relayout(); // the footer comes or goes
    emit colourModeChanged(mode);
    emit contentChanged();
}

void DivergenceHeatmap::toggleColourMode()
{
    setColourMode(m_mode == ColourMode::Class ? ColourMode::Magnitude : ColourMode::Class);
}

void DivergenceHeatmap::foldAll()
{
    m_layout.foldAll(true);
    relayout();
}

void DivergenceHeatmap::unfoldAll()
{
    m_layout.foldAll(false);
    relayout();
}

void DivergenceHeatmap::toggleFold()
{
    if (cursorModel() != nullptr) {
        const int group = m_layout.groupOfOp(cursorModel()->cursor().op);
        m_layout.setFolded(group, !m_layout.folded(group));
        relayout();
    }
}

void DivergenceHeatmap::togglePrefill()
{
    if (stepAxis() != nullptr) {
        stepAxis()->setPrefillFolded(!stepAxis()->prefillFolded());
    }
}

void DivergenceHeatmap::fit()
{
    m_window.fit();
    StepView::fit();
    relayout();
}

bool DivergenceHeatmap::goToNext(bool originsOnly)
{
    if (comparison() == nullptr || cursorModel() == nullptr) {
        return false;
    }
    const CellCursor& at = cursorModel()->cursor();
    return goTo(comparison()->next({at.column, at.op}, originsOnly));
}

bool DivergenceHeatmap::goToPrevious(bool originsOnly)
{
    if (comparison() == nullptr || cursorModel() == nullptr) {
        return false;
    }
    const CellCursor& at = cursorModel()->cursor();
    return goTo(comparison()->previous({at.column, at.op}, originsOnly));
}

bool DivergenceHeatmap::goTo(std::optional<compare::Comparison::CellRef> cell)
{
    if (!cell) {
        return false;
    }
    cursorModel()->moveTo({cursorModel()->cursor().run, cell->op, cell->column});
    return true;
}

// --- geometry

int DivergenceHeatmap::headerHeight() const
{
    return fontMetrics().height() + 8;
}

int DivergenceHeatmap::footerHeight() const
{
    const bool note = m_saysFilter && m_filter && m_filter->divergentOutside > 0;
    return note || m_mode == ColourMode::Magnitude ? fontMetrics().height() + 4 : 0;
}

QRectF DivergenceHeatmap::plotRect() const
{
    const AxisMap map = axisMap();
    const double top = snap(headerHeight());
    return {snap(map.left), top, snap(map.width),
            std::max(snap(height() - footerHeight()) - top, 1.0)};
}

std::pair<double, double> DivergenceHeatmap::rowEdges(int row) const
{
    const double top = plotRect().top();
    const double upper = top + snap(m_window.y(row));
    return {upper, std::max(top + snap(m_window.y(row + 1)), upper + 1.0 / devicePixelRatioF())};
}

QRectF DivergenceHeatmap::cellRect(const Place& place) const
{
    const auto [left, right] = slotEdges(place.slot);
    const auto [top, bottom] = rowEdges(place.row);
    return QRectF(QPointF(left, top), QPointF(right, bottom)).intersected(plotRect());
}

std::optional<int> DivergenceHeatmap::rowAt(double y) const
{
    const QRectF plot = plotRect();
    const int row = static_cast<int>(std::floor(m_window.rowAt(y - plot.top())));
    if (y < plot.top() || y >= plot.bottom() || row < 0 || row >= m_layout.rowCount()) {
        return std::nullopt;
    }
    return row;
}

std::optional<DivergenceHeatmap::Place> DivergenceHeatmap::placeAt(QPointF position) const
{
    const auto row = rowAt(position.y());
    if (!row || !columnAt(position.x())) {
        return std::nullopt;
    }
    return Place{*row, static_cast<std::int64_t>(std::floor(axisMap().slotAt(position.x())))};
}

std::optional<DivergenceHeatmap::Place> DivergenceHeatmap::cursorPlace() const
{
    const auto slot = cursorSlot();
    const auto row = slot ? m_layout.rowOfOp(cursorModel()->cursor().op) : std::nullopt;
    return row ? std::optional(Place{*row, *slot}) : std::nullopt;
}

QPointF DivergenceHeatmap::zoomAnchor() const
{
    QPointF anchor = StepView::zoomAnchor();
    const auto place = cursorPlace();
    if (place) {
        const QRectF rect = cellRect(*place);
        if (rect.height() > 0.0) {
            anchor.setY(rect.center().y());
        }
    }
    return anchor;
}

// --- state

void DivergenceHeatmap::invalidate()
{
    m_stale = true;
    update();
}

void DivergenceHeatmap::relayout()
{
    m_window.resize(m_layout.rowCount(), plotRect().height());
    invalidate();
    emit rowsChanged();
    emit viewportChanged();
}

void DivergenceHeatmap::comparisonChanged()
{
    m_cells.setComparison(comparison());
    const bool newOps = m_layout.setOps(comparison() != nullptr ? comparison()->snapshot().ops
                                                                : std::vector<OpInfo>{});
    if (newOps) {
        m_filter.reset();
        m_unfoldedOrigin = false;
        m_window.fit();
        m_layout.foldAll(m_cells.ops() > kUnfoldUpTo);
        updateGutter();
    }
    unfoldFirstOrigin();
    updateRange();
    updateAccessible();
    relayout();
    emit contentChanged();
}

void DivergenceHeatmap::axisChanged()
{
    invalidate();
}

void DivergenceHeatmap::themeChanged()
{
    relayout();
}

void DivergenceHeatmap::resizeEvent(QResizeEvent* /*event*/)
{
    relayout();
}

void DivergenceHeatmap::cursorMoved()
{
    const auto place = cursorPlace();
    if (place) {
        const double before = m_window.first();
        m_window.reveal(place->row);
        if (m_window.first() != before) {
            m_stale = true;
            emit viewportChanged();
        }
        stepAxis()->reveal(comparison()->stepOf(cursorModel()->cursor().column));
    }
    updateAccessible();
    update();
}

/// Labels as wide as they need, within reason; margins only grow, for several maps share the axis.
void DivergenceHeatmap::updateGutter()
{
    if (stepAxis() == nullptr) {
        return;
    }
    int widest = 0;
    if (comparison() != nullptr) {
        for (const OpInfo& op : comparison()->snapshot().ops) {
            widest =
                std::max(widest, fontMetrics().horizontalAdvance(QString::fromStdString(op.name)));
        }
    }
    const int wanted = std::clamp(widest + 44, kNarrowestGutter, kWidestGutter);
    stepAxis()->setMargins(std::max(wanted, stepAxis()->leftMargin()), stepAxis()->rightMargin());
}

void DivergenceHeatmap::updateRange()
{
    MagnitudeRange range;
    if (m_cells.largestLevel() >= magnitude::kLowest) {
        range.lowLog = std::floor(magnitude::log10OfLevel(m_cells.smallestLevel()));
        range.highLog = std::ceil(magnitude::log10OfLevel(m_cells.largestLevel()));
        range.highLog = std::max(range.highLog, range.lowLog + 1.0);
    }
    if (range != m_range) {
        m_range = range;
        emit magnitudeRangeChanged(m_range);
    }
}

/// The layer in which the bits part first is what a reader wants to see open.
void DivergenceHeatmap::unfoldFirstOrigin()
{
    if (!m_unfoldedOrigin && comparison() != nullptr && comparison()->first()) {
        m_unfoldedOrigin = true;
        m_layout.setFolded(m_layout.groupOfOp(comparison()->first()->op), false);
    }
}

void DivergenceHeatmap::updateAccessible()
{
    setAccessibleDescription(comparison() != nullptr && cursorModel() != nullptr
                                 ? cellSentence(*comparison(), cursorModel()->cursor().column,
                                                cursorModel()->cursor().op)
                                 : tr("No session yet"));
}

} // namespace ulp::views
