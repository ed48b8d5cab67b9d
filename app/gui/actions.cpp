// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ulp::gui {
namespace {

// clang-format off
const std::vector<ActionSpec> kSpecs = {
    {"open",          "&File", QT_TRANSLATE_NOOP("Actions", "&Open…"),                         "Ctrl+O",       true,  false, false},
    {"recent",        "&File", QT_TRANSLATE_NOOP("Actions", "Open &recent…"),                  "Ctrl+R",       true,  false, false},
    {"demo",          "&File", QT_TRANSLATE_NOOP("Actions", "&Built-in model"),                "",             true,  false, false},
    {"save",          "&File", QT_TRANSLATE_NOOP("Actions", "&Save trace…"),                   "Ctrl+S",       true,  false, true},
    {"export",        "&File", QT_TRANSLATE_NOOP("Actions", "&Export report…"),                "Ctrl+E",       true,  false, false},
    {"closeSession",  "&File", QT_TRANSLATE_NOOP("Actions", "&Close session"),                 "Ctrl+W",       true,  false, true},
    {"start",         "&File", QT_TRANSLATE_NOOP("Actions", "Start &page"),                    "",             true,  false, false},
    {"quit",          "&File", QT_TRANSLATE_NOOP("Actions", "&Quit"),                          "Ctrl+Q",       true,  false, true},

    {"copyText",      "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy cell as &text"),             "Ctrl+Shift+C", true,  false, false},
    {"copyJson",      "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy cell as &JSON"),             "",             true,  false, false},
    {"copyCommand",   "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &command line"),             "",             true,  false, false},
    {"copyVerdict",   "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &verdict"),                  "",             true,  false, false},
    {"filter",        "&Edit", QT_TRANSLATE_NOOP("Actions", "&Filter"),                        "Ctrl+F",       true,  false, true},
    {"popFilter",     "&Edit", QT_TRANSLATE_NOOP("Actions", "Take the last filter &away"),     "",             true,  false, false},

    {"run",           "&Run",  QT_TRANSLATE_NOOP("Actions", "&Run"),                           "F5",           true,  false, false},
    {"stop",          "&Run",  QT_TRANSLATE_NOOP("Actions", "&Stop, or clear the filter"),     "Esc",          true,  false, false},
    {"togglePolicy",  "&Run",  QT_TRANSLATE_NOOP("Actions", "&Toggle atomic and ordered"),     "T",            true,  false, true},
    {"reference",     "&Run",  QT_TRANSLATE_NOOP("Actions", "Make the cursor's run the &reference"), "R",      true,  false, false},
    {"hideRun",       "&Run",  QT_TRANSLATE_NOOP("Actions", "&Hide or show the cursor's run"), "H",            true,  false, false},
    {"editPrompt",    "&Run",  QT_TRANSLATE_NOOP("Actions", "Edit the &prompt"),               "Ctrl+L",       true,  false, false},

    {"next",          "&Go",   QT_TRANSLATE_NOOP("Actions", "&Next divergence"),               "N",            true,  false, false},
    {"previous",      "&Go",   QT_TRANSLATE_NOOP("Actions", "&Previous divergence"),           "Shift+N",      true,  false, false},
    {"nextOrigin",    "&Go",   QT_TRANSLATE_NOOP("Actions", "Next &origin"),                   "O",            true,  false, false},
    {"previousOrigin","&Go",   QT_TRANSLATE_NOOP("Actions", "Previous o&rigin"),               "Shift+O",      true,  false, false},
    {"goto",          "&Go",   QT_TRANSLATE_NOOP("Actions", "&Go to step or op…"),             "G",            true,  false, true},
    {"back",          "&Go",   QT_TRANSLATE_NOOP("Actions", "&Back"),                          "Alt+Left",     true,  false, true},
    {"forward",       "&Go",   QT_TRANSLATE_NOOP("Actions", "&Forward"),                       "Alt+Right",    true,  false, false},
    {"left",          "&Go",   QT_TRANSLATE_NOOP("Actions", "Step before"),                    "Left",         false, false, true},
    {"right",         "&Go",   QT_TRANSLATE_NOOP("Actions", "Step after"),                     "Right",        false, false, false},
    {"up",            "&Go",   QT_TRANSLATE_NOOP("Actions", "Row above"),                      "Up",           false, false, false},
    {"down",          "&Go",   QT_TRANSLATE_NOOP("Actions", "Row below"),                      "Down",         false, false, false},
    {"leftDifferent", "&Go",   QT_TRANSLATE_NOOP("Actions", "Different cell to the left"),     "Ctrl+Left",    false, false, false},
    {"rightDifferent","&Go",   QT_TRANSLATE_NOOP("Actions", "Different cell to the right"),    "Ctrl+Right",   false, false, false},
    {"upDifferent",   "&Go",   QT_TRANSLATE_NOOP("Actions", "Different cell above"),           "Ctrl+Up",      false, false, false},
    {"downDifferent", "&Go",   QT_TRANSLATE_NOOP("Actions", "Different cell below"),           "Ctrl+Down",    false, false, false},
    {"pageUp",        "&Go",   QT_TRANSLATE_NOOP("Actions", "Page up"),                        "PgUp",         false, false, false},
    {"pageDown",      "&Go",   QT_TRANSLATE_NOOP("Actions", "Page down"),                      "PgDown",       false, false, false},
    {"home",          "&Go",   QT_TRANSLATE_NOOP("Actions", "First step"),                     "Home",         false, false, false},
    {"end",           "&Go",   QT_TRANSLATE_NOOP("Actions", "Last step"),                      "End",          false, false, false},

    {"zoomIn",        "&View", QT_TRANSLATE_NOOP("Actions", "Zoom &in"),                       "+",            true,  false, false},
    {"zoomOut",       "&View", QT_TRANSLATE_NOOP("Actions", "Zoom &out"),                      "-",            true,  false, false},
    {"fit",           "&View", QT_TRANSLATE_NOOP("Actions", "&Fit"),                           "0",            true,  false, false},
    {"colour",        "&View", QT_TRANSLATE_NOOP("Actions", "&Colour by class or magnitude"),  "C",            true,  false, false},
    {"fold",          "&View", QT_TRANSLATE_NOOP("Actions", "Fol&d the layer"),                "F",            true,  false, true},
    {"foldAll",       "&View", QT_TRANSLATE_NOOP("Actions", "Fold &all layers"),               "Shift+F",      true,  false, false},
    {"unfoldAll",     "&View", QT_TRANSLATE_NOOP("Actions", "&Unfold all layers"),             "Ctrl+Shift+F", true,  false, false},
    {"foldPrefill",   "&View", QT_TRANSLATE_NOOP("Actions", "Fold the &prompt"),               "P",            true,  false, false},
    {"compare",       "&View", QT_TRANSLATE_NOOP("Actions", "Compare &with…"),                 "Ctrl+D",       true,  false, true},
    {"sessions",      "&View", QT_TRANSLATE_NOOP("Actions", "&Sessions…"),                     "Ctrl+Tab",     true,  false, false},
    {"showRun",       "&View", QT_TRANSLATE_NOOP("Actions", "&Run panel"),                     "F7",           true,  true,  true},
    {"showCell",      "&View", QT_TRANSLATE_NOOP("Actions", "C&ell panel"),                    "F8",           true,  true,  false},
    {"showDrift",     "&View", QT_TRANSLATE_NOOP("Actions", "&Logit drift"),                   "",             true,  true,  false},
    {"showChart",     "&View", QT_TRANSLATE_NOOP("Actions", "Margin c&hart"),                  "",             true,  true,  false},
    {"showTokens",    "&View", QT_TRANSLATE_NOOP("Actions", "&Tokens"),                        "",             true,  true,  false},
    {"themeSystem",   "&View", QT_TRANSLATE_NOOP("Actions", "Colours of the &system"),         "",             true,  true,  true},
    {"themeLight",    "&View", QT_TRANSLATE_NOOP("Actions", "Li&ght"),                         "",             true,  true,  false},
    {"themeDark",     "&View", QT_TRANSLATE_NOOP("Actions", "Dar&k"),                          "",             true,  true,  false},
    {"language",      "&View", QT_TRANSLATE_NOOP("Actions", "Lan&guage…"),                     "",             true,  false, true},

    {"palette",       "&Help", QT_TRANSLATE_NOOP("Actions", "&Command palette"),               "Ctrl+Shift+P", true,  false, false},
    {"help",          "&Help", QT_TRANSLATE_NOOP("Actions", "&Help on this panel"),            "F1",           true,  false, true},
    {"keyboard",      "&Help", QT_TRANSLATE_NOOP("Actions", "&Keyboard"),                      "",             true,  false, false},
    {"about",         "&Help", QT_TRANSLATE_NOOP("Actions", "&About Ulpscope"),                "",             true,  false, true},
};
// clang-format on

