// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Max-pyramids over a [columns, rows] matrix: the worst value of any rectangle, exactly, in time
// that does not grow with the rectangle's area. A heatmap asks for one rectangle a pixel, so that
// one divergent cell among ten million is visible at every zoom and in every folded group.
// Level k holds the worst of blocks of 4^k x 4^k cells; a query descends only where a block is cut
// by the rectangle's edge or could still be worse than what was found.
// "Worse" is defined by PyramidTraits<V>; by default larger, NaN just above zero (it stands for "a
// difference of unknown size": it must not vanish among zeros, nor hide a number).
// Thread-safety: const access from any thread, changes from one. Ownership: PyramidLevels keeps
// only the levels and is shown the cells at each call; MaxPyramid owns its cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ulp::compare {

template <typename V>
struct PyramidTraits {
    static V combine(V a, V b)
    {
        if constexpr (std::is_floating_point_v<V>) {
            if (std::isnan(a)) {
                return b > V(0) ? b : a;
            }
            if (std::isnan(b)) {
                return a > V(0) ? a : b;
            }
        }
        return std::max(a, b);
    }
    /// Whether combine(have, candidate) would change nothing.
    static bool covers(V have, V candidate)
    {
        if constexpr (std::is_floating_point_v<V>) {
            return std::isnan(candidate) ? std::isnan(have) || have > V(0) : have >= candidate;
        }
        return have >= candidate;
    }
};

/// The levels above the cells. Cells are column-major, [columns, rows]: the cell of (row, column)
/// is cells[column * rows + row], which is also how runs and comparisons store theirs.
template <typename V>
class PyramidLevels {
  public:
    static constexpr std::int64_t kFan = 4;

    explicit PyramidLevels(std::int64_t rows = 0) : m_rows(rows) {}

    [[nodiscard]] std::int64_t rows() const { return m_rows; }

    /// Brings the levels up to date after cells of columns [firstColumn, columns) were appended or
    /// changed; `cells` holds all columns.
    void update(std::span<const V> cells, std::int64_t firstColumn, std::int64_t columns)
    {
        if (m_rows <= 0) {
            return;
        }
        View below{cells.data(), m_rows, columns};
        std::int64_t from = firstColumn;
        for (std::size_t k = 0; below.rows > 1 || below.columns > 1; ++k) {
            if (k == m_levels.size()) {
                m_levels.push_back({{}, ceilDiv(below.rows)});
                from = 0; // a new top is built from everything
            }
            Level& level = m_levels[k];
            from /= kFan;
            const std::int64_t wide = ceilDiv(below.columns);
            level.values.resize(static_cast<std::size_t>(wide * level.rows));
            for (std::int64_t c = from; c < wide; ++c) {
                for (std::int64_t r = 0; r < level.rows; ++r) {
                    level.values[static_cast<std::size_t>(c * level.rows + r)] = fold(below, r, c);
                }
            }
            below = view(level);
        }
    }

    /// Brings the levels up to date after one cell changed, in either direction.
    void updateCell(std::span<const V> cells, std::int64_t row, std::int64_t column)
    {
        View below{cells.data(), m_rows, static_cast<std::int64_t>(cells.size()) / m_rows};
        for (Level& level : m_levels) {
            row /= kFan;
            column /= kFan;
            level.values[static_cast<std::size_t>(column * level.rows + row)] =
                fold(below, row, column);
            below = view(level);
        }
    }

    /// The worst cell of rows [r0, r1) and columns [c0, c1), clipped to the matrix; V() when that
    /// is empty. `cells` must be what the last update saw.
    [[nodiscard]] V worst(std::span<const V> cells, std::int64_t r0, std::int64_t r1,
                          std::int64_t c0, std::int64_t c1) const
    {
        const std::int64_t columns =
            m_rows > 0 ? static_cast<std::int64_t>(cells.size()) / m_rows : 0;
        const Rectangle wanted{std::max<std::int64_t>(r0, 0), std::min(r1, m_rows),
                               std::max<std::int64_t>(c0, 0), std::min(c1, columns)};
        V best{};
        if (wanted.r0 < wanted.r1 && wanted.c0 < wanted.c1) {
            descend(View{cells.data(), m_rows, columns}, wanted, m_levels.size(), 0, 0, best);
        }
        return best;
    }

