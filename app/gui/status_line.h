// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line at the bottom: where the cursor is, what is recorded, how far a run has come with its
// rate and the time left; at the right what the numbers stand on. Messages that belong nowhere else
// appear here and can be copied. Thread-safety: GUI thread. Ownership: Qt's.
#pragma once

#include <QStatusBar>

#include "app/gui/session.h"
#include "views/cursor.h"

class QLabel;
class QProgressBar;

namespace ulp::gui {

class StatusLine : public QStatusBar {
    Q_OBJECT

  public:
    explicit StatusLine(QWidget* parent = nullptr);
    void showCursor(const compare::Comparison* comparison, const views::CellCursor& cell);
    void showSession(const Session* session);
    void showLoading(double fraction);
    /// Stays until the next one; `wrong` paints it as an error.
    void showNote(const QString& text, bool wrong = false);
    [[nodiscard]] QString note() const;

  private:
    void showProgress(const Session& session);
    QLabel* addLabel(bool right);

    QLabel* m_cursor = nullptr;
    QLabel* m_recorded = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_progress = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_facts = nullptr;
};

} // namespace ulp::gui
