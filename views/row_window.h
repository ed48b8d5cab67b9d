// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which rows of a map are visible, and how high they are: the vertical counterpart of StepAxis for
// one view. Rows never grow beyond a height at which they stop being a map; when there are few,
// they start at the top and leave the rest empty. Thread-safety: plain value. Ownership: by value.
#pragma once

#include <algorithm>

namespace ulp::views {

class RowWindow {
  public:
    static constexpr double kTallest = 26.0; // logical pixels

    /// Keeps what is visible, or everything visible if everything was.
    void resize(int rows, double height)
    {
        m_rows = std::max(rows, 0);
        m_height = std::max(height, 1.0);
        setWindow(m_first, m_fitted ? static_cast<double>(m_rows) : m_span);
    }

    [[nodiscard]] int rows() const { return m_rows; }
    [[nodiscard]] double first() const { return m_first; }
    [[nodiscard]] double span() const { return m_span; }
    [[nodiscard]] bool fitted() const { return m_fitted; }
    [[nodiscard]] double rowHeight() const { return m_height / m_span; }
    /// Of a row's upper edge, from the plot's top.
    [[nodiscard]] double y(double row) const { return (row - m_first) * rowHeight(); }
    [[nodiscard]] double rowAt(double y) const { return m_first + y / rowHeight(); }

    void fit()
    {
        m_fitted = true;
        setWindow(0.0, m_rows);
    }
    void zoomAt(double anchorRow, double factor)
    {
        const double share = (anchorRow - m_first) / m_span;
        const double span = std::clamp(m_span / factor, smallest(), largest());
        m_fitted = span >= m_rows;
        setWindow(anchorRow - share * span, span);
    }
    void panBy(double rows) { setWindow(m_first + rows, m_span); }
    void show(double first, double span)
    {
        m_fitted = span >= m_rows;
        setWindow(first, span);
    }
    void reveal(int row)
    {
        if (row < m_first) {
            setWindow(row, m_span);
        } else if (row + 1 > m_first + m_span) {
            setWindow(row + 1 - m_span, m_span);
        }
    }

  private:
    [[nodiscard]] double smallest() const { return m_height / kTallest; }
    [[nodiscard]] double largest() const { return std::max<double>(m_rows, smallest()); }
    void setWindow(double first, double span)
    {
        m_span = std::clamp(span, smallest(), largest());
        m_first = std::clamp(first, 0.0, std::max(m_rows - m_span, 0.0));
    }

    int m_rows = 0;
    double m_height = 1.0;
    double m_first = 0.0;
    double m_span = 1.0;
    bool m_fitted = true;
};

} // namespace ulp::views
