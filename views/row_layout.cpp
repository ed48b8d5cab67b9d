// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/row_layout.h"

#include <algorithm>

#include <QCoreApplication>

namespace ulp::views {
namespace {
struct Text {
    Q_DECLARE_TR_FUNCTIONS(RowLayout)
};
} // namespace

bool RowLayout::setOps(const std::vector<OpInfo>& ops)
{
    if (ops == m_ops) {
        return false;
    }
    m_ops = ops;
    m_visible.clear();
    m_groups.clear();
    m_groupOfOp.assign(m_ops.size(), -1);
    int previousLayer = -1;
    for (int op = 0; op < static_cast<int>(m_ops.size()); ++op) {
        const int layer = m_ops[static_cast<std::size_t>(op)].layer;
        if (layer >= 0) {
            if (layer != previousLayer) {
                m_groups.push_back({layer, {op, op}, true});
            }
            m_groups.back().ops.last = op;
            m_groupOfOp[static_cast<std::size_t>(op)] = groupCount() - 1;
        }
        previousLayer = layer;
    }
    rebuild();
    return true;
}

void RowLayout::setVisible(std::vector<bool> visible)
{
    if (visible != m_visible) {
        m_visible = std::move(visible);
        rebuild();
    }
}

std::span<const OpRange> RowLayout::ranges(int row) const
{
    const RangeSlice slice = m_slices[static_cast<std::size_t>(row)];
    return std::span(m_ranges).subspan(slice.begin, slice.end - slice.begin);
}

bool RowLayout::contains(int row, int op) const
{
    return std::ranges::any_of(
        ranges(row), [op](const OpRange& range) { return range.first <= op && op <= range.last; });
}

QString RowLayout::label(int row) const
{
    const LayoutRow& r = m_rows[static_cast<std::size_t>(row)];
    if (r.kind == LayoutRow::Kind::Group) {
        return Text::tr("layer %1").arg(m_groups[static_cast<std::size_t>(r.group)].layer);
    }
    return QString::fromStdString(m_ops[static_cast<std::size_t>(r.op)].name);
}

int RowLayout::groupOfOp(int op) const
{
    return op >= 0 && op < static_cast<int>(m_groupOfOp.size())
               ? m_groupOfOp[static_cast<std::size_t>(op)]
               : -1;
}

bool RowLayout::folded(int group) const
{
    return group >= 0 && group < groupCount() && m_groups[static_cast<std::size_t>(group)].folded;
}

void RowLayout::setFolded(int group, bool folded)
{
    if (group >= 0 && group < groupCount() &&
        m_groups[static_cast<std::size_t>(group)].folded != folded) {
        m_groups[static_cast<std::size_t>(group)].folded = folded;
        rebuild();
    }
}

void RowLayout::foldAll(bool folded)
{
    for (Group& group : m_groups) {
        group.folded = folded;
    }
    rebuild();
}

bool RowLayout::anyFolded() const
{
    return std::ranges::any_of(m_groups, [](const Group& group) { return group.folded; });
}

std::optional<int> RowLayout::rowOfOp(int op) const
{
    if (op < 0 || op >= static_cast<int>(m_rowOfOp.size()) ||
        m_rowOfOp[static_cast<std::size_t>(op)] < 0) {
        return std::nullopt;
    }
    return m_rowOfOp[static_cast<std::size_t>(op)];
}

void RowLayout::rebuild()
{
    m_rows.clear();
    m_ranges.clear();
    m_slices.clear();
    m_rowOfOp.assign(m_ops.size(), -1);
    const auto addRow = [this](LayoutRow row, OpRange ops) {
        const std::size_t begin = m_ranges.size();
        appendRanges(ops);
        if (m_ranges.size() > begin) { // else a filter hides all of it
            row.op = m_ranges[begin].first;
            m_rows.push_back(row);
            m_slices.push_back({begin, m_ranges.size()});
            for (std::size_t i = begin; i < m_ranges.size(); ++i) {
                for (int op = m_ranges[i].first; op <= m_ranges[i].last; ++op) {
                    m_rowOfOp[static_cast<std::size_t>(op)] = rowCount() - 1;
                }
            }
        }
    };
    int heading = -1;
    for (int op = 0; op < static_cast<int>(m_ops.size()); ++op) {
        const int group = m_groupOfOp[static_cast<std::size_t>(op)];
        if (group >= 0 && group != heading) {
            heading = group;
            addRow({LayoutRow::Kind::Group, false, group, op},
                   m_groups[static_cast<std::size_t>(group)].ops);
        }
        if (group < 0 || !m_groups[static_cast<std::size_t>(group)].folded) {
            addRow({LayoutRow::Kind::Op, group >= 0, group, op}, {op, op});
        }
    }
}

void RowLayout::appendRanges(OpRange ops)
{
    bool open = false;
    for (int op = ops.first; op <= ops.last; ++op) {
        if (!visible(op)) {
            open = false;
        } else if (open) {
            m_ranges.back().last = op;
        } else {
            m_ranges.push_back({op, op});
            open = true;
        }
    }
}

bool RowLayout::visible(int op) const
{
    return m_visible.empty() || (static_cast<std::size_t>(op) < m_visible.size() &&
                                 m_visible[static_cast<std::size_t>(op)]);
}

} // namespace ulp::views
