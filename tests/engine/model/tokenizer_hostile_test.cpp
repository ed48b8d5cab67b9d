// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vocabularies that nobody trained: equal, empty, broken and enormous pieces, merges that go round
// in circles. They are refused or they work; they never hang, lose text, or read out of bounds.
#include <gtest/gtest.h>

#include "engine/base/utf8.h"
#include "engine/model/tokenizer.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/tokenizer_checks.h"

namespace ulp::model {
namespace {

using test::GgufBuilder;
using test::idsOf;
using test::tokenizerOf;
using Ids = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

/// Tokens 0 to 255 are bytes (GPT-2's alphabet is the same for ASCII), then `pieces`.
GgufBuilder bpe(const Texts& pieces, const Texts& merges, std::vector<std::int32_t> types = {},
                const std::string& pre = "gpt-2")
{
    Texts texts;
    unsigned other = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool printable =
            (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD && byte <= 0xFF);
        std::string text;
        utf8::append(text, printable ? byte : other++);
        texts.push_back(text);
    }
    texts.insert(texts.end(), pieces.begin(), pieces.end());
    std::vector<std::int32_t> allTypes(256, 1);
    types.resize(pieces.size(), 1);
    allTypes.insert(allTypes.end(), types.begin(), types.end());
    GgufBuilder b;
    b.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", pre);
    b.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", allTypes);
    b.strings("tokenizer.ggml.merges", merges);
    return b;
}

GgufBuilder spm(const Texts& pieces, const std::vector<float>& pieceScores,
                const std::vector<std::int32_t>& pieceTypes)
{
    Texts texts{"<unk>", "<s>", "</s>"};
    std::vector<float> scores(3, 0.0F);
    std::vector<std::int32_t> types{2, 3, 3};
    for (unsigned i = 0; i < 256; ++i) {
        constexpr std::string_view kHex = "0123456789ABCDEF";
        texts.push_back(std::string("<0x") + kHex[i >> 4U] + kHex[i & 15U] + ">");
        scores.push_back(0.0F);
        types.push_back(6);
    }
    texts.insert(texts.end(), pieces.begin(), pieces.end());
    scores.insert(scores.end(), pieceScores.begin(), pieceScores.end());
    types.insert(types.end(), pieceTypes.begin(), pieceTypes.end());
    GgufBuilder b;
    b.string("tokenizer.ggml.model", "llama").strings("tokenizer.ggml.tokens", texts);
    b.f32s("tokenizer.ggml.scores", scores).i32s("tokenizer.ggml.token_type", types);
    b.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    return b;
}

TEST(HostileVocabulary, EqualPiecesGiveOneOfThemAndTheTextBack)
{
    const auto bytePair =
        tokenizerOf(bpe({"ab", "ab", "<x>", "<x>"}, {"a b", "a b"}, {1, 1, 3, 3}));
    EXPECT_EQ(idsOf(*bytePair, "ab"), (Ids{257}));
    EXPECT_EQ(idsOf(*bytePair, "<x>", {.parseSpecial = true}), (Ids{258}));
    test::expectRandomRoundTrips(*bytePair, 100);
    test::expectRandomRoundTrips(
        *tokenizerOf(spm({"a", "a", "ab", "ab", "b"}, {-1, -2, -3, -4, -5}, {1, 1, 1, 4, 1})), 100);
}

TEST(HostileVocabulary, EmptyPiecesAreNeverFound)
{
    const auto empty = tokenizerOf(bpe({"", "", ""}, {}, {1, 3, 4}));
    EXPECT_EQ(idsOf(*empty, "ab", {.parseSpecial = true}), (Ids{'a', 'b'}));
    EXPECT_EQ(empty->piece(257, true), "");
    test::expectRandomRoundTrips(*empty, 100);
    test::expectRandomRoundTrips(*tokenizerOf(spm({"", "", "a"}, {9, 9, -1}, {1, 4, 1})), 100);
}

TEST(HostileVocabulary, PiecesThatAreNotUtf8Work)
{
    const auto broken =
        tokenizerOf(bpe({"\xFF\xFE", "a\x80", std::string("b\0c", 3)}, {}, {3, 4, 4}));
    const Ids ids = idsOf(*broken, "a\x80\xFF\xFE", {.parseSpecial = true});
    EXPECT_EQ(ids, (Ids{257, 256}));
    EXPECT_EQ(broken->decode(ids, true), "a\x80\xFF\xFE");
    test::expectRandomRoundTrips(*broken, 100);
    test::expectRandomRoundTrips(
        *tokenizerOf(spm({"\xC3", "\xA9", "\xC3\xA9", "\xFF"}, {-1, -1, -1, -1}, {1, 1, 1, 1})),
        100);
}

TEST(HostileVocabulary, MergesThatReturnToTheirPartsEnd)
{
    // Every merge shortens the text, so no order of them can go round.
    const auto circle =
        tokenizerOf(bpe({"ab", "ba", "aba", "bab"}, {"a b", "b a", "ab a", "b ab", "a ba"}));
    test::expectLongRoundTrips(*circle);
    // A merge whose whole is one of its parts cannot be written: it would need an empty part.
    const auto file = GgufFile::fromBytes(bpe({"", "ab"}, {"a b", "ab "}).build(), "v.gguf");
    ASSERT_TRUE(file);
    const auto refused = Tokenizer::create(**file);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("merge 1 'ab '"), std::string::npos)
        << refused.error().text();
}

