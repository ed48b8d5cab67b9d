// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every command of the inspector, once: the menus, the command palette and the keyboard page of the
// help are made from this one list. Thread-safety: GUI thread. Ownership: actions belong to the
// Actions object.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include <QAction>
#include <QObject>
#include <QString>

class QMenu;
class QMenuBar;
class QWidget;

namespace ulp::gui {

struct ActionSpec {
    const char* id;
    const char* menu; // English title of its menu; translated when shown
    const char* text;
    const char* shortcut; // portable text, "" for none
    /// True: a key of the whole window. False: a key of the map alone (arrows and the like), shown
    /// in the menu but handled by the map, so that it works in text fields as usual there.
    bool windowKey;
    bool checkable;
    bool separatorBefore;
};
[[nodiscard]] const std::vector<ActionSpec>& actionSpecs();
/// Menu titles in the order of the menu bar.
[[nodiscard]] const std::vector<const char*>& menuTitles();

class Actions : public QObject {
    Q_OBJECT

  public:
    explicit Actions(QWidget* window);

    [[nodiscard]] QAction* get(const char* id) const;
    void on(const char* id, std::function<void()> handler);
    /// For checkable actions.
    void onToggled(const char* id, std::function<void(bool)> handler);
    void setEnabled(std::initializer_list<const char*> ids, bool enabled);

    void fillMenuBar(QMenuBar* bar);
    [[nodiscard]] QMenu* menu(const char* title) const;
    /// Shown beside an action: its keys in the platform's words.
    [[nodiscard]] static QString keyText(const ActionSpec& spec);
    [[nodiscard]] static QString titleText(const ActionSpec& spec); // without & and …
    /// The table of the help's keyboard page, in Markdown.
    [[nodiscard]] static QString keyboardTable();

  private:
    std::map<std::string, QAction*> m_actions;
    std::map<std::string, QMenu*> m_menus;
};

} // namespace ulp::gui
