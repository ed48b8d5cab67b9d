// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes one HTML table. Thread-safety: one thread at a time. Ownership: owns its text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/audit/format.h"

namespace ulp::audit::html {

/// A cell's content, escaped when made from text.
struct Cell {
    std::string html;
    Cell(const std::string& text) : html(htmlEscape(text)) {}
    Cell(const char* text) : html(htmlEscape(text)) {}
    Cell(std::int64_t count) : html(formatCount(count)) {}
    static Cell raw(std::string html)
    {
        Cell cell("");
        cell.html = std::move(html);
        return cell;
    }
    static Cell code(const std::string& text)
    {
        return raw("<code>" + htmlEscape(text) + "</code>");
    }
};

class Table {
  public:
    /// Headings; one that begins with '#' is a column of numbers, with '!' one of keys, with '~'
    /// one of long text. No headings: an empty initialiser with `columns` given by marks alone.
    explicit Table(std::initializer_list<const char*> headings);
    void row(const std::vector<Cell>& cells, const char* cssClass = "");
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::string html() const { return m_html + "</table></div>"; }

  private:
    std::string m_html;
    std::vector<std::string> m_classes;
    std::int64_t m_rows = 0;
};

/// "First 200 of 4,812 rows; all in the JSON report", or nothing when all are shown.
[[nodiscard]] std::string cappedNote(std::int64_t shown, std::int64_t total);

} // namespace ulp::audit::html
