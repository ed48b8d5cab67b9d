// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layer_chart.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "views/log_axis.h"
#include "views/text_format.h"

namespace ulp::views {

std::vector<LayerMagnitude> layerMagnitudes(const compare::Comparison& comparison,
                                            std::int64_t column)
{
    std::vector<LayerMagnitude> values;
    if (column < 0 || column >= comparison.columns()) {
        return values;
    }
    const auto& ops = comparison.snapshot().ops;
    const auto count = std::min<std::int64_t>(comparison.ops(), std::ssize(ops));
    for (std::int64_t op = 0; op < count; ++op) {
        const int layer = ops[static_cast<std::size_t>(op)].layer;
        if (layer < 0) {
            continue;
        }
        if (values.empty() || values.back().layer != layer) {
            values.push_back({layer, static_cast<int>(op), false, 0.0F});
        }
        LayerMagnitude& value = values.back();
        if (comparison.cell(column, op).classes > 1) {
            const float l2 = comparison.relativeL2(column, op);
            // A number beats an unknown amount, which beats nothing.
            if (!value.differs || l2 > value.relativeL2 ||
                (std::isnan(value.relativeL2) && !std::isnan(l2))) {
                value.op = static_cast<int>(op);
                value.relativeL2 = l2;
            }
            value.differs = true;
        }
    }
    return values;
}

LayerChart::LayerChart(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    setAccessibleName(tr("Magnitude by layer at the cursor's step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_here = new QCPItemRect(m_plot);
    for (QCPItemPosition* corner : {m_here->topLeft, m_here->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_graph = m_plot->addGraph();
    m_unknown = m_plot->addGraph();
    m_unknown->setLineStyle(QCPGraph::lsNone);
    restyle();
}

void LayerChart::setCursorModel(CursorModel* cursor)
{
    if (m_cursor != nullptr) {
        m_cursor->disconnect(this);
    }
    m_cursor = cursor;
    if (cursor != nullptr) {
        connect(cursor, &CursorModel::cursorChanged, this, &LayerChart::refresh);
    }
    refresh();
}

void LayerChart::setComparison(compare::ComparisonPtr comparison)
{
    m_comparison = std::move(comparison);
    refresh();
}

QSize LayerChart::sizeHint() const
{
    return {240, 132};
}

QSize LayerChart::minimumSizeHint() const
{
    return {140, 96};
}

void LayerChart::refresh()
{
    m_values.clear();
    if (m_comparison != nullptr && m_cursor != nullptr) {
        m_values = layerMagnitudes(*m_comparison, m_cursor->cursor().column);
    }
    DecadeRange decades;
    for (const LayerMagnitude& value : m_values) {
        decades.add(value.relativeL2);
    }
    const QCPRange range = decades.range(3);
    QVector<double> x;
    QVector<double> y;
    QVector<double> unknown;
    int differing = 0;
    for (const LayerMagnitude& value : m_values) {
        const bool known = value.differs && value.relativeL2 > 0.0F;
        x.push_back(value.layer);
        y.push_back(known ? std::clamp<double>(value.relativeL2, range.lower, range.upper)
                          : std::nan("")); // a gap: same bits in the whole layer
        if (value.differs && !known) {
            unknown.push_back(value.layer);
        }
        differing += value.differs ? 1 : 0;
    }
    m_graph->setData(x, y, true);
    m_unknown->setData(unknown, QVector<double>(unknown.size(), range.lower), true);
    const double last = m_values.empty() ? 1.0 : m_values.back().layer;
    m_plot->xAxis->setRange(-0.5, last + 0.5);
    m_plot->yAxis->setRange(range);
    int here = -1;
    if (m_comparison != nullptr && m_cursor != nullptr &&
        m_cursor->cursor().op < std::ssize(m_comparison->snapshot().ops)) {
        here = m_comparison->snapshot().ops[static_cast<std::size_t>(m_cursor->cursor().op)].layer;
    }
    m_here->setVisible(here >= 0 && !m_values.empty());
    m_here->topLeft->setCoords(here - 0.5, 0.0);
    m_here->bottomRight->setCoords(here + 0.5, 1.0);
    setAccessibleDescription(tr("%1 of %2 layers differ").arg(differing).arg(m_values.size()));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LayerChart::restyle()
{
    const Theme& theme = currentTheme();
    styleLogPlot(*m_plot, theme, 4);
    m_graph->setPen(QPen(theme.classTwo, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    m_graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDisc, theme.classTwo, theme.classTwo, 4));
    m_unknown->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCross, theme.textMuted, theme.textMuted, 6));
    QColor tint = theme.cursorLine;
    tint.setAlphaF(0.12F);
    m_here->setBrush(tint);
    m_here->setPen(Qt::NoPen);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    ticker->setTickStep(1.0);
    ticker->setTickCount(4);
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    m_plot->axisRect()->setMinimumMargins(QMargins(40, 9, 8, 18));
    refresh();
}

std::optional<std::size_t> LayerChart::indexAt(double x) const
{
    const double layer = std::round(m_plot->xAxis->pixelToCoord(x));
    const auto it = std::ranges::find_if(
        m_values, [layer](const LayerMagnitude& v) { return v.layer == static_cast<int>(layer); });
    return it != m_values.end() ? std::optional(static_cast<std::size_t>(it - m_values.begin()))
                                : std::nullopt;
}

bool LayerChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto index = indexAt(help->pos().x());
        if (!index) {
            QToolTip::hideText();
            return true;
        }
        const LayerMagnitude& value = m_values[*index];
        const QString name = QString::fromStdString(
            m_comparison->snapshot().ops[static_cast<std::size_t>(value.op)].name);
        QString text = tr("layer %1: same bits").arg(value.layer);
        if (value.differs) {
            text = value.relativeL2 > 0.0F ? tr("layer %1: relative L2 %2 in %3")
                                                 .arg(QString::number(value.layer),
                                                      differenceText(value.relativeL2), name)
                                           : tr("layer %1: differs in %2, amount not recorded")
                                                 .arg(QString::number(value.layer), name);
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void LayerChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        restyle();
    }
    QWidget::changeEvent(event);
}

void LayerChart::resizeEvent(QResizeEvent* /*event*/)
{
    m_plot->setGeometry(rect());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LayerChart::mousePressEvent(QMouseEvent* event)
{
    const auto index = indexAt(event->position().x());
    if (event->button() == Qt::LeftButton && index && m_cursor != nullptr) {
        CellCursor to = m_cursor->cursor();
        to.op = m_values[*index].op;
        m_cursor->moveTo(to);
    }
}

} // namespace ulp::views
