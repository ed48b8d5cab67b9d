// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector: `ulpscope [--demo] [FILE.gguf|FILE.ulp] [--export-pdf TRACE OUT]`.
#include <cstdio>
#include <cstring>
#include <optional>

#include <QApplication>
#include <QCommandLineParser>

#include "app/gui/appearance.h"
#include "app/gui/export_pdf.h"
#include "app/gui/main_window.h"
#include "engine/compare/comparison.h"
#include "engine/trace/trace_file.h"

namespace {

using namespace ulp;

bool hasArgument(int argc, char** argv, const char* name)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/// Exit codes as the command line's: 2 bad input, 3 internal failure.
int exportPdf(const QString& trace, const QString& out)
{
    const auto fail = [](const Error& error) {
        std::fprintf(stderr, "ulpscope: %s\n", error.text().c_str());
        return error.code == ErrorCode::Internal ? 3 : 2;
    };
    auto snapshot = trace::openTrace(trace.toStdString());
    if (!snapshot) {
        return fail(snapshot.error());
    }
    const auto comparison = compare::Comparison::compute(*snapshot);
    const auto written = gui::writePdf(*comparison, gui::reportMap(comparison), out);
    return written ? 0 : fail(written.error());
}

std::optional<gui::AppearanceChoice> appearanceNamed(const QString& name)
{
    if (name == QLatin1String("light")) {
        return gui::AppearanceChoice::Light;
    }
    if (name == QLatin1String("dark")) {
        return gui::AppearanceChoice::Dark;
    }
    return name == QLatin1String("system") ? std::optional(gui::AppearanceChoice::System)
                                           : std::nullopt;
}

} // namespace

int main(int argc, char** argv)
{
    if (hasArgument(argc, argv, "--export-pdf")) {
        qputenv("QT_QPA_PLATFORM", "offscreen"); // needs no display
    }
    QApplication app(argc, argv);
    QApplication::setApplicationVersion(QStringLiteral(ULPSCOPE_VERSION));
    gui::prepareApplication(app);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("An oscilloscope for the last bit of large-language-model inference."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  QStringLiteral("Open the built-in model, ready to run."));
    const QCommandLineOption pdf(QStringLiteral("export-pdf"),
                                 QStringLiteral("Write the report of a trace, needing no display; "
                                                "the output is the next argument."),
                                 QStringLiteral("TRACE"));
    const QCommandLineOption lang(QStringLiteral("lang"), QStringLiteral("en or zh_CN."),
                                  QStringLiteral("LANGUAGE"));
    const QCommandLineOption theme(
        QStringLiteral("theme"), QStringLiteral("light, dark or system."), QStringLiteral("THEME"));
    parser.addOptions({demo, pdf, lang, theme});
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QStringLiteral("A model (.gguf) or a trace (.ulp)."),
                                 QStringLiteral("[FILE]"));
    parser.process(app);

    gui::GuiSettings settings;
    gui::applyLanguage(app, parser.isSet(lang) ? parser.value(lang) : settings.language());
    const QStringList files = parser.positionalArguments();
    if (parser.isSet(pdf)) {
        if (files.size() != 1) {
            std::fprintf(stderr, "ulpscope: --export-pdf needs two files: TRACE and OUT\n");
            return 2;
        }
        gui::applyAppearance(gui::AppearanceChoice::Light);
        return exportPdf(parser.value(pdf), files.first());
    }
    const auto chosen =
        parser.isSet(theme) ? appearanceNamed(parser.value(theme)) : settings.appearance();
    if (!chosen) {
        std::fprintf(stderr, "ulpscope: --theme is light, dark or system\n");
        return 2;
    }
    gui::applyAppearance(*chosen);

    gui::MainWindow window(gui::realEngine(), &settings);
    window.show();
    if (parser.isSet(demo)) {
        window.openDemo();
    } else if (!files.isEmpty()) {
        window.openFile(files.first());
    }
    return QApplication::exec();
}
