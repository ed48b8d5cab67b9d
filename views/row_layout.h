// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of a divergence map: ops in execution order, grouped by layer. A group has a heading row
// that stands for all its visible ops, so a folded group still shows its worst cell; an unfolded
// one is followed by its ops. Ops that a filter hides belong to no row.
// Thread-safety: plain value, GUI thread. Ownership: by value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <QString>

#include "engine/base/op_info.h"

namespace ulp::views {

/// Ops first..last, inclusive.
struct OpRange {
    int first = 0;
    int last = 0;
    bool operator==(const OpRange&) const = default;
};

struct LayoutRow {
    enum class Kind : std::uint8_t { Group, Op };
    Kind kind = Kind::Op;
    bool inGroup = false; // an op below its group's heading
    int group = -1;       // index of the group; -1 for ops outside the layers
    int op = 0;           // the op, or the first visible op of the group
};

class RowLayout {
  public:
    /// Keeps what is folded when the ops are the same as before. True when they were not.
    bool setOps(const std::vector<OpInfo>& ops);
    /// By op: is it shown? Empty: all are.
    void setVisible(std::vector<bool> visible);

    [[nodiscard]] const std::vector<LayoutRow>& rows() const { return m_rows; }
    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] std::span<const OpRange> ranges(int row) const;
    [[nodiscard]] bool contains(int row, int op) const;
    /// "layer 2" or the op's name.
    [[nodiscard]] QString label(int row) const;

    [[nodiscard]] int groupCount() const { return static_cast<int>(m_groups.size()); }
    [[nodiscard]] int groupOfOp(int op) const; // -1: none
    [[nodiscard]] bool folded(int group) const;
    void setFolded(int group, bool folded);
    void foldAll(bool folded);
    [[nodiscard]] bool anyFolded() const;

    /// The row that shows an op: its own, or its folded group's. Empty when a filter hides it.
    [[nodiscard]] std::optional<int> rowOfOp(int op) const;

  private:
    struct Group {
        int layer = 0;
        OpRange ops;
        bool folded = true;
    };
    struct RangeSlice {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    void rebuild();
    void appendRanges(OpRange ops);
    [[nodiscard]] bool visible(int op) const;

    std::vector<OpInfo> m_ops;
    std::vector<bool> m_visible;
    std::vector<Group> m_groups;
    std::vector<int> m_groupOfOp;
    std::vector<LayoutRow> m_rows;
    std::vector<OpRange> m_ranges;    // of all rows, back to back
    std::vector<RangeSlice> m_slices; // by row
    std::vector<int> m_rowOfOp;       // -1: hidden
};

} // namespace ulp::views
