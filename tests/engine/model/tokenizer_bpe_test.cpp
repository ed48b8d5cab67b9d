// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Byte-level byte-pair encoding and its pre-tokenizers on vocabularies small enough to work out by
// hand, and on SmolLM2's own.
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "engine/base/utf8.h"
#include "engine/model/pre_tokenizer.h"
#include "engine/model/tokenizer.h"
#include "tests/engine/support/real_model.h"
#include "tests/engine/support/tokenizer_checks.h"

namespace ulp::model {
namespace {

using test::GgufBuilder;
using test::idsOf;
using test::tokenizerOf;
using Ids = std::vector<std::int32_t>;
using Words = std::vector<std::string_view>;

/// GPT-2's character for a byte, by its definition: the printable ones stand for themselves, the
/// others are numbered on from 256.
std::string characterOf(unsigned byte)
{
    const auto printable = [](unsigned b) {
        return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
    };
    char32_t character = byte;
    if (!printable(byte)) {
        character = 256;
        for (unsigned b = 0; b < byte; ++b) {
            character += printable(b) ? 0 : 1;
        }
    }
    std::string text;
    utf8::append(text, character);
    return text;
}

/// Tokens 0 to 255 are the bytes, then `pieces`, made by `merges`.
GgufBuilder bpe(const std::vector<std::string>& pieces, const std::vector<std::string>& merges,
                std::vector<std::int32_t> types = {})
{
    std::vector<std::string> texts;
    for (unsigned byte = 0; byte < 256; ++byte) {
        texts.push_back(characterOf(byte));
    }
    texts.insert(texts.end(), pieces.begin(), pieces.end());
    std::vector<std::int32_t> allTypes(256, 1);
    types.resize(pieces.size(), 1);
    allTypes.insert(allTypes.end(), types.begin(), types.end());
    GgufBuilder b;
    b.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", "gpt-2");
    b.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", allTypes);
    b.strings("tokenizer.ggml.merges", merges);
    return b;
}

Words wordsOf(std::string_view scheme, std::string_view text)
{
    const auto pre = PreTokenizer::create(scheme);
    EXPECT_TRUE(pre) << pre.error().text();
    const auto words = pre->words(text);
    EXPECT_TRUE(words) << words.error().text();
    return *words;
}

TEST(PreTokenizer, Gpt2CutsLikeItsExpression)
{
    EXPECT_EQ(wordsOf("gpt-2", "Hello world"), (Words{"Hello", " world"}));
    EXPECT_EQ(wordsOf("gpt-2", "I've  2 cats,\tyes\n"),
              (Words{"I", "'ve", " ", " 2", " cats", ",", "\t", "yes", "\n"}));
    EXPECT_EQ(wordsOf("gpt-2", "a   "), (Words{"a", "   "}));
    EXPECT_EQ(wordsOf("gpt-2", "1234 56"), (Words{"1234", " 56"}));
    EXPECT_EQ(wordsOf("gpt-2", " \n\n x"), (Words{" \n\n", " x"}));
    EXPECT_EQ(wordsOf("gpt-2", "'S"), (Words{"'", "S"})); // contractions are lower case only
    EXPECT_EQ(wordsOf("gpt-2", ""), Words{});
}

TEST(PreTokenizer, SmollmCutsDigitsOneByOne)
{
    EXPECT_EQ(wordsOf("smollm", "in 1984!"), (Words{"in", " ", "1", "9", "8", "4", "!"}));
    EXPECT_EQ(wordsOf("smollm", "a 5b"), (Words{"a", " ", "5", "b"}));
    EXPECT_EQ(wordsOf("smollm", "I've been"), (Words{"I", "'ve", " been"}));
}

TEST(PreTokenizer, ClassesAreThoseOfUnicode)
{
    // Letters of any script; the Roman numeral U+2167 and the half U+00BD are numbers.
    EXPECT_EQ(wordsOf("gpt-2", "\xD0\xBD\xD0\xB5 \xE4\xB8\xAD\xE6\x96\x87"),
              (Words{"\xD0\xBD\xD0\xB5", " \xE4\xB8\xAD\xE6\x96\x87"}));
    EXPECT_EQ(wordsOf("gpt-2", "4 \xC2\xBD\xE2\x85\xA7x"),
              (Words{"4", " \xC2\xBD\xE2\x85\xA7", "x"}));
    // No-break space and ideographic space are spaces; U+180E and U+200B are not.
    EXPECT_EQ(wordsOf("gpt-2", "a\xC2\xA0\xE3\x80\x80"), (Words{"a", "\xC2\xA0\xE3\x80\x80"}));
    EXPECT_EQ(wordsOf("gpt-2", "!\xE1\xA0\x8E!\xE2\x80\x8B!"),
              (Words{"!\xE1\xA0\x8E!\xE2\x80\x8B!"}));
}

TEST(PreTokenizer, StrayBytesAreWordsOfTheirOwn)
{
    EXPECT_EQ(wordsOf("gpt-2", "ab\xFF\xFExy"), (Words{"ab", "\xFF\xFE", "xy"}));
    EXPECT_EQ(wordsOf("smollm", "\xC3"), (Words{"\xC3"}));
}

TEST(PreTokenizer, OthersAreRefusedByName)
{
    for (const char* name : {"novel-bpe", "qwen", "", "gpt-2 ", "GPT-2", "gpt-2 phi-2", "\xFF"}) {
        const auto pre = PreTokenizer::create(name);
        ASSERT_FALSE(pre) << name;
        EXPECT_EQ(pre.error().code, ErrorCode::Unsupported);
        EXPECT_NE(pre.error().text().find("'" + utf8::repaired(name) + "'"), std::string::npos);
        EXPECT_NE(pre.error().text().find("gpt-2, phi-2"), std::string::npos);
    }
}

TEST(BpeTokenizer, MergesByRank)
{
    // "abc": b+c has the lower rank; a+bc has one too, so the word becomes one token.
    const auto t = tokenizerOf(bpe({"bc", "ab", "abc"}, {"b c", "a b", "a bc"}));
    EXPECT_EQ(idsOf(*t, "abc"), (Ids{258}));
    EXPECT_EQ(idsOf(*t, "ab"), (Ids{257}));
    const auto other = tokenizerOf(bpe({"bc", "ab", "abc"}, {"a b", "b c", "a bc"}));
    EXPECT_EQ(idsOf(*other, "abc"), (Ids{257, 'c'})); // ab + c has no rank
}

TEST(BpeTokenizer, NeverMergesAcrossWords)
{
    // U+0120 stands for the space.
    const auto t = tokenizerOf(bpe({"a\xC4\xA0", "\xC4\xA0"
                                                 "b"},
                                   {"a \xC4\xA0", "\xC4\xA0 b"}));
    EXPECT_EQ(idsOf(*t, "a b"), (Ids{'a', 257}));
    EXPECT_EQ(t->decode(Ids{'a', 257}, false), "a b");
    EXPECT_EQ(t->piece(256, false), "a ");
}

TEST(BpeTokenizer, AddsBosOnlyWhenTheFileSaysSo)
{
    auto b = bpe({"<|endoftext|>"}, {}, {3}).u32("tokenizer.ggml.bos_token_id", 256);
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {}), (Ids{'a'}));
    b.boolean("tokenizer.ggml.add_bos_token", true);
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {}), (Ids{256, 'a'}));
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {.addBos = false}), (Ids{'a'}));
}

