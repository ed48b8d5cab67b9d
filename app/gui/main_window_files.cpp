// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening, saving, exporting and closing.
#include <QCloseEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

#include "app/gui/export_pdf.h"
#include "app/gui/main_window.h"
#include "app/gui/session_view.h"
#include "app/gui/start_page.h"
#include "app/gui/status_line.h"
#include "app/worker/demo_model.h"
#include "engine/audit/report.h"
#include "views/divergence_heatmap.h"
#include "views/filter_box.h"
#include "views/recent_files_model.h"
#include "views/run_panel.h"

namespace ulp::gui {
namespace {

const char* const kDemoPrompt = "Once upon a time";

bool looksLikeTrace(const QString& path)
{
    QFile file(path);
    if (file.open(QIODevice::ReadOnly)) {
        const QByteArray head = file.read(16);
        if (head.startsWith("GGUF")) {
            return false;
        }
        if (head.startsWith("SQLite format 3")) {
            return true;
        }
    }
    return path.endsWith(QLatin1String(".ulp"), Qt::CaseInsensitive);
}

audit::ReportFormat formatOf(const QString& path)
{
    return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)  ? audit::ReportFormat::Json
           : path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? audit::ReportFormat::Csv
                                                                       : audit::ReportFormat::Html;
}

QString withSuffix(const QString& path, const QString& filter)
{
    if (!QFileInfo(path).suffix().isEmpty()) {
        return path;
    }
    const auto dot = filter.indexOf(QLatin1String("(*."));
    return dot < 0 ? path : path + filter.mid(dot + 2, filter.indexOf(QLatin1Char(')')) - dot - 2);
}

} // namespace

Questions realQuestions()
{
    Questions questions;
    questions.closeWhileRunning = [](QWidget* parent) {
        QMessageBox box(QMessageBox::Question, MainWindow::tr("A session is running"),
                        MainWindow::tr("Stop it and close Ulpscope?"), QMessageBox::NoButton,
                        parent);
        auto* save = box.addButton(MainWindow::tr("Stop and save…"), QMessageBox::AcceptRole);
        auto* discard =
            box.addButton(MainWindow::tr("Stop and discard"), QMessageBox::DestructiveRole);
        auto* keep = box.addButton(MainWindow::tr("Keep running"), QMessageBox::RejectRole);
        box.setDefaultButton(keep);
        box.exec();
        return box.clickedButton() == save      ? CloseChoice::Save
               : box.clickedButton() == discard ? CloseChoice::Discard
                                                : CloseChoice::KeepRunning;
    };
    questions.openPath = [](QWidget* parent, const QString& filters) {
        return QFileDialog::getOpenFileName(parent, MainWindow::tr("Open"), {}, filters);
    };
    questions.savePath = [](QWidget* parent, const QString& suggested, const QString& filters) {
        QString chosen;
        const QString path = QFileDialog::getSaveFileName(parent, MainWindow::tr("Save"), suggested,
                                                          filters, &chosen);
        return path.isEmpty() ? path : withSuffix(path, chosen);
    };
    return questions;
}

void MainWindow::askOpen()
{
    const QString path = m_questions.openPath(
        this,
        tr("Models and traces (*.gguf *.ulp);;Models (*.gguf);;Traces (*.ulp);;All files (*)"));
    if (!path.isEmpty()) {
        openFile(path);
    }
}

void MainWindow::openFile(const QString& path)
{
    m_start->showError({});
    if (!QFileInfo::exists(path)) {
        const QString message = tr("%1 is not there.").arg(path);
        m_start->showError(message);
        m_status->showNote(message, true);
    } else if (looksLikeTrace(path)) {
        openTrace(path);
    } else {
        openModel(path);
        rememberFile(path);
    }
}

void MainWindow::openTrace(const QString& path)
{
    rememberFile(path);
    Session& session = m_store.add(SessionState::Opening);
    session.file = path;
    m_current = session.id;
    m_compared = 0;
    m_cursor.reset({0, 0, 0});
    m_stack->setCurrentWidget(m_columns);
    m_controller->openTrace(session.id, path);
    refreshViews();
}

