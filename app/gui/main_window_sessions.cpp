// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions in the window: running them, showing them, holding two against each other.
#include <algorithm>

#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include "app/gui/main_window.h"
#include "app/gui/session_view.h"
#include "app/gui/start_page.h"
#include "app/gui/status_line.h"
#include "views/cell_panel.h"
#include "views/filter_box.h"
#include "views/layer_chart.h"
#include "views/run_panel.h"
#include "views/runs_model.h"

namespace ulp::gui {

void MainWindow::connectController()
{
    connect(m_controller, &EngineController::updated, this, &MainWindow::applyUpdate);
    connect(m_controller, &EngineController::sessionEnded, this, [this](int id) {
        const Session* session = m_store.find(id);
        endSession(id,
                   session != nullptr && session->stopRequested ? SessionState::Stopped
                                                                : SessionState::Finished,
                   std::nullopt);
    });
    connect(m_controller, &EngineController::sessionFailed, this,
            [this](int id, const Error& error) {
                endSession(id,
                           error.code == ErrorCode::Cancelled ? SessionState::Stopped
                                                              : SessionState::Failed,
                           error);
            });
    connect(m_controller, &EngineController::loadProgress, m_status, &StatusLine::showLoading);
    connect(m_controller, &EngineController::modelLoaded, this, [this] {
        m_status->showLoading(1.0);
        m_runPanel->setLimits(m_controller->limits());
        views::RunSetup setup = m_runPanel->setup();
        const auto& model = *m_controller->model();
        if (setup.modelPath.toStdString() == model.path) {
            setup.modelName = QString::fromStdString(model.name);
            m_runPanel->setSetup(setup);
        }
    });
    connect(m_controller, &EngineController::modelFailed, this,
            [this](const QString& /*path*/, const Error& error) {
                m_status->showLoading(1.0);
                m_runPanel->showError(views::RunField::Model, QString::fromStdString(error.text()));
                updateRunButton();
            });
    connect(m_controller, &EngineController::traceFailed, this,
            [this](int id, const QString& /*path*/, const Error& error) {
                const bool only = m_store.all().size() == 1;
                if (Session* session = m_store.find(id)) {
                    session->state = SessionState::Failed;
                    session->error = error;
                }
                if (only) {
                    m_store.remove(id);
                    m_start->showError(QString::fromStdString(error.text()));
                    showStartPage();
                } else {
                    refreshViews();
                }
            });
    connect(m_controller, &EngineController::fileWritten, this, [this](const QString& path) {
        m_status->showNote(tr("Wrote %1").arg(path));
        if (m_closing == Closing::Saving) {
            finishClosing();
        }
    });
    connect(m_controller, &EngineController::fileFailed, this,
            [this](const QString& path, const Error& error) {
                m_closing = Closing::No;
                m_status->showNote(
                    tr("%1 was not written: %2").arg(path, QString::fromStdString(error.text())),
                    true);
            });
    connect(&m_cursor, &views::CursorModel::cursorChanged, this, [this] {
        const Session* session = activeSession();
        m_status->showCursor(session != nullptr ? session->comparison.get() : nullptr,
                             m_cursor.cursor());
    });
    connect(&m_store, &SessionStore::removed, m_controller, &EngineController::forget);
}

void MainWindow::run()
{
    if (m_controller->busy()) {
        return;
    }
    const views::RunSetup setup = m_runPanel->setup();
    if (!m_runPanel->valid()) {
        m_actions->get("showRun")->setChecked(true);
        m_status->showNote(tr("Not started: see the marked settings."), true);
        return;
    }
    m_status->showNote({});
    Session& session = m_store.add(SessionState::Running);
    session.setup = setup;
    m_settings->setLastSetup(setup);
    m_runPanel->setPrevious(setup, session.title());
    m_runPanel->setLocked(true);
    m_stack->setCurrentWidget(m_columns);
    m_controller->startSession(session.id, setup);
    m_compared = 0;
    m_current = session.id;
    m_cursor.reset({0, 0, 0});
    refreshViews();
}

void MainWindow::stop()
{
    for (const auto& session : m_store.all()) {
        if (session->running()) {
            session->stopRequested = true;
        }
    }
    m_controller->stop();
    m_status->showSession(current());
}

void MainWindow::applyUpdate(const SessionUpdate& update)
{
    Session* session = m_store.find(update.session);
    if (session == nullptr) {
        m_controller->forget(update.session);
        return;
    }
    session->comparison = update.comparison;
    session->driftSeen = update.driftSeen;
    session->progress = update.progress;
    session->complete = update.finished;
    if (session->state == SessionState::Opening) {
        session->state = SessionState::Opened;
        session->setup = setupOf(update.comparison->snapshot());
        m_runPanel->setSetup(session->setup);
        m_stack->setCurrentWidget(m_columns);
    }
    if (session->id != m_current && session->id != m_compared) {
        return;
    }
    refreshViews();
    placeCursor(*session);
}

void MainWindow::endSession(int id, SessionState state, const std::optional<Error>& error)
{
    Session* session = m_store.find(id);
    m_runPanel->setLocked(false);
    if (session != nullptr) {
        session->state = state;
        session->seconds = static_cast<double>(session->timer.elapsed()) / 1000.0;
        session->error = error;
    }
    refreshViews();
    if (m_closing == Closing::Stopping) {
        const trace::SnapshotPtr snapshot = session != nullptr ? session->snapshot() : nullptr;
        if (m_saveOnClose && snapshot) {
            askSave();
        } else {
            finishClosing();
        }
    }
}

SessionView* MainWindow::activeView() const
{
    return m_bottomActive && m_compared != 0 ? m_bottom : m_top;
}

Session* MainWindow::activeSession()
{
    if (m_compared == 0) {
        return current();
    }
    const int top = std::min(m_current, m_compared);
    const int bottom = std::max(m_current, m_compared);
    return m_store.find(m_bottomActive ? bottom : top);
}

void MainWindow::showSession(int id)
{
    Session* session = m_store.find(id);
    if (session == nullptr) {
        return;
    }
    m_current = id;
    if (m_compared == id) {
        m_compared = 0;
    }
    m_stack->setCurrentWidget(m_columns);
    if (!session->running() && !session->setup.prompt.isEmpty() && !m_controller->busy()) {
        m_runPanel->setSetup(session->setup);
    }
    refreshViews();
    placeCursor(*session);
}

void MainWindow::compareWith(int id)
{
    m_compared = id == m_current || m_store.find(id) == nullptr ? 0 : id;
    m_bottomActive = m_compared != 0 && m_current > m_compared; // the session shown stays active
    refreshViews();
}

void MainWindow::refreshViews()
{
    const bool two = m_compared != 0;
    Session* top = two ? m_store.find(std::min(m_current, m_compared)) : current();
    Session* bottom = two ? m_store.find(std::max(m_current, m_compared)) : nullptr;
    const auto comparisonOf = [](const Session* s) { return s ? s->comparison : nullptr; };
    m_axis.setComparisons({comparisonOf(top), comparisonOf(bottom)});
    int runs = 0;
    std::int64_t ops = 0;
    std::int64_t columns = 0;
    for (const Session* session : {top, bottom}) {
        if (const auto comparison = comparisonOf(session)) {
            runs = std::max(runs, static_cast<int>(comparison->snapshot().runs.size()));
            ops = std::max(ops, comparison->ops());
            columns = std::max(columns, comparison->columns());
        }
    }
    m_cursor.setBounds(runs, static_cast<int>(ops), columns);
    // Two sessions need the height for their maps; without a session there is nothing to chart.
    const bool room = !two && comparisonOf(top) != nullptr;
    for (SessionView* view : {m_top, m_bottom}) {
        view->setPart(QStringLiteral("drift"), room && m_actions->get("showDrift")->isChecked());
        view->setPart(QStringLiteral("chart"), room && m_actions->get("showChart")->isChecked());
        view->setPart(QStringLiteral("tokens"), m_actions->get("showTokens")->isChecked());
    }
    m_bottom->setVisible(two);
    m_top->showSession(top);
    if (two) {
        m_bottom->showSession(bottom);
    }
    refreshTitles();
    if (const auto comparison = comparisonOf(top)) {
        m_filter->setOps(comparison->snapshot().ops);
    }
    applyFilter();
    refreshCursorViews();
    refreshSelector();
    updateRunButton();
    refreshActions();
}

/// Of two sessions side by side, the one that the panels, Save and Export speak of is marked.
void MainWindow::refreshTitles()
{
    const bool two = m_compared != 0;
    const auto headline = [this](int id) {
        const Session* session = m_store.find(id);
        if (session == nullptr) {
            return QString();
        }
        return (session == activeSession() ? QStringLiteral("▸ ") : QStringLiteral("   ")) +
               session->title();
    };
    m_top->setTitle(two ? headline(std::min(m_current, m_compared)) : QString());
    if (two) {
        m_bottom->setTitle(headline(std::max(m_current, m_compared)));
    }
}

/// What follows the cursor in one session: the cell panel, the layer chart, the runs, the status.
void MainWindow::refreshCursorViews()
{
    const Session* session = activeSession();
    const compare::ComparisonPtr comparison = session != nullptr ? session->comparison : nullptr;
    m_cellPanel->setComparison(comparison);
    m_layerChart->setComparison(comparison);
    m_runsModel->setComparison(comparison);
    m_status->showSession(session);
    m_status->showCursor(comparison.get(), m_cursor.cursor());
}

void MainWindow::refreshSelector()
{
    const Session* session = activeSession();
    m_selector->setText(session != nullptr ? session->title() : tr("no session yet"));
    m_selector->setEnabled(!m_store.all().empty());
    m_stopButton->setEnabled(m_controller->busy());
    const QString name = session != nullptr && session->number == 0 ? session->title() : QString();
    setWindowTitle(name.isEmpty() ? QStringLiteral("Ulpscope") : tr("%1 – Ulpscope").arg(name));
}

/// The first time a session is complete the cursor goes to where its bits part, unless the user has
/// moved it by then.
void MainWindow::placeCursor(Session& session)
{
    if (m_cursorPlaced == session.id || !session.complete) {
        return;
    }
    m_cursorPlaced = session.id;
    if (m_cursor.canGoBack()) {
        return;
    }
    const compare::Comparison& comparison = *session.comparison;
    if (const auto& first = comparison.first()) {
        const int run = first->classes.size() > 1 ? first->classes[1].runs.front() : 0;
        m_cursor.reset({run, first->op, first->column});
    } else { // the logits of the first generated token
        m_cursor.reset({comparison.reference(), static_cast<int>(comparison.ops()) - 1,
                        std::max<std::int64_t>(comparison.promptTokens() - 1, 0)});
    }
}

void MainWindow::applyFilter()
{
    m_top->setFilter(*m_filter);
    if (m_compared != 0) {
        m_bottom->setFilter(*m_filter);
    }
}

void MainWindow::setReference(int run)
{
    if (Session* session = activeSession(); session != nullptr && session->comparison) {
        auto& hidden = session->options.hiddenRuns;
        hidden.erase(std::remove(hidden.begin(), hidden.end(), run), hidden.end());
        session->options.reference = run;
        m_controller->setOptions(session->id, session->options);
    }
}

void MainWindow::setRunVisible(int run, bool visible)
{
    Session* session = activeSession();
    if (session == nullptr || !session->comparison) {
        return;
    }
    auto& hidden = session->options.hiddenRuns;
    hidden.erase(std::remove(hidden.begin(), hidden.end(), run), hidden.end());
    if (!visible) {
        if (run == session->comparison->reference()) {
            m_status->showNote(
                tr("Run %1 is the reference; make another one the reference first.").arg(run),
                true);
            return;
        }
        hidden.push_back(run);
    }
    m_controller->setOptions(session->id, session->options);
}

void MainWindow::setPolicy(Policy policy)
{
    if (!m_controller->busy()) {
        m_runPanel->setPolicy(policy);
    }
    updateRunButton();
}

void MainWindow::tryExperiment(const QString& field, const QString& value)
{
    const Session* session = activeSession();
    views::RunSetup setup = session != nullptr ? session->setup : m_runPanel->setup();
    const std::vector<int> numbers = views::parseNumberList(value);
    if (field == QLatin1String("threads")) {
        setup.threads = numbers;
    } else if (field == QLatin1String("batch")) {
        setup.batch = numbers;
    } else if (field == QLatin1String("prefill")) {
        setup.prefillChunk = numbers;
    } else if (const auto policy = parsePolicy(value.toStdString());
               field == QLatin1String("policy") && policy) {
        setup.settings.policy = *policy;
    } else if (const auto precision = parsePrecision(value.toStdString());
               field == QLatin1String("activation") && precision) {
        setup.settings.activation = *precision;
    }
    m_runPanel->setSetup(setup);
    run();
}

void MainWindow::setSetup(const views::RunSetup& setup)
{
    m_runPanel->setSetup(setup);
}

void MainWindow::updateRunButton()
{
    const views::RunSetup setup = m_runPanel->setup();
    m_runButton->setText(tr("▶ Run %1×").arg(setup.runs));
    const bool ready = !m_controller->busy() && !showsStartPage();
    m_actions->setEnabled({"run"}, ready);
    m_runButton->setEnabled(ready && m_runPanel->valid());
    const Policy policy = setup.settings.policy;
    m_atomic->setChecked(policy == Policy::Atomic);
    m_ordered->setChecked(policy == Policy::Ordered);
    const bool other = policy != Policy::Atomic && policy != Policy::Ordered;
    m_morePolicies->setText(other ? views::policyText(policy) : tr("more"));
    m_morePolicies->setCheckable(true);
    m_morePolicies->setChecked(other);
    for (QToolButton* button : {m_atomic, m_ordered, m_morePolicies}) {
        button->setEnabled(!m_controller->busy());
    }
}

} // namespace ulp::gui
