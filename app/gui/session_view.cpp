// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_view.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/divergence_heatmap.h"
#include "views/drift_heatmap.h"
#include "views/filter_box.h"
#include "views/margin_chart.h"
#include "views/overview_strip.h"
#include "views/theme.h"
#include "views/token_strip.h"
#include "views/verdict_line.h"

namespace ulp::gui {
namespace {

QToolButton* flatButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setProperty("flat", true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

} // namespace

SessionView::SessionView(views::StepAxis* axis, views::CursorModel* cursor, QWidget* parent)
    : QWidget(parent), m_axis(axis), m_cursor(cursor)
{
    setProperty("helpTopic", "map");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_verdict = new views::VerdictLine(this);
    layout->addWidget(m_verdict);
    auto* line = new QFrame(this);
    line->setProperty("separator", true);
    line->setFixedHeight(1);
    layout->addWidget(line);

    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(buildMapPane());
    m_drift = new views::DriftHeatmap(m_splitter);
    m_chart = new views::MarginChart(m_splitter);
    m_tokens = new views::TokenStrip(cursor, m_splitter);
    m_tokens->setProperty("helpTopic", "tokens");
    m_splitter->addWidget(m_drift);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(m_tokens);
    m_splitter->setStretchFactor(0, 10);
    for (int i = 1; i < m_splitter->count(); ++i) {
        m_splitter->setStretchFactor(i, 0);
    }
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userSized = true; });
    layout->addWidget(m_splitter, 1);
    for (views::StepView* view :
         {static_cast<views::StepView*>(m_map), static_cast<views::StepView*>(m_overview),
          static_cast<views::StepView*>(m_drift), static_cast<views::StepView*>(m_chart)}) {
        view->setStepAxis(axis);
        view->setCursorModel(cursor);
        view->installEventFilter(this);
    }
    m_tokens->installEventFilter(this);

    connect(m_verdict, &views::VerdictLine::cellActivated, this, [this](qint64 column, int op) {
        views::CellCursor cell = m_cursor->cursor();
        cell.column = column;
        cell.op = op;
        m_cursor->moveTo(cell);
        emit activated();
    });
    connect(m_verdict, &views::VerdictLine::experimentRequested, this,
            &SessionView::experimentRequested);
    connect(m_verdict, &views::VerdictLine::nextRequested, this, [this] { m_map->goToNext(); });
    connect(m_verdict, &views::VerdictLine::previousRequested, this,
            [this] { m_map->goToPrevious(); });
    refreshHeader();
}

QWidget* SessionView::buildMapPane()
{
    auto* pane = new QWidget(this);
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->setSpacing(2);
    layout->addWidget(buildHeader());
    m_map = new views::DivergenceHeatmap(pane);
    m_overview = new views::OverviewStrip(pane);
    m_overview->setHeatmap(m_map);
    layout->addWidget(m_map, 1);
    layout->addWidget(m_overview);
    connect(m_map, &views::DivergenceHeatmap::colourModeChanged, this, &SessionView::refreshHeader);
    connect(m_map, &views::DivergenceHeatmap::rowsChanged, this, &SessionView::refreshHeader);
    return pane;
}

QWidget* SessionView::buildHeader()
{
    auto* header = new QWidget(this);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(14, 0, 8, 0);
    layout->setSpacing(6);
    m_heading = new QLabel(tr("Divergence: ops × steps"), header);
    QFont bold = views::scaledFont(-0.5);
    bold.setBold(true);
    m_heading->setFont(bold);
    layout->addWidget(m_heading);
    m_crumbs = new QWidget(header);
    m_crumbLayout = new QHBoxLayout(m_crumbs);
    m_crumbLayout->setContentsMargins(8, 0, 0, 0);
    m_crumbLayout->setSpacing(4);
    m_crumbLayout->setSizeConstraint(QLayout::SetNoConstraint); // many filters are cut, not wide
    layout->addWidget(m_crumbs);
    m_outside = new QLabel(header);
    m_outside->setProperty("role", "muted");
    m_outside->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outside->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_outside, 1);

    m_colour = flatButton(header);
    m_colour->setToolTip(tr("Colour by class or by magnitude (C)"));
    connect(m_colour, &QToolButton::clicked, this, [this] { m_map->toggleColourMode(); });
    m_rows = flatButton(header);
    m_rows->setToolTip(tr("Fold or unfold all layers (Shift+F, Ctrl+Shift+F)"));
    connect(m_rows, &QToolButton::clicked, this, [this] {
        if (m_map->anyFolded()) {
            m_map->unfoldAll();
        } else {
            m_map->foldAll();
        }
    });
    auto* fit = flatButton(header);
    fit->setText(tr("fit (0)"));
    fit->setToolTip(tr("Show every step and every row (0)"));
    connect(fit, &QToolButton::clicked, this, [this] { m_map->fit(); });
    layout->addWidget(m_colour);
    layout->addWidget(m_rows);
    layout->addWidget(fit);
    return header;
}

