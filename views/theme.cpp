// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include "engine/audit/format.h"

namespace ulp::views {
namespace {

// Okabe & Ito, "Color Universal Design", https://jfly.uni-koeln.de/color/
constexpr QRgb kOkabeBlue = 0xff0072b2;
constexpr QRgb kOkabeOrange = 0xffe69f00;
constexpr QRgb kOkabeSky = 0xff56b4e9;
constexpr QRgb kOkabeGreen = 0xff009e73;
constexpr QRgb kOkabePurple = 0xffcc79a7;
constexpr QRgb kOkabeVermilion = 0xffd55e00;
constexpr QRgb kOkabeYellow = 0xfff0e442;

Theme makeLight()
{
    Theme t;
    t.appearance = Appearance::Light;
    t.window = QColor(0xff, 0xff, 0xff);
    t.panel = QColor(0xff, 0xff, 0xff);
    t.field = QColor(0xf5, 0xf6, 0xf9);
    t.hover = QColor(0xeb, 0xee, 0xf3);
    t.border = QColor(0xd7, 0xdb, 0xe2);
    t.text = QColor(0x14, 0x18, 0x1f);
    t.textMuted = QColor(0x5c, 0x66, 0x78);
    t.textFaded = QColor(0x68, 0x6f, 0x7d);
    t.accent = QColor(0x00, 0x5f, 0xcc);
    t.accentText = QColor(0xff, 0xff, 0xff);
    t.link = QColor(0x00, 0x5f, 0xcc);
    t.classOne = QColor(0xe2, 0xe5, 0xea);
    t.classTwo = QColor(kOkabeBlue);
    t.classMany = QColor(kOkabeOrange);
    t.origin = QColor(0x0c, 0x0f, 0x14);
    t.nonFinite = QColor(0xc4, 0x1e, 0x1e);
    t.missing = QColor(0x9a, 0xa3, 0xb2);
    t.cellGrid = QColor(0xff, 0xff, 0xff);
    t.cursorLine = QColor(0x00, 0x5f, 0xcc);
    t.chartGrid = QColor(0xe2, 0xe5, 0xea);
    t.flip = QColor(0xc4, 0x1e, 0x1e);
    t.same = {QColor(0xd9, 0xf2, 0xe3), QColor(0x0b, 0x5c, 0x33)};
    t.diverged = {QColor(0xff, 0xe7, 0xcc), QColor(0x8a, 0x43, 0x00)};
    t.latent = {QColor(0xfd, 0xf3, 0xbf), QColor(0x6b, 0x55, 0x00)};
    t.failed = {QColor(0xfd, 0xe0, 0xe0), QColor(0x9b, 0x15, 0x15)};
    t.incomplete = {QColor(0xe8, 0xeb, 0xf0), QColor(0x45, 0x4e, 0x5e)};
    return t;
}

Theme makeDark()
{
    Theme t;
    t.appearance = Appearance::Dark;
    t.window = QColor(0x1c, 0x1f, 0x24);
    t.panel = QColor(0x1c, 0x1f, 0x24);
    t.field = QColor(0x13, 0x16, 0x1a);
    t.hover = QColor(0x2a, 0x2e, 0x36);
    t.border = QColor(0x38, 0x3d, 0x47);
    t.text = QColor(0xec, 0xee, 0xf2);
    t.textMuted = QColor(0x9f, 0xa8, 0xb8);
    t.textFaded = QColor(0x8b, 0x93, 0xa1);
    t.accent = QColor(0x6c, 0xa8, 0xff);
    t.accentText = QColor(0x0b, 0x12, 0x1d);
    t.link = QColor(0x7d, 0xb3, 0xff);
    t.classOne = QColor(0x32, 0x37, 0x40);
    t.classTwo = QColor(kOkabeSky).darker(108);
    t.classMany = QColor(kOkabeOrange);
    t.origin = QColor(0xff, 0xff, 0xff);
    t.nonFinite = QColor(0xff, 0x6b, 0x6b);
    t.missing = QColor(0x62, 0x6a, 0x78);
    t.cellGrid = QColor(0x1c, 0x1f, 0x24);
    t.cursorLine = QColor(0x8f, 0xbe, 0xff);
    t.chartGrid = QColor(0x32, 0x37, 0x40);
    t.flip = QColor(0xff, 0x6b, 0x6b);
    t.same = {QColor(0x12, 0x3d, 0x28), QColor(0x8f, 0xe3, 0xb4)};
    t.diverged = {QColor(0x4a, 0x2c, 0x10), QColor(0xff, 0xb7, 0x6b)};
    t.latent = {QColor(0x45, 0x3a, 0x0c), QColor(0xf6, 0xdd, 0x6b)};
    t.failed = {QColor(0x4f, 0x1b, 0x1e), QColor(0xff, 0x9c, 0x9c)};
    t.incomplete = {QColor(0x31, 0x36, 0x40), QColor(0xc0, 0xc7, 0xd3)};
    return t;
}

Appearance& currentAppearance()
{
    static Appearance appearance = Appearance::Light;
    return appearance;
}

double linearChannel(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double relativeLuminance(const QColor& c)
{
    return 0.2126 * linearChannel(c.redF()) + 0.7152 * linearChannel(c.greenF()) +
           0.0722 * linearChannel(c.blueF());
}

// %name% is replaced by the colour of that name.
const char* const kStyleSheet = R"(
QToolTip { color: %text%; background: %window%; border: 1px solid %border%; padding: 4px; }
QMainWindow::separator { background: %border%; width: 1px; height: 1px; }
QToolBar { background: %panel%; border: 0; border-bottom: 1px solid %border%;
  padding: 6px 10px; spacing: 8px; }
QStatusBar { background: %panel%; border-top: 1px solid %border%; color: %muted%; }
QStatusBar::item { border: 0; }
QSplitter::handle { background: %border%; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QScrollArea { border: 0; background: %panel%; }
QScrollArea > QWidget > QWidget { background: %panel%; }

QPushButton, QToolButton { color: %text%; background: %window%; border: 1px solid %border%;
  border-radius: 5px; padding: 4px 12px; min-height: 18px; }
QPushButton:hover, QToolButton:hover { background: %hover%; }
QPushButton:pressed, QToolButton:pressed { background: %border%; }
QPushButton:focus, QToolButton:focus { border-color: %accent%; }
QPushButton:disabled, QToolButton:disabled { color: %disabled%; background: %field%; }
QToolButton[popupMode="2"], QToolButton[popupMode="1"] { padding-right: 18px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right;
  right: 5px; width: 8px; }
QToolButton[flat="true"] { border: 0; background: transparent; color: %muted%; padding: 2px 6px; }
QToolButton[flat="true"]:hover { color: %text%; background: %hover%; }
QPushButton[primary="true"], QToolButton[primary="true"] { color: %accentText%;
  background: %accent%; border-color: %accent%; font-weight: 600; }
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { background: %accentHover%; }
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled { color: %disabled%;
  background: %field%; border-color: %border%; }
QToolButton[segment="first"] { border-top-right-radius: 0; border-bottom-right-radius: 0; }
QToolButton[segment="middle"] { border-radius: 0; border-left: 0; }
QToolButton[segment="last"] { border-top-left-radius: 0; border-bottom-left-radius: 0;
  border-left: 0; }
QToolButton:checked { color: %accentText%; background: %accent%; border-color: %accent%; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit { color: %text%;
  background: %field%; border: 1px solid %border%; border-radius: 5px; padding: 3px 8px;
  min-height: 18px; selection-background-color: %accent%; selection-color: %accentText%; }
QLineEdit:hover, QSpinBox:hover, QComboBox:hover { background: %hover%; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus,
QTextEdit:focus { border-color: %accent%; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { color: %disabled%; }
QLineEdit[changed="true"], QSpinBox[changed="true"], QComboBox[changed="true"],
QPlainTextEdit[changed="true"] { border-left: 3px solid %changed%; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QComboBox[invalid="true"],
QPlainTextEdit[invalid="true"] { border-color: %error%; }

QLabel[role="section"] { color: %muted%; font-weight: 600; }
QLabel[role="muted"] { color: %muted%; }
QLabel[role="error"] { color: %error%; }

QTableView, QTreeView, QListView { color: %text%; background: %window%; border: 0;
  gridline-color: %border%; selection-background-color: %accent%;
  selection-color: %accentText%; }
QHeaderView { background: %window%; }
QHeaderView::section { color: %muted%; background: %window%; border: 0;
  border-bottom: 1px solid %border%; padding: 3px 4px; }
QTableView::item { border-bottom: 1px solid %border%; }
QMenuBar { background: %panel%; color: %text%; border-bottom: 1px solid %border%; }
QMenuBar::item { padding: 4px 9px; background: transparent; }
QMenuBar::item:selected { background: %hover%; }
QMenu { color: %text%; background: %window%; border: 1px solid %border%; padding: 4px; }
QMenu::item { padding: 4px 22px 4px 22px; border-radius: 4px; }
QMenu::item:selected { color: %accentText%; background: %accent%; }
QMenu::item:disabled { color: %disabled%; }
QMenu::separator { height: 1px; background: %border%; margin: 4px 6px; }
QProgressBar { background: %classOne%; border: 0; border-radius: 3px; max-height: 6px;
  min-height: 6px; }
QProgressBar::chunk { background: %accent%; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: %scroll%; border-radius: 3px; margin: 2px; min-height: 24px;
  min-width: 24px; }
QScrollBar::handle:hover { background: %muted%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

} // namespace

const Theme& themeFor(Appearance appearance)
{
    static const Theme light = makeLight();
    static const Theme dark = makeDark();
    return appearance == Appearance::Dark ? dark : light;
}

const Theme& currentTheme()
{
    return themeFor(currentAppearance());
}

void applyTheme(QApplication& app, Appearance appearance)
{
    currentAppearance() = appearance;
    const Theme& theme = themeFor(appearance);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteFor(theme));
    app.setStyleSheet(styleSheetFor(theme));
}

QPalette paletteFor(const Theme& theme)
{
    QPalette p;
    p.setColor(QPalette::Window, theme.window);
    p.setColor(QPalette::WindowText, theme.text);
    p.setColor(QPalette::Base, theme.window);
    p.setColor(QPalette::AlternateBase, theme.field);
    p.setColor(QPalette::Text, theme.text);
    p.setColor(QPalette::PlaceholderText, theme.textMuted);
    p.setColor(QPalette::Button, theme.field);
    p.setColor(QPalette::ButtonText, theme.text);
    p.setColor(QPalette::BrightText, theme.nonFinite);
    p.setColor(QPalette::Highlight, theme.accent);
    p.setColor(QPalette::HighlightedText, theme.accentText);
    p.setColor(QPalette::Link, theme.link);
    p.setColor(QPalette::LinkVisited, theme.link);
    p.setColor(QPalette::ToolTipBase, theme.window);
    p.setColor(QPalette::ToolTipText, theme.text);
    p.setColor(QPalette::Light, theme.hover);
    p.setColor(QPalette::Midlight, theme.border);
    p.setColor(QPalette::Mid, theme.border);
    p.setColor(QPalette::Dark, theme.textMuted);
    p.setColor(QPalette::Shadow, theme.dark() ? QColor(Qt::black) : theme.textMuted);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, theme.textFaded);
    }
    return p;
}

QString styleSheetFor(const Theme& theme)
{
    const std::array<std::pair<const char*, QColor>, 16> tokens{{
        {"%text%", theme.text},
        {"%muted%", theme.textMuted},
        {"%disabled%", theme.textFaded},
        {"%window%", theme.window},
        {"%panel%", theme.panel},
        {"%field%", theme.field},
        {"%hover%", theme.hover},
        {"%border%", theme.border},
        {"%accent%", theme.accent},
        {"%accentText%", theme.accentText},
        {"%accentHover%", theme.dark() ? theme.accent.lighter(108) : theme.accent.darker(112)},
        {"%classOne%", theme.classOne},
        {"%changed%", theme.classMany},
        {"%error%", theme.failed.text},
        {"%scroll%", theme.missing},
        {"%link%", theme.link},
    }};
    QString sheet = QString::fromLatin1(kStyleSheet);
    for (const auto& [token, colour] : tokens) {
        sheet.replace(QLatin1String(token), colour.name());
    }
    return sheet;
}

QColor classFill(const Theme& theme, int classes)
{
    return classes <= 1 ? theme.classOne : classes == 2 ? theme.classTwo : theme.classMany;
}

QColor classLine(const Theme& theme, int classIndex)
{
    const std::array<QColor, 8> set{
        theme.text,
        theme.classTwo,
        theme.classMany,
        QColor(kOkabeGreen),
        QColor(kOkabePurple),
        QColor(kOkabeVermilion),
        theme.dark() ? QColor(kOkabeBlue).lighter(140) : QColor(kOkabeSky),
        theme.dark() ? QColor(kOkabeYellow) : QColor(kOkabeYellow).darker(150)};
    return set[static_cast<std::size_t>(std::max(classIndex, 0)) % set.size()];
}

QString className(int classIndex)
{
    return QString::fromStdString(
        audit::className(static_cast<std::size_t>(std::max(classIndex, 0))));
}

QColor cividis(double t)
{
    // Polynomial fit of the map of Nuñez, Anderton & Renslow (2018), as in d3-scale-chromatic.
    t = std::isnan(t) ? 0.0 : std::clamp(t, 0.0, 1.0);
    const double r =
        -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))));
    const double g = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))));
    const double b =
        81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))));
    const auto channel = [](double v) {
        return std::clamp(static_cast<int>(std::lround(v)), 0, 255);
    };
    return {channel(r), channel(g), channel(b)};
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QFont scaledFont(qreal delta)
{
    QFont font = QApplication::font();
    font.setPointSizeF(std::max(6.0, font.pointSizeF() + delta));
    return font;
}

} // namespace ulp::views
