// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "engine/kernels/ops.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

struct Case {
    std::int64_t rows;
    std::int64_t n;
    std::int64_t chunk;
    std::vector<float> x;
    std::vector<float> weight;

    Case(std::int64_t rowCount, std::int64_t width, std::int64_t chunkSize)
        : rows(rowCount), n(width), chunk(chunkSize), x(randomValues(rowCount * width, 5)),
          weight(randomValues(width, 6))
    {
    }
    [[nodiscard]] std::vector<float> reference() const
    {
        std::vector<float> out(x.size());
        rmsNormReference(x.data(), weight.data(), 1e-5F, rows, n, chunk, out.data());
        return out;
    }
    [[nodiscard]] std::vector<float> run(Isa isa, int threads, Policy policy) const
    {
        std::vector<float> out(x.size(), 7.0F);
        rmsNorm(x.data(), weight.data(), 1e-5F, rows, n, out.data(),
                contextOf(isa, threads, policy, chunk));
        return out;
    }
};

TEST(RmsNorm, OrderedHasTheBitsOfTheReference)
{
    for (const std::int64_t rows : {1, 3, 130}) {
        for (const std::int64_t n : {1, 16, 31, 64, 288, 576, 1000, 2049}) {
            for (const std::int64_t chunk : {32, 64, 256}) {
                const Case test(rows, n, chunk);
                const auto truth = test.reference();
                for (const Isa isa : availableIsas()) {
                    for (int threads = 1; threads <= 4; ++threads) {
                        EXPECT_EQ(differingBits(test.run(isa, threads, Policy::Ordered), truth), 0)
                            << toString(isa) << " " << rows << "x" << n << "/" << chunk;
                    }
                }
            }
        }
    }
}

TEST(RmsNorm, IsTheFormula)
{
    const Case test(2, 100, 32);
    const auto out = test.run(Isa::Portable, 1, Policy::Ordered);
    for (std::size_t r = 0; r < 2; ++r) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 100; ++i) {
            sum += std::pow(static_cast<double>(test.x[r * 100 + i]), 2);
        }
        for (std::size_t i = 0; i < 100; ++i) {
            const double y = test.x[r * 100 + i] / std::sqrt(sum / 100.0 + 1e-5) * test.weight[i];
            EXPECT_NEAR(out[r * 100 + i], y, 1e-6 * (1.0 + std::fabs(y)));
        }
    }
}

TEST(RmsNorm, OtherPoliciesAreCloseAndComplete)
{
    for (const std::int64_t rows : {1, 37}) {
        const Case test(rows, 2048, 64);
        const auto truth = test.reference();
        for (const Policy policy : {Policy::Atomic, Policy::AtomicAdd, Policy::ThreadSplit,
                                    Policy::BatchSplit, Policy::Kahan, Policy::Exact}) {
            for (int threads = 1; threads <= 4; ++threads) {
                const auto out = test.run(bestIsa(), threads, policy);
                EXPECT_LT(relativeDistance(out, truth), 1e-6) << toString(policy);
            }
        }
    }
}

TEST(RmsNorm, ThreadSplitRepeatsAndDependsOnThreads)
{
    const Case test(40, 2048, 32);
    const auto truth = test.reference();
    EXPECT_EQ(differingBits(test.run(bestIsa(), 1, Policy::ThreadSplit), truth), 0);
    for (int threads = 2; threads <= 4; ++threads) {
        const auto first = test.run(bestIsa(), threads, Policy::ThreadSplit);
        EXPECT_EQ(differingBits(test.run(bestIsa(), threads, Policy::ThreadSplit), first), 0);
        EXPECT_GT(differingBits(first, truth), 0); // the negative control
    }
    EXPECT_EQ(differingBits(test.run(bestIsa(), 1, Policy::Atomic), truth), 0);
}

TEST(RmsNorm, KahanIsCloserThanPlainSums)
{
    // Against float64, over many rows: the compensated factor is hardly ever off.
    const Case test(200, 2048, 32);
    std::int64_t kahanOff = 0;
    std::int64_t plainOff = 0;
    const auto kahan = test.run(bestIsa(), 2, Policy::Kahan);
    const auto plain = test.reference();
    for (std::size_t r = 0; r < 200; ++r) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 2048; ++i) {
            sum += std::pow(static_cast<double>(test.x[r * 2048 + i]), 2);
        }
        const double factor = 1.0 / std::sqrt(sum / 2048.0 + 1e-5);
        const double expected = test.x[r * 2048] * factor * test.weight[0];
        kahanOff += std::fabs(kahan[r * 2048] / expected - 1.0) > 1.5e-7 ? 1 : 0;
        plainOff += std::fabs(plain[r * 2048] / expected - 1.0) > 1.5e-7 ? 1 : 0;
    }
    EXPECT_LT(kahanOff, plainOff);
}

TEST(RmsNorm, NanAndInfinityReachTheOutputEquallyEverywhere)
{
    for (const float bad : {numeric::floatOf(0x7fc00123U), numeric::floatOf(0xffffffffU),
                            std::numeric_limits<float>::infinity(), 3e38F}) {
        Case test(3, 100, 32);
        test.x[150] = bad;
        const auto truth = test.reference();
        for (const Isa isa : availableIsas()) {
            EXPECT_EQ(differingBits(test.run(isa, 2, Policy::Ordered), truth), 0);
        }
        EXPECT_TRUE(std::isnan(truth[150]) || truth[150] == 0.0F || std::isinf(truth[150]));
        EXPECT_TRUE(std::isfinite(truth[0]));
    }
}

} // namespace
} // namespace ulp::kernels::test
