// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/log_axis.h"

#include <algorithm>
#include <cmath>

#include "views/colour_bar.h"
#include "views/plot_style.h"

namespace ulp::views {

double DecadeTicker::getTickStep(const QCPRange& /*range*/)
{
    return 10.0;
}

int DecadeTicker::getSubTickCount(double /*tickStep*/)
{
    return 0;
}

QString DecadeTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                                   int /*precision*/)
{
    return decadeText(std::log10(tick));
}

QVector<double> DecadeTicker::createTickVector(double /*tickStep*/, const QCPRange& range)
{
    QVector<double> ticks;
    const int low = static_cast<int>(std::ceil(std::log10(range.lower) - 1e-6));
    const int high = static_cast<int>(std::floor(std::log10(range.upper) + 1e-6));
    const int every = std::max(1, (high - low + m_most) / std::max(m_most, 1));
    for (int decade = high; decade >= low; decade -= every) {
        ticks.prepend(std::pow(10.0, decade));
    }
    return ticks;
}

void DecadeRange::add(double value)
{
    if (value > 0.0 && std::isfinite(value)) {
        m_low = m_low > 0.0 ? std::min(m_low, value) : value;
        m_high = std::max(m_high, value);
    }
}

QCPRange DecadeRange::range(int decades) const
{
    if (m_high <= 0.0) {
        return {1e-8, 1.0};
    }
    double low = std::floor(std::log10(m_low));
    const double high = std::ceil(std::log10(m_high) + 0.02);
    low = std::min(low, high - decades);
    return {std::pow(10.0, low), std::pow(10.0, high)};
}

void styleLogPlot(QCustomPlot& plot, const Theme& theme, int mostTicks)
{
    plot.setBackground(QBrush(theme.window));
    plot.axisRect()->setBackground(QBrush(theme.window));
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setNumberFormat(QStringLiteral("g")); // labels as they are, without powers
    plot.yAxis->setTicker(QSharedPointer<DecadeTicker>::create(mostTicks));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setTickLabelFont(plotFont());
        axis->setTickLabelColor(theme.textMuted);
        axis->setTickLabelPadding(6);
        axis->grid()->setPen(QPen(theme.chartGrid, 1.0));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot.xAxis->grid()->setVisible(false);
}

} // namespace ulp::views
