// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The step axis that heatmaps, strips and charts share: which steps exist, which part of them is
// visible, and where a step lies in a view of a given width. Positions are counted in slots, one
// per column on screen: the prompt's prefill stands left of step 0, one slot a position, or folded
// into a single slot. Thread-safety: GUI thread only. Ownership: the main window owns it, views
// keep a plain pointer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/compare/comparison.h"

namespace ulp::views {

/// Slots to pixels for one view.
struct AxisMap {
    double left = 0.0;  // x of the plot's left edge
    double width = 0.0; // of the plot
    double first = 0.0; // slot at the left edge
    double pixelsPerSlot = 1.0;

    [[nodiscard]] double x(double slot) const { return left + (slot - first) * pixelsPerSlot; }
    [[nodiscard]] double slotAt(double x) const { return first + (x - left) / pixelsPerSlot; }
    [[nodiscard]] double right() const { return left + width; }
};

struct AxisTick {
    double slot = 0.0; // left edge of the step's slot
    std::int64_t step = 0;
    QString label;
};

class StepAxis : public QObject {
    Q_OBJECT
  public:
    explicit StepAxis(QObject* parent = nullptr);

    /// The axis covers all steps that any of the comparisons has or, for runs still going, will
    /// have if they are not stopped. Null pointers are skipped.
    void setComparisons(const std::vector<compare::ComparisonPtr>& comparisons);
    /// Prompt positions before step 0, and steps from 0 on.
    void setExtent(std::int64_t prefill, std::int64_t steps);

    [[nodiscard]] std::int64_t prefill() const { return m_prefill; }
    [[nodiscard]] std::int64_t steps() const { return m_steps; }
    [[nodiscard]] bool prefillFolded() const { return m_folded; }
    void setPrefillFolded(bool folded);

    /// Slots left of step 0: the prefill's, or one when folded, or none.
    [[nodiscard]] std::int64_t prefillSlots() const
    {
        return m_folded && m_prefill > 1 ? 1 : m_prefill;
    }
    [[nodiscard]] std::int64_t slotCount() const { return prefillSlots() + m_steps; }
    /// Steps before the prompt's first or after the last clamp to the ends.
    [[nodiscard]] std::int64_t slotOfStep(std::int64_t step) const;
    /// First and last step of a slot; the same unless it is the folded prefill.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> stepsOfSlot(std::int64_t slot) const;

    /// The visible window, in slots.
    [[nodiscard]] double first() const { return m_first; }
    [[nodiscard]] double span() const { return m_span; }
    [[nodiscard]] bool fitted() const { return m_fitted; }

    /// factor > 1 shows less; the slot position `anchor` stays where it is on the screen.
    void zoomAt(double anchor, double factor);
    void panBy(double bySlots);
    void setWindow(double first, double span);
    void fit();
    /// Pans by as little as shows the step's slot whole.
    void reveal(std::int64_t step);

    /// Room left and right of the plot, the same in every view, so that steps stand above each
    /// other.
    [[nodiscard]] int leftMargin() const { return m_leftMargin; }
    [[nodiscard]] int rightMargin() const { return m_rightMargin; }
    void setMargins(int left, int right);
    [[nodiscard]] AxisMap map(int viewWidth) const;

    /// Step numbers at least `gap` pixels apart, on round steps.
    [[nodiscard]] std::vector<AxisTick> ticks(const AxisMap& map, double gap) const;

  signals:
    void windowChanged(); // visible window or margins
    void layoutChanged(); // extent or folding; windowChanged follows

  private:
    void apply(double first, double span);

    std::int64_t m_prefill = 0;
    std::int64_t m_steps = 0;
    bool m_folded = true;
    bool m_fitted = true;
    double m_first = 0.0;
    double m_span = 1.0;
    int m_leftMargin = 118;
    int m_rightMargin = 14;
};

} // namespace ulp::views
