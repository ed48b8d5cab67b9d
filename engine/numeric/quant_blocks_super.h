// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Block formats whose block is 256 elements, eight groups of 32 with integer factors of their own:
// the K quantisations and IQ4_XS. Layouts follow ggml-common.h and ggml-quants.c of the GGML
// project. Minimums are stored by the formats as what is taken away; groups give what is added.
// Thread-safety: pure functions. Ownership: views of the caller's bytes.
#pragma once

#include "engine/numeric/quant_blocks_small.h"

namespace ulp::numeric {

struct SuperTraits : PlainTraits {
    static constexpr std::int64_t kElements = 256;
};

/// The bits of -x for an f16 x.
inline std::uint16_t negatedF16(std::uint16_t bits)
{
    return bits ^ 0x8000U;
}

/// Q4_K and Q5_K: eight 6-bit factors and eight 6-bit minimum factors in 12 bytes.
inline void sixBitFactors(const std::uint8_t* packed, int index, WeightGroup& g)
{
    int factor = packed[index] & 63;
    int minimum = packed[index + 4] & 63;
    if (index >= 4) {
        factor = (packed[index + 4] & 15) | (packed[index - 4] >> 6 << 4);
        minimum = packed[index + 4] >> 4 | (packed[index] >> 6 << 4);
    }
    setFactors(g, factor, factor);
    setMinimumFactors(g, minimum, minimum);
}

/// 32 bytes hold groups 2i (low nibbles) and 2i + 1 (high nibbles).
inline void pairNibbles(const std::uint8_t* packed, int index, std::uint8_t* level)
{
    const std::uint8_t* bytes = packed + index / 2 * 32;
    for (int i = 0; i < kGroup; ++i) {
        level[i] = bytes[i] >> (index % 2 * 4) & 15;
    }
}

/// f16 scale, f16 minimum, 12 bytes of factors, 128 of nibbles.
template <>
struct BlockTraits<WeightType::Q4_K> : SuperTraits {
    static constexpr std::int64_t kBytes = 144;
    static constexpr int kLevelBits = 4;
    static constexpr bool kHasMinimum = true;
    static constexpr SubScales kSubScales = SubScales::Whole;
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = negatedF16(loadU16(block + 2));
        sixBitFactors(block + 4, index, g);
        pairNibbles(block + 16, index, g.level);
    }
};

/// f16 scale, f16 minimum, 12 bytes of factors, 32 of fifth bits, 128 of nibbles.
template <>
struct BlockTraits<WeightType::Q5_K> : SuperTraits {
    static constexpr std::int64_t kBytes = 176;
    static constexpr int kLevelBits = 5;
    static constexpr bool kHasMinimum = true;
    static constexpr SubScales kSubScales = SubScales::Whole;
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = negatedF16(loadU16(block + 2));
        sixBitFactors(block + 4, index, g);
        pairNibbles(block + 48, index, g.level);
        for (int i = 0; i < kGroup; ++i) {
            const int fifth = block[16 + i] >> index & 1;
            g.level[i] = static_cast<std::uint8_t>(g.level[i] | fifth << 4);
        }
    }
};

/// 128 bytes of low nibbles, 64 of two high bits, 16 signed factors, f16 scale; less 32.
template <>
struct BlockTraits<WeightType::Q6_K> : SuperTraits {
    static constexpr std::int64_t kBytes = 210;
    static constexpr int kOffset = 32;
    static constexpr int kLevelBits = 6;
    static constexpr SubScales kSubScales = SubScales::Halves;
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block + 208);
        g.minimumBits = 0;
        std::memcpy(g.factor, block + 192 + index * 2, 2);
        setMinimumFactors(g, 0, 0);
        // Each 128 elements: 64 bytes of nibbles, groups 0 and 1 low, 2 and 3 high.
        const int quarter = index % 4;
        const std::uint8_t* low = block + index / 4 * 64 + quarter % 2 * 32;
        const std::uint8_t* high = block + 128 + index / 4 * 32;
        for (int i = 0; i < kGroup; ++i) {
            const int nibble = low[i] >> (quarter / 2 * 4) & 15;
            g.level[i] = static_cast<std::uint8_t>(nibble | (high[i] >> quarter * 2 & 3) << 4);
        }
    }
};

/// Two bits each, 32 bytes for 128 elements, group i of them in bits 2i.
inline void pairsOfBits(const std::uint8_t* packed, int index, std::uint8_t* level)
{
    const std::uint8_t* bytes = packed + index / 4 * 32;
    for (int i = 0; i < kGroup; ++i) {
        level[i] = bytes[i] >> (index % 4 * 2) & 3;
    }
}

/// 16 bytes of 4-bit factors (low) and minimum factors (high), 64 of two bits, f16 scale, f16
/// minimum.
template <>
struct BlockTraits<WeightType::Q2_K> : SuperTraits {
    static constexpr std::int64_t kBytes = 84;
    static constexpr int kLevelBits = 2;
    static constexpr bool kHasMinimum = true;
    static constexpr SubScales kSubScales = SubScales::Halves;
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block + 80);
        g.minimumBits = negatedF16(loadU16(block + 82));
        const std::uint8_t* factors = block + index * 2;
        setFactors(g, factors[0] & 15, factors[1] & 15);
        setMinimumFactors(g, factors[0] >> 4, factors[1] >> 4);
        pairsOfBits(block + 16, index, g.level);
    }
};

/// 32 bytes of third bits, 64 of two bits, 12 of 6-bit factors less 32, f16 scale; less 4.
template <>
struct BlockTraits<WeightType::Q3_K> : SuperTraits {
    static constexpr std::int64_t kBytes = 110;
    static constexpr int kOffset = 4;
    static constexpr int kLevelBits = 3;
    static constexpr SubScales kSubScales = SubScales::Halves;
    static int factor(const std::uint8_t* packed, int i)
    {
        const int low = packed[i % 8] >> (i / 8 * 4) & 15;
        const int high = packed[8 + i % 4] >> (i / 4 * 2) & 3;
        return (low | high << 4) - 32;
    }
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block + 108);
        g.minimumBits = 0;
        setFactors(g, factor(block + 96, index * 2), factor(block + 96, index * 2 + 1));
        setMinimumFactors(g, 0, 0);
        pairsOfBits(block + 32, index, g.level);
        for (int i = 0; i < kGroup; ++i) {
            const int third = block[i] >> index & 1;
            g.level[i] = static_cast<std::uint8_t>(g.level[i] | third << 2);
        }
    }
};

/// f16 scale, 6-bit factors less 32 (high bits in a word, low nibbles in 4 bytes), 128 bytes of
/// nibbles into a code book.
template <>
struct BlockTraits<WeightType::Iq4Xs> : SuperTraits {
    static constexpr std::int64_t kBytes = 136;
    static constexpr int kOffset = 128;
    static constexpr int kLevelBits = 4;
    static constexpr SubScales kSubScales = SubScales::Whole;
    static constexpr bool kHasCodebook = true;
    static constexpr const std::uint8_t* kCodebook = kIq4Codebook;
    static void group(const std::uint8_t* block, int index, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        const int low = block[4 + index / 2] >> (index % 2 * 4) & 15;
        const int high = loadU16(block + 2) >> (index * 2) & 3;
        const int factor = (low | high << 4) - 32;
        setFactors(g, factor, factor);
        setMinimumFactors(g, 0, 0);
        splitNibbles(block + 8 + index * 16, g.level);
    }
};

} // namespace ulp::numeric
