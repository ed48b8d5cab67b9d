// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_table.h"

namespace ulp::audit::html {
namespace {

const char* classOf(char mark)
{
    switch (mark) {
    case '#':
        return "n";
    case '!':
        return "key";
    case '~':
        return "wide";
    default:
        return "";
    }
}

} // namespace

Table::Table(std::initializer_list<const char*> headings)
{
    m_html = "<div class=\"scroll\"><table><tr>";
    for (const char* heading : headings) {
        const std::string cssClass = classOf(heading[0]);
        m_classes.push_back(cssClass);
        m_html += "<th" + (cssClass == "n" ? std::string(" class=\"n\"") : std::string()) + ">" +
                  htmlEscape(cssClass.empty() ? heading : heading + 1) + "</th>";
    }
    m_html += "</tr>";
}

void Table::row(const std::vector<Cell>& cells, const char* cssClass)
{
    ++m_rows;
    m_html +=
        *cssClass == '\0' ? std::string("<tr>") : "<tr class=\"" + std::string(cssClass) + "\">";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string& own = m_classes[i];
        m_html += (own.empty() ? std::string("<td>") : "<td class=\"" + own + "\">") +
                  cells[i].html + "</td>";
    }
    m_html += "</tr>\n";
}

std::string cappedNote(std::int64_t shown, std::int64_t total)
{
    if (shown >= total) {
        return {};
    }
    return "<p class=\"more\">First " + formatCount(shown) + " of " + formatCount(total) +
           " rows; all in the JSON report.</p>";
}

} // namespace ulp::audit::html
