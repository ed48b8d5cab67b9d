// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Does the difference matter? The margin of the reference run and the largest logit difference of
// each class, by step, on a log scale and the shared step axis. A token can flip where two logits
// can move by the margin between them, half of it each: these steps are marked, and the first is
// named.
// Thread-safety: GUI thread only. Ownership: shares the comparison.
#pragma once

#include <optional>
#include <vector>

#include "views/drift_table.h"
#include "views/step_view.h"

class QCPGraph;
class QCPItemLine;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;

namespace ulp::views {

class MarginChart : public StepView {
    Q_OBJECT
  public:
    explicit MarginChart(QWidget* parent = nullptr);

    /// The first column at which a token can flip while the runs still read the same text.
    [[nodiscard]] std::optional<std::int64_t> firstFlip() const;
    [[nodiscard]] QImage grabImage(QSize size, qreal ratio, Appearance appearance) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void comparisonChanged() override;
    void axisChanged() override;
    void cursorMoved() override;
    void themeChanged() override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Curve { // largest difference of the runs of one class, or of all further classes
        QString name;
        QColor colour;
        std::vector<std::size_t> runs; // places in the drift table
    };
    void chooseCurves();
    void rebuild();
    void placeAxis();
    void placeFlipNote(const AxisMap& map);
    void markFlips();
    [[nodiscard]] bool shows(std::int64_t column) const;
    [[nodiscard]] double slotCentre(std::int64_t column) const;
    [[nodiscard]] std::optional<double> margin(std::int64_t column) const;
    [[nodiscard]] std::optional<double> drift(const Curve& curve, std::int64_t column) const;
    [[nodiscard]] QString toolTipAt(std::int64_t column) const;

    DriftTable m_table;
    std::vector<Curve> m_curves;
    std::vector<std::int64_t> m_flips; // columns
    QCustomPlot* m_plot;
    QCPGraph* m_marginGraph = nullptr;
    QCPGraph* m_flipGraph = nullptr;
    QCPItemRect* m_cursorRect = nullptr;
    QCPItemText* m_flipText = nullptr;
    QCPItemLine* m_flipLine = nullptr;
};

} // namespace ulp::views
