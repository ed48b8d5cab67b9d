// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/kernels/ops.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

RopeSpec specOf(RopePairing pairing, std::int64_t dims, float base)
{
    RopeSpec spec;
    spec.pairing = pairing;
    spec.dims = dims;
    spec.base = base;
    return spec;
}

/// Largest error of the table against long double, in float32 steps near 1.
double tableError(const RopeTable& table, std::int64_t position, std::int64_t pair,
                  long double frequency)
{
    const long double angle = static_cast<long double>(position) * frequency;
    const long double c = std::cos(angle) - static_cast<long double>(table.cosOf(position)[pair]);
    const long double s = std::sin(angle) - static_cast<long double>(table.sinOf(position)[pair]);
    return static_cast<double>(std::max(std::fabs(c), std::fabs(s))) * 0x1p24;
}

TEST(RopeTable, AnglesAreRightEvenFarOut)
{
    for (const float base : {10000.0F, 100000.0F, 500000.0F}) {
        // Few positions, far apart: the scale stretches them over 131,000.
        RopeSpec spec = specOf(RopePairing::Interleaved, 64, base);
        spec.linearScale = 511.0F;
        const RopeTable table(spec, 257);
        double worst = 0.0;
        for (std::int64_t position = 0; position < 257; ++position) {
            for (std::int64_t i = 0; i < 32; ++i) {
                const long double frequency =
                    511.0L * std::pow(static_cast<long double>(base),
                                      -2.0L * static_cast<long double>(i) / 64.0L);
                worst = std::max(worst, tableError(table, position, i, frequency));
            }
        }
        EXPECT_LE(worst, 0.51); // half a step near 1 is what rounding the truth costs
    }
}

TEST(RopeTable, LinearScalingAndFrequencyFactorsDivideTheAngle)
{
    RopeSpec spec = specOf(RopePairing::Halves, 8, 10000.0F);
    spec.linearScale = 0.25F;
    spec.frequencyFactors = {1.0F, 2.0F, 3.0F, 8.0F};
    const RopeTable table(spec, 5000);
    for (std::int64_t i = 0; i < 4; ++i) {
        const long double frequency =
            std::pow(10000.0L, -2.0L * static_cast<long double>(i) / 8.0L) * 0.25L /
            static_cast<long double>(spec.frequencyFactors[static_cast<std::size_t>(i)]);
        EXPECT_LE(tableError(table, 4999, i, frequency), 0.51);
    }
}

TEST(RopeTable, Llama3ScalingFollowsItsThreeBands)
{
    RopeSpec spec = specOf(RopePairing::Interleaved, 128, 500000.0F);
    spec.llama3Factor = 8.0F;
    const RopeTable table(spec, 2000);
    int bands[3] = {};
    for (std::int64_t i = 0; i < 64; ++i) {
        const long double plain = std::pow(500000.0L, -2.0L * static_cast<long double>(i) / 128.0L);
        const long double wavelength = 2.0L * std::acos(-1.0L) / plain;
        long double expected = plain;
        if (wavelength > 8192.0L / 1.0L) {
            expected = plain / 8.0L;
            ++bands[2];
        } else if (wavelength > 8192.0L / 4.0L) {
            const long double smooth = (8192.0L / wavelength - 1.0L) / 3.0L;
            expected = (1.0L - smooth) * plain / 8.0L + smooth * plain;
            ++bands[1];
        } else {
            ++bands[0];
        }
        EXPECT_LE(tableError(table, 1999, i, expected), 0.51) << i;
    }
    EXPECT_GT(bands[0], 0);
    EXPECT_GT(bands[1], 0);
    EXPECT_GT(bands[2], 0);
}

TEST(Rope, EveryPathHasTheBitsOfTheReference)
{
    for (const RopePairing pairing : {RopePairing::Interleaved, RopePairing::Halves}) {
        for (const auto& [headDim, dims] : std::vector<std::pair<std::int64_t, std::int64_t>>{
                 {2, 2}, {8, 8}, {32, 32}, {64, 64}, {80, 32}, {48, 42}, {128, 128}, {70, 70}}) {
            const RopeTable table(specOf(pairing, dims, 10000.0F), 300);
            for (const std::int64_t rows : {1, 3, 120}) {
                const std::int64_t heads = 9;
                auto x = randomValues(rows * heads * headDim, 3);
                x[1] = numeric::floatOf(0xffc00077U);
                std::vector<std::int32_t> positions;
                for (std::int64_t r = 0; r < rows; ++r) {
                    positions.push_back(static_cast<std::int32_t>((r * 37) % 300));
                }
                std::vector<float> truth(x.size());
                ropeReference(x.data(), positions.data(), rows, heads, headDim, table,
                              truth.data());
                for (const Isa isa : availableIsas()) {
                    for (int threads = 1; threads <= 4; ++threads) {
                        std::vector<float> inPlace = x;
                        rope(inPlace.data(), positions.data(), rows, heads, headDim, table,
                             inPlace.data(), contextOf(isa, threads));
                        EXPECT_EQ(differingBits(inPlace, truth), 0)
                            << toString(isa) << " " << headDim << "/" << dims;
                    }
                }
            }
        }
    }
}

TEST(Rope, PairsWhatItSaysAndTurnsByTheAngle)
{
    const std::vector<float> x{1.0F, 2.0F, 3.0F, 4.0F};
    const std::int32_t position = 5;
    std::vector<float> out(4);
    const RopeTable interleaved(specOf(RopePairing::Interleaved, 4, 100.0F), 6);
    rope(x.data(), &position, 1, 1, 4, interleaved, out.data(), contextOf(Isa::Portable, 1));
    EXPECT_NEAR(out[0], 1.0 * std::cos(5.0) - 2.0 * std::sin(5.0), 1e-6);
    EXPECT_NEAR(out[1], 2.0 * std::cos(5.0) + 1.0 * std::sin(5.0), 1e-6);
    EXPECT_NEAR(out[2], 3.0 * std::cos(0.5) - 4.0 * std::sin(0.5), 1e-6);
    const RopeTable halves(specOf(RopePairing::Halves, 4, 100.0F), 6);
    rope(x.data(), &position, 1, 1, 4, halves, out.data(), contextOf(Isa::Portable, 1));
    EXPECT_NEAR(out[0], 1.0 * std::cos(5.0) - 3.0 * std::sin(5.0), 1e-6);
    EXPECT_NEAR(out[3], 4.0 * std::cos(0.5) + 2.0 * std::sin(0.5), 1e-6);
}

} // namespace
} // namespace ulp::kernels::test
