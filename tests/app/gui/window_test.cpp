// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real main window with a scripted engine: run, stop, open, save, export, compare, close.
#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/gui/main_window.h"
#include "app/gui/session_view.h"
#include "app/gui/status_line.h"
#include "engine/trace/trace_file.h"
#include "tests/app/gui/fake_engine.h"
#include "tests/app/gui/registry_test.h"
#include "views/cell_panel.h"
#include "views/divergence_heatmap.h"
#include "views/filter_box.h"
#include "views/run_panel.h"
#include "views/token_strip.h"
#include "views/verdict_line.h"

namespace ulp::test {

using gui::CloseChoice;
using gui::SessionState;

namespace {

/// A window with a scripted engine and scripted answers.
struct Bench {
    FakeEngine engine;
    gui::GuiSettings settings;
    QTemporaryDir folder;
    CloseChoice closeChoice = CloseChoice::KeepRunning;
    int closeQuestions = 0;
    QString savePath;
    std::unique_ptr<gui::MainWindow> window;

    Bench()
    {
        gui::Questions questions;
        questions.closeWhileRunning = [this](QWidget*) {
            ++closeQuestions;
            return closeChoice;
        };
        questions.openPath = [](QWidget*, const QString&) { return QString(); };
        questions.savePath = [this](QWidget*, const QString&, const QString&) { return savePath; };
        window = std::make_unique<gui::MainWindow>(engine.port(), &settings, questions);
        window->resize(1200, 800);
        window->show();
    }

    ~Bench()
    {
        window->controller().stop();
        window.reset(); // before the engine that it uses
    }

    [[nodiscard]] QString path(const char* name) const
    {
        return folder.filePath(QLatin1String(name));
    }

    void openModel(Policy policy = Policy::Atomic)
    {
        window->openModel(path("fake.gguf"));
        QVERIFY(QTest::qWaitFor([this] { return window->controller().model().has_value(); }));
        views::RunSetup setup = window->runPanel()->setup();
        setup.prompt = QStringLiteral("Once");
        setup.settings.policy = policy;
        setup.settings.steps = 24;
        setup.runs = 4;
        setup.threads = {2};
        window->setSetup(setup);
    }

    void runToEnd()
    {
        window->run();
        QVERIFY(QTest::qWaitFor(
            [this] { return !window->current()->running() && window->current()->complete; },
            20000));
    }

    [[nodiscard]] audit::VerdictStatus verdict() const
    {
        return audit::verdictStatus(*window->current()->comparison);
    }
};

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

  private slots:
    void startsOnTheStartPage()
    {
        Bench bench;
        QVERIFY(bench.window->showsStartPage());
        QVERIFY(!bench.window->actions().get("run")->isEnabled());
        QVERIFY(!bench.window->actions().get("save")->isEnabled());
    }

    void runsAndShowsDivergence()
    {
        Bench bench;
        bench.openModel();
        QVERIFY(!bench.window->showsStartPage());
        QVERIFY(bench.window->actions().get("run")->isEnabled());
        bench.runToEnd();
        QCOMPARE(bench.engine.runsStarted.load(), 1);
        QCOMPARE(bench.window->current()->state, SessionState::Finished);
        QVERIFY(bench.verdict() == audit::VerdictStatus::Diverged);
        QVERIFY(
            bench.window->view()->verdict()->plainText().startsWith(QStringLiteral("Diverged")));
        // The cursor went to where the bits part.
        const auto& first = *bench.window->current()->comparison->first();
        QCOMPARE(bench.window->cursor().cursor().column, first.column);
        QCOMPARE(bench.window->cursor().cursor().op, first.op);
        QVERIFY(bench.window->actions().get("save")->isEnabled());
    }

    void orderedGivesTheSameBits()
    {
        Bench bench;
        bench.openModel();
        bench.window->actions().get("togglePolicy")->trigger();
        QVERIFY(bench.window->runPanel()->setup().settings.policy == Policy::Ordered);
        bench.runToEnd();
        QVERIFY(bench.verdict() == audit::VerdictStatus::SameBits);
        // The next experiments are offered and start a session of their own.
        emit bench.window->view()->verdict()->experimentRequested(QStringLiteral("threads"),
                                                                  QStringLiteral("1, 2"));
        QCOMPARE(bench.window->sessions().all().size(), std::size_t(2));
        QVERIFY(QTest::qWaitFor([&] { return bench.window->current()->complete; }));
        QCOMPARE(bench.window->current()->setup.threads, (std::vector<int>{1, 2}));
    }