QString say(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

} // namespace

const std::vector<ActionSpec>& actionSpecs()
{
    return kSpecs;
}

const std::vector<const char*>& menuTitles()
{
    static const std::vector<const char*> titles = {
        QT_TRANSLATE_NOOP("Actions", "&File"), QT_TRANSLATE_NOOP("Actions", "&Edit"),
        QT_TRANSLATE_NOOP("Actions", "&Run"),  QT_TRANSLATE_NOOP("Actions", "&Go"),
        QT_TRANSLATE_NOOP("Actions", "&View"), QT_TRANSLATE_NOOP("Actions", "&Help")};
    return titles;
}

Actions::Actions(QWidget* window) : QObject(window)
{
    for (const ActionSpec& spec : kSpecs) {
        auto* action = new QAction(say(spec.text), this);
        action->setObjectName(QLatin1String(spec.id));
        action->setCheckable(spec.checkable);
        const QString keys = QLatin1String(spec.shortcut);
        if (spec.windowKey && !keys.isEmpty()) {
            action->setShortcut(QKeySequence::fromString(keys, QKeySequence::PortableText));
        } else if (!keys.isEmpty()) {
            action->setText(action->text() + QLatin1Char('\t') + keyText(spec));
        }
        window->addAction(action);
        m_actions[spec.id] = action;
    }
}

