// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bytes of GGUF's weight blocks, and one traits struct for each block format that says, for
// every group of 32 elements, which integers the weights are and which scale (and minimum) applies
// to them. The contract's reference, the packer and dequantiseRow all read blocks through these
// traits, so a format is defined once. Layouts follow ggml-common.h of the GGML project.
// Thread-safety: pure functions. Ownership: views of the caller's bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/numeric/float_format.h"
#include "engine/numeric/weight_type.h"

namespace ulp::numeric {

/// Elements that share one activation scale; every block format is a whole number of groups.
inline constexpr std::int64_t kGroup = 32; // kQuantBlock of activation_quant.h

/// One group of 32 weights: w[i] = scale * (level[i] - offset of the format) + minimum.
/// Levels are unsigned, as the fast path packs them.
struct WeightGroup {
    std::uint8_t level[kGroup];
    std::uint16_t scaleBits;   // f16
    std::uint16_t minimumBits; // f16; 0 where the format has none
};

inline std::uint16_t loadU16(const std::uint8_t* p)
{
    std::uint16_t v = 0;
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

template <WeightType T>
struct BlockTraits;

/// f16 scale, 32 signed bytes.
template <>
struct BlockTraits<WeightType::Q8_0> {
    static constexpr std::int64_t kBytes = 34;
    static constexpr int kOffset = 128; // level - kOffset is the weight's integer
    static constexpr int kLevelBits = 8;
    static constexpr bool kHasMinimum = false;
    static void group(const std::uint8_t* block, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        for (int i = 0; i < kGroup; ++i) {
            g.level[i] = block[2 + i] ^ 0x80U;
        }
    }
};

/// f16 scale, 32 nibbles less 8.
template <>
struct BlockTraits<WeightType::Q4_0> {
    static constexpr std::int64_t kBytes = 18;
    static constexpr int kOffset = 8;
    static constexpr int kLevelBits = 4;
    static constexpr bool kHasMinimum = false;
    static void group(const std::uint8_t* block, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = 0;
        splitNibbles(block + 2, g.level);
    }
};

/// f16 scale, f16 minimum, 32 nibbles.
template <>
struct BlockTraits<WeightType::Q4_1> {
    static constexpr std::int64_t kBytes = 20;
    static constexpr int kOffset = 0;
    static constexpr int kLevelBits = 4;
    static constexpr bool kHasMinimum = true;
    static void group(const std::uint8_t* block, WeightGroup& g)
    {
        g.scaleBits = loadU16(block);
        g.minimumBits = loadU16(block + 2);
        splitNibbles(block + 4, g.level);
    }
};

/// Calls f.template operator()<T>() for the block format `type`; false for a float format.
template <typename F>
bool visitQuantised(WeightType type, F&& f)
{
    switch (type) {
    case WeightType::Q8_0:
        f.template operator()<WeightType::Q8_0>();
        return true;
    case WeightType::Q4_0:
        f.template operator()<WeightType::Q4_0>();
        return true;
    case WeightType::Q4_1:
        f.template operator()<WeightType::Q4_1>();
        return true;
    case WeightType::F32:
    case WeightType::F16:
    case WeightType::Bf16:
        break;
    }
    return false;
}

} // namespace ulp::numeric