    void stopsAndKeepsWhatIsThere()
    {
        Bench bench;
        bench.engine.holdUntilCancelled = true;
        bench.openModel();
        bench.window->run();
        QVERIFY(QTest::qWaitFor([&] { return bench.window->current()->comparison != nullptr; }));
        QVERIFY(bench.window->current()->running());
        QVERIFY(!bench.window->actions().get("run")->isEnabled());
        bench.window->actions().get("stop")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !bench.window->current()->running(); }));
        QCOMPARE(bench.window->current()->state, SessionState::Stopped);
        QCOMPARE(bench.engine.cancels.load(), 1);
        QVERIFY(bench.window->current()->comparison != nullptr);
        QVERIFY(bench.window->actions().get("run")->isEnabled());
    }

    void savesAndOpensTheSameBits()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        bench.savePath = bench.path("saved.ulp");
        QSignalSpy written(&bench.window->controller(), &gui::EngineController::fileWritten);
        bench.window->actions().get("save")->trigger();
        QVERIFY(written.wait(20000));
        const auto before = bench.window->current()->comparison;
        bench.window->openFile(bench.savePath);
        QVERIFY(QTest::qWaitFor(
            [&] { return bench.window->current()->state == SessionState::Opened; }, 20000));
        const auto after = bench.window->current()->comparison;
        QCOMPARE(after->divergentCells(), before->divergentCells());
        QCOMPARE(after->first()->op, before->first()->op);
        QCOMPARE(bench.window->sessions().all().size(), std::size_t(2));
        QVERIFY(bench.window->runPanel()->setup().settings.policy == Policy::Atomic);
    }

    void exportsEveryFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("html") << QStringLiteral("r.html") << QByteArray("<!DOCTYPE html");
        QTest::newRow("json") << QStringLiteral("r.json") << QByteArray("{");
        QTest::newRow("csv") << QStringLiteral("r.csv") << QByteArray("run,");
        QTest::newRow("pdf") << QStringLiteral("r.pdf") << QByteArray("%PDF-");
    }

    void exportsEveryFormat()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, head);
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        bench.savePath = bench.folder.filePath(name);
        QSignalSpy written(&bench.window->controller(), &gui::EngineController::fileWritten);
        bench.window->actions().get("export")->trigger();
        QVERIFY(written.wait(20000));
        QFile file(bench.savePath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(head.size()).toLower(), head.toLower());
        QVERIFY(file.size() > 500);
    }

    void exportErrorsStandInTheStatusLine()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        QSignalSpy failed(&bench.window->controller(), &gui::EngineController::fileFailed);
        bench.window->exportReport(bench.path("no/such/folder/r.pdf"));
        QVERIFY(failed.wait(20000));
        QVERIFY(bench.window->statusLine()->note().contains(QStringLiteral("was not written")));
    }

    void errorsStandWhereTheyBelong()
    {
        Bench bench;
        bench.engine.loadError = makeError(ErrorCode::BadInput, "not a GGUF file", "x, byte 0");
        bench.window->openModel(bench.path("fake.gguf"));
        QVERIFY(QTest::qWaitFor([&] { return !bench.window->runPanel()->valid(); }));
        bench.engine.loadError.reset();
        bench.openModel();
        bench.engine.runError = makeError(ErrorCode::Internal, "broken on purpose");
        bench.window->run();
        QVERIFY(QTest::qWaitFor(
            [&] { return bench.window->current()->state == SessionState::Failed; }));
        QVERIFY(bench.window->view()->verdict()->plainText().contains(
            QStringLiteral("broken on purpose")));
    }

    void brokenTraceGoesBackToTheStartPage()
    {
        Bench bench;
        QFile file(bench.path("broken.ulp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("SQLite format 3 but nothing else");
        file.close();
        bench.window->openFile(file.fileName());
        QVERIFY(QTest::qWaitFor([&] { return bench.window->showsStartPage(); }, 20000));
        QVERIFY(bench.window->sessions().all().empty());
    }

    void droppedFilesOpen()
    {
        Bench bench;
        QFile file(bench.path("dropped.gguf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GGUF");
        file.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file.fileName())});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(bench.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(bench.window.get(), &drop);
        QVERIFY(!bench.window->showsStartPage());
        QCOMPARE(bench.window->runPanel()->setup().modelPath, file.fileName());
        QVERIFY(QTest::qWaitFor([&] { return bench.window->controller().model().has_value(); }));
        QCOMPARE(bench.settings.recentFiles().front().path, file.fileName());
    }

    void refusesAnInvalidSetup()
    {
        Bench bench;
        bench.openModel();
        views::RunSetup setup = bench.window->runPanel()->setup();
        setup.batch = {0};
        bench.window->setSetup(setup);
        QVERIFY(!bench.window->runPanel()->valid());
        bench.window->run();
        QCOMPARE(bench.engine.runsStarted.load(), 0);
        QVERIFY(bench.window->sessions().all().empty());
    }

    void hidesRunsAndChangesTheReference()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        const auto runs = bench.window->current()->comparison->runs().size();
        views::CellCursor cell = bench.window->cursor().cursor();
        cell.run = 1;
        bench.window->cursor().moveTo(cell);
        bench.window->actions().get("reference")->trigger();
        QVERIFY(
            QTest::qWaitFor([&] { return bench.window->current()->comparison->reference() == 1; }));
        cell.run = 0;
        bench.window->cursor().moveTo(cell);
        bench.window->actions().get("hideRun")->trigger();
        QVERIFY(QTest::qWaitFor(
            [&] { return bench.window->current()->comparison->runs().size() == runs - 1; }));
        // The reference cannot be hidden: said in words, nothing changes.
        cell.run = 1;
        bench.window->cursor().moveTo(cell);
        bench.window->actions().get("hideRun")->trigger();
        QVERIFY(bench.window->statusLine()->note().contains(QStringLiteral("reference")));
    }

    void comparesTwoSessionsOnOneCursor()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        const int first = bench.window->current()->id;
        bench.window->actions().get("togglePolicy")->trigger();
        bench.runToEnd();
        bench.window->compareWith(first);
        QVERIFY(bench.window->secondView()->isVisible());
        QCOMPARE(bench.window->view()->comparison(),
                 bench.window->sessions().find(first)->comparison); // the older on top
        QCOMPARE(bench.window->view()->map()->stepAxis(),
                 bench.window->secondView()->map()->stepAxis());
        bench.window->view()->map()->goToNext(false);
        const auto& cell = bench.window->cursor().cursor();
        QVERIFY(bench.window->view()->comparison()->cell(cell.column, cell.op).classes > 1);
        bench.window->compareWith(0);
        QVERIFY(!bench.window->secondView()->isVisible());
    }

    void filterCountsWhatIsOutside()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        bench.window->filterBox()->setText(QStringLiteral("layer 0"));
        QVERIFY(bench.window->view()->filterNote().contains(QStringLiteral("outside")));
        bench.window->actions().get("stop")->trigger(); // Esc pops the filter
        QVERIFY(bench.window->filterBox()->text().isEmpty());
        QVERIFY(bench.window->view()->filterNote().isEmpty());
    }

    void backAndForward()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        const auto start = bench.window->cursor().cursor();
        bench.window->actions().get("next")->trigger();
        const auto next = bench.window->cursor().cursor();
        QVERIFY(next != start);
        bench.window->actions().get("back")->trigger();
        QCOMPARE(bench.window->cursor().cursor(), start);
        bench.window->actions().get("forward")->trigger();
        QCOMPARE(bench.window->cursor().cursor(), next);
    }

    void copiesTheCell()
    {
        Bench bench;
        bench.openModel();
        bench.runToEnd();
        bench.window->actions().get("copyText")->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("origin")));
        bench.window->actions().get("copyCommand")->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(
            QStringLiteral("ulpscope-cli run --model")));
    }

    void closingWhileRunningAsksOnce_data()
    {
        QTest::addColumn<int>("choice");
        QTest::newRow("keep") << int(CloseChoice::KeepRunning);
        QTest::newRow("discard") << int(CloseChoice::Discard);
        QTest::newRow("save") << int(CloseChoice::Save);
    }

    void closingWhileRunningAsksOnce()
    {
        QFETCH(int, choice);
        Bench bench;
        bench.engine.holdUntilCancelled = true;
        bench.openModel();
        bench.window->run();
        QVERIFY(QTest::qWaitFor([&] { return bench.window->current()->comparison != nullptr; }));
        bench.closeChoice = static_cast<CloseChoice>(choice);
        bench.savePath = bench.path("closing.ulp");
        bench.window->close();
        QCOMPARE(bench.closeQuestions, 1);
        if (bench.closeChoice == CloseChoice::KeepRunning) {
            QVERIFY(bench.window->isVisible());
            QVERIFY(bench.window->current()->running());
            return;
        }
        QVERIFY(QTest::qWaitFor([&] { return !bench.window->isVisible(); }, 20000));
        QCOMPARE(bench.closeQuestions, 1);
        QCOMPARE(bench.engine.cancels.load(), 1);
        const bool saved = bench.closeChoice == CloseChoice::Save;
        QCOMPARE(QFile::exists(bench.savePath), saved);
        if (saved) {
            const auto trace = trace::openTrace(bench.savePath.toStdString());
            QVERIFY(trace.ok());
            QVERIFY(!(*trace)->runs.empty());
        }
    }

    void remembersLayoutAndFiles()
    {
        const QString kept = QStringLiteral("kept prompt");
        {
            Bench bench;
            bench.openModel();
            views::RunSetup setup = bench.window->runPanel()->setup();
            setup.prompt = kept;
            setup.threads = {1, 2};
            bench.window->setSetup(setup);
            bench.window->close();
            bench.settings.addRecentFile(bench.path("gone.ulp"));
        }
        Bench bench;
        QCOMPARE(bench.window->runPanel()->setup().prompt, kept);
        QCOMPARE(bench.window->runPanel()->setup().threads, (std::vector<int>{1, 2}));
        const auto files = bench.settings.recentFiles();
        QVERIFY(!files.empty());
        QVERIFY(files.front().isTrace);
        QVERIFY(files.front().missing);
    }
};

static const Registered<WindowTest> kRegistered;

} // namespace ulp::test

#include "window_test.moc"
