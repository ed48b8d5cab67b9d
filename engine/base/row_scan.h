// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passes over one row that have to vanish beside a decode step: its XXH3-64, whether every element
// is finite, and the sum of exponentials of logits. Compiled for several instruction sets and
// chosen at run time; the values do not depend on which one runs. Thread-safety: pure functions.
// Ownership: none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ulp {

struct RowScan {
    std::uint64_t hash = 0; // XXH3-64 of the float32 bytes, little-endian
    bool finite = true;     // no NaN and no infinity
};

struct RowScanTable {
    /// What this variant was compiled for: "baseline", "avx2", "avx512".
    const char* compiledFor;
    RowScan (*scan)(const float* row, std::size_t n);
    /// The largest element; NaN is passed over; -infinity when there is none.
    float (*largest)(const float* row, std::size_t n);
    /// Sum of exp(row[i] - top) for row[i] <= top, NaN passed over. Terms are float32 with a
    /// relative error below 3e-7, added in float64 on 16 strided lanes that are then folded
    /// ascending.
    double (*sumExp)(const float* row, std::size_t n, float top);
};

/// The best variant of this machine.
[[nodiscard]] const RowScanTable& rowScan();
/// The variants behind it, for tests: 0 baseline, 1 AVX2, 2 AVX-512. Null where this machine
/// cannot.
[[nodiscard]] const RowScanTable* rowScanVariant(int level);

} // namespace ulp