TEST(HostileVocabulary, APieceOfAMegabyteIsOnlyAPiece)
{
    constexpr std::size_t kLong = std::size_t{1} << 20;
    const auto longest = tokenizerOf(bpe(
        {std::string(kLong, 'a'), "<" + std::string(kLong, 's') + ">"}, {}, {1, 3}, "llama-bpe"));
    EXPECT_EQ(idsOf(*longest, std::string(kLong, 'a')), (Ids{256})); // llama-bpe keeps whole words
    EXPECT_EQ(idsOf(*longest, std::string(kLong - 1, 'a')).size(), kLong - 1);
    test::expectRoundTrip(*longest, std::string(kLong + 1, 'a'));
    test::expectLongRoundTrips(*longest);
}

TEST(HostileVocabulary, ScoresWithoutAnOrderStillGiveOneAnswer)
{
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    const auto t = tokenizerOf(spm({"a", "b", "ab", "ba", "bb"},
                                   {0, 0, kInfinite, kInfinite, -kInfinite}, {1, 1, 1, 1, 1}));
    EXPECT_EQ(idsOf(*t, "bab"), idsOf(*t, "bab"));
    test::expectRandomRoundTrips(*t, 100);
}

TEST(HostileVocabulary, TextThatSpellsAnEndTokenNeverBecomesIt)
{
    // Whatever type the file gives it, the name decides: a user cannot end the turn.
    for (const std::int32_t type : {1, 3, 4}) {
        const auto t = tokenizerOf(bpe({"<|im_end|>"}, {}, {type}));
        EXPECT_EQ(idsOf(*t, "<|im_end|>").size(), 10U) << type;
        EXPECT_EQ(idsOf(*t, "<|im_end|>", {.parseSpecial = true}), (Ids{256})) << type;
        EXPECT_TRUE(t->endsGeneration(256)) << type;
    }
}

TEST(Vocabulary, EndOfAMessageIsNoEndWhereTextsEndOtherwise)
{
    const auto plain = tokenizerOf(bpe({"<|end|>", "<|return|>"}, {}, {3, 3}));
    EXPECT_TRUE(plain->endsGeneration(256));
    const auto harmony = tokenizerOf(bpe({"<|end|>", "<|return|>", "<|call|>"}, {}, {3, 3, 3}));
    EXPECT_FALSE(harmony->endsGeneration(256));
    EXPECT_TRUE(harmony->endsGeneration(257));
}

TEST(Vocabulary, WhiteSpaceAfterASpecialTokenGoesWhereTheModelWasTrainedSo)
{
    auto b = bpe({"<|user|>", "<|endoftext|>"}, {}, {3, 3});
    const EncodeOptions special{.addBos = false, .parseSpecial = true};
    EXPECT_EQ(idsOf(*tokenizerOf(b), "<|user|>\n a", special).size(), 4U);
    b.string("general.name", "My Phi-3 Mini");
    const auto phi = tokenizerOf(b);
    EXPECT_EQ(idsOf(*phi, "<|user|>\n a", special), (Ids{256, 'a'}));
    EXPECT_EQ(idsOf(*phi, "<|user|> \n", special), (Ids{256}));
    EXPECT_EQ(idsOf(*phi, "<|endoftext|> a", special).size(), 3U);
    EXPECT_EQ(phi->decode(idsOf(*phi, "<|user|>\n a"), false), "<|user|>\n a"); // plain text stays
}

} // namespace
} // namespace ulp::model
