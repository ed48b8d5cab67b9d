// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs by steps: how far each run's logits are from the reference run's, on a log scale. Shares the
// step axis and the cursor with the divergence map; a max-pyramid over the runs' drifts answers
// what a pixel shows, so that one drifting step is visible at every zoom.
// Thread-safety: GUI thread only. Ownership: shares the comparison.
#pragma once

#include <optional>

#include <QImage>

#include "engine/compare/pyramid.h"
#include "views/drift_table.h"
#include "views/heatmap_raster.h"
#include "views/step_view.h"

namespace ulp::views {

class DriftHeatmap : public StepView {
    Q_OBJECT
  public:
    explicit DriftHeatmap(QWidget* parent = nullptr);

    [[nodiscard]] MagnitudeRange range() const { return m_range; }
    [[nodiscard]] QImage grabImage(QSize size, qreal ratio, Appearance appearance) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    [[nodiscard]] QRectF plotRect() const override;
    void clicked(QPointF position, Qt::KeyboardModifiers modifiers) override;
    void comparisonChanged() override;
    void axisChanged() override;
    void themeChanged() override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] int rows() const { return static_cast<int>(m_table.runs()); }
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] std::optional<int> rowAt(double y) const;
    [[nodiscard]] std::optional<int> cursorRow() const;
    [[nodiscard]] std::pair<double, double> rowEdges(int row) const;
    void updateLevels();
    [[nodiscard]] QImage render() const;
    void paintLabels(QPainter& painter) const;
    void paintPartings(QPainter& painter) const;

    DriftTable m_table;
    compare::MaxPyramid<std::uint8_t> m_levels; // rows: compared runs
    MagnitudeRange m_range;
    QImage m_raster;
    bool m_stale = true;
};

} // namespace ulp::views
