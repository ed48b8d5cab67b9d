// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one global cursor (run, op, column) that every view follows and every view can move, with a
// back and forward history. Jumps are remembered one by one; a walk with the arrow keys is
// remembered as one place. Thread-safety: GUI thread only. Ownership: the main window owns it,
// views keep a plain pointer.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>

namespace ulp::views {

/// run is an index into snapshot.runs, op into snapshot.ops; column as in compare::Comparison.
struct CellCursor {
    int run = 0;
    int op = 0;
    std::int64_t column = 0;
    bool operator==(const CellCursor&) const = default;
};

class CursorModel : public QObject {
    Q_OBJECT
  public:
    enum class Move {
        Jump, // a place of its own in the history
        Step, // part of a walk: consecutive steps share one place
        Sync, // not remembered, e.g. clamping after new data
    };

    explicit CursorModel(QObject* parent = nullptr);

    [[nodiscard]] const CellCursor& cursor() const { return m_cursor; }
    [[nodiscard]] bool canGoBack() const { return m_index > 0; }
    [[nodiscard]] bool canGoForward() const { return m_index + 1 < m_history.size(); }

    /// What exists: the cursor is clamped to it now and on every move. Zero counts are taken as
    /// one, so that there is always a cursor.
    void setBounds(int runs, int ops, std::int64_t columns);
    [[nodiscard]] int runCount() const { return m_runs; }
    [[nodiscard]] int opCount() const { return m_ops; }
    [[nodiscard]] std::int64_t columnCount() const { return m_columns; }

    void moveTo(CellCursor to, Move move = Move::Jump);
    /// Forgets the history and goes to `to`: a new session.
    void reset(CellCursor to = {});

  public slots:
    void back();
    void forward();

  signals:
    void cursorChanged(const ulp::views::CellCursor& cursor);
    void historyChanged(bool canGoBack, bool canGoForward);

  private:
    [[nodiscard]] CellCursor clamped(CellCursor c) const;
    void show(CellCursor to);

    CellCursor m_cursor;
    std::vector<CellCursor> m_history; // never empty; m_history[m_index] is where we are
    std::size_t m_index = 0;
    bool m_walking = false;
    int m_runs = 1;
    int m_ops = 1;
    std::int64_t m_columns = 1;
};

} // namespace ulp::views
