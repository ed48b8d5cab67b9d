// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Token ids that llama.cpp's own tests expect, for whole vocabularies of real models.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/model/tokenizer.h"

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
                         testing::Values("llama-spm", "phi-3", "gpt-2", "deepseek-coder", "starcoder"), testName);

} // namespace
} // namespace ulp::model
