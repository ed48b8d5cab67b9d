// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/appearance.h"

#include <clocale>

#include <QApplication>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "views/theme.h"

/// Outside all namespaces, as Q_INIT_RESOURCE demands: a static library's resources must be named.
static void initResources()
{
    Q_INIT_RESOURCE(ulpscope_gui);
}

namespace ulp::gui {
namespace {

// What the window adds to the style sheet of ordinary widgets; %name% as in views/theme.cpp.
const char* const kWindowStyle = R"(
QFrame[separator="true"] { background: %border%; border: 0; }
QToolButton[crumb="true"] { background: %field%; padding: 0 7px; min-height: 14px;
  border-radius: 8px; color: %text%; }
QToolButton[crumb="true"]:hover { background: %hover%; }
QListWidget#topics { background: %field%; padding: 10px 0; }
QListWidget#topics { outline: 0; }
QListWidget#topics::item { border: 0; padding: 6px 14px; }
QListWidget#topics::item:selected { background: %hover%; color: %text%; }
QTextBrowser#page { border: 0; border-radius: 0; background: %window%; }
QDoubleSpinBox:disabled, QPlainTextEdit:disabled { color: %muted%; }
QToolBar QToolButton { padding-left: 9px; padding-right: 9px; }
QToolBar QToolButton[popupMode="2"] { padding-right: 20px; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/down-%name%.png); width: 8px; height: 8px; }
QSpinBox, QDoubleSpinBox { padding-right: 18px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; border: 0;
  width: 20px; background: transparent; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; border: 0;
  width: 20px; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/up-%name%.png); width: 8px;
  height: 8px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/down-%name%.png);
  width: 8px; height: 8px; }
QToolButton::menu-indicator { image: url(:/icons/down-%name%.png); width: 8px; height: 8px; }
QToolButton[flat="true"][popupMode="2"] { padding-right: 18px; }
QPlainTextEdit#prompt { min-height: 34px; max-height: 34px; padding: 2px 4px; }
QDialog#picker { background: %window%; border: 1px solid %border%; }
QListWidget { border: 0; }
QLineEdit[readOnly="true"]:hover { background: %field%; }
QLabel { background: transparent; }
)";

QString windowStyle(const views::Theme& theme)
{
    QString sheet = QString::fromLatin1(kWindowStyle);
    const std::pair<const char*, QColor> tokens[] = {
        {"%border%", theme.border},   {"%field%", theme.field}, {"%text%", theme.text},
        {"%muted%", theme.textMuted}, {"%hover%", theme.hover}, {"%window%", theme.window}};
    for (const auto& [token, colour] : tokens) {
        sheet.replace(QLatin1String(token), colour.name());
    }
    return sheet.replace(QLatin1String("%name%"),
                         theme.dark() ? QStringLiteral("dark") : QStringLiteral("light"));
}

/// Whether the desktop's own palette is dark, asked before we set ours.
bool& systemIsDark()
{
    static bool dark = false;
    return dark;
}

void install(QApplication& app, const QString& name, const QString& folder)
{
    auto* translator = new QTranslator(&app);
    if (translator->load(name, folder)) {
        QApplication::installTranslator(translator);
    }
}

} // namespace

void prepareApplication(QApplication& app)
{
    initResources();
    // Qt takes the system's locale on; the reports' numbers must not follow it.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("ulpscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Ulpscope"));
    QApplication::setDesktopFileName(QStringLiteral("ulpscope"));
    systemIsDark() = QApplication::palette().color(QPalette::Window).lightness() < 128;
    QIcon icon(QStringLiteral(":/icons/ulpscope-48.png"));
    icon.addFile(QStringLiteral(":/icons/ulpscope-256.png"));
    QApplication::setWindowIcon(icon);
    QFont font = QApplication::font();
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"),
                      QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK SC"),
                      QStringLiteral("sans-serif")});
    font.setPointSizeF(9.0);
    app.setFont(font);
}

void applyAppearance(AppearanceChoice choice)
{
    const bool dark =
        choice == AppearanceChoice::Dark || (choice == AppearanceChoice::System && systemIsDark());
    views::applyTheme(*qApp, dark ? views::Appearance::Dark : views::Appearance::Light);
    qApp->setStyleSheet(qApp->styleSheet() + windowStyle(views::currentTheme()));
}

void applyLanguage(QApplication& app, const QString& language)
{
    const QString name = language.isEmpty() ? QLocale::system().name() : language;
    if (name.startsWith(QLatin1String("zh"))) {
        install(app, QStringLiteral("qtbase_zh_CN"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        install(app, QStringLiteral("ulpscope_zh_CN"), QStringLiteral(":/i18n"));
    } else {
        install(app, QStringLiteral("ulpscope_en"), QStringLiteral(":/i18n"));
    }
}

} // namespace ulp::gui
