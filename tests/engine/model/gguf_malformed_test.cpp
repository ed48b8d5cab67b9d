// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Broken and hostile GGUF files: an error that names what is wrong, never a crash and never a view
// outside the file. Most worth running in a sanitizer build.
#include <limits>

#include <gtest/gtest.h>

#include "engine/model/model.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::model {
namespace {

using test::Bytes;
using test::GgufBuilder;

/// The error of a file that must not open.
Error errorOf(const Bytes& bytes)
{
    const auto file = GgufFile::fromBytes(bytes, "bad.gguf");
    EXPECT_FALSE(file) << "the file was taken";
    return file ? Error{} : file.error();
}

void expectRefused(const GgufBuilder& builder, const std::string& part,
                   ErrorCode code = ErrorCode::BadInput)
{
    const Error error = errorOf(builder.build());
    EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
    EXPECT_EQ(error.code, code) << error.text();
    EXPECT_EQ(error.where.rfind("bad.gguf", 0), 0U) << error.text();
    EXPECT_FALSE(error.remedy.empty()) << error.text();
}

bool inside(const void* data, std::size_t size, std::span<const std::byte> whole)
{
    const auto* begin = static_cast<const std::byte*>(data);
    return size == 0 || (begin >= whole.data() && begin + size <= whole.data() + whole.size());
}

/// Opens the bytes and uses everything that is in them, as far as that goes.
void useWhatOpens(const Bytes& bytes)
{
    const auto opened = GgufFile::fromBytes(bytes, "bad.gguf");
    if (!opened) {
        EXPECT_FALSE(opened.error().message.empty());
        return;
    }
    const GgufFile& file = **opened;
    for (const GgufEntry& entry : file.entries()) {
        ASSERT_TRUE(inside(entry.key.data(), entry.key.size(), file.bytes()));
        if (const auto* array = std::get_if<GgufArray>(&entry.value)) {
            ASSERT_TRUE(inside(array->data.data(), array->data.size(), file.bytes()));
        }
    }
    for (const GgufTensor& tensor : file.tensors()) {
        ASSERT_FALSE(tensor.data.empty());
        ASSERT_TRUE(inside(tensor.data.data(), tensor.data.size(), file.bytes()));
    }
    ASSERT_TRUE(Model::describe(file));
    if (const auto tokenizer = Tokenizer::create(file)) {
        const auto tokens = (*tokenizer)->encode("the <s> \xFF cat", {.parseSpecial = true});
        if (tokens) {
            (void)(*tokenizer)->decode(*tokens, true);
        }
    }
}

GgufBuilder smallModel()
{
    return test::tinyLlamaBuilder(
        {.layers = 1, .width = 32, .heads = 2, .kvHeads = 1, .ffn = 32, .vocab = 288});
}

TEST(GgufMalformed, TruncationAtEveryByteOfTheHeadIsAnError)
{
    const GgufBuilder builder = smallModel();
    const Bytes whole = builder.build();
    ASSERT_TRUE(GgufFile::fromBytes(whole, "whole"));
    for (std::size_t size = 0; size <= builder.headBytes(); ++size) {
        const auto file = GgufFile::fromBytes(std::span(whole).first(size), "short");
        ASSERT_FALSE(file) << "taken at " << size << " bytes";
        ASSERT_EQ(file.error().code, ErrorCode::BadInput) << file.error().text();
    }
}

TEST(GgufMalformed, TruncationOfTheTensorDataIsAnError)
{
    const GgufBuilder builder = smallModel();
    const Bytes whole = builder.build();
    test::Random random(7);
    for (int i = 0; i < 200; ++i) {
        const std::size_t size =
            builder.headBytes() + random.below(whole.size() - builder.headBytes());
        ASSERT_FALSE(GgufFile::fromBytes(std::span(whole).first(size), "short")) << size;
    }
}

TEST(GgufMalformed, BitFlipsInTheHeadNeverLeaveTheFile)
{
    const GgufBuilder builder = smallModel();
    const Bytes whole = builder.build();
    test::Random random(11);
    for (std::size_t at = 0; at < builder.headBytes(); ++at) {
        Bytes flipped = whole;
        flipped[at] ^= std::byte{1} << random.below(8);
        useWhatOpens(flipped);
        if (HasFatalFailure()) {
            FAIL() << "after a flip at byte " << at;
        }
    }
}

TEST(GgufMalformed, RandomBytesInTheHeadNeverLeaveTheFile)
{
    const GgufBuilder builder = smallModel();
    const Bytes whole = builder.build();
    test::Random random(13);
    for (int round = 0; round < 5000; ++round) {
        Bytes changed = whole;
        for (std::uint64_t i = 0; i <= random.below(6); ++i) {
            // Extreme values find overflows that random ones miss.
            constexpr std::array<std::uint8_t, 5> kExtreme{0x00, 0x01, 0x7F, 0x80, 0xFF};
            const std::size_t at = 8 + random.below(builder.headBytes() - 8);
            for (std::size_t k = at; k < std::min(at + 1 + random.below(8), changed.size()); ++k) {
                changed[k] = std::byte{kExtreme[random.below(kExtreme.size())]};
            }
        }
        useWhatOpens(changed);
        if (HasFatalFailure()) {
            FAIL() << "in round " << round;
        }
    }
}

TEST(GgufMalformed, OtherFilesVersionsAndByteOrdersAreNamed)
{
    GgufBuilder b;
    b.magic = 0x04034B50;
    expectRefused(b, "not a GGUF file");
    b.magic = 0x46554747;
    b.version = 1;
    expectRefused(b, "GGUF version 1 is not supported", ErrorCode::Unsupported);
    b.version = 4;
    expectRefused(b, "GGUF version 4 is not supported", ErrorCode::Unsupported);
    b.version = 0;
    expectRefused(b, "GGUF version 0 is not supported", ErrorCode::Unsupported);
    b.version = 0x03000000;
    expectRefused(b, "big-endian", ErrorCode::Unsupported);
}

TEST(GgufMalformed, SplitFilesAreNamed)
{
    GgufBuilder b;
    b.scalar("split.count", GgufType::U16, std::uint16_t{3});
    expectRefused(b, "one of 3 parts of a split model", ErrorCode::Unsupported);
    b.string("split.count", "three");
    expectRefused(b, "split.count: is string");
    b.scalar("split.count", GgufType::U16, std::uint16_t{1});
    EXPECT_TRUE(GgufFile::fromBytes(b.build(), "one part"));
}

TEST(GgufMalformed, CountsBeyondTheFileAreRefusedBeforeTheyAreBelieved)
{
    const Bytes whole = smallModel().build();
    for (const std::size_t at : {std::size_t{8}, std::size_t{16}}) {
        for (const std::uint64_t count :
             {std::uint64_t{1} << 32U, std::uint64_t{1} << 63U,
              std::numeric_limits<std::uint64_t>::max(), std::uint64_t{whole.size()}}) {
            Bytes changed = whole;
            std::memcpy(changed.data() + at, &count, sizeof count);
            const Error error = errorOf(changed);
            EXPECT_NE(error.message.find("more than its size can hold"), std::string::npos)
                << error.text();
        }
    }
}

TEST(GgufMalformed, LengthsBeyondTheFileAreRefused)
{
    for (const std::uint64_t length :
         {std::uint64_t{100}, std::uint64_t{1} << 40U, std::numeric_limits<std::uint64_t>::max()}) {
        Bytes text;
        test::put(text, length);
        GgufBuilder b;
        b.raw("s", 8, text);
        expectRefused(b, "claims a length of " + std::to_string(length));
        for (const std::uint32_t elementType : {0U, 5U, 8U, 12U}) {
            Bytes array;
            test::put(array, elementType);
            test::put(array, length);
            b.remove("s").raw("a", 9, array);
            expectRefused(b, "array 'a' claims " + std::to_string(length) + " elements");
        }
    }
}

TEST(GgufMalformed, TypesThatDoNotExistAreRefused)
{
    GgufBuilder b;
    b.raw("k", 13, Bytes(8));
    expectRefused(b, "type number 13, which GGUF does not define");
    Bytes array;
    test::put(array, std::uint32_t{77});
    test::put(array, std::uint64_t{0});
    expectRefused(GgufBuilder().raw("k", 9, array), "type number 77");
    expectRefused(GgufBuilder().tensor("t", {4}, 9999, Bytes(16)), "type number 9999");
}

TEST(GgufMalformed, NestedArraysAreRefused)
{
    Bytes nested;
    for (int depth = 0; depth < 1000; ++depth) {
        test::put(nested, std::uint32_t{9});
        test::put(nested, std::uint64_t{1});
    }
    expectRefused(GgufBuilder().raw("deep", 9, nested), "array of arrays");
}

TEST(GgufMalformed, BoolsAreZeroOrOne)
{
    expectRefused(GgufBuilder().scalar("b", GgufType::Bool, std::uint8_t{2}), "the value 2");
    expectRefused(GgufBuilder().array("b", GgufType::Bool, std::vector<std::uint8_t>{0, 1, 255}),
                  "neither 0 nor 1");
}

TEST(GgufMalformed, KeysAndNamesAreTextAndUnique)
{
    expectRefused(GgufBuilder().u32("k", 1).duplicate("k"), "'k' occurs twice");
    expectRefused(GgufBuilder().u32("", 1), "has 0 bytes");
    expectRefused(GgufBuilder().u32(std::string(2000, 'k'), 1), "has 2000 bytes");
    expectRefused(GgufBuilder().u32("\xFFkey", 1), "not UTF-8");
    expectRefused(GgufBuilder().u32(std::string("a\0b", 3), 1), "not UTF-8");
    GgufBuilder b;
    b.tensor("t", {4}, 0, Bytes(16)).tensor("t", {4}, 0, Bytes(16));
    expectRefused(b, "tensor 't' occurs twice");
}

TEST(GgufMalformed, AlignmentIsAPowerOfTwoOfAtLeastEight)
{
    for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 33U, 0xFFFFFFFFU}) {
        GgufBuilder b;
        b.u32("general.alignment", alignment).tensor("t", {4}, 0, Bytes(16));
        expectRefused(b, "alignment is " + std::to_string(alignment));
    }
    GgufBuilder b;
    b.u32("general.alignment", 0x80000000U).tensor("t", {4}, 0, Bytes(16));
    expectRefused(b, "padding");
    b.string("general.alignment", "32");
    expectRefused(b, "must be an integer");
}

