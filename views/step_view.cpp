// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/step_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QGestureEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QWheelEvent>

namespace ulp::views {
namespace {
constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 60.0; // pixels
constexpr double kNotch = 120.0;      // of QWheelEvent::angleDelta
} // namespace

StepView::StepView(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    grabGesture(Qt::PinchGesture);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void StepView::setStepAxis(StepAxis* axis)
{
    if (m_axis != nullptr) {
        m_axis->disconnect(this);
    }
    m_axis = axis;
    if (axis != nullptr) {
        connect(axis, &StepAxis::windowChanged, this, &StepView::axisChanged);
        connect(axis, &StepAxis::layoutChanged, this, &StepView::axisChanged);
    }
    axisChanged();
}

void StepView::setCursorModel(CursorModel* cursor)
{
    if (m_cursor != nullptr) {
        m_cursor->disconnect(this);
    }
    m_cursor = cursor;
    if (cursor != nullptr) {
        connect(cursor, &CursorModel::cursorChanged, this, &StepView::cursorMoved);
    }
    cursorMoved();
}

void StepView::setComparison(compare::ComparisonPtr comparison)
{
    m_comparison = std::move(comparison);
    comparisonChanged();
}

void StepView::fit()
{
    if (m_axis != nullptr) {
        m_axis->fit();
    }
}

void StepView::zoomIn()
{
    zoomAt(plotRect().center(), kZoomPerNotch, false);
}

void StepView::zoomOut()
{
    zoomAt(plotRect().center(), 1.0 / kZoomPerNotch, false);
}

QRectF StepView::plotRect() const
{
    const AxisMap map = axisMap();
    return {map.left, 0.0, map.width, static_cast<double>(height())};
}

AxisMap StepView::axisMap() const
{
    return m_axis != nullptr ? m_axis->map(width()) : AxisMap{};
}

std::pair<double, double> StepView::slotEdges(std::int64_t slot) const
{
    const AxisMap map = axisMap();
    const double origin = snap(map.left);
    const auto edge = [&](std::int64_t s) {
        return origin + snap((static_cast<double>(s) - map.first) * map.pixelsPerSlot);
    };
    return {edge(slot), std::max(edge(slot + 1), edge(slot) + 1.0 / devicePixelRatioF())};
}

std::optional<std::int64_t> StepView::columnAt(double x) const
{
    if (m_axis == nullptr || m_comparison == nullptr) {
        return std::nullopt;
    }
    const AxisMap map = axisMap();
    const double slot = std::floor(map.slotAt(x));
    if (x < map.left || x >= map.right() || slot < 0.0 ||
        slot >= static_cast<double>(m_axis->slotCount())) {
        return std::nullopt;
    }
    const std::int64_t step = m_axis->stepsOfSlot(static_cast<std::int64_t>(slot)).second;
    const std::int64_t column = step + m_comparison->promptTokens() - 1;
    if (column < 0 || column >= m_comparison->columns()) {
        return std::nullopt;
    }
    return column;
}

std::optional<std::int64_t> StepView::cursorSlot() const
{
    if (m_axis == nullptr || m_cursor == nullptr || m_comparison == nullptr ||
        m_comparison->columns() == 0) {
        return std::nullopt;
    }
    return m_axis->slotOfStep(m_comparison->stepOf(m_cursor->cursor().column));
}

double StepView::snap(double logical) const
{
    const double ratio = devicePixelRatioF();
    return std::round(logical * ratio) / ratio;
}

QPointF StepView::zoomAnchor() const
{
    const QRectF plot = plotRect();
    const auto slot = cursorSlot();
    if (slot) {
        const auto [left, right] = slotEdges(*slot);
        if (right > plot.left() && left < plot.right()) {
            return {(left + right) / 2.0, plot.center().y()};
        }
    }
    return plot.center();
}

void StepView::zoomAt(QPointF anchor, double factor, bool /*stepsOnly*/)
{
    if (m_axis != nullptr) {
        m_axis->zoomAt(axisMap().slotAt(anchor.x()), factor);
    }
}

void StepView::panBy(QPointF pixels)
{
    if (m_axis != nullptr) {
        m_axis->panBy(-pixels.x() / axisMap().pixelsPerSlot);
    }
}

void StepView::clicked(QPointF position, Qt::KeyboardModifiers /*modifiers*/)
{
    const auto column = columnAt(position.x());
    if (column && m_cursor != nullptr) {
        CellCursor to = m_cursor->cursor();
        to.column = *column;
        m_cursor->moveTo(to);
    }
}

void StepView::doubleClicked(QPointF position)
{
    zoomAt(position, 2.0, false);
}

void StepView::comparisonChanged()
{
    update();
}

void StepView::axisChanged()
{
    update();
}

void StepView::cursorMoved()
{
    update();
}

void StepView::themeChanged()
{
    update();
}

bool StepView::event(QEvent* event)
{
    return gesture(event) || QWidget::event(event);
}

bool StepView::gesture(QEvent* event)
{
    if (event->type() == QEvent::Gesture) {
        auto* pinch = qobject_cast<QPinchGesture*>(
            static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
        if (pinch != nullptr && pinch->scaleFactor() > 0.0) {
            zoomAt(mapFromGlobal(pinch->centerPoint()), pinch->scaleFactor(), false);
            return true;
        }
    }
    if (event->type() == QEvent::NativeGesture) {
        auto* native = static_cast<QNativeGestureEvent*>(event);
        if (native->gestureType() == Qt::ZoomNativeGesture) {
            zoomAt(native->position(), std::max(0.1, 1.0 + native->value()), false);
            return true;
        }
    }
    return false;
}

void StepView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        themeChanged();
    }
    QWidget::changeEvent(event);
}

void StepView::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        const int delta = angle.y() != 0 ? angle.y() : angle.x();
        panBy({delta / kNotch * kPanPerNotch, 0.0});
    } else if (std::abs(angle.x()) > std::abs(angle.y())) {
        panBy({angle.x() / kNotch * kPanPerNotch, 0.0});
    } else if (angle.y() != 0) {
        zoomAt(event->position(), std::pow(kZoomPerNotch, angle.y() / kNotch),
               (event->modifiers() & Qt::ControlModifier) != 0);
    }
    event->accept();
}

void StepView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_pressed = event->position();
        m_lastDrag = m_pressed;
        m_pressedHere = true;
        m_dragging = false;
    }
}

void StepView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressedHere || (event->buttons() & Qt::LeftButton) == 0) {
        return;
    }
    if (!m_dragging &&
        (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_dragging) {
        panBy(event->position() - m_lastDrag);
        m_lastDrag = event->position();
    }
}

void StepView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressedHere) {
        return;
    }
    m_pressedHere = false;
    if (m_dragging) {
        m_dragging = false;
        unsetCursor();
    } else {
        clicked(event->position(), event->modifiers());
    }
}

void StepView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        doubleClicked(event->position());
    }
}

void StepView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        break;
    case Qt::Key_Minus:
        zoomOut();
        break;
    case Qt::Key_0:
        fit();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace ulp::views