TEST(BpeTokenizer, SpecialTokensAreReadOnlyOnRequest)
{
    const auto t = tokenizerOf(bpe({"<|im_start|>", "<|im_end|>", "<u>"}, {}, {3, 1, 4}));
    EXPECT_EQ(idsOf(*t, "<u>a"), (Ids{258, 'a'}));
    EXPECT_EQ(idsOf(*t, "<|im_start|>").size(), 12U);
    EXPECT_EQ(idsOf(*t, "<|im_start|>a<|im_end|>", {.parseSpecial = true}),
              (Ids{256, 'a', 257})); // the end token counts as special although the file forgot it
    EXPECT_EQ(t->decode(Ids{256, 'a', 257}, false), "a");
    EXPECT_EQ(t->decode(Ids{256, 'a', 257}, true), "<|im_start|>a<|im_end|>");
    EXPECT_TRUE(t->endsGeneration(257));
    EXPECT_FALSE(t->endsGeneration(256));
}

TEST(BpeTokenizer, EveryByteStringComesBack)
{
    const auto t = tokenizerOf(bpe({"ab",
                                    "\xC4\xA0"
                                    "a",
                                    "<s>", "</s>"},
                                   {"a b", "\xC4\xA0 a"}, {1, 1, 3, 4}));
    test::expectRandomRoundTrips(*t, 400);
    test::expectLongRoundTrips(*t);
}

