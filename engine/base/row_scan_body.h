// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The body of scanRow, compiled once for each instruction set: the including file sets
// ULP_ROW_SCAN_NAME and the compiler flags. XXH3 is taken from its header so that it is compiled
// with the same flags.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "engine/base/row_scan.h"

namespace ulp {

RowScan ULP_ROW_SCAN_NAME(const float* row, std::size_t n)
{
    // The exponent of NaN and infinity is all ones: as integers without sign they are the largest.
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t bits = 0;
        __builtin_memcpy(&bits, row + i, sizeof(bits));
        const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
        largest = magnitude > largest ? magnitude : largest;
    }
    return {XXH3_64bits(row, n * sizeof(float)), largest < 0x7F800000U};
}

} // namespace ulp
