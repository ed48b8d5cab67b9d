// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Token ids that llama.cpp's own tests expect, for whole vocabularies of real models.
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "engine/base/utf8.h"
#include "engine/model/tokenizer.h"
#include "tests/engine/support/real_model.h"
#include "tests/engine/support/tokenizer_checks.h"

namespace ulp::model {
namespace {

std::string vocabularyPath(const std::string& name)
{
    return std::string(ULP_TEST_SHARED_DIR) + "/tokenizers/ggml-vocab-" + name + ".gguf";
}

std::string contents(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> textsOf(const std::string& all)
{
    const std::string separator = "\n__ggml_vocab_test__\n";
    std::vector<std::string> texts;
    std::size_t at = 0;
    for (std::size_t end = 0; (end = all.find(separator, at)) != std::string::npos;
         at = end + separator.size()) {
        texts.push_back(all.substr(at, end - at));
    }
    if (at < all.size()) {
        texts.push_back(all.substr(at)); // nothing follows the last separator
    }
    return texts;
}

std::vector<std::int32_t> idsOf(const std::string& line)
{
    std::istringstream stream(line);
    std::vector<std::int32_t> ids;
    for (std::int32_t id = 0; stream >> id;) {
        ids.push_back(id);
    }
    return ids;
}

std::string testName(const testing::TestParamInfo<const char*>& parameter)
{
    std::string name = parameter.param;
    std::erase(name, '-');
    return name;
}

/// Encodes and decodes every text beside the vocabulary at `path`.
void expectVectors(const GgufFile& file, const std::string& path)
{
    const auto tokenizer = Tokenizer::create(file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().text();
    const std::vector<std::string> texts = textsOf(contents(path + ".inp"));
    std::istringstream lines(contents(path + ".out"));
    std::size_t checked = 0;
    for (std::string line; std::getline(lines, line); ++checked) {
        ASSERT_LT(checked, texts.size());
        const auto ids = (*tokenizer)->encode(texts[checked], {.addBos = false});
        ASSERT_TRUE(ids) << ids.error().text();
        EXPECT_EQ(*ids, idsOf(line)) << "text " << checked << ": " << texts[checked];
        EXPECT_EQ((*tokenizer)->decode(*ids, false), texts[checked]);
    }
    EXPECT_EQ(checked, texts.size());
    EXPECT_GT(checked, 40U);
}

class TokenizerVectors : public testing::TestWithParam<const char*> {};

TEST_P(TokenizerVectors, MatchExactlyAndRoundTrip)
{
    const std::string path = vocabularyPath(GetParam());
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no file " << path;
    }
    const auto file = GgufFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    expectVectors(**file, path);
}

INSTANTIATE_TEST_SUITE_P(Supported, TokenizerVectors,
                         testing::Values("llama-spm", "phi-3", "gpt-2", "deepseek-coder",
                                         "starcoder"),
                         testName);

std::string specialsPath(const std::string& name)
{
    if (name == "smollm2") {
        return test::smollm2Path().string();
    }
    return name == "gemma3" ? test::realModelPath("gemma-3-270m-q4_k_m.gguf").string()
                            : vocabularyPath(name);
}

class TokenizerSpecials : public testing::TestWithParam<const char*> {};

// tests/data/tokenizer/specials.json: what llama.cpp gives for texts full of special tokens.
TEST_P(TokenizerSpecials, MatchExactlyParsedOrNot)
{
    const std::string path = specialsPath(GetParam());
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no file " << path;
    }
    const auto file = GgufFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    const auto tokenizer = Tokenizer::create(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().text();
    const auto golden = nlohmann::json::parse(
        contents(std::string(ULP_TEST_DATA_DIR) + "/tokenizer/specials.json"));
    const auto texts = golden["texts"].get<std::vector<std::string>>();
    ASSERT_GT(texts.size(), 40U);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto expected = [&](const char* kind) {
            return golden["ids"][GetParam()][kind][i].get<std::vector<std::int32_t>>();
        };
        EXPECT_EQ(test::idsOf(**tokenizer, texts[i]), expected("plain")) << texts[i];
        EXPECT_EQ(test::idsOf(**tokenizer, texts[i], {.addBos = false, .parseSpecial = true}),
                  expected("special"))
            << texts[i];
        differ += expected("plain") != expected("special") ? 1 : 0;
    }
    if (std::string_view(GetParam()) != "deepseek-coder") { // whose specials are in none of them
        EXPECT_GT(differ, 0U);                              // the texts tell the two apart
    }
}

INSTANTIATE_TEST_SUITE_P(Specials, TokenizerSpecials,
                         testing::Values("phi-3", "llama-spm", "starcoder", "deepseek-coder",
                                         "smollm2", "gemma3"),
                         testName);

/// Random valid Unicode without U+0000: code points of all planes, some repeated.
std::string randomUnicode(test::Random& random)
{
    constexpr std::array<char32_t, 8> kBlocks{0x20,   0x80,   0x400,  0x900,
                                              0x2000, 0x4E00, 0xE000, 0x1F300};
    std::string text;
    for (std::uint64_t i = 1 + random.below(40); i > 0; --i) {
        const auto start = kBlocks[random.below(kBlocks.size())];
        const auto codePoint = static_cast<char32_t>(start + random.below(0x200));
        for (std::uint64_t k = random.below(6) == 0 ? random.below(9) : 1; k > 0; --k) {
            utf8::append(text, random.below(40) == 0
                                   ? static_cast<char32_t>(random.below(0xD800) + 32)
                                   : codePoint);
        }
    }
    return text;
}

TEST_P(TokenizerSpecials, RandomUnicodeComesBack)
{
    const std::string path = specialsPath(GetParam());
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no file " << path;
    }
    const auto file = GgufFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    const auto tokenizer = Tokenizer::create(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().text();
    test::Random random(7);
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        const std::string text = randomUnicode(random);
        const auto ids = (*tokenizer)->encode(text, {.addBos = false});
        if (!ids) { // SmolLM2's lacks bytes that hardly occur, and says so
            EXPECT_NE(ids.error().message.find("no token for byte"), std::string::npos);
            ++refused;
            continue;
        }
        EXPECT_EQ((*tokenizer)->decode(*ids, false), text);
    }
    if (std::string_view(GetParam()) != "smollm2") {
        EXPECT_EQ(refused, 0);
    }
    EXPECT_LT(refused, 200);
}

} // namespace
} // namespace ulp::model
