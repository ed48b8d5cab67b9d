// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Well-formed GGUF files read as what they say.
#include <limits>

#include <gtest/gtest.h>

#include "tests/engine/support/gguf_builder.h"

namespace ulp::model {
namespace {

using test::GgufBuilder;

std::shared_ptr<const GgufFile> parsed(const GgufBuilder& builder)
{
    const auto file = GgufFile::fromBytes(builder.build(), "made.gguf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? *file : nullptr;
}

TEST(Gguf, GivesEveryScalarTypeItsValue)
{
    GgufBuilder b;
    b.scalar("u8", GgufType::U8, std::uint8_t{255});
    b.scalar("i8", GgufType::I8, std::int8_t{-128});
    b.scalar("u16", GgufType::U16, std::uint16_t{65535});
    b.scalar("i16", GgufType::I16, std::int16_t{-32768});
    b.u32("u32", 4294967295U).i32("i32", -2147483647 - 1);
    b.u64("u64", std::numeric_limits<std::uint64_t>::max());
    b.scalar("i64", GgufType::I64, std::numeric_limits<std::int64_t>::min());
    b.f32("f32", 0.1F).scalar("f64", GgufType::F64, 0.1);
    b.boolean("yes", true).boolean("no", false).string("text", "drei \xE2\x82\xAC");
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);

    EXPECT_EQ(*file->get<std::int32_t>("u8"), 255);
    EXPECT_EQ(*file->get<std::int32_t>("i8"), -128);
    EXPECT_EQ(*file->get<std::uint32_t>("u16"), 65535U);
    EXPECT_EQ(*file->get<std::int64_t>("i16"), -32768);
    EXPECT_EQ(*file->get<std::uint32_t>("u32"), 4294967295U);
    EXPECT_EQ(*file->get<std::int32_t>("i32"), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(*file->get<std::uint64_t>("u64"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(*file->get<std::int64_t>("i64"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(*file->get<float>("f32"), 0.1F);
    EXPECT_EQ(*file->get<double>("f64"), 0.1);
    EXPECT_TRUE(*file->get<bool>("yes"));
    EXPECT_FALSE(*file->get<bool>("no"));
    EXPECT_EQ(*file->get<std::string>("text"), "drei \xE2\x82\xAC");
    EXPECT_EQ(file->entries().size(), 13U);
    EXPECT_EQ(file->find("i16")->type, GgufType::I16);
}

TEST(Gguf, GivesArrays)
{
    GgufBuilder b;
    b.f32s("floats", {1.5F, -2.0F}).i32s("ints", {1, -2, 3}).strings("texts", {"a", "", "bc"});
    b.array("bytes", GgufType::U8, std::vector<std::uint8_t>{7, 8}).i32s("empty", {});
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(*file->get<std::vector<float>>("floats"), (std::vector<float>{1.5F, -2.0F}));
    EXPECT_EQ(*file->get<std::vector<std::int32_t>>("ints"), (std::vector<std::int32_t>{1, -2, 3}));
    EXPECT_EQ(*file->get<std::vector<std::string_view>>("texts"),
              (std::vector<std::string_view>{"a", "", "bc"}));
    EXPECT_TRUE(file->get<std::vector<std::int32_t>>("empty")->empty());
    EXPECT_EQ(std::get<GgufArray>(file->find("bytes")->value).count, 2U);
}

TEST(Gguf, AWrongTypeIsAnErrorThatNamesFileKeyAndTypes)
{
    GgufBuilder b;
    b.u32("n", 1).f32("x", 1.0F).string("s", "1").boolean("b", true).f32s("a", {1.0F});
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(file->get<float>("n"));
    EXPECT_FALSE(file->get<std::int32_t>("x"));
    EXPECT_FALSE(file->get<std::int32_t>("b"));
    EXPECT_FALSE(file->get<std::int32_t>("s"));
    EXPECT_FALSE(file->get<bool>("n"));
    EXPECT_FALSE(file->get<std::string>("n"));
    EXPECT_FALSE(file->get<std::vector<std::int32_t>>("a"));
    EXPECT_FALSE(file->get<std::vector<float>>("x"));
    const auto wrong = file->get<std::int32_t>("a");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::BadInput);
    EXPECT_EQ(wrong.error().where, "made.gguf: a");
    EXPECT_EQ(wrong.error().message, "is array of f32, but must be an integer");
}

TEST(Gguf, AnIntegerThatDoesNotFitIsAnError)
{
    GgufBuilder b;
    b.u32("big", 3000000000U).i32("negative", -1);
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(file->get<std::int32_t>("big"));
    EXPECT_EQ(*file->get<std::int64_t>("big"), 3000000000);
    EXPECT_FALSE(file->get<std::uint32_t>("negative"));
    EXPECT_FALSE(file->get<std::uint64_t>("negative"));
    EXPECT_EQ(*file->get<std::int64_t>("negative"), -1);
}

TEST(Gguf, AFallbackServesAMissingKeyButNotAWrongType)
{
    GgufBuilder b;
    b.string("s", "text");
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(*file->get<std::int32_t>("none", 7), 7);
    EXPECT_FALSE(file->get<std::int32_t>("none"));
    EXPECT_FALSE(file->get<std::int32_t>("s", 7));
    EXPECT_EQ(*file->get<std::string>("s", "other"), "text");
}

TEST(Gguf, FindsTensorsAndTheirBytes)
{
    for (const std::uint32_t version : {2U, 3U}) {
        for (const std::uint32_t alignment : {8U, 32U, 4096U}) {
            GgufBuilder b;
            b.version = version;
            b.alignment = alignment;
            b.u32("general.alignment", alignment);
            test::Bytes first;
            for (int i = 0; i < 15; ++i) {
                test::put(first, static_cast<float>(i));
            }
            b.tensor("first", {5, 3}, 0, first);
            b.tensor("second", {1}, 1, {std::byte{0x00}, std::byte{0x3C}});
            const auto file = parsed(b);
            ASSERT_NE(file, nullptr);
            EXPECT_EQ(file->version(), version);
            ASSERT_EQ(file->tensors().size(), 2U);
            const GgufTensor* t = file->findTensor("first");
            ASSERT_NE(t, nullptr);
            EXPECT_EQ(t->dims, (std::vector<std::int64_t>{5, 3}));
            EXPECT_EQ(t->elements, 15);
            EXPECT_EQ(t->shape(), "[5, 3]");
            EXPECT_EQ(t->offset % alignment, 0U);
            EXPECT_TRUE(t->supported);
            EXPECT_EQ(test::Bytes(t->data.begin(), t->data.end()), first);
            EXPECT_EQ(file->findTensor("second")->data.size(), 2U);
            EXPECT_EQ(file->findTensor("third"), nullptr);
        }
    }
}

TEST(Gguf, ATypeThatCannotBeComputedStillOpens)
{
    GgufBuilder b;
    constexpr std::uint32_t kIq2Xxs = 16;
    b.tensor("a", {256}, kIq2Xxs, test::Bytes(66)).tensor("b", {256}, kIq2Xxs, test::Bytes(66));
    const auto file = parsed(b);
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(file->findTensor("a")->supported);
    EXPECT_EQ(file->findTensor("a")->data.size(), 96U); // up to its neighbour
}

TEST(Gguf, OpensPathsAndOutlivesItsSource)
{
    GgufBuilder b;
    b.string("general.name", "n").tensor("t", {3}, 0, test::Bytes(12));
    std::shared_ptr<const GgufFile> file;
    {
        const test::TemporaryFile onDisk(b.build(), ".gguf");
        auto opened = GgufFile::open(onDisk.path());
        ASSERT_TRUE(opened) << opened.error().text();
        file = *opened;
        EXPECT_EQ(file->path(), onDisk.path());
    }
    EXPECT_EQ(*file->get<std::string>("general.name"), "n"); // unlinked, but still mapped
    file->release(file->bytes());
    EXPECT_EQ(*file->get<std::string>("general.name"), "n");
}

TEST(Gguf, AMissingFileAFolderAndAnEmptyFileAreErrors)
{
    const auto missing = GgufFile::open("/nonexistent/model.gguf");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::BadInput);
    EXPECT_EQ(missing.error().where, "/nonexistent/model.gguf");
    EXPECT_FALSE(GgufFile::open("/"));
    EXPECT_FALSE(GgufFile::open("/dev/null"));
    EXPECT_FALSE(GgufFile::open(test::TemporaryFile().path()));
    EXPECT_FALSE(GgufFile::fromBytes({}, "empty"));
}

} // namespace
} // namespace ulp::model
