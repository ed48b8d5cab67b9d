// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cell_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ulp::views {
namespace {

constexpr double kLowestLog = -12.0;
constexpr double kHighestLog = 3.0;
constexpr double kLevels = 255.0 - magnitude::kLowest;
constexpr std::int64_t kBlock = 64; // columns transposed at a time: one cache line an op

bool sameStates(const compare::Comparison& a, const compare::Comparison& b, std::int64_t column)
{
    bool same = true;
    for (std::int64_t op = 0; op < a.ops(); ++op) {
        const compare::CellState x = a.cell(column, op);
        const compare::CellState y = b.cell(column, op);
        same &= x.classes == y.classes && x.flags == y.flags;
    }
    return same;
}

} // namespace

std::uint8_t cellBits(compare::CellState state)
{
    constexpr std::array<std::uint8_t, 4> unary{kMissing, kOneClass, kOneClass | kTwoClasses,
                                                kOneClass | kTwoClasses | kManyClasses};
    int bits = unary[std::min<std::size_t>(state.classes, 3)];
    bits |= (state.flags & compare::Origin) != 0 ? kOrigin : 0;
    bits |= (state.flags & compare::HasNonFinite) != 0 ? kNonFinite : 0;
    bits |= (state.flags & compare::Partial) != 0 ? kPartial : 0;
    return static_cast<std::uint8_t>(bits);
}

namespace magnitude {

std::uint8_t level(float relativeL2)
{
    if (std::isnan(relativeL2)) {
        return kUnknown;
    }
    if (relativeL2 <= 0.0F) {
        return 0;
    }
    const double share =
        (std::log10(static_cast<double>(relativeL2)) - kLowestLog) / (kHighestLog - kLowestLog);
    return static_cast<std::uint8_t>(kLowest + std::lround(std::clamp(share, 0.0, 1.0) * kLevels));
}

double log10OfLevel(std::uint8_t level)
{
    return kLowestLog + (kHighestLog - kLowestLog) * (level - kLowest) / kLevels;
}

} // namespace magnitude

std::int64_t CellMap::setComparison(compare::ComparisonPtr comparison)
{
    if (comparison == nullptr) {
        *this = CellMap{};
        return 0;
    }
    const bool incremental = m_comparison != nullptr && sameRuns(*comparison);
    std::vector<bool> touched;
    if (incremental) {
        touched = touchedColumns(*comparison);
    }
    m_comparison = std::move(comparison);
    reserve(m_comparison->columns(), m_comparison->ops());
    std::int64_t rewritten = 0;
    for (std::int64_t c = 0; c < m_columns;) {
        if (incremental && !touched[static_cast<std::size_t>(c)]) {
            ++c;
            continue;
        }
        std::int64_t end = c + 1;
        while (end < m_columns && (!incremental || touched[static_cast<std::size_t>(end)])) {
            ++end;
        }
        writeBits(c, end);
        writeLevels(c, end);
        rewritten += end - c;
        c = end;
    }
    return rewritten;
}

void CellMap::setMagnitudes(bool wanted)
{
    if (wanted == m_wantLevels) {
        return;
    }
    m_wantLevels = wanted;
    m_levels.clear();
    m_levels.shrink_to_fit();
    m_largestLevel = 0;
    m_smallestLevel = 0;
    if (wanted) {
        m_levels.assign(m_bits.size(), 0);
        writeLevels(0, m_columns);
    }
}

std::span<const std::uint8_t> CellMap::bits(std::int64_t op) const
{
    return std::span(m_bits).subspan(static_cast<std::size_t>(op * m_stride),
                                     static_cast<std::size_t>(m_columns));
}

std::span<const std::uint8_t> CellMap::levels(std::int64_t op) const
{
    return std::span(m_levels).subspan(static_cast<std::size_t>(op * m_stride),
                                       static_cast<std::size_t>(m_columns));
}

std::uint8_t CellMap::columnBits(std::int64_t column) const
{
    return m_columnBits[static_cast<std::size_t>(column)];
}

std::int64_t CellMap::bytes() const
{
    return static_cast<std::int64_t>(m_bits.capacity() + m_levels.capacity() +
                                     m_columnBits.capacity());
}

/// Whether only appended cells can have changed: the same runs, held against the same reference.
bool CellMap::sameRuns(const compare::Comparison& next) const
{
    if (m_comparison->ops() != next.ops() || m_comparison->runs() != next.runs() ||
        m_comparison->reference() != next.reference() || next.columns() < m_columns) {
        return false;
    }
    return std::ranges::all_of(next.runs(), [&](int run) {
        const auto i = static_cast<std::size_t>(run);
        return m_comparison->snapshot().runs[i]->cellStore == next.snapshot().runs[i]->cellStore;
    });
}

