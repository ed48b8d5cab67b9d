// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Aligned columns of text for a terminal. Thread-safety: one thread at a time. Ownership: owns its
// rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ulp::cli {

class TextTable {
  public:
    /// Headings; one that begins with '#' is right-aligned. An empty list: no heading line, and
    /// columns as wide as the rows need.
    explicit TextTable(std::vector<std::string> headings);
    void row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return m_rows.size() == (m_headed ? 1U : 0U); }
    [[nodiscard]] std::string text() const;

  private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;
    bool m_headed;
};

} // namespace ulp::cli
