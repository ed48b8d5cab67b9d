// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tokenizer tests share: making one from a builder, ids or a test failure, round trips of
// given and of random byte strings. Thread-safety: one thread. Ownership: by value.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/model/tokenizer.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::test {

inline std::unique_ptr<const model::Tokenizer> tokenizerOf(const GgufBuilder& builder)
{
    const auto file = model::GgufFile::fromBytes(builder.build(), "vocabulary.gguf");
    EXPECT_TRUE(file) << file.error().text();
    auto tokenizer = model::Tokenizer::create(**file);
    EXPECT_TRUE(tokenizer) << tokenizer.error().text();
    return *std::move(tokenizer);
}

inline std::vector<std::int32_t> idsOf(const model::Tokenizer& tokenizer, std::string_view text,
                                       const model::EncodeOptions& options = {.addBos = false})
{
    const auto ids = tokenizer.encode(text, options);
    EXPECT_TRUE(ids) << ids.error().text();
    return ids ? *ids : std::vector<std::int32_t>{};
}

inline void expectRoundTrip(const model::Tokenizer& tokenizer, const std::string& text)
{
    EXPECT_EQ(tokenizer.decode(idsOf(tokenizer, text), false), text);
    EXPECT_EQ(tokenizer.decode(idsOf(tokenizer, text, {.addBos = true}), false), text);
    EXPECT_EQ(
        tokenizer.decode(idsOf(tokenizer, text, {.addBos = false, .parseSpecial = true}), true),
        text);
}

/// Byte strings of words, spaces, space marks, digits, special tokens, and stray bytes.
inline std::string randomText(Random& random)
{
    static const std::array<std::string, 20> kParts{
        "a",   "ab",           " ",      "  ",   "\n",           "\t",       "\xE2\x96\x81",
        "<s>", "</s>",         "<0x41>", "1984", "'ll",          "\xC3\xA9", "\xE4\xB8\xAD",
        "b ",  "\xF0\x9F\x98", "\xFF",   "\xC3", "\xE2\x80\xA8", "!?"};
    std::string text;
    for (std::uint64_t i = random.below(24); i > 0; --i) {
        if (random.below(5) == 0) {
            text += static_cast<char>(random.below(256));
        } else {
            text += kParts[random.below(kParts.size())];
        }
    }
    return text;
}

inline void expectRandomRoundTrips(const model::Tokenizer& tokenizer, int count)
{
    Random random(20260101);
    for (int i = 0; i < count; ++i) {
        expectRoundTrip(tokenizer, randomText(random));
    }
    std::string everyByte;
    for (int byte = 0; byte < 256; ++byte) {
        everyByte += static_cast<char>(byte);
    }
    expectRoundTrip(tokenizer, everyByte);
}

/// Texts that one word or one run of spaces makes up: an algorithm that is quadratic in the length
/// of a word would not come back from them.
inline void expectLongRoundTrips(const model::Tokenizer& tokenizer)
{
    constexpr std::size_t kLength = 300000;
    for (const char c : {'a', ' ', '5', '!', '\xFF'}) {
        expectRoundTrip(tokenizer, std::string(kLength, c));
    }
    std::string alternating;
    while (alternating.size() < kLength) {
        alternating += "ab";
    }
    expectRoundTrip(tokenizer, alternating);
}

} // namespace ulp::test
