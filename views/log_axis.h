// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the program's QCustomPlot charts share: theme, a value axis with whole decades written as
// "1e-4", and the treatment of values that a logarithm cannot show.
// Thread-safety: GUI thread only. Ownership: the plot owns what is set on it.
#pragma once

#include <qcustomplot.h>

#include "views/theme.h"

namespace ulp::views {

/// Ticks on decades, at most `most` of them.
class DecadeTicker : public QCPAxisTicker {
  public:
    explicit DecadeTicker(int most) : m_most(most) {}

  protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;

  private:
    int m_most;
};

/// Collects positive values and gives the decades around them.
class DecadeRange {
  public:
    void add(double value);
    /// At least `decades` wide; 1e-8..1 when nothing positive was added.
    [[nodiscard]] QCPRange range(int decades) const;

  private:
    double m_low = 0.0;
    double m_high = 0.0;
};

/// Colours, fonts and margins; value axis logarithmic with a DecadeTicker.
void styleLogPlot(QCustomPlot& plot, const Theme& theme, int mostTicks);

} // namespace ulp::views
