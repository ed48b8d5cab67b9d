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
//   quantised  for each block of the format (32 or 256 elements): 32 scales of 16 bits (one line),
//              32 minimums (one line) if the format has them, the integer factors of its groups,
//              then the levels of each group, rows 0..15 before rows 16..31.
// Factors of one group are bytes: with one for the group, 32 of the scale and then 32 of the
// minimum if there is one; with one for each 16 elements, 32 for the first and 32 for the second
// half (Q2_K: the minimum's in the high nibble).
// Levels of more than one width are cut into a low part of 8, 4 or 2 bits and a high part of 2, 1
// or no bits. A part of b bits is b lines for 16 rows, a line 16 rows x 4 bytes; of the eight words
// s of elements 4s..4s+3, line s % b holds word s at bit s / b * b of each byte.
#pragma once

#include <cstdint>

#include "engine/numeric/quant_blocks.h"
#include "engine/numeric/weight_type.h"

namespace ulp::kernels {

inline constexpr std::int64_t kPanelRows = 32;
inline constexpr std::int64_t kHalfRows = 16;
inline constexpr std::int64_t kLineBytes = 64;
/// Words of four elements in a group.
inline constexpr int kGroupWords = 8;

/// One block of a quantised format in a panel.
template <numeric::WeightType T>
struct PackedBlock {
    using Traits = numeric::BlockTraits<T>;
    static constexpr numeric::SubScales kSubScales = Traits::kSubScales;
    static constexpr bool kHasMinimum = Traits::kHasMinimum;
    static constexpr std::int64_t kGroups = Traits::kElements / numeric::kGroup;
    static constexpr std::int64_t kMinimums = kLineBytes; // only if the format has them
    static constexpr std::int64_t kFactors = kHasMinimum ? 2 * kLineBytes : kLineBytes;
    static constexpr std::int64_t kGroupFactors = // bytes
        kSubScales == numeric::SubScales::None     ? 0
        : kSubScales == numeric::SubScales::Halves ? 2 * kPanelRows
        : kHasMinimum                              ? 2 * kPanelRows
                                                   : kPanelRows;
    static constexpr std::int64_t kLevels = kFactors + kGroups * kGroupFactors;
    static constexpr int kLowBits = Traits::kLevelBits == 8 ? 8 : Traits::kLevelBits >= 4 ? 4 : 2;
    static constexpr int kHighBits = Traits::kLevelBits - kLowBits;
    static constexpr std::int64_t kHighLines = kLowBits * kLineBytes; // of a half
    static constexpr std::int64_t kHalfBytes = Traits::kLevelBits * kLineBytes;
    static constexpr std::int64_t kGroupBytes = 2 * kHalfBytes;
    static constexpr std::int64_t kBytes = kLevels + kGroups * kGroupBytes;
    static_assert(kLevels % kLineBytes == 0);
};

/// Elements of k in the unit of the packed stream: 1 for float formats.
constexpr std::int64_t packedBlockElements(numeric::WeightType type)
{
    std::int64_t elements = 1;
    numeric::visitQuantised(
        type, [&]<numeric::WeightType T>() { elements = PackedBlock<T>::Traits::kElements; });
    return elements;
}

/// Bytes of a panel for one such unit.
constexpr std::int64_t packedBlockBytes(numeric::WeightType type)
{
    std::int64_t bytes = type == numeric::WeightType::F32 ? kPanelRows * 4 : kPanelRows * 2;
    numeric::visitQuantised(type, [&]<numeric::WeightType T>() { bytes = PackedBlock<T>::kBytes; });
    return bytes;
}

} // namespace ulp::kernels
