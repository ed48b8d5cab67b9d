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
#define T(text) QT_TRANSLATE_NOOP("Actions", text)
const std::vector<ActionSpec> kSpecs = {
    {"open",          T("&File"), T("&Open…"),                         "Ctrl+O",       true,  false, false},
    {"recent",        T("&File"), T("Open &recent…"),                  "Ctrl+R",       true,  false, false},
    {"demo",          T("&File"), T("&Built-in model"),                "",             true,  false, false},
    {"save",          T("&File"), T("&Save trace…"),                   "Ctrl+S",       true,  false, true},
    {"export",        T("&File"), T("&Export report…"),                "Ctrl+E",       true,  false, false},
    {"closeSession",  T("&File"), T("&Close session"),                 "Ctrl+W",       true,  false, true},
    {"start",         T("&File"), T("Start &page"),                    "",             true,  false, false},
    {"quit",          T("&File"), T("&Quit"),                          "Ctrl+Q",       true,  false, true},

    {"copyText",      T("&Edit"), T("Copy cell as &text"),             "Ctrl+Shift+C", true,  false, false},
    {"copyJson",      T("&Edit"), T("Copy cell as &JSON"),             "",             true,  false, false},
    {"copyCommand",   T("&Edit"), T("Copy &command line"),             "",             true,  false, false},
    {"copyVerdict",   T("&Edit"), T("Copy &verdict"),                  "",             true,  false, false},
    {"filter",        T("&Edit"), T("&Filter"),                        "Ctrl+F",       true,  false, true},
    {"popFilter",     T("&Edit"), T("Take the last filter &away"),     "",             true,  false, false},

    {"run",           T("&Run"),  T("&Run"),                           "F5",           true,  false, false},
    {"stop",          T("&Run"),  T("&Stop, or clear the filter"),     "Esc",          true,  false, false},
    {"togglePolicy",  T("&Run"),  T("&Toggle atomic and ordered"),     "T",            true,  false, true},
    {"reference",     T("&Run"),  T("Make the cursor's run the &reference"), "R",      true,  false, false},
    {"hideRun",       T("&Run"),  T("&Hide or show the cursor's run"), "H",            true,  false, false},
    {"editPrompt",    T("&Run"),  T("Edit the &prompt"),               "Ctrl+L",       true,  false, false},

    {"next",          T("&Go"),   T("&Next divergence"),               "N",            true,  false, false},
    {"previous",      T("&Go"),   T("&Previous divergence"),           "Shift+N",      true,  false, false},
    {"nextOrigin",    T("&Go"),   T("Next &origin"),                   "O",            true,  false, false},
    {"previousOrigin",T("&Go"),   T("Previous o&rigin"),               "Shift+O",      true,  false, false},
    {"goto",          T("&Go"),   T("&Go to step or op…"),             "G",            true,  false, true},
    {"back",          T("&Go"),   T("&Back"),                          "Alt+Left",     true,  false, true},
    {"forward",       T("&Go"),   T("&Forward"),                       "Alt+Right",    true,  false, false},
    {"left",          T("&Go"),   T("Step before"),                    "Left",         false, false, true},
    {"right",         T("&Go"),   T("Step after"),                     "Right",        false, false, false},
    {"up",            T("&Go"),   T("Row above"),                      "Up",           false, false, false},
    {"down",          T("&Go"),   T("Row below"),                      "Down",         false, false, false},
    {"leftDifferent", T("&Go"),   T("Different cell to the left"),     "Ctrl+Left",    false, false, false},
    {"rightDifferent",T("&Go"),   T("Different cell to the right"),    "Ctrl+Right",   false, false, false},
    {"upDifferent",   T("&Go"),   T("Different cell above"),           "Ctrl+Up",      false, false, false},
    {"downDifferent", T("&Go"),   T("Different cell below"),           "Ctrl+Down",    false, false, false},
    {"pageUp",        T("&Go"),   T("Page up"),                        "PgUp",         false, false, false},
    {"pageDown",      T("&Go"),   T("Page down"),                      "PgDown",       false, false, false},
    {"home",          T("&Go"),   T("First step"),                     "Home",         false, false, false},
    {"end",           T("&Go"),   T("Last step"),                      "End",          false, false, false},

    {"zoomIn",        T("&View"), T("Zoom &in"),                       "+",            true,  false, false},
    {"zoomOut",       T("&View"), T("Zoom &out"),                      "-",            true,  false, false},
    {"fit",           T("&View"), T("&Fit"),                           "0",            true,  false, false},
    {"colour",        T("&View"), T("&Colour by class or magnitude"),  "C",            true,  false, false},
    {"fold",          T("&View"), T("Fol&d the layer"),                "F",            true,  false, true},
    {"foldAll",       T("&View"), T("Fold &all layers"),               "Shift+F",      true,  false, false},
    {"unfoldAll",     T("&View"), T("&Unfold all layers"),             "Ctrl+Shift+F", true,  false, false},
    {"foldPrefill",   T("&View"), T("Fold the &prompt"),               "P",            true,  false, false},
    {"compare",       T("&View"), T("Compare &with…"),                 "Ctrl+D",       true,  false, true},
    {"sessions",      T("&View"), T("&Sessions…"),                     "Ctrl+Tab",     true,  false, false},
    {"showRun",       T("&View"), T("&Run panel"),                     "F7",           true,  true,  true},
    {"showCell",      T("&View"), T("C&ell panel"),                    "F8",           true,  true,  false},
    {"showDrift",     T("&View"), T("&Logit drift"),                   "",             true,  true,  false},
    {"showChart",     T("&View"), T("Margin c&hart"),                  "",             true,  true,  false},
    {"showTokens",    T("&View"), T("&Tokens"),                        "",             true,  true,  false},
    {"themeSystem",   T("&View"), T("Colours of the &system"),         "",             true,  true,  true},
    {"themeLight",    T("&View"), T("Li&ght"),                         "",             true,  true,  false},
    {"themeDark",     T("&View"), T("Dar&k"),                          "",             true,  true,  false},
    {"language",      T("&View"), T("Lan&guage…"),                     "",             true,  false, true},

    {"palette",       T("&Help"), T("&Command palette"),               "Ctrl+Shift+P", true,  false, false},
    {"help",          T("&Help"), T("&Help on this panel"),            "F1",           true,  false, true},
    {"keyboard",      T("&Help"), T("&Keyboard"),                      "",             true,  false, false},
    {"about",         T("&Help"), T("&About Ulpscope"),                "",             true,  false, true},
};
#undef T
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
    static const std::vector<const char*> titles = {"&File", "&Edit", "&Run",
                                                    "&Go",   "&View", "&Help"};
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
