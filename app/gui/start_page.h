// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands in the window before there is a session: three big choices, the files opened last,
// and where to get a model that people run. Thread-safety: GUI thread. Ownership: Qt's; the model
// of recent files is the caller's.
#pragma once

#include <QWidget>

class QLabel;
class QListView;

namespace ulp::views {
class RecentFilesModel;
}

namespace ulp::gui {

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(views::RecentFilesModel* recent, QWidget* parent = nullptr);
    /// An error that belongs here, such as a file that did not open; empty clears it.
    void showError(const QString& message);

  signals:
    void demoRequested();
    void openModelRequested();
    void openTraceRequested();
    void fileRequested(const QString& path);

  private:
    void refreshRecent();

    views::RecentFilesModel* m_recent;
    QListView* m_list = nullptr;
    QLabel* m_recentTitle = nullptr;
    QLabel* m_error = nullptr;
};

} // namespace ulp::gui
