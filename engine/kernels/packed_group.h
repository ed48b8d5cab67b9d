// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One group of 32 elements in a packed panel of a block format, read in plain C++ row by row, by
// the description of packed_layout.h. For code of the baseline instruction set only.
// Thread-safety: pure functions. Ownership: a view of packed bytes.
#pragma once

#include <cstring>

#include "engine/kernels/packed_layout.h"

namespace ulp::kernels {

template <numeric::WeightType T>
struct PackedGroup {
    using Block = PackedBlock<T>;
    using Traits = typename Block::Traits;
    static constexpr bool kHalves = Traits::kSubScales == numeric::SubScales::Halves;
    static constexpr bool kWhole = Traits::kSubScales == numeric::SubScales::Whole;

    const std::byte* block;
    std::int64_t index; // of the group in the block

    /// Group `group` of a panel, counted from k = 0.
    static PackedGroup of(const std::byte* panel, std::int64_t group)
    {
        return {panel + group / Block::kGroups * Block::kBytes, group % Block::kGroups};
    }

    /// dw of the contract.
    [[nodiscard]] float scale(std::int64_t row) const
    {
        const std::uint16_t bits = wordAt(row * 2);
        const float d =
            Traits::kScaleIsBf16 ? numeric::bf16ToFloat(bits) : numeric::f16ToFloat(bits);
        if constexpr (kWhole) {
            return d * static_cast<float>(factorByte(0, row));
        }
        return d;
    }
    /// mw of the contract; 0 where the format has none.
    [[nodiscard]] float minimum(std::int64_t row) const
    {
        if constexpr (!Traits::kHasMinimum) {
            return 0.0F;
        } else {
            const float minimum = numeric::f16ToFloat(wordAt(Block::kMinimums + row * 2));
            return kWhole ? minimum * static_cast<float>(factorByte(1, row)) : minimum;
        }
    }
    [[nodiscard]] int halfFactor(int half, std::int64_t row) const
    {
        if constexpr (!kHalves) {
            return 1;
        }
        const int byte = factorByte(half, row);
        return Traits::kHasMinimum ? byte & 15 : byte;
    }
    [[nodiscard]] int halfMinimumFactor(int half, std::int64_t row) const
    {
        return kHalves ? factorByte(half, row) >> 4 & 15 : 1;
    }
    /// Levels 4s .. 4s + 3 of a row.
    [[nodiscard]] std::uint32_t levelWord(int s, std::int64_t row) const
    {
        const std::byte* lines = block + Block::kLevels + index * Block::kGroupBytes +
                                 row / kHalfRows * Block::kHalfBytes;
        std::uint32_t word = partOfWord<Block::kLowBits>(lines, s, row % kHalfRows);
        if constexpr (Block::kHighBits != 0) {
            word |= partOfWord<Block::kHighBits>(lines + Block::kHighLines, s, row % kHalfRows)
                    << Block::kLowBits;
        }
        return word;
    }
    /// The code book's unsigned value of a level, or the level itself.
    static int unsignedValue(int level)
    {
        if constexpr (Traits::kHasCodebook) {
            return Traits::kCodebook[level];
        }
        return level;
    }

  private:
    [[nodiscard]] std::uint16_t wordAt(std::int64_t offset) const
    {
        std::uint16_t word = 0;
        std::memcpy(&word, block + offset, sizeof word);
        return word;
    }
    [[nodiscard]] int factorByte(int which, std::int64_t row) const
    {
        return static_cast<std::int8_t>(
            block[Block::kFactors + index * Block::kGroupFactors + which * kPanelRows + row]);
    }
    template <int bits>
    static std::uint32_t partOfWord(const std::byte* lines, int s, std::int64_t lane)
    {
        constexpr std::uint32_t kMask = 0x01010101U * ((1U << bits) - 1U);
        std::uint32_t word = 0;
        std::memcpy(&word, lines + s % bits * kLineBytes + lane * 4, sizeof word);
        return word >> (s / bits * bits) & kMask;
    }
};

} // namespace ulp::kernels
