// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include <QApplication>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/appearance.h"
#include "app/gui/session_view.h"
#include "app/gui/start_page.h"
#include "app/gui/status_line.h"
#include "views/cell_panel.h"
#include "views/compact_table.h"
#include "views/divergence_heatmap.h"
#include "views/filter_box.h"
#include "views/layer_chart.h"
#include "views/legend.h"
#include "views/recent_files_model.h"
#include "views/run_panel.h"
#include "views/runs_model.h"
#include "views/theme.h"

namespace ulp::gui {
namespace {

QToolButton* textButton(QAction* action, const QString& text)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(action->toolTip() + QStringLiteral(" (%1)").arg(action->shortcut().toString(
                                               QKeySequence::NativeText)));
    QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::enabledChanged, button, &QToolButton::setEnabled);
    return button;
}

QWidget* gap(int width)
{
    auto* space = new QWidget;
    space->setFixedWidth(width);
    return space;
}

QLabel* sectionLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text.toUpper(), parent);
    label->setProperty("role", "section");
    label->setContentsMargins(0, 12, 0, 2);
    return label;
}

} // namespace

MainWindow::MainWindow(EnginePort port, GuiSettings* settings, Questions questions, QWidget* parent)
    : QMainWindow(parent), m_settings(settings), m_questions(std::move(questions))
{
    setWindowTitle(QStringLiteral("Ulpscope"));
    setAcceptDrops(true);
    resize(1440, 900);
    m_controller = new EngineController(std::move(port), this);
    m_actions = new Actions(this);
    m_actions->fillMenuBar(menuBar());
    m_recent = new views::RecentFilesModel(this);
    m_status = new StatusLine(this);
    setStatusBar(m_status);

    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(buildLeftPanel());
    m_columns->addWidget(buildCentre());
    m_cellPanel = new views::CellPanel(&m_cursor, m_columns);
    m_cellPanel->setProperty("helpTopic", "cell");
    m_layerChart = new views::LayerChart;
    m_layerChart->setCursorModel(&m_cursor);
    m_cellPanel->setChart(m_layerChart);
    m_columns->addWidget(m_cellPanel);
    m_columns->setStretchFactor(1, 1);
    m_columns->setSizes({264, 876, 300});

    m_start = new StartPage(m_recent, this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_columns);
    setCentralWidget(m_stack);
    buildToolBar();

    connectController();
    connectActions();
    m_runPanel->setLimits(m_controller->limits());
    m_runPanel->setSetup(m_settings->lastSetup());
    refreshRecent();
    restoreState();
    refreshViews();
    showStartPage();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addWidget(textButton(m_actions->get("open"), tr("Open…")));
    bar->addWidget(textButton(m_actions->get("save"), tr("Save trace")));
    bar->addWidget(textButton(m_actions->get("export"), tr("Export…")));
    bar->addWidget(gap(8));
    m_runButton = textButton(m_actions->get("run"), tr("Run"));
    m_runButton->setProperty("primary", true);
    bar->addWidget(m_runButton);
    m_stopButton = new QToolButton;
    m_stopButton->setText(tr("■ Stop"));
    m_stopButton->setToolTip(tr("Stop the session (Esc)"));
    m_stopButton->setEnabled(false);
    connect(m_stopButton, &QToolButton::clicked, this, &MainWindow::stop);
    bar->addWidget(m_stopButton);
    bar->addWidget(buildPolicySwitch());
    m_selector = new QToolButton;
    m_selector->setPopupMode(QToolButton::InstantPopup);
    m_selector->setToolTip(tr("The sessions kept, and the one shown (Ctrl+Tab)"));
    auto* menu = new QMenu(m_selector);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const auto& session : m_store.all()) {
            QAction* action = menu->addAction(session->title());
            action->setCheckable(true);
            action->setChecked(session->id == m_current);
            connect(action, &QAction::triggered, this,
                    [this, id = session->id] { showSession(id); });
        }
    });
    m_selector->setMenu(menu);
    bar->addWidget(m_selector);
    m_filter = new views::FilterBox;
    m_filter->setProperty("helpTopic", "filter");
    m_filter->setMaximumWidth(290);
    connect(m_filter, &views::FilterBox::filterChanged, this, &MainWindow::applyFilter);
    connect(m_filter, &views::FilterBox::entered, this,
            [this] { activeView()->map()->setFocus(Qt::OtherFocusReason); });
    auto* right = new QWidget; // the filter stands at the right, as wide as there is room
    right->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* layout = new QHBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch(1);
    layout->addWidget(m_filter, 1000);
    bar->addWidget(right);
    refreshSelector();
}

