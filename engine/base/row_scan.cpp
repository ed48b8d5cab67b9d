// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/row_scan.h"

namespace ulp {

RowScan scanRowBaseline(const float* row, std::size_t n);
RowScan scanRowAvx2(const float* row, std::size_t n);
RowScan scanRowAvx512(const float* row, std::size_t n);

RowScanFunction rowScanVariant(int level)
{
    switch (level) {
    case 0:
        return scanRowBaseline;
    case 1:
        return __builtin_cpu_supports("avx2") ? scanRowAvx2 : nullptr;
    case 2:
        return __builtin_cpu_supports("avx512f") ? scanRowAvx512 : nullptr;
    default:
        return nullptr;
    }
}

RowScan scanRow(const float* row, std::size_t n)
{
    static const RowScanFunction best = [] {
        for (int level = 2; level > 0; --level) {
            if (const RowScanFunction f = rowScanVariant(level)) {
                return f;
            }
        }
        return rowScanVariant(0);
    }();
    return best(row, n);
}

} // namespace ulp
