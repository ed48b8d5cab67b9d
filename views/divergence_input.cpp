// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pointer and keys of the divergence map.
#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "views/divergence_heatmap.h"
#include "views/heatmap_text.h"

namespace ulp::views {
namespace {
constexpr double kRowsPerNotch = 3.0;
} // namespace

void DivergenceHeatmap::zoomAt(QPointF anchor, double factor, bool stepsOnly)
{
    if (!stepsOnly) {
        m_window.zoomAt(m_window.rowAt(anchor.y() - plotRect().top()), factor);
        emit viewportChanged();
    }
    StepView::zoomAt(anchor, factor, stepsOnly);
    invalidate();
}

void DivergenceHeatmap::panBy(QPointF pixels)
{
    m_window.panBy(-pixels.y() / m_window.rowHeight());
    StepView::panBy(pixels);
    emit viewportChanged();
    invalidate();
}

void DivergenceHeatmap::clicked(QPointF position, Qt::KeyboardModifiers /*modifiers*/)
{
    const auto row = rowAt(position.y());
    const AxisMap map = axisMap();
    if (position.y() < plotRect().top() && stepAxis() != nullptr && stepAxis()->prefill() > 1 &&
        position.x() >= map.left - 14.0 &&
        position.x() <
            std::max(map.x(static_cast<double>(stepAxis()->prefillSlots())), map.left + 14.0)) {
        togglePrefill();
    } else if (row && position.x() < map.left) {
        const LayoutRow& layoutRow = m_layout.rows()[static_cast<std::size_t>(*row)];
        if (layoutRow.kind == LayoutRow::Kind::Group) {
            m_layout.setFolded(layoutRow.group, !m_layout.folded(layoutRow.group));
            relayout();
        } else if (const auto slot = cursorSlot()) {
            moveTo({*row, *slot}, CursorModel::Move::Jump);
        }
    } else if (const auto place = placeAt(position)) {
        moveTo(*place, CursorModel::Move::Jump);
    }
}

void DivergenceHeatmap::doubleClicked(QPointF position)
{
    if (plotRect().contains(position)) {
        StepView::doubleClicked(position);
    } else {
        clicked(position, Qt::NoModifier); // a fast second click on a label is a click
    }
}

void DivergenceHeatmap::wheelEvent(QWheelEvent* event)
{
    if (event->position().x() < plotRect().left() && event->angleDelta().y() != 0) {
        m_window.panBy(-event->angleDelta().y() / 120.0 * kRowsPerNotch);
        invalidate();
        emit viewportChanged();
        event->accept();
        return;
    }
    StepView::wheelEvent(event);
}

void DivergenceHeatmap::mouseMoveEvent(QMouseEvent* event)
{
    StepView::mouseMoveEvent(event);
    const auto hover = dragging() ? std::nullopt : placeAt(event->position());
    const auto label =
        event->position().x() < plotRect().left() ? rowAt(event->position().y()) : std::nullopt;
    if (hover != m_hover || label != m_hoverLabel) {
        m_hover = hover;
        m_hoverLabel = label;
        update();
    }
}

void DivergenceHeatmap::leaveEvent(QEvent* /*event*/)
{
    m_hover.reset();
    m_hoverLabel.reset();
    update();
}

bool DivergenceHeatmap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showToolTip(help->pos(), help->globalPos());
        return true;
    }
    return StepView::event(event);
}

void DivergenceHeatmap::showToolTip(const QPoint& local, const QPoint& global)
{
    const auto place = placeAt(local);
    const auto cell = place ? representative(place->row, place->slot) : std::nullopt;
    const auto row = rowAt(local.y());
    if (cell) {
        const LayoutRow& layoutRow = m_layout.rows()[static_cast<std::size_t>(place->row)];
        const QString heading = layoutRow.kind == LayoutRow::Kind::Group
                                    ? tr("%1, its worst op here:").arg(m_layout.label(place->row))
                                    : QString();
        QToolTip::showText(global, cellToolTip(*comparison(), cell->column, cell->op, heading),
                           this, cellRect(*place).toAlignedRect());
    } else if (local.x() < plotRect().left() && row) {
        QToolTip::showText(global, m_layout.label(*row), this);
    } else if (local.y() < plotRect().top() && stepAxis() != nullptr && stepAxis()->prefill() > 1) {
        QToolTip::showText(global, tr("Click above the prompt's columns to fold or unfold them"),
                           this);
    } else {
        QToolTip::hideText();
    }
}

void DivergenceHeatmap::moveTo(const Place& place, CursorModel::Move move)
{
    const auto cell = representative(place.row, place.slot);
    if (cell && cursorModel() != nullptr) {
        cursorModel()->moveTo({cursorModel()->cursor().run, cell->op, cell->column}, move);
    }
}

void DivergenceHeatmap::moveBy(int rows, std::int64_t bySlots)
{
    const auto at = cursorPlace();
    if (!at) {
        if (const auto slot = cursorSlot()) {
            moveTo({0, *slot}, CursorModel::Move::Jump); // the cursor's row is filtered away
        }
        return;
    }
    const std::int64_t lastSlot =
        stepAxis()->slotOfStep(comparison()->stepOf(m_cells.columns() - 1));
    moveTo({std::clamp(at->row + rows, 0, m_layout.rowCount() - 1),
            std::clamp<std::int64_t>(at->slot + bySlots, 0, lastSlot)},
           CursorModel::Move::Step);
}

bool DivergenceHeatmap::differs(const Place& place) const
{
    const auto cell = representative(place.row, place.slot);
    return cell && (m_cells.bits(cell->op)[static_cast<std::size_t>(cell->column)] &
                    (kTwoClasses | kNonFinite)) != 0;
}

void DivergenceHeatmap::moveToDifferent(int rows, int bySlots)
{
    const auto at = cursorPlace();
    if (!at) {
        return;
    }
    Place place{at->row + rows, at->slot + bySlots};
    while (place.row >= 0 && place.row < m_layout.rowCount() && place.slot >= 0 &&
           place.slot < stepAxis()->slotCount()) {
        if (differs(place)) {
            moveTo(place, CursorModel::Move::Jump);
            return;
        }
        place.row += rows;
        place.slot += bySlots;
    }
}

void DivergenceHeatmap::keyPressEvent(QKeyEvent* event)
{
    const bool far = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto arrow = [&](int rows, int bySlots) {
        far ? moveToDifferent(rows, bySlots) : moveBy(rows, bySlots);
    };
    const int page = std::max(static_cast<int>(m_window.span()) - 1, 1);
    const int allRows = m_layout.rowCount();
    const std::int64_t allSlots = stepAxis() != nullptr ? stepAxis()->slotCount() : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        return arrow(0, -1);
    case Qt::Key_Right:
        return arrow(0, 1);
    case Qt::Key_Up:
        return arrow(-1, 0);
    case Qt::Key_Down:
        return arrow(1, 0);
    case Qt::Key_PageUp:
        return moveBy(-page, 0);
    case Qt::Key_PageDown:
        return moveBy(page, 0);
    case Qt::Key_Home:
        return far ? moveBy(-allRows, 0) : moveBy(0, -allSlots);
    case Qt::Key_End:
        return far ? moveBy(allRows, 0) : moveBy(0, allSlots);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F:
        return toggleFold();
    case Qt::Key_C:
        return toggleColourMode();
    default:
        StepView::keyPressEvent(event);
    }
}

} // namespace ulp::views
