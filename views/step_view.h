// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all views along the step axis have in common: the plot between the shared margins, the
// cursor's column, zoom at the pointer (wheel, pinch), pan (drag, shift and wheel), fit, and the
// keys + - 0. Subclasses paint and say what a click means.
// Thread-safety: GUI thread only. Ownership: axis and cursor are borrowed and may be null.
#pragma once

#include <optional>

#include <QPointer>
#include <QWidget>

#include "engine/compare/comparison.h"
#include "views/axis.h"
#include "views/cursor.h"
#include "views/theme.h"

namespace ulp::views {

class StepView : public QWidget {
    Q_OBJECT
  public:
    explicit StepView(QWidget* parent = nullptr);

    void setStepAxis(StepAxis* axis);
    void setCursorModel(CursorModel* cursor);
    [[nodiscard]] StepAxis* stepAxis() const { return m_axis; }
    [[nodiscard]] CursorModel* cursorModel() const { return m_cursor; }
    [[nodiscard]] const compare::ComparisonPtr& comparison() const { return m_comparison; }
    /// Draws in this theme whatever the program's is (reports are light); null: the current one.
    void setThemeOverride(const Theme* theme) { m_themeOverride = theme; }
    [[nodiscard]] const Theme& theme() const
    {
        return m_themeOverride != nullptr ? *m_themeOverride : currentTheme();
    }

  public slots:
    virtual void setComparison(compare::ComparisonPtr comparison);
    virtual void fit();
    void zoomIn();
    void zoomOut();

  protected:
    /// Where cells or curves are drawn; the default spans the widget between the axis' margins.
    [[nodiscard]] virtual QRectF plotRect() const;
    [[nodiscard]] AxisMap axisMap() const;
    /// Left and right edge of a step's slot, on whole device pixels.
    [[nodiscard]] std::pair<double, double> slotEdges(std::int64_t slot) const;
    /// The comparison's column at a position of the widget; the folded prefill gives its last.
    [[nodiscard]] std::optional<std::int64_t> columnAt(double x) const;
    [[nodiscard]] std::optional<std::int64_t> cursorSlot() const;
    [[nodiscard]] double snap(double logical) const; // to the device's pixel grid

    /// What the zoom keys keep in place: the cursor's cell when it is visible, else the middle.
    [[nodiscard]] virtual QPointF zoomAnchor() const;
    /// factor > 1 shows less, about `anchor` (widget coordinates).
    virtual void zoomAt(QPointF anchor, double factor, bool stepsOnly);
    virtual void panBy(QPointF pixels);
    virtual void clicked(QPointF position, Qt::KeyboardModifiers modifiers);
    virtual void doubleClicked(QPointF position);
    virtual void comparisonChanged();
    virtual void axisChanged();
    virtual void cursorMoved();
    virtual void themeChanged();

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    [[nodiscard]] bool dragging() const { return m_dragging; }

  private:
    bool gesture(QEvent* event);

    QPointer<StepAxis> m_axis;
    QPointer<CursorModel> m_cursor;
    compare::ComparisonPtr m_comparison;
    const Theme* m_themeOverride = nullptr;
    QPointF m_pressed;
    QPointF m_lastDrag;
    bool m_pressedHere = false;
    bool m_dragging = false;
};

} // namespace ulp::views
