// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_tokens.h"

#include <algorithm>
#include <vector>

#include "engine/audit/format.h"
#include "engine/audit/outputs.h"
#include "engine/compare/near_tie.h"

namespace ulp::audit::html {
namespace {

using compare::Comparison;

constexpr std::size_t kMaximumOutputs = 12;
constexpr std::size_t kMaximumSteps = 600;
constexpr std::size_t kLineWidth = 104; // characters to a line of tokens

/// Steps of the reference run at which another token was in reach.
std::vector<bool> nearTies(const Comparison& comparison)
{
    const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(comparison.reference())];
    const double drift = compare::largestDrift(comparison);
    std::vector<bool> ties;
    for (const trace::Column& column : run.columns()) {
        if (column.chosen >= 0) {
            ties.push_back(column.top.size() > 1 && compare::isNearTie(column.margin, drift));
        }
    }
    return ties;
}

class TokenTable {
  public:
    explicit TokenTable(const Comparison& comparison)
        : m_comparison(comparison), m_outputs(distinctOutputs(comparison)),
          m_ties(nearTies(comparison)), m_shown(std::min(m_outputs.size(), kMaximumOutputs))
    {
        for (std::size_t i = 0; i < m_shown; ++i) {
            m_steps = std::max(m_steps, m_outputs[i].tokens.size());
        }
        m_total = m_steps;
        m_steps = std::min(m_steps, kMaximumSteps);
        for (std::size_t i = 1; i < m_outputs.size(); ++i) {
            m_referenceFlip = std::min(m_referenceFlip, m_outputs[i].firstFlip);
        }
    }

    std::string html()
    {
        std::string out = "<div class=\"tokens\">";
        for (std::size_t from = 0; from < m_steps;) {
            const std::size_t to = lineEnd(from);
            out += block(from, to);
            from = to;
        }
        out += "</div>";
        if (m_shown < m_outputs.size()) {
            out += "<p class=\"more\">First " + std::to_string(m_shown) + " of " +
                   formatCount(static_cast<std::int64_t>(m_outputs.size())) +
                   " distinct outputs; all in the JSON report.</p>";
        }
        if (m_steps < m_total) {
            out += "<p class=\"more\">First " + std::to_string(m_steps) + " of " +
                   formatCount(static_cast<std::int64_t>(m_total)) +
                   " tokens; all in the JSON report.</p>";
        }
        return out;
    }

  private:
    [[nodiscard]] std::string pieceAt(const Output& output, std::size_t step) const
    {
        return step < output.tokens.size()
                   ? visibleText(m_comparison.snapshot().pieceOf(output.tokens[step]))
                   : std::string();
    }

    [[nodiscard]] std::size_t lineEnd(std::size_t from) const
    {
        std::size_t width = 0;
        std::size_t step = from;
        for (; step < m_steps; ++step) {
            std::size_t widest = 1;
            for (std::size_t i = 0; i < m_shown; ++i) {
                widest = std::max(widest, codePoints(pieceAt(m_outputs[i], step)));
            }
            if (step > from && width + widest > kLineWidth) {
                break;
            }
            width += widest;
        }
        return step;
    }

    [[nodiscard]] std::string block(std::size_t from, std::size_t to) const
    {
        std::string out = "<table>";
        for (std::size_t i = 0; i < m_shown; ++i) {
            const auto& output = m_outputs[i];
            out +=
                "<tr><td class=\"who\">" +
                htmlEscape((output.runs.size() == 1 ? "run " : "runs ") + formatRuns(output.runs)) +
                "</td>";
            for (std::size_t step = from; step < to; ++step) {
                out += "<td>" + token(output, step, i == 0) + "</td>";
            }
            out += "</tr>";
        }
        return out + "</table>";
    }

    [[nodiscard]] std::string token(const Output& output, std::size_t step, bool reference) const
    {
        if (step >= output.tokens.size()) {
            return {};
        }
        const std::size_t flip = reference ? m_referenceFlip : output.firstFlip;
        std::string classes;
        if (m_outputs.size() > 1 && step == flip) {
            classes = "flipped";
        } else if (!reference && step > flip) {
            classes = "after";
        }
        if (step < m_ties.size() && m_ties[step] && (reference || step <= flip)) {
            classes += classes.empty() ? "tie" : " tie";
        }
        return "<span title=\"step " + std::to_string(step) + ", token " +
               std::to_string(output.tokens[step]) + "\"" +
               (classes.empty() ? "" : " class=\"" + classes + "\"") + ">" +
               htmlEscape(pieceAt(output, step)) + "</span>";
    }

    const Comparison& m_comparison;
    std::vector<Output> m_outputs;
    std::vector<bool> m_ties;
    std::size_t m_shown;
    std::size_t m_steps = 0;
    std::size_t m_total = 0;
    std::size_t m_referenceFlip = static_cast<std::size_t>(-1);
};

} // namespace

std::string tokenLines(const Comparison& comparison)
{
    return comparison.runs().empty() ? std::string() : TokenTable(comparison).html();
}

} // namespace ulp::audit::html
