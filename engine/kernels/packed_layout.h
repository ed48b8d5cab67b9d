// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where every byte of a packed matrix lies; shared by the packer and by the kernels of all
// instruction sets. Thread-safety: constants. Ownership: none.
//
// A matrix is a sequence of panels of 32 rows (the last one padded with zero rows), a panel one
// contiguous stream in ascending k, so that a matrix-vector product reads memory in order:
//   F32        for each k: 32 floats
//   F16        for each k: 32 halves (one cache line)
//   BF16       for each k: 16 words, row j in the low half and row 16 + j in the high half, so that
//              a shift or a mask widens 16 rows
//   quantised  for each group of 32 elements a record: 32 f16 scales (one line), 32 f16 minimums
//              (one line) if the format has them, then the levels of rows 0..15 and of rows 16..31.
//              A line of levels holds 16 rows x 4 elements. 8-bit formats have 8 lines for each
//              half; 4-bit formats 4, with elements 4s..4s+3 in the low nibbles of line s and
//              16+4s..16+4s+3 in its high nibbles.
#pragma once

#include <cstdint>

#include "engine/numeric/quant_blocks.h"
#include "engine/numeric/weight_type.h"

namespace ulp::kernels {

inline constexpr std::int64_t kPanelRows = 32;
inline constexpr std::int64_t kHalfRows = 16;
inline constexpr std::int64_t kLineBytes = 64;

/// The record of one group of 32 elements in a panel of a quantised format.
template <numeric::WeightType T>
struct PackedRecord {
    using Traits = numeric::BlockTraits<T>;
    static constexpr std::int64_t kScales = 0;
    static constexpr std::int64_t kMinimums = kLineBytes; // only if the format has them
    static constexpr std::int64_t kLevels = Traits::kHasMinimum ? 2 * kLineBytes : kLineBytes;
    static constexpr std::int64_t kHalfBytes = kHalfRows * numeric::kGroup * Traits::kLevelBits / 8;
    static constexpr std::int64_t kBytes = kLevels + 2 * kHalfBytes;
};

/// Bytes of one panel for each element of k (float formats) or each group (quantised formats).
constexpr std::int64_t packedUnitBytes(numeric::WeightType type)
{
    using numeric::WeightType;
    switch (type) {
    case WeightType::F32:
        return kPanelRows * 4;
    case WeightType::F16:
    case WeightType::Bf16:
        return kPanelRows * 2;
    case WeightType::Q8_0:
        return PackedRecord<WeightType::Q8_0>::kBytes;
    case WeightType::Q4_0:
        return PackedRecord<WeightType::Q4_0>::kBytes;
    case WeightType::Q4_1:
        return PackedRecord<WeightType::Q4_1>::kBytes;
    }
    return 0;
}

} // namespace ulp::kernels
