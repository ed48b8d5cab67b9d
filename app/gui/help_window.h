// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The help: Markdown pages from the program's resources, the keyboard page made from the list of
// actions. Widgets name their page in the property "helpTopic". Thread-safety: GUI thread.
// Ownership: Qt's.
#pragma once

#include <QDialog>
#include <QStringList>

class QListWidget;
class QTextBrowser;

namespace ulp::gui {

[[nodiscard]] QStringList helpTopics();
/// The page's text; empty when there is no such page.
[[nodiscard]] QString helpPage(const QString& topic);
/// The topic of the widget or of the nearest parent that names one.
[[nodiscard]] QString helpTopicOf(const QWidget* widget);

class HelpWindow : public QDialog {
    Q_OBJECT

  public:
    explicit HelpWindow(QWidget* parent);
    void showTopic(const QString& topic);

  private:
    QListWidget* m_topics = nullptr;
    QTextBrowser* m_page = nullptr;
};

} // namespace ulp::gui
