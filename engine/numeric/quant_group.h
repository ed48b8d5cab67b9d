// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every block format of weights comes down to: groups of 32 elements that share one activation
// scale. BlockTraits<T> says, for each group of a block of format T, which unsigned levels are
// stored and which scales apply; the functions below say what integers and factors these mean. The
// contract's reference, the packer and dequantiseRow all read blocks through them, so a format is
// defined once. Thread-safety: pure functions. Ownership: views of the caller's bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/numeric/float_format.h"
#include "engine/numeric/weight_type.h"

namespace ulp::numeric {

/// Elements that share one activation scale; every block format is a whole number of groups.
inline constexpr std::int64_t kGroup = 32; // kQuantBlock of activation_quant.h

/// How a group's factors refine the scale and minimum of its block.
enum class SubScales {
    None,   // the block is the group
    Whole,  // one integer factor for the group: dw = d * factor, exact
    Halves, // one integer factor for each 16 elements: part of the integer sum
};

/// One group as it is stored. Levels are unsigned, as the fast path packs them.
struct WeightGroup {
    std::uint8_t level[kGroup];
    std::uint16_t scaleBits;      // f16, or bf16 if kScaleIsBf16
    std::uint16_t minimumBits;    // f16 of what is added; 0 where the format has none
    std::int8_t factor[2];        // of the scale, for elements 0..15 and 16..31; 1 if None
    std::int8_t minimumFactor[2]; // of the minimum, likewise
};

inline std::uint16_t loadU16(const std::uint8_t* p)
{
    std::uint16_t v = 0;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline std::uint32_t loadU32(const std::uint8_t* p)
{
    std::uint32_t v = 0;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// Low nibbles are elements 0..15, high nibbles 16..31.
inline void splitNibbles(const std::uint8_t* packed, std::uint8_t* level)
{
    for (int i = 0; i < 16; ++i) {
        level[i] = packed[i] & 0x0F;
        level[i + 16] = static_cast<std::uint8_t>(packed[i] >> 4);
    }
}

inline void setFactors(WeightGroup& g, int first, int second)
{
    g.factor[0] = static_cast<std::int8_t>(first);
    g.factor[1] = static_cast<std::int8_t>(second);
}

inline void setMinimumFactors(WeightGroup& g, int first, int second)
{
    g.minimumFactor[0] = static_cast<std::int8_t>(first);
    g.minimumFactor[1] = static_cast<std::int8_t>(second);
}

inline void setUnitFactors(WeightGroup& g)
{
    setFactors(g, 1, 1);
    setMinimumFactors(g, 1, 1);
}

/// What a block format has unless its traits say otherwise.
struct PlainTraits {
    static constexpr std::int64_t kElements = kGroup; // of a block
    static constexpr int kOffset = 0; // taken from a level, or from kCodebook[level]
    static constexpr bool kHasMinimum = false;
    static constexpr SubScales kSubScales = SubScales::None;
    static constexpr bool kScaleIsBf16 = false;
    /// Unsigned values that levels stand for, or none. Of 16 entries.
    // Said apart: gcc cannot compare an address in a constant expression under its sanitizer.
    static constexpr bool kHasCodebook = false;
    static constexpr const std::uint8_t* kCodebook = nullptr;
};

template <WeightType T>
struct BlockTraits;

/// The integer that a level stands for; fits in int8.
template <typename Traits>
int weightInteger(std::uint8_t level)
{
    if constexpr (Traits::kHasCodebook) {
        return Traits::kCodebook[level] - Traits::kOffset;
    } else {
        return level - Traits::kOffset;
    }
}

/// dw of the contract: the factor of the group's integer sum. Exact.
template <typename Traits>
float groupScale(const WeightGroup& g)
{
    const float scale = Traits::kScaleIsBf16 ? bf16ToFloat(g.scaleBits) : f16ToFloat(g.scaleBits);
    return Traits::kSubScales == SubScales::Whole ? scale * static_cast<float>(g.factor[0]) : scale;
}

/// mw of the contract: the factor of the group's sum of activations. Exact.
template <typename Traits>
float groupMinimum(const WeightGroup& g)
{
    const float minimum = f16ToFloat(g.minimumBits);
    return Traits::kSubScales == SubScales::Whole ? minimum * static_cast<float>(g.minimumFactor[0])
                                                  : minimum;
}

/// The factor of a half's integer sum; 1 unless the format has factors for halves.
template <typename Traits>
int halfFactor(const WeightGroup& g, int half)
{
    return Traits::kSubScales == SubScales::Halves ? g.factor[half] : 1;
}

template <typename Traits>
int halfMinimumFactor(const WeightGroup& g, int half)
{
    return Traits::kSubScales == SubScales::Halves ? g.minimumFactor[half] : 1;
}

} // namespace ulp::numeric
