// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One pass over the bytes of an op's output row: its XXH3-64 and whether every element is finite.
// Compiled for several instruction sets and chosen at run time: hashing has to vanish beside a
// decode step. The values do not depend on which one runs. Thread-safety: pure functions.
// Ownership: none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ulp {

struct RowScan {
    std::uint64_t hash = 0; // XXH3-64 of the float32 bytes, little-endian
    bool finite = true;     // no NaN and no infinity
};

[[nodiscard]] RowScan scanRow(const float* row, std::size_t n);
/// The variants behind scanRow, for tests: baseline, AVX2, AVX-512. Null where this machine cannot.
using RowScanFunction = RowScan (*)(const float* row, std::size_t n);
[[nodiscard]] RowScanFunction rowScanVariant(int level); // 0, 1, 2

} // namespace ulp
