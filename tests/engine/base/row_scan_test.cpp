// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/logits.h"
#include "engine/base/row_scan.h"

#include <xxhash.h>

namespace ulp {
namespace {

std::vector<float> someRow(std::size_t n, unsigned seed, float spread)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, spread);
    std::vector<float> row(n);
    for (float& x : row) {
        x = normal(random);
    }
    return row;
}

TEST(RowScan, EveryVariantGivesTheSameValuesAtEveryLength)
{
    const RowScanTable& baseline = *rowScanVariant(0);
    for (std::size_t n = 0; n < 600; n += n < 70 ? 1 : 37) {
        const auto row = someRow(n, static_cast<unsigned>(n), 5.0F);
        const RowScan expected = baseline.scan(row.data(), n);
        EXPECT_EQ(expected.hash, XXH3_64bits(row.data(), n * 4));
        const float top = baseline.largest(row.data(), n);
        for (int level = 0; level < 3; ++level) {
            if (const RowScanTable* table = rowScanVariant(level)) {
                EXPECT_EQ(table->scan(row.data(), n).hash, expected.hash);
                EXPECT_TRUE(table->scan(row.data(), n).finite);
                EXPECT_EQ(table->largest(row.data(), n), top);
                EXPECT_EQ(table->sumExp(row.data(), n, top), baseline.sumExp(row.data(), n, top));
            }
        }
    }
}

// Values do not tell which instructions made them: a lost compiler flag would only cost speed,
// silently.
TEST(RowScan, EachVariantIsCompiledForItsInstructionSet)
{
    const char* const names[] = {"baseline", "avx2", "avx512"};
    for (int level = 0; level < 3; ++level) {
        if (const RowScanTable* table = rowScanVariant(level)) {
            EXPECT_STREQ(table->compiledFor, names[level]);
        }
    }
}

TEST(RowScan, FindsOneNonFiniteElementAnywhere)
{
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::nanf("7"),
          std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
        for (std::size_t at = 0; at < 100; ++at) {
            auto row = someRow(100, 3, 1e30F);
            EXPECT_TRUE(rowScan().scan(row.data(), row.size()).finite);
            row[at] = bad;
            for (int level = 0; level < 3; ++level) {
                if (const RowScanTable* table = rowScanVariant(level)) {
                    EXPECT_FALSE(table->scan(row.data(), row.size()).finite);
                }
            }
        }
    }
}

TEST(LogSumExp, IsExactToOneInTenMillion)
{
    for (const float spread : {0.01F, 1.0F, 10.0F, 40.0F}) {
        for (const std::size_t n : {1U, 5U, 16U, 1000U, 49152U}) {
            const auto row = someRow(n, 11, spread);
            long double sum = 0.0L;
            for (const float x : row) {
                sum += std::exp(static_cast<long double>(x));
            }
            const double expected = static_cast<double>(std::log(sum));
            EXPECT_NEAR(logSumExp(row), expected, 4e-7) << spread << " " << n;
        }
    }
}

} // namespace
} // namespace ulp
