// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cells of a comparison as one byte each, in the form that drawing needs: op by op, so that
// any rectangle of cells is pooled with a few wide instructions for every visible byte. What a
// pixel covers is joined by OR, which keeps the worst of it: a divergent cell survives any pooling
// by construction. A second byte holds the magnitude, pooled by maximum, and exists only while it
// is asked for. Updates rewrite only the columns that a newer comparison of the same runs changed.
// Thread-safety: GUI thread only. Ownership: by value; keeps the comparison it shows alive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::views {

/// Bits of a cell; pooling is OR. Classes are in unary, so that OR is the maximum.
enum CellBit : std::uint8_t {
    kOneClass = 1,    // recorded
    kTwoClasses = 2,  // at least two
    kManyClasses = 4, // at least three
    kOrigin = 8,
    kNonFinite = 16,
    kPartial = 32,
    kMissing = 64, // not recorded
};

[[nodiscard]] std::uint8_t cellBits(compare::CellState state);

/// Relative L2 as one byte: 0 equal or not recorded, 1 differs by an unrecorded amount, 2..255 the
/// logarithm between 1e-12 and 1e3.
namespace magnitude {
inline constexpr std::uint8_t kUnknown = 1;
inline constexpr std::uint8_t kLowest = 2;
[[nodiscard]] std::uint8_t level(float relativeL2);
[[nodiscard]] double log10OfLevel(std::uint8_t level); // of levels >= kLowest
} // namespace magnitude

class CellMap {
  public:
    /// The number of columns that were rewritten.
    std::int64_t setComparison(compare::ComparisonPtr comparison);
    void setMagnitudes(bool wanted);

    [[nodiscard]] const compare::ComparisonPtr& comparison() const { return m_comparison; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] std::int64_t ops() const { return m_ops; }

    /// One op's cells. [columns]
    [[nodiscard]] std::span<const std::uint8_t> bits(std::int64_t op) const;
    /// One op's magnitude levels. [columns]; only after setMagnitudes(true).
    [[nodiscard]] std::span<const std::uint8_t> levels(std::int64_t op) const;
    /// Everything that a column holds, joined.
    [[nodiscard]] std::uint8_t columnBits(std::int64_t column) const;
    [[nodiscard]] std::uint8_t largestLevel() const { return m_largestLevel; }
    [[nodiscard]] std::uint8_t smallestLevel() const { return m_smallestLevel; }

    [[nodiscard]] std::int64_t bytes() const;

  private:
    [[nodiscard]] bool sameRuns(const compare::Comparison& next) const;
    [[nodiscard]] std::vector<bool> touchedColumns(const compare::Comparison& next) const;
    void reserve(std::int64_t columns, std::int64_t ops);
    void writeBits(std::int64_t first, std::int64_t last);
    void writeLevels(std::int64_t first, std::int64_t last);

    compare::ComparisonPtr m_comparison;
    std::int64_t m_columns = 0;
    std::int64_t m_ops = 0;
    std::int64_t m_stride = 0; // columns there is room for
    bool m_wantLevels = false;
    std::vector<std::uint8_t> m_bits;       // [ops, stride]
    std::vector<std::uint8_t> m_levels;     // [ops, stride] or empty
    std::vector<std::uint8_t> m_columnBits; // [columns]
    std::uint8_t m_largestLevel = 0;
    std::uint8_t m_smallestLevel = 0;
};

/// into[i] |= from[i]
void poolOr(std::span<std::uint8_t> into, std::span<const std::uint8_t> from);
/// into[i] = max(into[i], from[i])
void poolMax(std::span<std::uint8_t> into, std::span<const std::uint8_t> from);

} // namespace ulp::views