TEST(GgufMalformed, TensorsLieInsideTheFileWithoutOverlap)
{
    const auto two = [](std::int64_t offset) {
        GgufBuilder b;
        b.tensor("a", {16}, 0, Bytes(64)).tensor("b", {16}, 0, Bytes(64));
        b.find("b")->offset = offset;
        return b;
    };
    EXPECT_TRUE(GgufFile::fromBytes(two(64).build(), "side by side"));
    expectRefused(two(0), "overlap");
    expectRefused(two(32), "overlap");
    expectRefused(two(65), "not a multiple of 32");
    expectRefused(two(std::int64_t{1} << 40), "behind the end of the file");
    // The sum with the start of the data wraps around.
    expectRefused(two(std::numeric_limits<std::int64_t>::max() & ~std::int64_t{31}),
                  "behind the end of the file");
}

TEST(GgufMalformed, OffsetsThatWrapAroundAreRefused)
{
    GgufBuilder b;
    b.tensor("a", {16}, 0, Bytes(64));
    Bytes bytes = b.build();
    // The offset is the last field of the head.
    const std::uint64_t wraps = std::uint64_t{0} - 32;
    std::memcpy(bytes.data() + b.headBytes() - 8, &wraps, 8);
    EXPECT_NE(errorOf(bytes).message.find("behind the end"), std::string::npos);
}

TEST(GgufMalformed, DimensionsAreBounded)
{
    const auto with = [](std::vector<std::uint64_t> dims, std::uint32_t type = 0) {
        return GgufBuilder().tensor("t", std::move(dims), type, Bytes(64));
    };
    EXPECT_TRUE(GgufFile::fromBytes(with({1, 2, 2, 4}).build(), "four"));
    expectRefused(with({}), "0 dimensions");
    expectRefused(with({1, 1, 1, 1, 1}), "5 dimensions");
    expectRefused(with({4, 0}), "dimension 1 of tensor 't' is 0");
    const std::uint64_t half = std::uint64_t{1} << 32U;
    expectRefused(with({half, half}), "too large");
    expectRefused(with({half, half / 2}), "too large");
    expectRefused(with({std::numeric_limits<std::uint64_t>::max()}), "too large");
    // The elements still count in 63 bits, their bytes no longer in 64.
    expectRefused(with({half, half / 4}), "reaches behind the end");
    expectRefused(with({17}), "reaches behind the end");
    expectRefused(with({33}, 8), "not a multiple of its block of 32");
}

} // namespace
} // namespace ulp::model