QWidget* MainWindow::buildPolicySwitch()
{
    auto* box = new QWidget;
    box->setProperty("helpTopic", "policies");
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const auto segment = [&](const QString& text, const char* place) {
        auto* button = new QToolButton(box);
        button->setText(text);
        button->setCheckable(true);
        button->setProperty("segment", place);
        layout->addWidget(button);
        return button;
    };
    m_atomic = segment(QStringLiteral("atomic"), "first");
    m_ordered = segment(QStringLiteral("ordered"), "middle");
    m_morePolicies = segment(tr("more"), "last");
    m_atomic->setToolTip(tr("Partial sums are merged as they arrive (T)"));
    m_ordered->setToolTip(tr("Partial sums are merged in one fixed order (T)"));
    connect(m_atomic, &QToolButton::clicked, this, [this] { setPolicy(Policy::Atomic); });
    connect(m_ordered, &QToolButton::clicked, this, [this] { setPolicy(Policy::Ordered); });
    auto* menu = new QMenu(m_morePolicies);
    for (const Policy policy : supportedPolicies()) {
        if (policy != Policy::Atomic && policy != Policy::Ordered) {
            menu->addAction(views::policyText(policy), this, [this, policy] { setPolicy(policy); });
        }
    }
    m_morePolicies->setPopupMode(QToolButton::InstantPopup);
    m_morePolicies->setMenu(menu);
    return box;
}

QWidget* MainWindow::buildLeftPanel()
{
    m_left = new QScrollArea;
    m_left->setWidgetResizable(true);
    m_left->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_left->setProperty("helpTopic", "run");
    m_left->setMinimumWidth(220);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 8);
    layout->setSpacing(0);
    m_runPanel = new views::RunPanel(content);
    layout->addWidget(m_runPanel);
    auto* rest = new QWidget(content);
    auto* restLayout = new QVBoxLayout(rest);
    restLayout->setContentsMargins(12, 0, 12, 0);
    restLayout->setSpacing(4);
    restLayout->addWidget(sectionLabel(tr("Classes"), rest));
    restLayout->addWidget(new views::Legend(rest));
    restLayout->addWidget(sectionLabel(tr("Runs"), rest));
    m_runsModel = new views::RunsModel(this);
    auto* table = new views::CompactTable(m_runsModel, 12, rest);
    table->setAccessibleName(tr("Runs"));
    table->setToolTip(tr("Uncheck a run to leave it out; double-click to make it the reference."));
    connect(m_runsModel, &views::RunsModel::visibilityRequested, this, &MainWindow::setRunVisible);
    connect(table, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { setReference(index.row()); });
    connect(table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        views::CellCursor cell = m_cursor.cursor();
        cell.run = index.row();
        m_cursor.moveTo(cell);
    });
    restLayout->addWidget(table);
    layout->addWidget(rest);
    layout->addStretch(1);
    m_left->setWidget(content);
    connect(m_runPanel, &views::RunPanel::setupChanged, this, &MainWindow::updateRunButton);
    connect(m_runPanel, &views::RunPanel::demoModelRequested, this, &MainWindow::openDemo);
    connect(m_runPanel, &views::RunPanel::openModelRequested, this, &MainWindow::askOpen);
    return m_left;
}

QWidget* MainWindow::buildCentre()
{
    m_centre = new QSplitter(Qt::Vertical);
    m_centre->setHandleWidth(1);
    m_centre->setChildrenCollapsible(false);
    m_top = new SessionView(&m_axis, &m_cursor, m_centre);
    m_bottom = new SessionView(&m_axis, &m_cursor, m_centre);
    m_centre->addWidget(m_top);
    m_centre->addWidget(m_bottom);
    m_bottom->hide();
    for (SessionView* view : {m_top, m_bottom}) {
        connect(view, &SessionView::experimentRequested, this, &MainWindow::tryExperiment);
        connect(view, &SessionView::filterTermRemoved, this,
                [this](int index) { m_filter->removeTerm(index); });
        connect(view, &SessionView::activated, this, [this, view] {
            const bool bottom = view == m_bottom;
            if (bottom != m_bottomActive) {
                m_bottomActive = bottom;
                refreshTitles();
                refreshCursorViews();
                refreshSelector();
            }
        });
    }
    return m_centre;
}

void MainWindow::restoreState()
{
    const QByteArray geometry = m_settings->layout(QStringLiteral("geometry"));
    if (!geometry.isEmpty()) {
        restoreGeometry(geometry);
    }
    const QByteArray columns = m_settings->layout(QStringLiteral("columns"));
    if (!columns.isEmpty()) {
        m_columns->restoreState(columns);
    }
    const QByteArray centre = m_settings->layout(QStringLiteral("centre"));
    if (!centre.isEmpty()) {
        m_top->restoreLayout(centre);
    }
}

void MainWindow::storeState()
{
    m_settings->setLayout(QStringLiteral("geometry"), saveGeometry());
    m_settings->setLayout(QStringLiteral("columns"), m_columns->saveState());
    m_settings->setLayout(QStringLiteral("centre"), m_top->layoutState());
    m_settings->setLastSetup(m_runPanel->setup());
}

bool MainWindow::showsStartPage() const
{
    return m_stack->currentWidget() == m_start;
}

void MainWindow::showStartPage()
{
    refreshRecent();
    m_stack->setCurrentWidget(m_start);
}

void MainWindow::setAppearance(AppearanceChoice choice)
{
    m_settings->setAppearance(choice);
    applyAppearance(choice);
    m_actions->get("themeSystem")->setChecked(choice == AppearanceChoice::System);
    m_actions->get("themeLight")->setChecked(choice == AppearanceChoice::Light);
    m_actions->get("themeDark")->setChecked(choice == AppearanceChoice::Dark);
}

} // namespace ulp::gui
