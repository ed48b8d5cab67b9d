// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/row_magnitude.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/ulp_distance.h"

namespace ulp::compare {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

trace::Magnitude of(const std::vector<float>& row, const std::vector<float>& reference)
{
    return rowMagnitude(3, row.data(), reference.data(), static_cast<std::int64_t>(row.size()));
}

/// The same definition element by element.
trace::Magnitude plainly(const std::vector<float>& row, const std::vector<float>& reference)
{
    trace::Magnitude m;
    m.op = 3;
    m.of = static_cast<std::int64_t>(row.size());
    double squares[8]{};
    double norms[8]{};
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double b = static_cast<double>(reference[i]);
        norms[i % 8] += b * b;
        if (std::bit_cast<std::uint32_t>(row[i]) == std::bit_cast<std::uint32_t>(reference[i])) {
            continue;
        }
        ++m.differing;
        m.maxUlp = std::max(m.maxUlp, ulpDistance(row[i], reference[i]));
        double distance = std::abs(static_cast<double>(row[i]) - b);
        distance = std::isnan(distance) ? kInfinite : distance;
        m.maxAbs = std::max(m.maxAbs, distance);
        squares[i % 8] += distance * distance;
    }
    double apart = 0.0;
    double norm = 0.0;
    for (int lane = 0; lane < 8; ++lane) {
        apart += squares[lane];
        norm += norms[lane];
    }
    if (apart > 0.0) {
        const bool finite = std::isfinite(apart) && std::isfinite(norm) && norm > 0.0;
        m.relativeL2 = finite ? std::sqrt(apart) / std::sqrt(norm) : kInfinite;
    }
    return m;
}

TEST(RowMagnitude, EqualRowsHaveNone)
{
    const std::vector<float> row{1.0F, -2.0F, kNan, kInf, -0.0F};
    const trace::Magnitude m = of(row, row);
    EXPECT_EQ(m, (trace::Magnitude{3, 0, 5, 0, 0.0, 0.0}));
}

TEST(RowMagnitude, OnePlantedUlpIsOneElementAndOneUlp)
{
    for (const std::size_t count : {1U, 7U, 8U, 9U, 64U, 577U}) {
        std::vector<float> reference(count, 1.5F);
        for (std::size_t at = 0; at < count; at += 1 + count / 9) {
            std::vector<float> row = reference;
            row[at] = std::nextafterf(row[at], 2.0F);
            const trace::Magnitude m = of(row, reference);
            ASSERT_EQ(m.differing, 1);
            ASSERT_EQ(m.of, static_cast<std::int64_t>(count));
            ASSERT_EQ(m.maxUlp, 1U);
            ASSERT_EQ(m.maxAbs, 0x1p-23);
            ASSERT_DOUBLE_EQ(m.relativeL2, 0x1p-23 / (1.5 * std::sqrt(double(count))));
        }
    }
}

TEST(RowMagnitude, AgreesBitForBitWithThePlainDefinition)
{
    std::mt19937_64 random(8);
    const std::vector<float> strange{0.0F,
                                     -0.0F,
                                     kInf,
                                     -kInf,
                                     kNan,
                                     -kNan,
                                     std::numeric_limits<float>::denorm_min(),
                                     -std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::max(),
                                     1.0F};
    for (int trial = 0; trial < 400; ++trial) {
        const std::size_t count = random() % 70;
        std::vector<float> reference(count);
        std::vector<float> row(count);
        for (std::size_t i = 0; i < count; ++i) {
            // Any bit pattern, or close ones, or special ones where the trial says so.
            reference[i] = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
            if (trial % 4 != 0 || !std::isfinite(reference[i])) {
                reference[i] = static_cast<float>(static_cast<double>(random() % 2000) - 1000.0);
            }
            row[i] = random() % 3 == 0 ? reference[i] : std::nextafterf(reference[i], kInf);
            if (trial % 5 == 1 && random() % 4 == 0) {
                row[i] = strange[random() % strange.size()];
                reference[i] = strange[random() % strange.size()];
            }
        }
        ASSERT_EQ(of(row, reference), plainly(row, reference)) << trial;
    }
}

TEST(RowMagnitude, NanInfinityAndSignedZeros)
{
    EXPECT_EQ(of({kNan}, {1.0F}), (trace::Magnitude{3, 1, 1, UINT32_MAX, kInfinite, kInfinite}));
    EXPECT_EQ(of({1.0F}, {kNan}), (trace::Magnitude{3, 1, 1, UINT32_MAX, kInfinite, kInfinite}));
    EXPECT_EQ(of({kInf}, {-kInf}), (trace::Magnitude{3, 1, 1, 0xff000000U, kInfinite, kInfinite}));
    EXPECT_EQ(of({-0.0F, 1.0F}, {0.0F, 1.0F}), (trace::Magnitude{3, 1, 2, 0, 0.0, 0.0}));
    EXPECT_EQ(of({1.0F}, {0.0F}).relativeL2, kInfinite);
    EXPECT_EQ(of({}, {}), (trace::Magnitude{3, 0, 0, 0, 0.0, 0.0}));
}

} // namespace
} // namespace ulp::compare
