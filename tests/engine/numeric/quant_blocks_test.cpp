// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every block format means what the field's own decoder says, by fixtures that it wrote
// (tests/data/make_quant_blocks.py).
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/numeric/quant_blocks.h"

namespace ulp::numeric {
namespace {

struct Fixture {
    WeightType type = WeightType::F32;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint32_t> bits;
};

std::optional<WeightType> typeNamed(const std::string& name)
{
    for (std::uint32_t type = 0; type < 64; ++type) {
        const auto info = weightTypeInfo(type);
        if (info && info->name == name) {
            return info->type;
        }
    }
    return std::nullopt;
}

std::vector<Fixture> fixtures()
{
    std::ifstream in(ULP_TEST_DATA_DIR "/quant_blocks.txt");
    std::vector<Fixture> all;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        std::string name;
        std::string hex;
        fields >> name >> hex;
        const auto type = typeNamed(name);
        EXPECT_TRUE(type.has_value()) << name;
        Fixture f;
        f.type = type.value_or(WeightType::F32);
        for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
            f.bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
        }
        for (std::uint32_t bits = 0; fields >> std::hex >> bits;) {
            f.bits.push_back(bits);
        }
        all.push_back(f);
    }
    return all;
}

std::int64_t differences(const Fixture& f)
{
    std::vector<float> out(f.bits.size());
    dequantiseRow(f.type, f.bytes.data(), static_cast<std::int64_t>(out.size()), out.data());
    std::int64_t count = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        // A zero of either sign is the same weight.
        count += bitsOf(out[i]) != f.bits[i] && !(out[i] == 0.0F && floatOf(f.bits[i]) == 0.0F);
    }
    return count;
}

TEST(QuantBlocks, DecodeAsTheFieldDoes)
{
    std::set<WeightType> seen;
    for (const Fixture& f : fixtures()) {
        const auto& info = weightTypeInfo(f.type);
        ASSERT_EQ(f.bits.size(), static_cast<std::size_t>(2 * info.blockElements)) << info.name;
        ASSERT_EQ(f.bytes.size(), static_cast<std::size_t>(2 * info.blockBytes)) << info.name;
        EXPECT_EQ(differences(f), 0) << info.name;
        seen.insert(f.type);
    }
    for (std::uint32_t type = 0; type < 64; ++type) {
        const auto info = weightTypeInfo(type);
        EXPECT_TRUE(!info || !info->quantised || seen.count(info->type) == 1) << info->name;
    }
}

TEST(QuantBlocks, EveryByteOfABlockMatters)
{
    // The control: a bit flipped anywhere shows in the weights.
    for (const Fixture& f : fixtures()) {
        for (std::size_t i = 0; i < f.bytes.size(); ++i) {
            Fixture damaged = f;
            damaged.bytes[i] ^= 0x10;
            EXPECT_NE(differences(damaged), 0) << weightTypeInfo(f.type).name << " byte " << i;
        }
    }
}

TEST(QuantBlocks, FactorsOfAGroupAreExactInFloat32)
{
    // d * factor and dmin * factor lose nothing, whatever the bits of d: 11 bits times 6 or 8.
    WeightGroup g{};
    for (std::uint32_t bits = 0; bits < 0x7c00U; bits += 7) {
        for (int factor = -128; factor < 128; ++factor) {
            g.scaleBits = static_cast<std::uint16_t>(bits);
            setFactors(g, factor, factor);
            ASSERT_EQ(static_cast<double>(groupScale<BlockTraits<WeightType::Q4_K>>(g)),
                      static_cast<double>(f16ToFloat(g.scaleBits)) * factor);
        }
    }
}

} // namespace
} // namespace ulp::numeric
