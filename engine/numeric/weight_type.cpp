// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/numeric/weight_type.h"

#include <array>
#include <cstring>

#include "engine/numeric/quant_blocks.h"

namespace ulp::numeric {
namespace {

template <WeightType T>
constexpr WeightTypeInfo blockFormat(std::string_view name)
{
    return {T, name, BlockTraits<T>::kElements, BlockTraits<T>::kBytes, true};
}

constexpr std::array kTypes{
    WeightTypeInfo{WeightType::F32, "F32", 1, 4, false},
    WeightTypeInfo{WeightType::F16, "F16", 1, 2, false},
    WeightTypeInfo{WeightType::Bf16, "BF16", 1, 2, false},
    blockFormat<WeightType::Q8_0>("Q8_0"),
    blockFormat<WeightType::Q4_0>("Q4_0"),
    blockFormat<WeightType::Q4_1>("Q4_1"),
    blockFormat<WeightType::Q5_0>("Q5_0"),
    blockFormat<WeightType::Q5_1>("Q5_1"),
    blockFormat<WeightType::Q2_K>("Q2_K"),
    blockFormat<WeightType::Q3_K>("Q3_K"),
    blockFormat<WeightType::Q4_K>("Q4_K"),
    blockFormat<WeightType::Q5_K>("Q5_K"),
    blockFormat<WeightType::Q6_K>("Q6_K"),
    blockFormat<WeightType::Iq4Nl>("IQ4_NL"),
    blockFormat<WeightType::Iq4Xs>("IQ4_XS"),
    blockFormat<WeightType::Mxfp4>("MXFP4"),
};

// ggml.h, enum ggml_type; empty where a number was given up before it had a lasting meaning.
constexpr std::array<std::string_view, 40> kGgufNames{
    "F32",   "F16",        "Q4_0",       "Q4_1",       "Q4_2",     "Q4_3",     "Q5_0",
    "Q5_1",  "Q8_0",       "Q8_1",       "Q2_K",       "Q3_K",     "Q4_K",     "Q5_K",
    "Q6_K",  "Q8_K",       "IQ2_XXS",    "IQ2_XS",     "IQ3_XXS",  "IQ1_S",    "IQ4_NL",
    "IQ3_S", "IQ2_S",      "IQ4_XS",     "I8",         "I16",      "I32",      "I64",
    "F64",   "IQ1_M",      "BF16",       "Q4_0_4_4",   "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",
    "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4",
};

template <typename Load>
void widen(const void* bytes, std::int64_t k, float* out, Load&& load)
{
    const auto* source = static_cast<const std::uint8_t*>(bytes);
    for (std::int64_t i = 0; i < k; ++i) {
        out[i] = load(loadU16(source + 2 * i));
    }
}

/// out: [32]
template <typename Traits>
void dequantiseGroup(const WeightGroup& group, float* out)
{
    for (int j = 0; j < kGroup; ++j) {
        const int half = j / 16;
        const float scale = groupScale<Traits>(group) * // exact
                            static_cast<float>(halfFactor<Traits>(group, half));
        const float scaled = scale * static_cast<float>(weightInteger<Traits>(group.level[j]));
        out[j] = scaled;
        if constexpr (Traits::kHasMinimum) {
            out[j] = scaled + groupMinimum<Traits>(group) *
                                  static_cast<float>(halfMinimumFactor<Traits>(group, half));
        }
    }
}

} // namespace

std::optional<WeightTypeInfo> weightTypeInfo(std::uint32_t ggufType)
{
    for (const auto& info : kTypes) {
        if (static_cast<std::uint32_t>(info.type) == ggufType) {
            return info;
        }
    }
    return std::nullopt;
}

const WeightTypeInfo& weightTypeInfo(WeightType type)
{
    for (const auto& info : kTypes) {
        if (info.type == type) {
            return info;
        }
    }
    return kTypes[0]; // every enumerator has a row, so this is not reached
}

std::string_view ggufTypeName(std::uint32_t ggufType)
{
    return ggufType < kGgufNames.size() ? kGgufNames[ggufType] : std::string_view();
}

void dequantiseRow(WeightType type, const void* bytes, std::int64_t k, float* out)
{
    switch (type) {
    case WeightType::F32:
        std::memcpy(out, bytes, static_cast<std::size_t>(k) * sizeof(float));
        return;
    case WeightType::F16:
        widen(bytes, k, out, [](std::uint16_t h) { return f16ToFloat(h); });
        return;
    case WeightType::Bf16:
        widen(bytes, k, out, [](std::uint16_t h) { return bf16ToFloat(h); });
        return;
    default:
        break;
    }
    visitQuantised(type, [&]<WeightType T>() {
        using Traits = BlockTraits<T>;
        const auto* block = static_cast<const std::uint8_t*>(bytes);
        WeightGroup group;
        for (std::int64_t i = 0; i < k; i += kGroup) {
            Traits::group(block + i / Traits::kElements * Traits::kBytes,
                          static_cast<int>(i % Traits::kElements / kGroup), group);
            dequantiseGroup<Traits>(group, out + i);
        }
    });
}

} // namespace ulp::numeric
