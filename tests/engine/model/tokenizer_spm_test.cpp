// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SentencePiece byte-pair encoding on vocabularies small enough to work out by hand.
#include <gtest/gtest.h>

#include "engine/model/tokenizer.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/tokenizer_checks.h"

namespace ulp::model {
namespace {

using test::GgufBuilder;
using Ids = std::vector<std::int32_t>;

const std::string kMark = "\xE2\x96\x81"; // U+2581

struct Token {
    std::string text;
    float score = 0.0F;
    std::int32_t type = 1;
};

/// 0 <unk>, 1 <s>, 2 </s>, 3 to 258 the bytes, and then `pieces`.
GgufBuilder spm(const std::vector<Token>& pieces, bool byteTokens = true)
{
    std::vector<std::string> texts{"<unk>", "<s>", "</s>"};
    std::vector<float> scores{0.0F, 0.0F, 0.0F};
    std::vector<std::int32_t> types{2, 3, 3};
    for (unsigned i = 0; byteTokens && i < 256; ++i) {
        constexpr std::string_view kHex = "0123456789ABCDEF";
        texts.push_back(std::string("<0x") + kHex[i >> 4U] + kHex[i & 15U] + ">");
        scores.push_back(0.0F);
        types.push_back(6);
    }
    for (const Token& piece : pieces) {
        texts.push_back(piece.text);
        scores.push_back(piece.score);
        types.push_back(piece.type);
    }
    GgufBuilder b;
    b.string("tokenizer.ggml.model", "llama").strings("tokenizer.ggml.tokens", texts);
    b.f32s("tokenizer.ggml.scores", scores).i32s("tokenizer.ggml.token_type", types);
    b.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    return b;
}

constexpr std::int32_t kFirst = 259;

std::int32_t byteId(unsigned char byte)
{
    return 3 + byte;
}

using test::idsOf;
using test::tokenizerOf;

TEST(SpmTokenizer, MergesTheHighestScoreFirst)
{
    // "abc": bc (score -1) merges before ab (-2), and a+bc makes nothing.
    const auto t =
        tokenizerOf(spm({{kMark, -9}, {"a", -9}, {"b", -9}, {"c", -9}, {"ab", -2}, {"bc", -1}})
                        .boolean("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(idsOf(*t, "abc"), (Ids{kFirst + 1, kFirst + 5}));
    EXPECT_EQ(idsOf(*t, "ab"), (Ids{kFirst + 4}));
}

TEST(SpmTokenizer, MergesTheLeftmostOfEqualScores)
{
    const auto t = tokenizerOf(spm({{"a", -9}, {"aa", -1}, {"aaa", -5}})
                                   .boolean("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(idsOf(*t, "aaa"), (Ids{kFirst + 2}));
    EXPECT_EQ(idsOf(*t, "aaaa"), (Ids{kFirst + 1, kFirst + 1}));
    EXPECT_EQ(idsOf(*t, "aaaaa"), (Ids{kFirst + 1, kFirst + 2})); // aa aa a -> aa aaa
}

TEST(SpmTokenizer, PutsASpaceInFrontAsTheFileSays)
{
    const auto with = tokenizerOf(spm({{kMark, -9}, {"a", -9}, {kMark + "a", -1}}));
    EXPECT_EQ(idsOf(*with, "a"), (Ids{kFirst + 2}));
    EXPECT_EQ(idsOf(*with, " a"), (Ids{kFirst, kFirst + 2}));
    EXPECT_EQ(idsOf(*with, ""), Ids{});
    EXPECT_EQ(with->decode(Ids{kFirst + 2, kFirst + 2}, false), "a a");
    const auto without = tokenizerOf(spm({{kMark, -9}, {"a", -9}, {kMark + "a", -1}})
                                         .boolean("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(idsOf(*without, "a"), (Ids{kFirst + 1}));
    EXPECT_EQ(without->decode(Ids{kFirst + 2}, false), " a");
}

TEST(SpmTokenizer, AddsBosAndEosAsTheFileSays)
{
    auto b = spm({{"a", -1}}).boolean("tokenizer.ggml.add_space_prefix", false);
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {}), (Ids{1, kFirst})); // the default of `llama`
    EXPECT_EQ(idsOf(*tokenizerOf(b), "", {}), (Ids{1}));
    b.boolean("tokenizer.ggml.add_eos_token", true);
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {}), (Ids{1, kFirst, 2}));
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {.addBos = false}), (Ids{kFirst}));
    b.boolean("tokenizer.ggml.add_bos_token", false);
    EXPECT_EQ(idsOf(*tokenizerOf(b), "a", {}), (Ids{kFirst, 2}));
}

TEST(SpmTokenizer, FallsBackToBytes)
{
    const auto t = tokenizerOf(
        spm({{"a", -1}, {kMark, -1}}).boolean("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(idsOf(*t, "\xC3\xA9"), (Ids{byteId(0xC3), byteId(0xA9)}));
    EXPECT_EQ(idsOf(*t, "a\xFF\n"), (Ids{kFirst, byteId(0xFF), byteId('\n')}));
    EXPECT_EQ(t->piece(byteId(0xC3), false), "\xC3");
}

TEST(SpmTokenizer, WithoutBytesAnUnknownCharacterIsAnErrorNotALoss)
{
    const auto t = tokenizerOf(spm({{"a", -1}, {kMark, -1}}, false));
    EXPECT_TRUE(t->encode("a a", {}));
    const auto bad = t->encode("ab", {});
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("'b'"), std::string::npos) << bad.error().text();
}

TEST(SpmTokenizer, TheSpaceMarkInTheTextItselfIsNotASpace)
{
    const auto t = tokenizerOf(spm({{kMark, -9}, {"a", -9}, {kMark + "a", -1}}));
    const Ids marked{kFirst + 2, byteId(0xE2), byteId(0x96), byteId(0x81), kFirst + 1};
    EXPECT_EQ(idsOf(*t, "a" + kMark + "a"), marked);
    EXPECT_EQ(t->decode(marked, false), "a" + kMark + "a");
}

TEST(SpmTokenizer, AVocabularyWithoutASpaceKeepsSpacesToo)
{
    const auto t = tokenizerOf(spm({{"a", -1}}));
    EXPECT_EQ(idsOf(*t, "a a"), (Ids{byteId(' '), kFirst, byteId(' '), kFirst}));
    test::expectRoundTrip(*t, " a  a ");
}

TEST(SpmTokenizer, ControlTokensAreReadOnlyOnRequest)
{
    const auto t = tokenizerOf(spm(
        {{kMark, -9}, {"a", -9}, {"<", -9}, {"s", -9}, {">", -9}, {"<s", -1}, {kMark + "a", -1}}));
    const Ids plain{kFirst, kFirst + 5, kFirst + 4};
    EXPECT_EQ(idsOf(*t, "<s>"), plain); // never the control token, although "<s" + ">" spells it
    EXPECT_EQ(t->decode(plain, false), "<s>");
    const Ids special = idsOf(*t, "a<s>a", {.addBos = false, .parseSpecial = true});
    EXPECT_EQ(special, (Ids{kFirst + 6, 1, kFirst + 6})); // a space in front of each plain part
    EXPECT_EQ(t->decode(special, true), "a<s>a");
    EXPECT_EQ(t->decode(special, false), "aa");
    EXPECT_EQ(t->piece(1, true), "<s>");
    EXPECT_EQ(t->piece(1, false), "");
}

TEST(SpmTokenizer, TextThatSpellsAByteTokenStaysText)
{
    const auto t = tokenizerOf(spm({{"<", -1},
                                    {"0", -1},
                                    {"x", -1},
                                    {"4", -1},
                                    {"1", -1},
                                    {">", -1},
                                    {"<0", -1},
                                    {"<0x", -1},
                                    {"<0x4", -1},
                                    {"<0x41", -1}})
                                   .boolean("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(idsOf(*t, "<0x41>"), (Ids{kFirst + 9, kFirst + 5}));
    test::expectRoundTrip(*t, "<0x41>A");
}

TEST(SpmTokenizer, UserDefinedTokensAreTakenFirstAndLongest)
{
    const auto t = tokenizerOf(
        spm({{kMark, -9}, {"a", -9}, {"aa", -1}, {"<t>", 0, 4}, {"<t><t>", 0, 4}, {"  ", 0, 4}}));
    EXPECT_EQ(idsOf(*t, "a<t><t><t>a"),
              (Ids{kFirst, kFirst + 1, kFirst + 4, kFirst + 3, kFirst, kFirst + 1}));
    for (const char* text : {"<t>", "a<t> a", "<t> <t>", " <t>", "a   a", "  a", "<t>   ", "   "}) {
        test::expectRoundTrip(*t, text);
    }
}

TEST(SpmTokenizer, KnowsWhatEndsGeneration)
{
    auto b =
        spm({{"a", -1}, {"<|eot_id|>", 0, 3}, {"<end_of_turn>", 0, 1}, {"x", 0, 3}, {"y", 0, 3}});
    b.u32("tokenizer.ggml.eot_token_id", kFirst + 3).u32("tokenizer.ggml.eom_token_id", kFirst + 4);
    b.u32("tokenizer.ggml.padding_token_id", 0xFFFFFFFFU);
    const auto t = tokenizerOf(b);
    EXPECT_EQ(t->bos(), 1);
    EXPECT_EQ(t->eos(), 2);
    for (const std::int32_t token : {2, kFirst + 1, kFirst + 2, kFirst + 3, kFirst + 4}) {
        EXPECT_TRUE(t->endsGeneration(token)) << token;
    }
    for (const std::int32_t token : {-1, 0, 1, kFirst, kFirst + 5}) {
        EXPECT_FALSE(t->endsGeneration(token)) << token;
    }
}

TEST(SpmTokenizer, EveryByteStringComesBack)
{
    const auto t = tokenizerOf(test::tinyLlamaBuilder({.vocab = 900}));
    test::expectRandomRoundTrips(*t, 400);
    test::expectLongRoundTrips(*t);
    const auto withUser = tokenizerOf(spm({{kMark, -9},
                                           {kMark + kMark, -1},
                                           {"a", -9},
                                           {"b", -9},
                                           {"ab", -2},
                                           {kMark + "a", -1},
                                           {"\n\n", 0, 4},
                                           {"   ", 0, 4},
                                           {kMark + "b", 0, 4}}));
    test::expectRandomRoundTrips(*withUser, 400);
}

TEST(SpmTokenizer, OutOfRangeTokensAreEmpty)
{
    const auto t = tokenizerOf(spm({{"a", -1}}));
    EXPECT_EQ(t->piece(-1, true), "");
    EXPECT_EQ(t->piece(t->size(), true), "");
    EXPECT_EQ(t->decode(Ids{1 << 30, kFirst, -5}, true), "a");
}

TEST(SpmTokenizer, MalformedVocabulariesAreNamed)
{
    const auto expectBad = [](const GgufBuilder& b, const std::string& part) {
        const auto file = GgufFile::fromBytes(b.build(), "v.gguf");
        ASSERT_TRUE(file) << file.error().text();
        const auto t = Tokenizer::create(**file);
        ASSERT_FALSE(t) << part;
        EXPECT_NE(t.error().text().find(part), std::string::npos) << t.error().text();
        EXPECT_EQ(t.error().where.rfind("v.gguf", 0), 0U) << t.error().text();
    };
    const auto good = [] { return spm({{"a", -1}}); };
    ASSERT_NE(tokenizerOf(good()), nullptr);
    expectBad(good().remove("tokenizer.ggml.model"), "tokenizer.ggml.model");
    expectBad(good().remove("tokenizer.ggml.tokens"), "tokenizer.ggml.tokens");
    expectBad(good().remove("tokenizer.ggml.scores"), "tokenizer.ggml.scores");
    expectBad(good().f32s("tokenizer.ggml.scores", {1.0F}), "1 entries for 260 tokens");
    expectBad(good().i32s("tokenizer.ggml.token_type", {1}), "1 entries for 260 tokens");
    expectBad(good().strings("tokenizer.ggml.tokens", {}), "0 tokens");
    expectBad(good().u32("tokenizer.ggml.bos_token_id", 260), "outside the vocabulary");
    expectBad(good().string("tokenizer.ggml.eos_token_id", "2"), "must be an integer");
    expectBad(good().string("tokenizer.ggml.model", "bert"), "tokenizer 'bert'");
    expectBad(good().string("tokenizer.ggml.pre", "novel"), "pre-tokenizer 'novel'");
    expectBad(
        good().remove("tokenizer.ggml.bos_token_id").boolean("tokenizer.ggml.add_bos_token", true),
        "names no such token");
    expectBad(spm({{"a", -1}, {"<0xZZ>", 0, 6}}), "not of the form");
    expectBad(spm({{"a", -1}, {"a", 0, 9}}), "type number 9");
    expectBad(spm({{"a", std::numeric_limits<float>::quiet_NaN()}}), "not a number");
}

} // namespace
} // namespace ulp::model
