// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a difference grows through the network: the largest relative L2 of each layer's ops against
// the reference, at the cursor's step, on a log scale. The cursor's layer is marked; a click moves
// the cursor to a layer's worst op.
// Thread-safety: GUI thread only. Ownership: borrows the cursor, shares the comparison.
#pragma once

#include <optional>
#include <vector>

#include <QPointer>
#include <QWidget>

#include "engine/compare/comparison.h"
#include "views/cursor.h"

class QCPGraph;
class QCPItemRect;
class QCustomPlot;

namespace ulp::views {

/// What one layer shows at one column.
struct LayerMagnitude {
    int layer = 0;
    int op = 0;           // its worst op
    bool differs = false; // some op differs
    float relativeL2 = 0; // NaN: differs by an unrecorded amount
};
[[nodiscard]] std::vector<LayerMagnitude> layerMagnitudes(const compare::Comparison& comparison,
                                                          std::int64_t column);

class LayerChart : public QWidget {
    Q_OBJECT
  public:
    explicit LayerChart(QWidget* parent = nullptr);

    void setCursorModel(CursorModel* cursor);
    [[nodiscard]] const std::vector<LayerMagnitude>& values() const { return m_values; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  public slots:
    void setComparison(compare::ComparisonPtr comparison);

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void refresh();
    void restyle();
    [[nodiscard]] std::optional<std::size_t> indexAt(double x) const;

    QPointer<CursorModel> m_cursor;
    compare::ComparisonPtr m_comparison;
    std::vector<LayerMagnitude> m_values;
    QCustomPlot* m_plot;
    QCPGraph* m_graph = nullptr;
    QCPGraph* m_unknown = nullptr; // differs, amount not recorded
    QCPItemRect* m_here = nullptr;
};

} // namespace ulp::views
