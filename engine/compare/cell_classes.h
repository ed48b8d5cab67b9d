// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inner loops of a comparison: hashes of one column of several runs held against each other,
// written so that the compiler vectorises them over ops. Thread-safety: pure functions.
// Ownership: callers own all buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ulp::compare {

/// Whether any cell of a row is not recorded.
[[nodiscard]] bool hasUnrecorded(const std::uint64_t* row, std::size_t ops);

/// Counts, for each op, the distinct hashes among `rows` (each [ops]), leaving out cells that are
/// not recorded; saturates at 255. `missing[op]` becomes 1 where at least one row has no cell.
void countClasses(std::span<const std::uint64_t* const> rows, std::size_t ops,
                  std::uint8_t* classes, std::uint8_t* missing);

/// differs[op] = 1 where both rows have a cell and the hashes differ, else 0. Returns the number.
std::size_t markDifferences(const std::uint64_t* a, const std::uint64_t* b, std::size_t ops,
                            std::uint8_t* differs);

} // namespace ulp::compare