TEST(BpeTokenizer, AByteWithoutATokenIsAnErrorNotALoss)
{
    auto b = bpe({}, {});
    std::vector<std::string> texts;
    for (unsigned byte = 0; byte < 256; ++byte) {
        texts.push_back(byte == 4 ? "gone" : characterOf(byte));
    }
    const auto t = tokenizerOf(b.strings("tokenizer.ggml.tokens", texts));
    EXPECT_TRUE(t->encode("abc", {}));
    const auto bad = t->encode("a\x04", {});
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("byte 4"), std::string::npos) << bad.error().text();
}

TEST(BpeTokenizer, MalformedVocabulariesAreNamed)
{
    const auto expectBad = [](const GgufBuilder& b, const std::string& part) {
        const auto file = GgufFile::fromBytes(b.build(), "v.gguf");
        ASSERT_TRUE(file) << file.error().text();
        const auto t = Tokenizer::create(**file);
        ASSERT_FALSE(t) << part;
        EXPECT_NE(t.error().text().find(part), std::string::npos) << t.error().text();
        EXPECT_EQ(t.error().where.rfind("v.gguf", 0), 0U) << t.error().text();
    };
    const auto good = [] { return bpe({"ab"}, {"a b"}); };
    ASSERT_NE(tokenizerOf(good()), nullptr);
    expectBad(good().remove("tokenizer.ggml.pre"), "does not name its pre-tokenizer");
    expectBad(good().string("tokenizer.ggml.pre", "novel"), "pre-tokenizer 'novel'");
    expectBad(good().remove("tokenizer.ggml.merges"), "tokenizer.ggml.merges");
    expectBad(good().strings("tokenizer.ggml.merges", {"ab"}), "merge 0 'ab' is not a pair");
    expectBad(good().strings("tokenizer.ggml.merges", {""}), "is not a pair");
    expectBad(good().strings("tokenizer.ggml.merges", {"a b", "a c"}), "merge 1 'a c'");
    expectBad(good().boolean("tokenizer.ggml.add_space_prefix", true), "space prefix");
}

TEST(BpeTokenizer, EncodesSmolLM2sPromptsAsItsPeerDoes)
{
    const auto path = test::smollm2Path();
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no file " << path << "; packaging/get-smollm2 gets it";
    }
    const auto file = GgufFile::open(path.string());
    ASSERT_TRUE(file) << file.error().text();
    const auto tokenizer = Tokenizer::create(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().text();
    for (const char* name : {"greedy-raw.json", "greedy-chat.json"}) {
        std::ifstream stream(std::string(ULP_TEST_SHARED_DIR) + "/models/smollm2/" + name);
        if (!stream) {
            GTEST_SKIP() << "no file " << name;
        }
        const auto peer = nlohmann::json::parse(stream);
        const auto prompt = peer["prompt"].get<std::string>();
        auto expected = peer["tokens"].get<Ids>();
        const bool special = peer["special"].get<bool>();
        EXPECT_EQ(peer["vocab"].get<std::int32_t>(), (*tokenizer)->size());
        const std::string all = (*tokenizer)->decode(expected, true);
        EXPECT_TRUE(all.starts_with(prompt)) << all;
        expected.resize(peer["prompt_tokens"].get<std::size_t>());
        EXPECT_EQ(idsOf(**tokenizer, prompt, {.parseSpecial = special}), expected);
    }
}

} // namespace
} // namespace ulp::model
