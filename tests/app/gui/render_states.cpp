// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Renders the window in every state into a folder, to be leafed through after a change:
// `render_states FOLDER [--lang zh_CN] [--theme dark] [--suffix NAME] [--real]`. With --real the
// sessions come from the built-in model, otherwise from synthetic snapshots.
#include <algorithm>
#include <cstdio>
#include <functional>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QThread>

#include "app/gui/appearance.h"
#include "app/gui/help_window.h"
#include "app/gui/main_window.h"
#include "app/gui/session_view.h"
#include "app/worker/demo_model.h"
#include "tests/app/gui/fake_engine.h"
#include "views/divergence_heatmap.h"
#include "views/filter_box.h"
#include "views/run_panel.h"
#include "views/token_strip.h"

namespace {

using namespace ulp;

bool waitFor(const std::function<bool()>& done, int milliseconds = 60000)
{
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < milliseconds) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(2);
    }
    return done();
}

class Gallery {
  public:
    Gallery(QString folder, QString suffix)
        : m_folder(std::move(folder)), m_suffix(std::move(suffix))
    {
    }

    void renderAll()
    {
        startPage();
        running();
        diverged();
        sameBits();
        compareTwo();
        latent();
        nonFinite();
        errors();
        incomplete();
        large();
        dialogs();
    }

    void renderReal()
    {
        auto window = make(gui::realEngine());
        window->openDemo();
        waitFor([&] { return window->controller().model().has_value(); });
        auto setup = window->runPanel()->setup();
        setup.prompt = QStringLiteral("Once upon a time");
        setup.settings.policy = Policy::Atomic;
        setup.settings.steps = 64;
        setup.threads = {2};
        window->setSetup(setup);
        window->run();
        waitFor([&] { return window->current() != nullptr && window->current()->comparison; });
        save(*window, "running");
        finish(*window);
        save(*window, "diverged");
        setup.settings.policy = Policy::Ordered;
        window->setSetup(setup);
        window->run();
        finish(*window);
        save(*window, "same-bits");
        window->compareWith(window->sessions().all().front()->id);
        save(*window, "compare");
    }

  private:
    std::unique_ptr<gui::MainWindow> make(gui::EnginePort port)
    {
        auto window = std::make_unique<gui::MainWindow>(std::move(port), &m_settings);
        window->resize(1440, 900);
        window->show();
        settle();
        return window;
    }

    std::unique_ptr<gui::MainWindow> run(test::FakeEngine& engine,
                                         const std::function<void(views::RunSetup&)>& change = {})
    {
        auto window = make(engine.port());
        window->openModel(QStringLiteral("/models/stories-fake.gguf"));
        waitFor([&] { return window->controller().model().has_value(); });
        views::RunSetup setup = window->runPanel()->setup();
        setup.prompt = QStringLiteral("Once upon a time");
        setup.settings.policy = Policy::Atomic;
        setup.settings.steps = 60;
        setup.threads = {2};
        if (change) {
            change(setup);
        }
        window->setSetup(setup);
        window->run();
        if (!engine.holdUntilCancelled) {
            finish(*window);
        } else {
            waitFor([&] { return window->current()->comparison != nullptr; });
        }
        settle();
        return window;
    }

    static bool complete(const compare::Comparison& comparison)
    {
        const auto& runs = comparison.snapshot().runs;
        return std::none_of(runs.begin(), runs.end(), [](const auto& run) {
            return run->status == trace::RunStatus::Running;
        });
    }

    static void finish(gui::MainWindow& window)
    {
        waitFor(
            [&] {
                const auto* session = window.current();
                return session != nullptr && !session->running() &&
                       (session->state == gui::SessionState::Failed ||
                        (session->comparison && complete(*session->comparison)));
            },
            900000);
        settle();
    }

    static void settle()
    {
        for (int i = 0; i < 8; ++i) {
            QApplication::processEvents(QEventLoop::AllEvents, 20);
            QThread::msleep(10);
        }
    }

    void save(QWidget& widget, const char* name)
    {
        settle();
        const QString path =
            QStringLiteral("%1/%2%3.png").arg(m_folder, QLatin1String(name), m_suffix);
        if (!widget.grab().save(path)) {
            std::fprintf(stderr, "cannot write %s\n", qPrintable(path));
        }
    }

    void startPage()
    {
        m_settings.clearRecentFiles();
        m_settings.addRecentFile(QStringLiteral("/data/atomic-8-runs.ulp"));
        m_settings.addRecentFile(QCoreApplication::applicationFilePath());
        test::FakeEngine engine;
        auto window = make(engine.port());
        save(*window, "start-page");
        window->openModel(QStringLiteral("/models/stories-fake.gguf"));
        waitFor([&] { return window->controller().model().has_value(); });
        save(*window, "ready");
    }

    void running()
    {
        test::FakeEngine engine;
        engine.holdUntilCancelled = true;
        auto window = run(engine);
        save(*window, "running");
        window->stop();
        waitFor([&] { return !window->current()->running(); });
        save(*window, "stopped");
    }

    void diverged()
    {
        test::FakeEngine engine;
        auto window = run(engine);
        save(*window, "diverged");
        window->view()->map()->foldAll();
        save(*window, "folded");
        window->view()->map()->unfoldAll();
        window->view()->tokens()->setUnfolded(0, true);
        save(*window, "unfolded");
        window->view()->map()->foldAll();
        window->actions().get("colour")->trigger();
        save(*window, "magnitude");
        window->actions().get("colour")->trigger();
        window->filterBox()->setText(QStringLiteral("layer 1..2 ffn step 4..30 diverged"));
        save(*window, "filtered");
        window->filterBox()->setText(QStringLiteral("layer 1..x"));
        save(*window, "filter-error");
        window->filterBox()->clear();
        window->resize(1024, 640);
        save(*window, "small");
    }

