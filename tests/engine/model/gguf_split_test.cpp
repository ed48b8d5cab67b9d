// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models in several files: read as one, or refused by what is wrong with which part.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/base/bytes.h"
#include "engine/base/sha256.h"
#include "engine/model/model.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::model {
namespace {

namespace fs = std::filesystem;
using test::Bytes;
using test::GgufBuilder;

class GgufSplit : public testing::Test {
  protected:
    void SetUp() override
    {
        m_folder =
            fs::path(testing::TempDir()) /
            ("split-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    [[nodiscard]] std::string path(int number, int count) const
    {
        char name[64];
        std::snprintf(name, sizeof name, "tiny-%05d-of-%05d.gguf", number, count);
        return (m_folder / name).string();
    }
    static void write(const std::string& path, const Bytes& bytes)
    {
        std::ofstream out(path, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    }
    /// A tiny llama in three parts, its tensors dealt out in turn.
    void writeParts(std::uint16_t claimedCount = 3, int swapped = -1)
    {
        const auto whole = test::tinyLlamaBuilder({});
        const auto file = *GgufFile::fromBytes(whole.build(), "whole");
        for (int part = 0; part < 3; ++part) {
            GgufBuilder b = part == 0 ? whole : GgufBuilder();
            for (const GgufTensor& tensor : file->tensors()) {
                b.removeTensor(tensor.name);
            }
            const int number = part == swapped ? part + 1 : part;
            b.scalar("split.no", GgufType::U16, static_cast<std::uint16_t>(number));
            b.scalar("split.count", GgufType::U16, claimedCount);
            b.i32("split.tensors.count", static_cast<std::int32_t>(file->tensors().size()));
            for (std::size_t i = static_cast<std::size_t>(part); i < file->tensors().size();
                 i += 3) {
                const GgufTensor& t = file->tensors()[i];
                b.tensor(t.name, std::vector<std::uint64_t>(t.dims.begin(), t.dims.end()), t.type,
                         Bytes(t.data.begin(), t.data.end()));
            }
            write(path(part + 1, 3), b.build());
        }
    }
    void expectRefused(const std::string& what) const
    {
        const auto file = GgufFile::open(path(1, 3));
        ASSERT_FALSE(file);
        EXPECT_NE(file.error().text().find(what), std::string::npos) << file.error().text();
    }

    fs::path m_folder;
};

TEST_F(GgufSplit, OpensByAnyPartAndIsTheWholeModel)
{
    writeParts();
    const auto whole = *GgufFile::fromBytes(test::makeTinyLlama(), "whole");
    std::string all;
    for (int number = 1; number <= 3; ++number) {
        std::ifstream in(path(number, 3), std::ios::binary);
        all.append(std::istreambuf_iterator<char>(in), {});
    }
    for (int number = 1; number <= 3; ++number) {
        const auto file = GgufFile::open(path(number, 3));
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ((*file)->tensors().size(), whole->tensors().size());
        EXPECT_EQ((*file)->totalBytes(), all.size());
        EXPECT_EQ(*(*file)->get<std::string>("general.architecture"), "llama");
        for (const GgufTensor& tensor : whole->tensors()) {
            const GgufTensor* found = (*file)->findTensor(tensor.name);
            ASSERT_NE(found, nullptr) << tensor.name;
            EXPECT_EQ(asText(found->data), asText(tensor.data));
        }
    }
    const auto model = Model::load(path(2, 3), {.threads = 2});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ((*model)->sha256(), sha256Hex(all));
}

TEST_F(GgufSplit, AMissingPartIsNamed)
{
    writeParts();
    fs::remove(path(2, 3));
    expectRefused("part 2 of 3");
}

TEST_F(GgufSplit, PartsMustBeWhatTheirNamesSay)
{
    writeParts(3, 1);
    expectRefused("the file says that it is part 3 of 3, its name says 2 of 3");
}

TEST_F(GgufSplit, TheNumberOfPartsMustAgree)
{
    writeParts(4);
    expectRefused("one of 4 parts of a split model, and its name does not end in");
}

TEST_F(GgufSplit, ATensorInTwoPartsIsRefused)
{
    writeParts();
    GgufBuilder b;
    b.scalar("split.no", GgufType::U16, std::uint16_t{2});
    b.scalar("split.count", GgufType::U16, std::uint16_t{3});
    b.tensor("token_embd.weight", {8}, 0, Bytes(32));
    write(path(3, 3), b.build());
    expectRefused("'token_embd.weight' is in an earlier part too");
}

TEST_F(GgufSplit, ATensorTooFewIsRefused)
{
    writeParts();
    GgufBuilder b;
    b.scalar("split.no", GgufType::U16, std::uint16_t{2});
    b.scalar("split.count", GgufType::U16, std::uint16_t{3});
    write(path(3, 3), b.build());
    expectRefused("split.tensors.count");
}

} // namespace
} // namespace ulp::model
