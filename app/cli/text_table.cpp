// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"

#include <algorithm>

#include "engine/audit/format.h"

namespace ulp::cli {

TextTable::TextTable(std::vector<std::string> headings) : m_headed(!headings.empty())
{
    for (auto& heading : headings) {
        m_right.push_back(heading.starts_with('#'));
        if (m_right.back()) {
            heading.erase(0, 1);
        }
    }
    if (m_headed) {
        m_rows.push_back(std::move(headings));
    }
}

void TextTable::row(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], audit::codePoints(row[i]));
        }
    }
    std::string out;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - audit::codePoints(row[i]), ' ');
            const bool right = i < m_right.size() && m_right[i];
            line += (i == 0 ? "" : "  ") + (right ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

} // namespace ulp::cli
