// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every pre-tokenizer of the table: against the words that another engine cuts with the published
// expressions (tests/data/tokenizer), and over texts that would catch a quadratic one.
#include <fstream>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "engine/model/pre_tokenizer.h"
#include "engine/model/pre_tokenizer_table.h"

namespace ulp::model {
namespace {

using Lengths = std::vector<std::size_t>;

std::string_view firstName(const PreTokenizerScheme& scheme)
{
    return scheme.names.substr(0, scheme.names.find(' '));
}

Lengths lengthsOf(const PreTokenizer& pre, const std::string& text)
{
    const auto words = pre.words(text);
    EXPECT_TRUE(words) << words.error().text();
    Lengths lengths;
    for (const std::string_view word : *words) {
        lengths.push_back(word.size());
    }
    return lengths;
}

TEST(PreTokenizerTable, CutsAsThePublishedExpressionsDo)
{
    std::ifstream stream(std::string(ULP_TEST_DATA_DIR) + "/tokenizer/words.json");
    ASSERT_TRUE(stream);
    const auto golden = nlohmann::json::parse(stream);
    const auto texts = golden["texts"].get<std::vector<std::string>>();
    ASSERT_GT(texts.size(), 100U);
    for (const PreTokenizerScheme& scheme : preTokenizerSchemes()) {
        const std::string name(firstName(scheme));
        ASSERT_TRUE(golden["words"].contains(name)) << name << " has no golden words";
        const auto pre = PreTokenizer::create(name);
        ASSERT_TRUE(pre) << pre.error().text();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_EQ(lengthsOf(*pre, texts[i]), golden["words"][name][i].get<Lengths>())
                << name << ", text " << i << ": " << texts[i];
        }
    }
}

TEST(PreTokenizerTable, SchemesDiffer)
{
    // The golden words can tell the families apart.
    const auto cut = [](std::string_view name) {
        return lengthsOf(*PreTokenizer::create(name), "I'LL 12345 camelCase");
    };
    EXPECT_EQ(cut("gpt-2"), (Lengths{1, 1, 2, 6, 10}));
    EXPECT_EQ(cut("llama-bpe"), (Lengths{1, 3, 1, 3, 2, 10}));
    EXPECT_EQ(cut("qwen2"), (Lengths{1, 3, 1, 1, 1, 1, 1, 1, 10}));
    EXPECT_EQ(cut("gpt-4o"), (Lengths{4, 1, 3, 2, 6, 4}));
    EXPECT_EQ(cut("tekken"), (Lengths{1, 3, 1, 1, 1, 1, 1, 1, 6, 4}));
}

TEST(PreTokenizerTable, EveryNameIsFoundAndNoneTwice)
{
    std::string_view rest = "";
    const std::string all = preTokenizerNames();
    std::vector<std::string> names;
    for (rest = all; !rest.empty();) {
        const std::size_t end = rest.find(", ");
        names.emplace_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 2);
    }
    EXPECT_GT(names.size(), 40U);
    for (const std::string& name : names) {
        const PreTokenizerScheme* scheme = findPreTokenizer(name);
        ASSERT_NE(scheme, nullptr) << name;
        EXPECT_EQ(std::ranges::count(names, name), 1) << name;
    }
    EXPECT_TRUE(findPreTokenizer("llama-bpe")->wholeWords);
    EXPECT_TRUE(findPreTokenizer("llama-bpe")->addBos);
    EXPECT_FALSE(findPreTokenizer("qwen2")->wholeWords);
    EXPECT_EQ(findPreTokenizer("llama"), nullptr);
    EXPECT_EQ(findPreTokenizer(""), nullptr);
    EXPECT_EQ(findPreTokenizer("phi-2 mpt"), nullptr);
}

TEST(PreTokenizerTable, LongRunsAreCutWithoutGapsAndInTime)
{
    constexpr std::size_t kLength = 300000;
    for (const PreTokenizerScheme& scheme : preTokenizerSchemes()) {
        const auto pre = PreTokenizer::create(firstName(scheme));
        ASSERT_TRUE(pre);
        for (const char* unit : {"a", "A", " ", "5", "!", "\n", "\xE4\xB8\xAD", "\xCC\x81", " \n",
                                 "aA", "\xC3\xA9\xCC\x81", "\t "}) {
            std::string text;
            while (text.size() < kLength) {
                text += unit;
            }
            text += "x";
            std::size_t total = 0;
            for (const std::size_t length : lengthsOf(*pre, text)) {
                EXPECT_GT(length, 0U);
                total += length;
            }
            EXPECT_EQ(total, text.size()) << firstName(scheme) << " over " << unit;
        }
    }
}

} // namespace
} // namespace ulp::model
