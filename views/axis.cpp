// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/axis.h"

#include <algorithm>
#include <cmath>

namespace ulp::views {
namespace {

constexpr double kSmallestSpan = 4.0; // slots; closer is no longer a map

/// The columns that the session will have when its runs are through.
std::int64_t expectedColumns(const compare::Comparison& comparison)
{
    std::int64_t columns = comparison.columns();
    for (const int index : comparison.runs()) {
        const auto& run = comparison.snapshot().runs[static_cast<std::size_t>(index)];
        if (run->status == trace::RunStatus::Running) {
            columns = std::max<std::int64_t>(columns, run->promptTokens - 1 + run->settings.steps);
        }
    }
    return columns;
}

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`.
std::int64_t roundStep(double least)
{
    std::int64_t decade = 1;
    for (;;) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (static_cast<double>(decade * factor) >= least) {
                return decade * factor;
            }
        }
        decade *= 10;
    }
}

} // namespace

StepAxis::StepAxis(QObject* parent) : QObject(parent) {}

void StepAxis::setComparisons(const std::vector<compare::ComparisonPtr>& comparisons)
{
    std::int64_t prefill = 0;
    std::int64_t steps = 0;
    for (const auto& comparison : comparisons) {
        if (comparison != nullptr) {
            const std::int64_t before = std::max<std::int64_t>(comparison->promptTokens() - 1, 0);
            prefill = std::max(prefill, before);
            steps = std::max(steps, expectedColumns(*comparison) - before);
        }
    }
    setExtent(prefill, std::max<std::int64_t>(steps, 0));
}

void StepAxis::setExtent(std::int64_t prefill, std::int64_t steps)
{
    if (prefill == m_prefill && steps == m_steps) {
        return;
    }
    const std::int64_t oldPrefill = prefillSlots();
    m_prefill = prefill;
    m_steps = steps;
    emit layoutChanged();
    if (m_fitted) {
        fit();
    } else { // what was visible stays visible
        apply(m_first + static_cast<double>(prefillSlots() - oldPrefill), m_span);
    }
}

void StepAxis::setPrefillFolded(bool folded)
{
    if (folded == m_folded) {
        return;
    }
    const std::int64_t before = prefillSlots();
    m_folded = folded;
    emit layoutChanged();
    if (m_fitted) {
        fit();
    } else {
        apply(m_first + static_cast<double>(prefillSlots() - before), m_span);
    }
}

std::int64_t StepAxis::slotOfStep(std::int64_t step) const
{
    if (step < 0 && prefillSlots() < m_prefill) {
        return 0;
    }
    return std::clamp<std::int64_t>(step + prefillSlots(), 0,
                                    std::max<std::int64_t>(slotCount() - 1, 0));
}

std::pair<std::int64_t, std::int64_t> StepAxis::stepsOfSlot(std::int64_t slot) const
{
    if (slot == 0 && prefillSlots() < m_prefill) {
        return {-m_prefill, -1};
    }
    const std::int64_t step = slot - prefillSlots();
    return {step, step};
}

void StepAxis::zoomAt(double anchor, double factor)
{
    const double all = std::max<double>(static_cast<double>(slotCount()), 1.0);
    const double span = std::clamp(m_span / factor, std::min(kSmallestSpan, all), all);
    const double share = (anchor - m_first) / m_span;
    m_fitted = span >= all;
    apply(anchor - share * span, span);
}

void StepAxis::panBy(double bySlots)
{
    apply(m_first + bySlots, m_span);
}

void StepAxis::setWindow(double first, double span)
{
    m_fitted = span >= static_cast<double>(slotCount());
    apply(first, span);
}

void StepAxis::fit()
{
    m_fitted = true;
    apply(0.0, static_cast<double>(slotCount()));
}

void StepAxis::reveal(std::int64_t step)
{
    const auto slot = static_cast<double>(slotOfStep(step));
    if (slot < m_first) {
        apply(slot, m_span);
    } else if (slot + 1.0 > m_first + m_span) {
        apply(slot + 1.0 - m_span, m_span);
    }
}

void StepAxis::setMargins(int left, int right)
{
    if (left != m_leftMargin || right != m_rightMargin) {
        m_leftMargin = left;
        m_rightMargin = right;
        emit windowChanged();
    }
}

AxisMap StepAxis::map(int viewWidth) const
{
    AxisMap map;
    map.left = m_leftMargin;
    map.width = std::max(viewWidth - m_leftMargin - m_rightMargin, 1);
    map.first = m_first;
    map.pixelsPerSlot = map.width / m_span;
    return map;
}

std::vector<AxisTick> StepAxis::ticks(const AxisMap& map, double gap) const
{
    std::vector<AxisTick> ticks;
    if (slotCount() == 0) {
        return ticks;
    }
    const std::int64_t every = roundStep(gap / map.pixelsPerSlot);
    const auto shift = static_cast<double>(prefillSlots());
    const double lowest = prefillSlots() < m_prefill ? 0.0 : static_cast<double>(-m_prefill);
    const double from = std::max(map.first - shift, lowest);
    const double to = std::min(map.first + m_span - shift, static_cast<double>(m_steps));
    const auto begin = static_cast<std::int64_t>(std::ceil(from / static_cast<double>(every)));
    for (std::int64_t step = begin * every; static_cast<double>(step) < to; step += every) {
        const QString label =
            step < 0 ? QChar(0x2212) + QString::number(-step) : QString::number(step);
        ticks.push_back({static_cast<double>(step) + shift, step, label});
    }
    return ticks;
}

void StepAxis::apply(double first, double span)
{
    const double all = std::max<double>(static_cast<double>(slotCount()), 1.0);
    m_span = std::clamp(span, std::min(kSmallestSpan, all), all);
    m_first = std::clamp(first, 0.0, all - m_span);
    emit windowChanged();
}

} // namespace ulp::views