    void sameBits()
    {
        test::FakeEngine engine;
        auto window =
            run(engine, [](views::RunSetup& setup) { setup.settings.policy = Policy::Ordered; });
        save(*window, "same-bits");
    }

    void compareTwo()
    {
        test::FakeEngine engine;
        auto window = run(engine);
        const int first = window->current()->id;
        views::RunSetup setup = window->runPanel()->setup();
        setup.settings.policy = Policy::Ordered;
        setup.threads = {1, 2};
        window->setSetup(setup);
        save(*window, "changed-settings");
        window->run();
        finish(*window);
        window->compareWith(first);
        save(*window, "compare");
    }

    void latent()
    {
        test::FakeEngine engine;
        engine.script = [](const worker::SessionRequest& request, double) {
            auto options = test::atomicLike(static_cast<int>(request.runs.size()), 4, 5, 60);
            options.flips.clear();
            return test::makeSession(options);
        };
        auto window = run(engine);
        save(*window, "latent");
    }

    void nonFinite()
    {
        test::FakeEngine engine;
        engine.script = [](const worker::SessionRequest& request, double) {
            auto options = test::atomicLike(static_cast<int>(request.runs.size()), 4, 5, 60);
            for (int run = 0; run < options.runs; ++run) {
                options.nonFinite.push_back({run, 20, "ffn_out-2"});
            }
            return test::makeSession(options);
        };
        auto window = run(engine);
        save(*window, "nan");
    }

    void errors()
    {
        test::FakeEngine engine;
        engine.runError = makeError(ErrorCode::BadUsage,
                                    "the prompt has 1400 tokens, the model's context is 1024", {},
                                    "shorten the prompt or ask for fewer steps");
        auto window = run(engine);
        save(*window, "error");
        test::FakeEngine broken;
        broken.loadError =
            makeError(ErrorCode::BadInput, "tensor blk.3.ffn_up.weight ends beyond the file",
                      "stories-fake.gguf, byte 10432", "download the file again");
        auto second = make(broken.port());
        second->openModel(QStringLiteral("/models/stories-fake.gguf"));
        views::RunSetup setup = second->runPanel()->setup();
        setup.batch = {};
        second->setSetup(setup);
        settle();
        save(*second, "bad-settings");
        second->openModel(QStringLiteral("/models/stories-fake.gguf"));
        settle();
        save(*second, "bad-model");
        second->showStartPage();
        second->openFile(QStringLiteral("/data/gone.ulp"));
        save(*second, "missing-file");
    }

    void incomplete()
    {
        test::FakeEngine engine;
        engine.script = [](const worker::SessionRequest& request, double) {
            test::SessionOptions options;
            options.runs = static_cast<int>(request.runs.size());
            options.steps = 60;
            options.lastRunColumns = 24;
            options.lastRunStatus = trace::RunStatus::Incomplete;
            return test::makeSession(options);
        };
        auto window = run(engine);
        save(*window, "incomplete");
    }

    void large()
    {
        test::FakeEngine engine;
        engine.script = [](const worker::SessionRequest&, double) {
            return test::makeLarge(20000, 33); // 20 000 x 498: 10^7 cells
        };
        engine.updates = 0;
        auto window = run(engine);
        window->actions().get("fit")->trigger();
        save(*window, "ten-million-cells");
    }

    void dialogs()
    {
        test::FakeEngine engine;
        auto window = run(engine);
        window->actions().get("palette")->trigger();
        settle();
        if (auto* picker = window->findChild<QDialog*>(QStringLiteral("picker"))) {
            save(*picker, "palette");
            picker->close();
        }
        window->actions().get("keyboard")->trigger();
        settle();
        if (auto* help = window->findChild<gui::HelpWindow*>()) {
            save(*help, "help-keyboard");
            help->showTopic(QStringLiteral("filter"));
            save(*help, "help-filter");
        }
    }

    QString m_folder;
    QString m_suffix;
    gui::GuiSettings m_settings;
};

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication app(argc, argv);
    gui::prepareApplication(app);
    QCommandLineParser parser;
    const QCommandLineOption lang(QStringLiteral("lang"), {}, QStringLiteral("LANGUAGE"),
                                  QStringLiteral("en"));
    const QCommandLineOption theme(QStringLiteral("theme"), {}, QStringLiteral("THEME"),
                                   QStringLiteral("light"));
    const QCommandLineOption suffix(QStringLiteral("suffix"), {}, QStringLiteral("NAME"));
    const QCommandLineOption real(QStringLiteral("real"));
    parser.addOptions({lang, theme, suffix, real});
    parser.addPositionalArgument(QStringLiteral("FOLDER"), {});
    parser.process(app);
    if (parser.positionalArguments().size() != 1 ||
        !QDir().mkpath(parser.positionalArguments().first())) {
        std::fprintf(stderr, "render_states FOLDER [--lang L] [--theme T] [--suffix S] [--real]\n");
        return 2;
    }
    gui::applyLanguage(app, parser.value(lang));
    gui::applyAppearance(parser.value(theme) == QLatin1String("dark")
                             ? gui::AppearanceChoice::Dark
                             : gui::AppearanceChoice::Light);
    // A settings file of its own: the pictures must not depend on who renders them.
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope,
                       parser.positionalArguments().first() + QStringLiteral("/settings"));
    Gallery gallery(parser.positionalArguments().first(), parser.value(suffix));
    if (parser.isSet(real)) {
        gallery.renderReal();
    } else {
        gallery.renderAll();
    }
    return 0;
}
