// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/margin_chart.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "views/heatmap_text.h"
#include "views/log_axis.h"
#include "views/plot_style.h"
#include "views/text_format.h"

namespace ulp::views {
namespace {
constexpr int kTickWidth = 44; // room for the decades' labels
constexpr int kPadding = 9;
constexpr std::size_t kMostCurves = 5;
constexpr std::size_t kMostMarks = 2000;
constexpr double kPixelsPerTick = 22.0;
} // namespace

MarginChart::MarginChart(QWidget* parent) : StepView(parent), m_plot(new QCustomPlot(this))
{
    setAccessibleName(tr("Margin and largest logit difference by step"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->xAxis->setTicks(false);
    m_cursorRect = new QCPItemRect(m_plot);
    for (QCPItemPosition* corner : {m_cursorRect->topLeft, m_cursorRect->bottomRight}) {
        corner->setTypeX(QCPItemPosition::ptPlotCoords);
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_flipLine = new QCPItemLine(m_plot);
    m_flipText = new QCPItemText(m_plot);
    m_flipText->setPadding(QMargins(4, 1, 4, 2));
    themeChanged();
}

QImage MarginChart::grabImage(QSize size, qreal ratio, Appearance appearance) const
{
    StepAxis axis;
    axis.setComparisons({comparison()});
    MarginChart copy;
    copy.setThemeOverride(&themeFor(appearance));
    copy.resize(size);
    copy.setStepAxis(&axis);
    copy.themeChanged();
    copy.setComparison(comparison());
    copy.m_plot->setBufferDevicePixelRatio(ratio);
    copy.m_plot->replot();
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    copy.render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

QSize MarginChart::sizeHint() const
{
    return {600, 110};
}

QSize MarginChart::minimumSizeHint() const
{
    return {200, 64};
}

// --- data

bool MarginChart::shows(std::int64_t column) const
{
    return comparison()->stepOf(column) >= 0 || !stepAxis()->prefillFolded();
}

double MarginChart::slotCentre(std::int64_t column) const
{
    return static_cast<double>(stepAxis()->slotOfStep(comparison()->stepOf(column))) + 0.5;
}

std::optional<double> MarginChart::margin(std::int64_t column) const
{
    const auto& run =
        comparison()->snapshot().runs[static_cast<std::size_t>(comparison()->reference())];
    if (column < 0 || column >= static_cast<std::int64_t>(run->columnCount) ||
        run->columns()[static_cast<std::size_t>(column)].top.empty()) {
        return std::nullopt;
    }
    return run->columns()[static_cast<std::size_t>(column)].margin;
}

std::optional<double> MarginChart::drift(const Curve& curve, std::int64_t column) const
{
    std::optional<double> largest;
    for (const std::size_t run : curve.runs) {
        const auto entries = m_table.of(run);
        if (column < static_cast<std::int64_t>(entries.size()) &&
            entries[static_cast<std::size_t>(column)].recorded) {
            const double value = entries[static_cast<std::size_t>(column)].maxAbs;
            largest = largest ? std::max(*largest, value) : value;
        }
    }
    return largest;
}

/// One curve for each class that the reference is not in; classes beyond the room for curves share
/// the last one, so that none is left out.
void MarginChart::chooseCurves()
{
    m_curves.clear();
    if (comparison() == nullptr) {
        return;
    }
    const auto& runs = comparison()->runs();
    const auto& classes = comparison()->runClasses();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (std::ranges::find(classes[i].runs, comparison()->reference()) !=
            classes[i].runs.end()) {
            continue;
        }
        if (m_curves.size() < kMostCurves) {
            const QColor colour =
                i == 0 ? theme().textMuted : classLine(theme(), static_cast<int>(i));
            m_curves.push_back({className(static_cast<int>(i)), colour, {}});
        } else {
            m_curves.back().name = tr("rest", "all further classes");
        }
        for (const int run : classes[i].runs) {
            m_curves.back().runs.push_back(
                static_cast<std::size_t>(std::ranges::find(runs, run) - runs.begin()));
        }
    }
}

void MarginChart::markFlips()
{
    m_flips.clear();
    for (std::int64_t c = 0; comparison() != nullptr && c < comparison()->columns(); ++c) {
        const auto gap = margin(c);
        for (std::size_t run = 0; gap && run < m_table.runs(); ++run) {
            const auto entries = m_table.of(run);
            if (c < static_cast<std::int64_t>(entries.size())) {
                const DriftTable::Entry& e = entries[static_cast<std::size_t>(c)];
                if (e.recorded && e.sameInput && e.maxAbs > 0.0F &&
                    2.0 * static_cast<double>(e.maxAbs) >= *gap) {
                    m_flips.push_back(c);
                    break;
                }
            }
        }
    }
}

std::optional<std::int64_t> MarginChart::firstFlip() const
{
    return m_flips.empty() ? std::nullopt : std::optional(m_flips.front());
}

void MarginChart::comparisonChanged()
{
    m_table.setComparison(comparison());
    chooseCurves();
    markFlips();
    rebuild();
}

void MarginChart::rebuild()
{
    m_plot->clearGraphs();
    m_marginGraph = nullptr;
    m_flipGraph = nullptr;
    m_flipText->setVisible(false);
    m_flipLine->setVisible(false);
    if (comparison() == nullptr || stepAxis() == nullptr) {
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        update();
        return;
    }
    DecadeRange decades;
    const auto add = [&](auto valueAt, const QColor& colour, double width) {
        QVector<double> x;
        QVector<double> y;
        for (std::int64_t c = 0; c < comparison()->columns(); ++c) {
            const std::optional<double> value = shows(c) ? valueAt(c) : std::nullopt;
            if (value) {
                x.push_back(slotCentre(c));
                y.push_back(*value);
                decades.add(*value);
            }
        }
        QCPGraph* graph = m_plot->addGraph();
        graph->setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        graph->setData(x, y, true);
        return graph;
    };
    for (const Curve& curve : m_curves) {
        add([&](std::int64_t c) { return drift(curve, c); }, curve.colour, 1.5);
    }
    m_marginGraph = add([&](std::int64_t c) { return margin(c); }, theme().text, 1.5);
    const QCPRange range = decades.range(3);
    m_plot->yAxis->setRange(range);
    for (int i = 0; i < m_plot->graphCount(); ++i) { // zero has no logarithm: the lowest line
        for (auto it = m_plot->graph(i)->data()->begin(); it != m_plot->graph(i)->data()->end();
             ++it) {
            it->value = std::max(it->value, range.lower);
        }
    }
    m_flipGraph = m_plot->addGraph();
    m_flipGraph->setLineStyle(QCPGraph::lsNone);
    m_flipGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDisc, theme().flip, theme().flip, 7));
    for (std::size_t i = 0; i < std::min(m_flips.size(), kMostMarks); ++i) {
        if (shows(m_flips[i])) {
            m_flipGraph->addData(slotCentre(m_flips[i]),
                                 std::max(*margin(m_flips[i]), range.lower));
        }
    }
    placeAxis();
    update();
}

// --- layout

void MarginChart::placeAxis()
{
    if (stepAxis() == nullptr) {
        return;
    }
    const AxisMap map = axisMap();
    const int left = std::max(static_cast<int>(map.left) - kTickWidth, 0);
    m_plot->setGeometry(left, 0, std::max(width() - left, 1), height());
    m_plot->axisRect()->setMargins(
        QMargins(static_cast<int>(map.left) - left, kPadding, stepAxis()->rightMargin(), kPadding));
    m_plot->yAxis->setTicker(QSharedPointer<DecadeTicker>::create(
        std::max(2, static_cast<int>((height() - 2 * kPadding) / kPixelsPerTick))));
    m_plot->xAxis->setRange(map.first, map.first + stepAxis()->span());
    const auto slot = cursorSlot();
    m_cursorRect->setVisible(slot.has_value());
    if (slot) {
        m_cursorRect->topLeft->setCoords(static_cast<double>(*slot), 0.0);
        m_cursorRect->bottomRight->setCoords(static_cast<double>(*slot) + 1.0, 1.0);
    }
    placeFlipNote(map);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// The first mark's words stand at the bottom, where there are no curves, on a line from the mark.
void MarginChart::placeFlipNote(const AxisMap& map)
{
    const bool shown = !m_flips.empty() && m_flipGraph != nullptr && shows(m_flips.front());
    m_flipText->setVisible(shown);
    m_flipLine->setVisible(shown);
    if (!shown) {
        return;
    }
    const std::int64_t column = m_flips.front();
    const double slot = slotCentre(column);
    const double floor = m_plot->yAxis->range().lower;
    const bool parts = comparison()->firstToken() && comparison()->firstToken()->column == column;
    const bool toLeft = map.x(slot) > map.left + map.width * 0.7;
    m_flipText->setText(parts ? tr("margin within drift: tokens part here")
                              : tr("margin within drift: a token can flip here"));
    m_flipText->setPositionAlignment(Qt::AlignBottom | (toLeft ? Qt::AlignRight : Qt::AlignLeft));
    m_flipText->position->setCoords(slot, floor);
    m_flipLine->start->setCoords(slot, std::max(*margin(column), floor));
    m_flipLine->end->setCoords(slot, floor);
}

void MarginChart::axisChanged()
{
    const bool layout = comparison() != nullptr && stepAxis() != nullptr;
    layout ? rebuild() : update();
}

void MarginChart::cursorMoved()
{
    placeAxis();
    if (comparison() != nullptr && cursorModel() != nullptr) {
        setAccessibleDescription(toolTipAt(cursorModel()->cursor().column));
    }
}

void MarginChart::resizeEvent(QResizeEvent* /*event*/)
{
    placeAxis();
}

void MarginChart::themeChanged()
{
    styleLogPlot(*m_plot, theme(), 4);
    QColor tint = theme().cursorLine;
    tint.setAlphaF(0.10F);
    m_cursorRect->setBrush(tint);
    m_cursorRect->setPen(QPen(theme().cursorLine, 1.0));
    m_flipText->setColor(theme().flip);
    m_flipText->setFont(plotFont());
    QColor paper = theme().window;
    paper.setAlphaF(0.85F);
    m_flipText->setBrush(paper);
    m_flipLine->setPen(QPen(theme().flip, 1.0));
    chooseCurves();
    rebuild();
}

void MarginChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    if (comparison() == nullptr || stepAxis() == nullptr) {
        return;
    }
    painter.setFont(plotFont());
    const double line = QFontMetricsF(plotFont()).height() + 1.0;
    const double right = axisMap().left - kTickWidth;
    double y = kPadding - 2.0;
    const auto entry = [&](const QString& text, const QColor& colour) {
        if (y + line > height()) {
            return;
        }
        painter.fillRect(QRectF(kPlotLabelLeft, snap(y + line / 2.0 - 1.0), 12.0, 2.0), colour);
        painter.setPen(theme().textMuted);
        painter.drawText(QRectF(kPlotLabelLeft + 17.0, y, right - kPlotLabelLeft - 17.0, line),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        y += line;
    };
    entry(tr("margin"), theme().text);
    for (const Curve& curve : m_curves) {
        entry(tr("|\u0394| %1", "largest logit difference of a class").arg(curve.name),
              curve.colour);
    }
}

// --- input

QString MarginChart::toolTipAt(std::int64_t column) const
{
    QStringList lines{stepText(*comparison(), column)};
    if (const auto gap = margin(column)) {
        lines << tr("margin of the reference run %1").arg(differenceText(*gap));
    }
    for (const Curve& curve : m_curves) {
        if (const auto value = drift(curve, column)) {
            lines << tr("largest logit difference, class %1: %2")
                         .arg(curve.name, differenceText(*value));
        }
    }
    if (std::ranges::binary_search(m_flips, column)) {
        lines << tr("a token can flip: the difference reaches half of the margin");
    }
    return lines.join(QLatin1Char('\n'));
}

bool MarginChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto column = columnAt(help->pos().x());
        if (column) {
            QToolTip::showText(help->globalPos(), toolTipAt(*column), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return StepView::event(event);
}

void MarginChart::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || cursorModel() == nullptr) {
        StepView::keyPressEvent(event);
        return;
    }
    CellCursor to = cursorModel()->cursor();
    to.column += step;
    cursorModel()->moveTo(to, CursorModel::Move::Step);
}

} // namespace ulp::views
