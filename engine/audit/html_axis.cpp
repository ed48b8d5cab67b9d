// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_axis.h"

#include <algorithm>
#include <array>

#include "engine/audit/format.h"

namespace ulp::audit::html {
namespace {

constexpr std::int64_t kDrawingWidth = 960;
constexpr std::int64_t kMaximumSteps = 320;
constexpr std::int64_t kMaximumPrompt = 80;
constexpr std::int64_t kGap = 6; // between prompt and steps

} // namespace

Blocks::Blocks(std::int64_t count, std::int64_t maximum)
    : m_count(std::max<std::int64_t>(count, 0)),
      m_per(std::max<std::int64_t>(1, (m_count + maximum - 1) / maximum)),
      m_blocks((m_count + m_per - 1) / m_per)
{
}

Range Blocks::range(std::int64_t block) const
{
    return {block * m_per, std::min(m_count, (block + 1) * m_per)};
}

StepAxis::StepAxis(const compare::Comparison& comparison)
    : m_promptColumns(
          std::clamp<std::int64_t>(comparison.promptTokens() - 1, 0, comparison.columns())),
      m_prompt(m_promptColumns, kMaximumPrompt),
      m_steps(comparison.columns() - m_promptColumns, kMaximumSteps),
      m_blockWidth(std::clamp<std::int64_t>(
          kDrawingWidth / std::max<std::int64_t>(1, m_prompt.count() + m_steps.count()), 2, 14))
{
}

Range StepAxis::columns(std::int64_t block) const
{
    if (block < m_prompt.count()) {
        return m_prompt.range(block);
    }
    const Range steps = m_steps.range(block - m_prompt.count());
    return {m_promptColumns + steps.begin, m_promptColumns + steps.end};
}

std::int64_t StepAxis::blockOf(std::int64_t column) const
{
    return column < m_promptColumns ? m_prompt.blockOf(column)
                                    : m_prompt.count() + m_steps.blockOf(column - m_promptColumns);
}

std::int64_t StepAxis::x(std::int64_t block) const
{
    const bool afterGap = block >= m_prompt.count() && m_prompt.count() > 0;
    return kGutter + block * m_blockWidth + (afterGap ? kGap : 0);
}

std::int64_t StepAxis::right() const
{
    return x(blocks());
}

std::string StepAxis::ticks(const compare::Comparison& comparison, std::int64_t y) const
{
    // Labels at round steps, at least 44 pixels apart.
    const std::int64_t stepsApart = (44 / m_blockWidth + 1) * m_steps.itemsPerBlock();
    std::int64_t every = 1;
    constexpr std::array<std::int64_t, 3> kRound{2, 5, 10};
    for (std::int64_t decade = 1; every < stepsApart; decade *= 10) {
        for (const std::int64_t factor : kRound) {
            if (every < stepsApart) {
                every = decade * factor;
            }
        }
    }
    std::string svg;
    for (std::int64_t column = m_promptColumns; column < comparison.columns(); column += every) {
        const std::int64_t center = x(blockOf(column)) + m_blockWidth / 2;
        svg += svgText(center, y, formatCount(comparison.stepOf(column)), "", "middle");
    }
    if (m_prompt.count() > 0) {
        svg += svgText(x(0), y, "prompt", "", "start");
    }
    return svg;
}

std::string attribute(const char* name, std::int64_t value)
{
    return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

std::string svgText(std::int64_t x, std::int64_t y, const std::string& text, const char* cssClass,
                    const char* anchor)
{
    return "<text" + attribute("x", x) + attribute("y", y) + " class=\"" + cssClass +
           "\" text-anchor=\"" + anchor + "\">" + htmlEscape(text) + "</text>";
}

} // namespace ulp::audit::html
