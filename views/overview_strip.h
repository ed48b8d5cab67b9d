// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole of a divergence map at one glance, with the visible part as a frame that can be
// dragged. Pooled like the map itself: a pixel shows the worst of what it covers.
// Thread-safety: GUI thread only. Ownership: borrows the map.
#pragma once

#include <QImage>
#include <QPointer>

#include "views/divergence_heatmap.h"
#include "views/step_view.h"

namespace ulp::views {

class OverviewStrip : public StepView {
    Q_OBJECT
  public:
    explicit OverviewStrip(QWidget* parent = nullptr);

    void setHeatmap(DivergenceHeatmap* map);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// The frame around what the map shows now.
    [[nodiscard]] QRectF frameRect() const;

  protected:
    [[nodiscard]] QRectF plotRect() const override;
    void comparisonChanged() override;
    void themeChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void invalidate();
    [[nodiscard]] bool ready() const;
    [[nodiscard]] double pixelsPerSlot() const; // of the whole axis
    [[nodiscard]] double pixelsPerRow() const;
    void centreOn(QPointF position);
    [[nodiscard]] const QImage& raster();

    QPointer<DivergenceHeatmap> m_map;
    Raster m_raster;
    bool m_stale = true;
    std::pair<std::int64_t, std::int64_t> m_rasterSlots; // prefill and all, when it was drawn
    bool m_dragging = false;
    QPointF m_grip; // from the frame's centre
};

} // namespace ulp::views