void SessionView::refreshHeader()
{
    m_colour->setText(m_map->colourMode() == views::ColourMode::Class ? tr("colour by: class")
                                                                      : tr("colour by: magnitude"));
    m_rows->setText(m_map->anyFolded() ? tr("rows: layers") : tr("rows: ops"));
}

void SessionView::showSession(const Session* session)
{
    m_comparison = session != nullptr ? session->comparison : nullptr;
    for (views::StepView* view :
         {static_cast<views::StepView*>(m_map), static_cast<views::StepView*>(m_overview),
          static_cast<views::StepView*>(m_drift), static_cast<views::StepView*>(m_chart)}) {
        view->setComparison(m_comparison);
    }
    m_tokens->setComparison(m_comparison, session != nullptr ? session->driftSeen : 0.0);
    fitTokenPane();
    m_verdict->setRunning(session != nullptr && session->running());
    m_verdict->setComparison(m_comparison);
    if (session == nullptr) {
        return;
    }
    if (session->state == SessionState::Failed) {
        const QString text = session->error ? QString::fromStdString(session->error->text())
                                            : tr("The session failed.");
        m_verdict->setMessage(tr("Failed"), text, true);
    } else if (session->running() &&
               (!m_comparison || m_comparison->verdict() == compare::Verdict::Empty)) {
        m_verdict->setMessage(
            tr("Running"),
            tr("Run 0 is the reference; the second run is the first to be compared."), false);
    } else if (!m_comparison) {
        m_verdict->setMessage(tr("Opening"), session->file, false);
    }
}

/// As many token lines as there are classes, the map gets the rest; until the user decides.
void SessionView::fitTokenPane()
{
    if (m_userSized || m_splitter->height() < 100) {
        return;
    }
    QList<int> sizes;
    int rest = m_splitter->height();
    for (int i = 1; i < m_splitter->count(); ++i) {
        const QWidget* part = m_splitter->widget(i);
        const int height = part->isHidden() ? 0 : part->sizeHint().height();
        sizes << height;
        rest -= height;
    }
    sizes.prepend(std::max(rest, 120));
    if (sizes != m_splitter->sizes()) {
        m_splitter->setSizes(sizes);
    }
}

void SessionView::setTitle(const QString& title)
{
    m_verdict->setTitle(title);
}

void SessionView::setFilter(const views::FilterBox& box)
{
    if (!m_comparison || box.filter().empty()) {
        m_map->setFilter(std::nullopt);
        clearCrumbs();
        m_outside->clear();
        m_heading->show();
        return;
    }
    const views::FilterOutcome outcome = views::applyFilter(box.filter(), *m_comparison);
    m_map->setFilter(outcome);
    showFilter(box.filter(), outcome);
}

void SessionView::clearCrumbs()
{
    while (QLayoutItem* item = m_crumbLayout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
}

void SessionView::showFilter(const views::Filter& filter, const views::FilterOutcome& outcome)
{
    clearCrumbs();
    int index = 0;
    for (const views::FilterTerm& term : filter.terms) {
        auto* crumb = new QToolButton(m_crumbs);
        crumb->setText(term.source + QStringLiteral("  ×"));
        crumb->setProperty("crumb", true);
        crumb->setToolTip(tr("Take this filter away"));
        connect(crumb, &QToolButton::clicked, this,
                [this, index] { emit filterTermRemoved(index); });
        m_crumbLayout->addWidget(crumb);
        ++index;
    }
    m_outside->setText(
        tr("%n divergent cell(s) outside the filter", nullptr,
           static_cast<int>(std::min<std::int64_t>(outcome.divergentOutside, INT32_MAX))));
    m_outside->setToolTip(tr("%1 cells match").arg(outcome.matching) + QLatin1Char('\n') +
                          m_outside->text());
    m_heading->hide(); // the filter needs the room
}

QString SessionView::filterNote() const
{
    return m_outside->text();
}

void SessionView::setPart(const QString& name, bool shown)
{
    QWidget* part = name == QLatin1String("drift")   ? static_cast<QWidget*>(m_drift)
                    : name == QLatin1String("chart") ? static_cast<QWidget*>(m_chart)
                                                     : static_cast<QWidget*>(m_tokens);
    if (shown && part->size().isEmpty()) {
        part->resize(part->sizeHint()); // a chart cannot be laid out in nothing
    }
    part->setVisible(shown);
}

QByteArray SessionView::layoutState() const
{
    return m_userSized ? m_splitter->saveState() : QByteArray();
}

void SessionView::restoreLayout(const QByteArray& state)
{
    m_userSized = m_splitter->restoreState(state);
}

bool SessionView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        emit activated();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ulp::gui