void MainWindow::openModel(const QString& path)
{
    views::RunSetup setup = m_runPanel->setup();
    setup.modelPath = path;
    setup.modelName.clear();
    if (setup.prompt.isEmpty()) {
        setup.prompt = QLatin1String(kDemoPrompt);
    }
    m_runPanel->setSetup(setup);
    m_stack->setCurrentWidget(m_columns);
    m_controller->loadModel(path);
    refreshViews();
}

void MainWindow::openDemo()
{
    openModel(QString::fromStdString(worker::demoModelPath()));
}

void MainWindow::rememberFile(const QString& path)
{
    m_settings->addRecentFile(path);
    refreshRecent();
}

void MainWindow::refreshRecent()
{
    m_recent->setFiles(m_settings->recentFiles());
}

void MainWindow::askSave()
{
    Session* session = activeSession();
    if (session == nullptr || !session->snapshot()) {
        return;
    }
    const QString suggested = session->file.isEmpty()
                                  ? QStringLiteral("session-%1.ulp").arg(session->number)
                                  : session->file;
    const QString path = m_questions.savePath(this, suggested, tr("Ulpscope traces (*.ulp)"));
    if (path.isEmpty()) {
        m_closing = Closing::No; // the question was answered with "cancel"
        return;
    }
    if (m_closing == Closing::Stopping) {
        m_closing = Closing::Saving;
    }
    session->saved = true;
    m_controller->saveTrace(session->snapshot(), path);
    rememberFile(path);
}

void MainWindow::askExport()
{
    const Session* session = activeSession();
    if (session == nullptr || !session->comparison) {
        return;
    }
    const QString base = session->file.isEmpty() ? QStringLiteral("session-%1").arg(session->number)
                                                 : QFileInfo(session->file).completeBaseName();
    const QString path = m_questions.savePath(
        this, base + QStringLiteral(".html"),
        tr("Web page (*.html);;PDF (*.pdf);;JSON, the evidence (*.json);;CSV, every cell (*.csv)"));
    if (!path.isEmpty()) {
        exportReport(path);
    }
}

void MainWindow::exportReport(const QString& path)
{
    const Session* session = activeSession();
    if (session == nullptr || !session->comparison) {
        return;
    }
    const compare::ComparisonPtr comparison = session->comparison;
    m_status->showNote(tr("Writing %1…").arg(path));
    if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const QImage map = reportMap(comparison);
        m_controller->writeFile(
            path, [comparison, map, path] { return writePdf(*comparison, map, path); });
        return;
    }
    m_controller->writeFile(path, [comparison, path] {
        return audit::writeReport(*comparison, formatOf(path), path.toStdString());
    });
}

void MainWindow::closeCurrentSession()
{
    Session* session = current();
    if (session == nullptr) {
        return;
    }
    if (session->running()) {
        m_status->showNote(tr("The session is still running; stop it first."), true);
        return;
    }
    m_store.remove(session->id);
    m_compared = 0;
    m_current = m_store.all().empty() ? 0 : m_store.all().back()->id;
    if (m_current == 0) {
        showStartPage();
    }
    refreshViews();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller->busy() && m_closing == Closing::No) {
        event->ignore();
        const CloseChoice choice = m_questions.closeWhileRunning(this);
        if (choice == CloseChoice::KeepRunning) {
            return;
        }
        if (!m_controller->busy() && choice == CloseChoice::Discard) {
            event->accept(); // it ended while the question was open
            storeState();
            return;
        }
        m_saveOnClose = choice == CloseChoice::Save;
        m_closing = Closing::Stopping;
        if (m_controller->busy()) {
            stop(); // endSession() goes on from here
        } else {
            askSave();
        }
        return;
    }
    if (m_closing != Closing::No) {
        event->ignore(); // stopping or saving: asked once already
        return;
    }
    storeState();
    event->accept();
}

void MainWindow::finishClosing()
{
    m_closing = Closing::No;
    close();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.first().isLocalFile()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            openFile(url.toLocalFile());
        }
    }
    event->acceptProposedAction();
}

} // namespace ulp::gui
