// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Block formats whose block is one group of 32 elements. Layouts and code books follow
// ggml-common.h of the GGML project; MXFP4 is the OCP Microscaling format with GGML's byte order.
// Thread-safety: pure functions. Ownership: views of the caller's bytes.
#pragma once

#include "engine/numeric/quant_group.h"

namespace ulp::numeric {

/// f16 scale, 32 signed bytes.
template <>
struct BlockTraits<WeightType::Q8_0> : PlainTraits {
    static constexpr std::int64_t kBytes = 34;
    static constexpr int kOffset = 128;
    static constexpr int kLevelBits = 8;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        for (int i = 0; i < kGroup; ++i) {
            g.level[i] = block[2 + i] ^ 0x80U;
        }
    }
};

/// f16 scale, 32 nibbles less 8.
template <>
struct BlockTraits<WeightType::Q4_0> : PlainTraits {
    static constexpr std::int64_t kBytes = 18;
    static constexpr int kOffset = 8;
    static constexpr int kLevelBits = 4;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        splitNibbles(block + 2, g.level);
    }
};

/// f16 scale, f16 minimum, 32 nibbles.
template <>
struct BlockTraits<WeightType::Q4_1> : PlainTraits {
    static constexpr std::int64_t kBytes = 20;
    static constexpr int kLevelBits = 4;
    static constexpr bool kHasMinimum = true;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = loadU16(block + 2);
        splitNibbles(block + 4, g.level);
    }
};

/// 32 nibbles whose fifth bits are the bits of one word, element 0 lowest.
inline void splitFiveBits(const std::uint8_t* fifthBits, const std::uint8_t* nibbles,
                          std::uint8_t* level)
{
    splitNibbles(nibbles, level);
    const std::uint32_t bits = loadU32(fifthBits);
    for (int i = 0; i < kGroup; i += 4) {
        std::uint32_t four = 0;
        std::memcpy(&four, level + i, sizeof four);
        // Four bits, each to a byte of its own: bit j lands at 7j + j.
        four |= ((bits >> i & 15U) * 0x00204081U & 0x01010101U) << 4U;
        std::memcpy(level + i, &four, sizeof four);
    }
}

/// f16 scale, 32 fifth bits, 32 nibbles; less 16.
template <>
struct BlockTraits<WeightType::Q5_0> : PlainTraits {
    static constexpr std::int64_t kBytes = 22;
    static constexpr int kOffset = 16;
    static constexpr int kLevelBits = 5;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        splitFiveBits(block + 2, block + 6, g.level);
    }
};

/// f16 scale, f16 minimum, 32 fifth bits, 32 nibbles.
template <>
struct BlockTraits<WeightType::Q5_1> : PlainTraits {
    static constexpr std::int64_t kBytes = 24;
    static constexpr int kLevelBits = 5;
    static constexpr bool kHasMinimum = true;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = loadU16(block + 2);
        splitFiveBits(block + 4, block + 8, g.level);
    }
};

/// -127 -104 -83 -65 -49 -35 -22 -10 1 13 25 38 53 69 89 113, each plus 128.
inline constexpr std::uint8_t kIq4Codebook[16] = {1,   24,  45,  63,  79,  93,  106, 118,
                                                  129, 141, 153, 166, 181, 197, 217, 241};

/// f16 scale, 32 nibbles into a code book.
template <>
struct BlockTraits<WeightType::Iq4Nl> : PlainTraits {
    static constexpr std::int64_t kBytes = 18;
    static constexpr int kOffset = 128;
    static constexpr int kLevelBits = 4;
    static constexpr bool kHasCodebook = true;
    static constexpr const std::uint8_t* kCodebook = kIq4Codebook;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        splitNibbles(block + 2, g.level);
    }
};

/// Twice the values of E2M1 (0 0.5 1 1.5 2 3 4 6 and their negatives), each plus 12.
inline constexpr std::uint8_t kMxfp4Codebook[16] = {12, 13, 14, 15, 16, 18, 20, 24,
                                                    12, 11, 10, 9,  8,  6,  4,  0};

/// A byte e, 32 nibbles into a code book. The scale is half of E8M0's, since the book is doubled:
/// 2^(e - 128). As GGML does, 255 (NaN in E8M0) is read as a number too.
template <>
struct BlockTraits<WeightType::Mxfp4> : PlainTraits {
    static constexpr std::int64_t kBytes = 17;
    static constexpr int kOffset = 12;
    static constexpr int kLevelBits = 4;
    static constexpr bool kScaleIsBf16 = true; // the smallest two are its subnormals
    static constexpr bool kHasCodebook = true;
    static constexpr const std::uint8_t* kCodebook = kMxfp4Codebook;
    static void group(const std::uint8_t* block, int /*index*/, WeightGroup& g)
    {
        setUnitFactors(g);
        const int e = block[0];
        g.scaleBits = static_cast<std::uint16_t>(e < 2 ? 0x20 << e : (e - 1) << 7);
        g.minimumBits = 0;
        splitNibbles(block + 1, g.level);
    }
};

} // namespace ulp::numeric
