// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounded reading, UTF-8, mapped files, SHA-256.
#include "engine/base/bytes.h"

#include <array>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "engine/base/mapped_file.h"
#include "engine/base/sha256.h"
#include "engine/base/utf8.h"
#include "tests/engine/support/temporary_file.h"

namespace ulp {
namespace {

TEST(ByteReader, StopsAtTheEnd)
{
    const std::array<std::byte, 5> bytes{std::byte{1}, std::byte{2}, std::byte{0}, std::byte{0},
                                         std::byte{9}};
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read<std::uint32_t>(), 0x201U);
    EXPECT_FALSE(reader.read<std::uint16_t>());
    EXPECT_EQ(reader.offset(), 4U); // a failed read does not move
    EXPECT_EQ(reader.remaining(), 1U);
    EXPECT_FALSE(reader.take(2));
    EXPECT_FALSE(reader.take(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(reader.take(1)->front(), std::byte{9});
    EXPECT_EQ(reader.take(0)->size(), 0U);
    EXPECT_FALSE(reader.read<std::uint8_t>());
}

TEST(CheckedArithmetic, SeesOverflow)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(checkedAdd(kMost - 1, 1), kMost);
    EXPECT_FALSE(checkedAdd(kMost, 1));
    EXPECT_EQ(checkedMultiply(std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) - 1),
              kMost - (std::uint64_t{1} << 32U) + 1);
    EXPECT_FALSE(checkedMultiply(std::uint64_t{1} << 32U, std::uint64_t{1} << 32U));
}

TEST(DescribeBytes, IsForPeople)
{
    EXPECT_EQ(describeBytes(0), "0 bytes");
    EXPECT_EQ(describeBytes(1), "1 byte");
    EXPECT_EQ(describeBytes(999), "999 bytes");
    EXPECT_EQ(describeBytes(1000), "1.0 KB");
    EXPECT_EQ(describeBytes(999949), "999.9 KB");
    EXPECT_EQ(describeBytes(999950), "1.0 MB");
    EXPECT_EQ(describeBytes(98362432), "98.4 MB");
    EXPECT_EQ(describeBytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(Utf8, EveryCodePointGoesThereAndBack)
{
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        std::string text;
        utf8::append(text, c);
        const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        ASSERT_EQ(utf8::isValid(text), !surrogate) << static_cast<std::uint32_t>(c);
        if (!surrogate) {
            ASSERT_EQ(utf8::codePointLength(text, 0), text.size());
            ASSERT_TRUE(utf8::decode(text, 0, text.size()) == c);
            // No shorter piece of it is a code point.
            ASSERT_EQ(utf8::codePointLength(text.substr(0, text.size() - 1), 0), 0U);
        }
    }
}

TEST(Utf8, RefusesWhatIsNotUtf8)
{
    for (const std::string text : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
                                   "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                   "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x82", "\xC3\x28"}) {
        EXPECT_FALSE(utf8::isValid(text));
        EXPECT_EQ(utf8::codePointLength(text, 0), 0U);
    }
    EXPECT_EQ(utf8::codePointLength("a", 1), 0U); // past the end
}

TEST(Utf8, SplitsValidFromInvalid)
{
    EXPECT_EQ(utf8::validPrefix("a\xC3\xA9\xFFz"), 3U);
    EXPECT_EQ(utf8::invalidPrefix("\xFF\x80z"), 2U);
    EXPECT_EQ(utf8::invalidPrefix("z"), 0U);
    EXPECT_EQ(utf8::validPrefix(""), 0U);
    EXPECT_EQ(utf8::repaired("a\xFF\xC3\xA9\xE2\x82"),
              "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_TRUE(utf8::isValid(utf8::repaired("\xF0\x9F\x98")));
}

TEST(MappedFile, HoldsTheFile)
{
    std::string content;
    for (int i = 0; i < 20000; ++i) {
        content += static_cast<char>(i * 7);
    }
    const test::TemporaryFile onDisk(asBytes(content));
    auto file = MappedFile::open(onDisk.path());
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(asText(file->bytes()), content);
    // Released pages come back when they are read; odd borders release only whole pages inside.
    file->release(file->bytes());
    file->release(file->bytes().subspan(1, 9000));
    file->release(file->bytes().subspan(3, 0));
    EXPECT_EQ(asText(file->bytes()), content);
    const MappedFile moved = std::move(*file);
    EXPECT_EQ(asText(moved.bytes()), content);
    EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, SaysWhyItCannot)
{
    const auto missing = MappedFile::open("/nonexistent");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::BadInput);
    EXPECT_EQ(missing.error().text(),
              "/nonexistent: cannot open the file: No such file or directory; check the path");
    EXPECT_NE(MappedFile::open("/tmp").error().message.find("not a regular file"),
              std::string::npos);
    const test::TemporaryFile empty;
    EXPECT_NE(MappedFile::open(empty.path()).error().message.find("empty"), std::string::npos);
}

TEST(Sha256, GivesThePublishedDigests)
{
    // FIPS 180-4 examples.
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    Sha256 pieces;
    pieces.update("a");
    pieces.update("");
    pieces.update("bc");
    EXPECT_EQ(pieces.finish(), sha256Hex("abc"));
}

} // namespace
} // namespace ulp
