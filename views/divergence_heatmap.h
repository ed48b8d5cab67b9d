// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The divergence map: rows are ops in execution order, grouped and foldable by layer, columns are
// steps. Shows the worst cell of whatever a pixel or a folded group covers; follows and moves the
// global cursor; says exact values in tooltips and to screen readers.
// Thread-safety: GUI thread only. Ownership: borrows axis and cursor; shares the comparison.
#pragma once

#include <optional>

#include <QImage>

#include "views/cell_map.h"
#include "views/filter.h"
#include "views/heatmap_raster.h"
#include "views/row_layout.h"
#include "views/row_window.h"
#include "views/step_view.h"

namespace ulp::views {

class DivergenceHeatmap : public StepView {
    Q_OBJECT
  public:
    explicit DivergenceHeatmap(QWidget* parent = nullptr);

    [[nodiscard]] ColourMode colourMode() const { return m_mode; }
    [[nodiscard]] MagnitudeRange magnitudeRange() const { return m_range; }
    [[nodiscard]] const RowLayout& rowLayout() const { return m_layout; }
    [[nodiscard]] const RowWindow& rowWindow() const { return m_window; }
    [[nodiscard]] const CellMap& cells() const { return m_cells; }
    [[nodiscard]] bool anyFolded() const { return m_layout.anyFolded(); }
    void showRows(double first, double span);

    /// Hides rows, dims columns and says how many divergent cells are outside; empty: shows all.
    void setFilter(std::optional<FilterOutcome> filter);

    /// The whole map (every step, all rows of the present folding) at a size of its own, for
    /// reports. The image has size * ratio pixels.
    [[nodiscard]] QImage grabImage(QSize size, qreal ratio, Appearance appearance) const;

    /// Worst op of a row in a slot, the first of equals: what a click on it means.
    [[nodiscard]] std::optional<compare::Comparison::CellRef>
    representative(int row, std::int64_t slot) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  public slots:
    void setColourMode(ulp::views::ColourMode mode);
    void toggleColourMode();
    void foldAll();
    void unfoldAll();
    /// Folds or unfolds the layer under the cursor.
    void toggleFold();
    void togglePrefill();
    void fit() override;
    /// Move the cursor in execution order; false when there is no further one.
    bool goToNext(bool originsOnly = false);
    bool goToPrevious(bool originsOnly = false);

  signals:
    void colourModeChanged(ulp::views::ColourMode mode);
    void magnitudeRangeChanged(ulp::views::MagnitudeRange range);
    void rowsChanged();     // folding or filter
    void viewportChanged(); // which rows are visible
    void contentChanged();  // cells or colours

  protected:
    [[nodiscard]] QRectF plotRect() const override;
    [[nodiscard]] QPointF zoomAnchor() const override;
    void zoomAt(QPointF anchor, double factor, bool stepsOnly) override;
    void panBy(QPointF pixels) override;
    void clicked(QPointF position, Qt::KeyboardModifiers modifiers) override;
    void doubleClicked(QPointF position) override;
    void comparisonChanged() override;
    void axisChanged() override;
    void cursorMoved() override;
    void themeChanged() override;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Place { // a cell on screen
        int row = 0;
        std::int64_t slot = 0;
        bool operator==(const Place&) const = default;
    };

    // Geometry
    [[nodiscard]] int headerHeight() const;
    [[nodiscard]] int footerHeight() const;
    [[nodiscard]] std::pair<double, double> rowEdges(int row) const;
    [[nodiscard]] QRectF cellRect(const Place& place) const; // empty when out of sight
    [[nodiscard]] std::optional<int> rowAt(double y) const;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const;
    [[nodiscard]] std::optional<Place> cursorPlace() const;

    // State
    void invalidate();
    void relayout();
    void updateGutter();
    void updateRange();
    void unfoldFirstOrigin();
    void updateAccessible();
    void showToolTip(const QPoint& local, const QPoint& global);

    // Moving the cursor
    void moveTo(const Place& place, CursorModel::Move move);
    void moveBy(int rows, std::int64_t bySlots);
    void moveToDifferent(int rows, int bySlots);
    [[nodiscard]] bool differs(const Place& place) const;
    bool goTo(std::optional<compare::Comparison::CellRef> cell);

    // Painting
    [[nodiscard]] const QImage& raster();
    void paintHeader(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintRowLabel(QPainter& painter, int row) const;
    void paintOverlay(QPainter& painter) const;
    void paintFooter(QPainter& painter) const;
    void paintFilterNote(QPainter& painter, const QRectF& box) const;
    void paintEmpty(QPainter& painter) const;
    [[nodiscard]] std::vector<int> labelledRows() const;
    [[nodiscard]] double labelCentre(int row) const;
    [[nodiscard]] double labelLine() const;

    CellMap m_cells;
    RowLayout m_layout;
    RowWindow m_window;
    ColourMode m_mode = ColourMode::Class;
    MagnitudeRange m_range;
    std::optional<FilterOutcome> m_filter;
    bool m_saysFilter = false; // pictures carry the note that the window shows elsewhere
    std::optional<Place> m_hover;
    std::optional<int> m_hoverLabel;
    bool m_unfoldedOrigin = false;
    Raster m_raster;
    bool m_stale = true;
};

} // namespace ulp::views