    [[nodiscard]] std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const Level& level : m_levels) {
            sum += level.values.capacity() * sizeof(V);
        }
        return sum;
    }

  private:
    using Traits = PyramidTraits<V>;
    struct Level {
        std::vector<V> values; // [columns, rows]
        std::int64_t rows = 0;
    };
    struct View {
        const V* values = nullptr;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        [[nodiscard]] V at(std::int64_t r, std::int64_t c) const
        {
            return values[static_cast<std::size_t>(c * rows + r)];
        }
    };
    struct Rectangle {
        std::int64_t r0, r1, c0, c1;
    };

    static std::int64_t ceilDiv(std::int64_t n) { return (n + kFan - 1) / kFan; }
    static View view(const Level& level)
    {
        return {level.values.data(), level.rows,
                static_cast<std::int64_t>(level.values.size()) / level.rows};
    }

    static V fold(const View& below, std::int64_t row, std::int64_t column)
    {
        const std::int64_t r1 = std::min((row + 1) * kFan, below.rows);
        const std::int64_t c1 = std::min((column + 1) * kFan, below.columns);
        V best{};
        for (std::int64_t c = column * kFan; c < c1; ++c) {
            for (std::int64_t r = row * kFan; r < r1; ++r) {
                best = Traits::combine(best, below.at(r, c));
            }
        }
        return best;
    }

    /// `depth` 0 is the cells, k the k-th level; (row, column) a block of it.
    void descend(const View& cells, const Rectangle& wanted, std::size_t depth, std::int64_t row,
                 std::int64_t column, V& best) const
    {
        const View here = depth == 0 ? cells : view(m_levels[depth - 1]);
        const V value = here.at(row, column);
        if (Traits::covers(best, value)) {
            return;
        }
        std::int64_t size = 1;
        for (std::size_t k = 0; k < depth; ++k) {
            size *= kFan;
        }
        const Rectangle block{row * size, std::min((row + 1) * size, cells.rows), column * size,
                              std::min((column + 1) * size, cells.columns)};
        if (block.r0 >= wanted.r0 && block.r1 <= wanted.r1 && block.c0 >= wanted.c0 &&
            block.c1 <= wanted.c1) {
            best = Traits::combine(best, value);
            return;
        }
        // A cell is never cut, so depth is at least 1 here.
        const std::int64_t child = size / kFan;
        const std::int64_t c1 = (std::min(block.c1, wanted.c1) - 1) / child;
        const std::int64_t r1 = (std::min(block.r1, wanted.r1) - 1) / child;
        for (std::int64_t c = std::max(block.c0, wanted.c0) / child; c <= c1; ++c) {
            for (std::int64_t r = std::max(block.r0, wanted.r0) / child; r <= r1; ++r) {
                descend(cells, wanted, depth - 1, r, c, best);
            }
        }
    }

    std::int64_t m_rows = 0;
    std::vector<Level> m_levels; // the last one is a single block
};

/// A pyramid that owns its cells; columns may be appended. Bytes: 1.07 * sizeof(V) a cell.
template <typename V>
class MaxPyramid {
  public:
    explicit MaxPyramid(std::int64_t rows = 0, std::int64_t columns = 0)
        : m_levels(rows), m_cells(static_cast<std::size_t>(rows * columns))
    {
        m_levels.update(m_cells, 0, columns);
    }

    [[nodiscard]] std::int64_t rows() const { return m_levels.rows(); }
    [[nodiscard]] std::int64_t columns() const
    {
        return rows() > 0 ? static_cast<std::int64_t>(m_cells.size()) / rows() : 0;
    }
    [[nodiscard]] V at(std::int64_t row, std::int64_t column) const
    {
        return m_cells[static_cast<std::size_t>(column * rows() + row)];
    }

    /// Any new value, larger or smaller. (row, column) must exist.
    void set(std::int64_t row, std::int64_t column, V value)
    {
        m_cells[static_cast<std::size_t>(column * rows() + row)] = value;
        m_levels.updateCell(m_cells, row, column);
    }
    /// Replaces column `column` (at most columns(), then it is appended). [rows]
    void setColumn(std::int64_t column, std::span<const V> values)
    {
        const auto at = static_cast<std::size_t>(column * rows());
        m_cells.resize(std::max(m_cells.size(), at + values.size()));
        std::copy(values.begin(), values.end(), m_cells.begin() + static_cast<std::ptrdiff_t>(at));
        if (column + 1 == columns()) {
            m_levels.update(m_cells, column, columns());
            return;
        }
        for (std::int64_t row = 0; row < rows(); row += PyramidLevels<V>::kFan) {
            m_levels.updateCell(m_cells, row, column);
        }
    }
    /// Appends whole columns at once: the cheap way to fill a pyramid. [columns, rows]
    void append(std::span<const V> values)
    {
        const std::int64_t first = columns();
        m_cells.insert(m_cells.end(), values.begin(), values.end());
        m_levels.update(m_cells, first, columns());
    }

    /// The worst of rows [r0, r1) and columns [c0, c1), clipped; V() when empty.
    [[nodiscard]] V maxOver(std::int64_t r0, std::int64_t r1, std::int64_t c0,
                            std::int64_t c1) const
    {
        return m_levels.worst(m_cells, r0, r1, c0, c1);
    }

  private:
    PyramidLevels<V> m_levels;
    std::vector<V> m_cells; // [columns, rows]
};

} // namespace ulp::compare
