// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inspector: `ulpscope [--demo] [FILE.gguf|FILE.ulp] [--export-pdf TRACE OUT]`.
#include <cstdio>
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
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("An oscilloscope for the last bit of large-language-model inference."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
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

    // Parsed before there is an application: what answers in text must not ask for a display.
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    const QString problem = [&]() -> QString {
        if (!parser.parse(arguments)) {
            QString text = parser.errorText();
            return text.endsWith(QLatin1Char('.')) ? text.chopped(1) : text;
        }
        const QString language = parser.value(lang);
        if (parser.isSet(lang) && language != QLatin1String("en") &&
            language != QLatin1String("zh_CN")) {
            return QStringLiteral("--lang is en or zh_CN");
        }
        if (parser.isSet(theme) && !appearanceNamed(parser.value(theme))) {
            return QStringLiteral("--theme is light, dark or system");
        }
        if (parser.isSet(pdf) && parser.positionalArguments().size() != 1) {
            return QStringLiteral("--export-pdf needs two files: TRACE and OUT");
        }
        return {};
    }();
    if (!problem.isEmpty()) {
        std::fprintf(stderr, "ulpscope: %s; see ulpscope --help\n", qPrintable(problem));
        return 2;
    }
    const bool wantsHelp = parser.isSet(help) || parser.isSet(QStringLiteral("help-all"));
    const bool wantsVersion = parser.isSet(version);
    if (wantsHelp || wantsVersion || parser.isSet(pdf)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication app(argc, argv);
    QApplication::setApplicationVersion(QStringLiteral(ULPSCOPE_VERSION));
    gui::prepareApplication(app);
    if (wantsVersion) {
        parser.showVersion();
    }
    if (wantsHelp) {
        parser.showHelp(0);
    }

    gui::GuiSettings settings;
    gui::applyLanguage(app, parser.isSet(lang) ? parser.value(lang) : settings.language());
    const QStringList files = parser.positionalArguments();
    if (parser.isSet(pdf)) {
        gui::applyAppearance(gui::AppearanceChoice::Light);
        return exportPdf(parser.value(pdf), files.first());
    }
    const auto chosen =
        parser.isSet(theme) ? appearanceNamed(parser.value(theme)) : settings.appearance();
    gui::applyAppearance(chosen.value_or(gui::AppearanceChoice::System));

    gui::MainWindow window(gui::realEngine(), &settings);
    window.show();
    if (parser.isSet(demo)) {
        window.openDemo();
    } else if (!files.isEmpty()) {
        window.openFile(files.first());
    }
    return QApplication::exec();
}