QAction* Actions::get(const char* id) const
{
    return m_actions.at(id);
}

void Actions::on(const char* id, std::function<void()> handler)
{
    connect(get(id), &QAction::triggered, this,
            [handler = std::move(handler)](bool) { handler(); });
}

void Actions::onToggled(const char* id, std::function<void(bool)> handler)
{
    connect(get(id), &QAction::toggled, this, std::move(handler));
}

void Actions::setEnabled(std::initializer_list<const char*> ids, bool enabled)
{
    for (const char* id : ids) {
        get(id)->setEnabled(enabled);
    }
}

void Actions::fillMenuBar(QMenuBar* bar)
{
    for (const char* title : menuTitles()) {
        QMenu* menu = bar->addMenu(say(title));
        menu->setObjectName(QLatin1String(title));
        m_menus[title] = menu;
        for (const ActionSpec& spec : kSpecs) {
            if (std::string_view(spec.menu) != title) {
                continue;
            }
            if (spec.separatorBefore) {
                menu->addSeparator();
            }
            menu->addAction(get(spec.id));
        }
    }
}

QMenu* Actions::menu(const char* title) const
{
    return m_menus.at(title);
}

QString Actions::keyText(const ActionSpec& spec)
{
    return QKeySequence::fromString(QLatin1String(spec.shortcut), QKeySequence::PortableText)
        .toString(QKeySequence::NativeText);
}

QString Actions::titleText(const ActionSpec& spec)
{
    QString text = say(spec.text);
    // Chinese menus carry their mnemonic in brackets behind the text.
    const auto bracket = text.indexOf(QStringLiteral("(&"));
    if (bracket >= 0) {
        text.remove(bracket, 4);
    }
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString Actions::keyboardTable()
{
    QString table = QStringLiteral("| %1 | %2 |\n|---|---|\n")
                        .arg(QCoreApplication::translate("Actions", "Key"),
                             QCoreApplication::translate("Actions", "What it does"));
    for (const ActionSpec& spec : kSpecs) {
        if (*spec.shortcut != '\0') {
            table += QStringLiteral("| `%1` | %2 |\n").arg(keyText(spec), titleText(spec));
        }
    }
    return table;
}

} // namespace ulp::gui
