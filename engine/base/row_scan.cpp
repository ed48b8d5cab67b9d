// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/row_scan.h"

namespace ulp {

extern const RowScanTable kRowScanBaseline;
extern const RowScanTable kRowScanAvx2;
extern const RowScanTable kRowScanAvx512;

const RowScanTable* rowScanVariant(int level)
{
    switch (level) {
    case 0:
        return &kRowScanBaseline;
    case 1:
        return __builtin_cpu_supports("avx2") ? &kRowScanAvx2 : nullptr;
    case 2:
        return __builtin_cpu_supports("avx512f") ? &kRowScanAvx512 : nullptr;
    default:
        return nullptr;
    }
}

const RowScanTable& rowScan()
{
    static const RowScanTable* const best = [] {
        for (int level = 2; level > 0; --level) {
            if (const RowScanTable* table = rowScanVariant(level)) {
                return table;
            }
        }
        return rowScanVariant(0);
    }();
    return *best;
}

} // namespace ulp