/// Columns in which a run has cells that it did not have before, and later ones whose state changed
/// with them (an op whose earlier inputs now differ is no longer an origin).
std::vector<bool> CellMap::touchedColumns(const compare::Comparison& next) const
{
    std::vector<bool> touched(static_cast<std::size_t>(next.columns()), false);
    std::int64_t lowest = next.columns();
    for (const int run : next.runs()) {
        const auto i = static_cast<std::size_t>(run);
        const auto before =
            static_cast<std::int64_t>(m_comparison->snapshot().runs[i]->columnCount);
        const auto now = static_cast<std::int64_t>(next.snapshot().runs[i]->columnCount);
        for (std::int64_t c = before; c < std::min(now, next.columns()); ++c) {
            touched[static_cast<std::size_t>(c)] = true;
        }
        if (before < now) {
            lowest = std::min(lowest, before);
        }
    }
    for (std::int64_t c = lowest; c < next.columns(); ++c) {
        touched[static_cast<std::size_t>(c)] = touched[static_cast<std::size_t>(c)] ||
                                               c >= m_columns ||
                                               !sameStates(*m_comparison, next, c);
    }
    return touched;
}

/// Makes room; what was written stays in place when the ops are the same.
void CellMap::reserve(std::int64_t columns, std::int64_t ops)
{
    if (ops != m_ops || columns > m_stride) {
        // A growing session gets room ahead, so that most updates move nothing.
        const bool growing = ops == m_ops && m_columns > 0;
        const std::int64_t stride = growing ? columns + columns / 4 + 16 : columns;
        std::vector<std::uint8_t> bits(static_cast<std::size_t>(ops * stride), 0);
        std::vector<std::uint8_t> levels(m_wantLevels ? bits.size() : 0, 0);
        for (std::int64_t op = 0; growing && op < ops; ++op) {
            std::copy_n(m_bits.begin() + op * m_stride, m_columns, bits.begin() + op * stride);
            if (m_wantLevels) {
                std::copy_n(m_levels.begin() + op * m_stride, m_columns,
                            levels.begin() + op * stride);
            }
        }
        m_bits = std::move(bits);
        m_levels = std::move(levels);
        m_stride = stride;
        m_ops = ops;
    }
    m_columns = columns;
    m_columnBits.resize(static_cast<std::size_t>(columns), 0);
}

void CellMap::writeBits(std::int64_t first, std::int64_t last)
{
    std::fill(m_columnBits.begin() + first, m_columnBits.begin() + last, std::uint8_t{0});
    for (std::int64_t from = first; from < last; from += kBlock) {
        const std::int64_t to = std::min(from + kBlock, last);
        for (std::int64_t op = 0; op < m_ops; ++op) {
            std::uint8_t* row = m_bits.data() + op * m_stride;
            for (std::int64_t c = from; c < to; ++c) {
                row[c] = cellBits(m_comparison->cell(c, op));
                m_columnBits[static_cast<std::size_t>(c)] |= row[c];
            }
        }
    }
}

void CellMap::writeLevels(std::int64_t first, std::int64_t last)
{
    if (!m_wantLevels) {
        return;
    }
    // Magnitudes are stored by column: one pass over each, written across the rows.
    std::vector<float> column(static_cast<std::size_t>(m_ops));
    for (std::int64_t c = first; c < last; ++c) {
        m_comparison->relativeL2Column(c, column);
        for (std::int64_t op = 0; op < m_ops; ++op) {
            const std::int64_t at = op * m_stride + c;
            const std::uint8_t level = (m_bits[static_cast<std::size_t>(at)] & kTwoClasses) != 0
                                           ? magnitude::level(column[static_cast<std::size_t>(op)])
                                           : std::uint8_t{0};
            m_levels[static_cast<std::size_t>(at)] = level;
            if (level >= magnitude::kLowest) {
                m_largestLevel = std::max(m_largestLevel, level);
                m_smallestLevel = m_smallestLevel == 0 ? level : std::min(m_smallestLevel, level);
            }
        }
    }
}

void poolOr(std::span<std::uint8_t> into, std::span<const std::uint8_t> from)
{
    std::uint8_t* a = into.data();
    const std::uint8_t* b = from.data();
    for (std::size_t i = 0; i < into.size(); ++i) {
        a[i] = static_cast<std::uint8_t>(a[i] | b[i]);
    }
}

void poolMax(std::span<std::uint8_t> into, std::span<const std::uint8_t> from)
{
    std::uint8_t* a = into.data();
    const std::uint8_t* b = from.data();
    for (std::size_t i = 0; i < into.size(); ++i) {
        a[i] = std::max(a[i], b[i]);
    }
}

} // namespace ulp::views
