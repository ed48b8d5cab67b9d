// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/pyramid.h"

#include <bit>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace ulp::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename V>
V bruteForce(const MaxPyramid<V>& pyramid, std::int64_t r0, std::int64_t r1, std::int64_t c0,
             std::int64_t c1)
{
    V best{};
    for (std::int64_t c = std::max<std::int64_t>(c0, 0); c < std::min(c1, pyramid.columns()); ++c) {
        for (std::int64_t r = std::max<std::int64_t>(r0, 0); r < std::min(r1, pyramid.rows());
             ++r) {
            best = PyramidTraits<V>::combine(best, pyramid.at(r, c));
        }
    }
    return best;
}

/// Rectangles of every size, some reaching out of the matrix.
struct RandomRectangle {
    std::int64_t r0, r1, c0, c1;
    RandomRectangle(std::mt19937_64& random, std::int64_t rows, std::int64_t columns)
    {
        const auto pick = [&random](std::int64_t size) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size + 4)) - 2;
        };
        r0 = pick(rows);
        r1 = random() % 3 == 0 ? r0 + 1 + pick(5) : pick(rows);
        c0 = pick(columns);
        c1 = random() % 3 == 0 ? c0 + 1 + pick(5) : pick(columns);
    }
};

class PyramidSizes : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(PyramidSizes, AgreesWithBruteForceWhileColumnsAndCellsChange)
{
    const auto [rows, columns] = GetParam();
    std::mt19937_64 random(static_cast<std::uint64_t>(rows * 1000 + columns));
    MaxPyramid<std::uint8_t> pyramid(rows);
    std::vector<std::uint8_t> column(static_cast<std::size_t>(rows));
    for (int c = 0; c < columns; ++c) {
        for (auto& value : column) {
            value = random() % 50 == 0 ? static_cast<std::uint8_t>(random() % 200) : 1;
        }
        pyramid.setColumn(c, column);
    }
    ASSERT_EQ(pyramid.columns(), columns);
    for (int i = 0; i < 400; ++i) {
        if (i % 4 == 0) { // up and down again
            pyramid.set(static_cast<std::int64_t>(random() % static_cast<unsigned>(rows)),
                        static_cast<std::int64_t>(random() % static_cast<unsigned>(columns)),
                        static_cast<std::uint8_t>(random() % 2 == 0 ? 255 : 0));
        }
        if (i % 50 == 7) { // a column in the middle
            std::fill(column.begin(), column.end(), static_cast<std::uint8_t>(random() % 3));
            pyramid.setColumn(static_cast<std::int64_t>(random() % static_cast<unsigned>(columns)),
                              column);
        }
        const RandomRectangle q(random, rows, columns);
        ASSERT_EQ(pyramid.maxOver(q.r0, q.r1, q.c0, q.c1),
                  bruteForce(pyramid, q.r0, q.r1, q.c0, q.c1))
            << q.r0 << ' ' << q.r1 << ' ' << q.c0 << ' ' << q.c1;
    }
}

INSTANTIATE_TEST_SUITE_P(OddAndRound, PyramidSizes,
                         testing::Values(std::pair(1, 1), std::pair(1, 77), std::pair(63, 1),
                                         std::pair(3, 5), std::pair(4, 4), std::pair(16, 64),
                                         std::pair(17, 65), std::pair(93, 211)));

TEST(Pyramid, AppendInPiecesEqualsAppendAtOnce)
{
    std::mt19937_64 random(5);
    constexpr std::int64_t kRows = 13;
    std::vector<std::uint8_t> cells(kRows * 300);
    for (auto& cell : cells) {
        cell = static_cast<std::uint8_t>(random() % 256);
    }
    MaxPyramid<std::uint8_t> once(kRows);
    once.append(cells);
    MaxPyramid<std::uint8_t> pieces(kRows);
    for (std::size_t at = 0; at < cells.size();) {
        const std::size_t count =
            std::min(cells.size() - at, static_cast<std::size_t>(kRows) * (1 + random() % 9));
        pieces.append(std::span(cells).subspan(at, count));
        at += count;
    }
    for (int i = 0; i < 500; ++i) {
        const RandomRectangle q(random, kRows, 300);
        ASSERT_EQ(once.maxOver(q.r0, q.r1, q.c0, q.c1), pieces.maxOver(q.r0, q.r1, q.c0, q.c1));
    }
}

TEST(Pyramid, OneCellAmongTenMillionIsSeenAtEveryZoom)
{
    constexpr std::int64_t kRows = 1000;
    constexpr std::int64_t kColumns = 10000;
    MaxPyramid<std::uint8_t> pyramid(kRows, kColumns);
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 20; ++trial) {
        const auto row = static_cast<std::int64_t>(random() % kRows);
        const auto column = static_cast<std::int64_t>(random() % kColumns);
        pyramid.set(row, column, 2);
        for (std::int64_t cut = 1; cut <= 10000; cut = cut * 3 + 1) {
            // Tiles of cut x cut cells: exactly the tile around the cell shows it.
            const std::int64_t r = row / cut * cut;
            const std::int64_t c = column / cut * cut;
            ASSERT_EQ(pyramid.maxOver(r, r + cut, c, c + cut), 2) << cut;
            ASSERT_EQ(pyramid.maxOver(r + cut, r + 2 * cut, c, c + cut), 0) << cut;
            ASSERT_EQ(pyramid.maxOver(r, r + cut, c - cut, c), 0) << cut;
        }
        pyramid.set(row, column, 0);
        ASSERT_EQ(pyramid.maxOver(0, kRows, 0, kColumns), 0);
    }
}

TEST(Pyramid, UnknownMagnitudeIsAboveZeroAndBelowEveryNumber)
{
    MaxPyramid<float> pyramid(9, 33);
    EXPECT_EQ(pyramid.maxOver(0, 9, 0, 33), 0.0F);
    pyramid.set(4, 20, kNan);
    EXPECT_TRUE(std::isnan(pyramid.maxOver(0, 9, 0, 33)));
    EXPECT_EQ(pyramid.maxOver(0, 9, 0, 20), 0.0F);
    pyramid.set(8, 32, 1e-30F);
    EXPECT_EQ(pyramid.maxOver(0, 9, 0, 33), 1e-30F);
    EXPECT_TRUE(std::isnan(pyramid.maxOver(0, 9, 0, 32)));

    std::mt19937_64 random(3);
    for (int i = 0; i < 300; ++i) {
        const float value = random() % 3 == 0 ? kNan : static_cast<float>(random() % 5);
        pyramid.set(static_cast<std::int64_t>(random() % 9),
                    static_cast<std::int64_t>(random() % 33), value);
        const RandomRectangle q(random, 9, 33);
        const float found = pyramid.maxOver(q.r0, q.r1, q.c0, q.c1);
        const float expected = bruteForce(pyramid, q.r0, q.r1, q.c0, q.c1);
        ASSERT_EQ(std::isnan(found), std::isnan(expected));
        ASSERT_TRUE(std::isnan(found) || found == expected);
    }
}

TEST(Pyramid, EmptyMatrixIsEmpty)
{
    const MaxPyramid<std::uint8_t> none;
    EXPECT_EQ(none.maxOver(0, 5, 0, 5), 0);
    const MaxPyramid<std::uint8_t> noColumns(7);
    EXPECT_EQ(noColumns.maxOver(0, 7, 0, 5), 0);
}

} // namespace
} // namespace ulp::compare
