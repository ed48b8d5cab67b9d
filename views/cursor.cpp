// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cursor.h"

#include <algorithm>

namespace ulp::views {
namespace {
constexpr std::size_t kHistoryLimit = 256;
} // namespace

CursorModel::CursorModel(QObject* parent) : QObject(parent), m_history{CellCursor{}} {}

void CursorModel::setBounds(int runs, int ops, std::int64_t columns)
{
    m_runs = std::max(runs, 1);
    m_ops = std::max(ops, 1);
    m_columns = std::max<std::int64_t>(columns, 1);
    moveTo(m_cursor, Move::Sync);
}

void CursorModel::moveTo(CellCursor to, Move move)
{
    to = clamped(to);
    if (to == m_cursor) {
        return;
    }
    if (move == Move::Jump || (move == Move::Step && !m_walking)) {
        m_history.resize(m_index + 1); // a new place ends what was ahead
        m_history.push_back(to);
        if (m_history.size() > kHistoryLimit) {
            m_history.erase(m_history.begin());
        }
        m_index = m_history.size() - 1;
    } else {
        m_history[m_index] = to;
    }
    if (move != Move::Sync) {
        m_walking = move == Move::Step;
        emit historyChanged(canGoBack(), canGoForward());
    }
    show(to);
}

void CursorModel::reset(CellCursor to)
{
    to = clamped(to);
    m_history.assign(1, to);
    m_index = 0;
    m_walking = false;
    emit historyChanged(false, false);
    show(to);
}

void CursorModel::back()
{
    if (canGoBack()) {
        --m_index;
        m_walking = false;
        emit historyChanged(canGoBack(), canGoForward());
        show(clamped(m_history[m_index]));
    }
}

void CursorModel::forward()
{
    if (canGoForward()) {
        ++m_index;
        m_walking = false;
        emit historyChanged(canGoBack(), canGoForward());
        show(clamped(m_history[m_index]));
    }
}

CellCursor CursorModel::clamped(CellCursor c) const
{
    return {std::clamp(c.run, 0, m_runs - 1), std::clamp(c.op, 0, m_ops - 1),
            std::clamp<std::int64_t>(c.column, 0, m_columns - 1)};
}

void CursorModel::show(CellCursor to)
{
    if (to != m_cursor) {
        m_cursor = to;
        emit cursorChanged(m_cursor);
    }
}

} // namespace ulp::views
