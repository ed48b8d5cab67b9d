// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Policies `exact` and `batch-split` of matrix products: who may change what. `exact` is judged by
// the wide sum over the elements of the GGUF bytes, which shares neither the packed layout nor the
// float64 shortcut with the kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/kernels/batch_split.h"
#include "engine/kernels/exact_sums.h"
#include "engine/numeric/activation_quant.h"
#include "engine/numeric/quant_blocks.h"
#include "engine/numeric/wide_sum.h"
#include "matmul_test_data.h"

namespace ulp::kernels::test {
namespace {

using numeric::WideSum;

struct Operands {
    WeightType type;
    std::int64_t rows;
    std::int64_t k;
    std::int64_t tokens;
    std::vector<std::uint8_t> weights;
    std::vector<float> x;

    Operands(WeightType t, std::int64_t r, std::int64_t inner, std::int64_t count,
             std::uint32_t seed)
        : type(t), rows(r), k(wholeBlocks(t, inner)), tokens(count)
    {
        TestData data(seed);
        weights = data.weights(t, r, k);
        x = data.values(count * k);
    }
    [[nodiscard]] std::vector<float> run(Policy policy, int threads = 1, Isa isa = bestIsa(),
                                         std::int64_t chunk = 64) const
    {
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, k, Team(1));
        EXPECT_TRUE(packed.ok());
        return product(*packed, x, tokens, ExecContext{Team(threads), isa, chunk, policy});
    }
    /// The same product in passes of `cut` tokens.
    [[nodiscard]] std::vector<float> runCut(Policy policy, std::int64_t cut) const
    {
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, k, Team(1));
        std::vector<float> all;
        for (std::int64_t t = 0; t < tokens; t += cut) {
            const std::int64_t count = std::min(cut, tokens - t);
            const std::vector<float> part(x.begin() + t * k, x.begin() + (t + count) * k);
            const auto out =
                product(*packed, part, count, ExecContext{Team(2), bestIsa(), 64, policy});
            all.insert(all.end(), out.begin(), out.end());
        }
        return all;
    }
};

/// Element by element: integer * scale * activation scale, exactly.
template <WeightType T>
float trueBlocks(const std::uint8_t* row, const float* x, std::int64_t k)
{
    using Traits = numeric::BlockTraits<T>;
    WideSum sum;
    const auto addTerm = [&](std::int64_t integer, float a, float b) {
        if (!std::isfinite(a) || !std::isfinite(b)) {
            sum.addNonFinite(static_cast<float>(integer) * a * b);
            return;
        }
        const auto p = numeric::scaledInteger(a);
        const auto q = numeric::scaledInteger(b);
        sum.add(p.significand * integer * q.significand, p.exponent + q.exponent);
    };
    for (std::int64_t g = 0; g < k / numeric::kGroup; ++g) {
        numeric::WeightGroup group;
        constexpr std::int64_t kGroups = Traits::kElements / numeric::kGroup;
        Traits::group(row + g / kGroups * Traits::kBytes, static_cast<int>(g % kGroups), group);
        std::int8_t q[numeric::kGroup];
        float scale = 0.0F;
        std::int32_t total = 0;
        numeric::quantiseBlock(x + g * numeric::kGroup, q, &scale, &total);
        for (std::int64_t i = 0; i < numeric::kGroup; ++i) {
            const int half = static_cast<int>(i / 16);
            addTerm(numeric::halfFactor<Traits>(group, half) *
                        numeric::weightInteger<Traits>(group.level[i]) * q[i],
                    numeric::groupScale<Traits>(group), scale);
            if (Traits::kHasMinimum) {
                addTerm(numeric::halfMinimumFactor<Traits>(group, half) * q[i],
                        numeric::groupMinimum<Traits>(group), scale);
            }
        }
    }
    return sum.value();
}

std::vector<float> truth(const Operands& o)
{
    const auto& info = numeric::weightTypeInfo(o.type);
    const std::int64_t rowBytes = o.k / info.blockElements * info.blockBytes;
    std::vector<float> out;
    std::vector<float> w(static_cast<std::size_t>(o.k));
    for (std::int64_t t = 0; t < o.tokens; ++t) {
        const float* x = o.x.data() + t * o.k;
        for (std::int64_t r = 0; r < o.rows; ++r) {
            const std::uint8_t* row = o.weights.data() + r * rowBytes;
            const bool quantised = numeric::visitQuantised(
                o.type, [&]<WeightType T>() { out.push_back(trueBlocks<T>(row, x, o.k)); });
            if (!quantised) {
                numeric::dequantiseRow(o.type, row, o.k, w.data());
                out.push_back(wideDot(w.data(), 1, x, o.k));
            }
        }
    }
    return out;
}

class MatmulExact : public testing::TestWithParam<WeightType> {};

TEST_P(MatmulExact, IsTheExactSumRoundedOnce)
{
    for (const std::int64_t rows : {1, 33, 100}) {
        for (const std::int64_t tokens : {1, 7}) {
            const Operands o(GetParam(), rows, 288, tokens, 31);
            EXPECT_EQ(firstDifference(o.run(Policy::Exact), truth(o)), -1);
        }
    }
}

TEST_P(MatmulExact, NothingChangesIt)
{
    const Operands o(GetParam(), 70, 576, 19, 32);
    const auto once = o.run(Policy::Exact);
    for (const int threads : {1, 2, 3, 5}) {
        for (const Isa isa : availableIsas()) {
            for (const std::int64_t chunk : {32, 64, 256}) {
                EXPECT_EQ(firstDifference(o.run(Policy::Exact, threads, isa, chunk), once), -1);
            }
        }
    }
    for (const std::int64_t cut : {1, 2, 7, 18}) {
        EXPECT_EQ(firstDifference(o.runCut(Policy::Exact, cut), once), -1) << cut;
    }
    EXPECT_NE(firstDifference(o.run(Policy::Ordered), once), -1); // the control
    EXPECT_NE(firstDifference(o.run(Policy::Ordered, 1, bestIsa(), 32), o.run(Policy::Ordered)),
              -1); // and this one does follow the chunk
}

TEST_P(MatmulExact, HasNoOrderOfTheAxis)
{
    // Whole blocks of weights and inputs permuted together.
    const std::int64_t length =
        std::max<std::int64_t>(32, numeric::weightTypeInfo(GetParam()).blockElements);
    const Operands o(GetParam(), 40, 20 * length, 3, 33);
    Operands mixed = o;
    const std::int64_t blocks = o.k / length;
    const auto blockBytes = static_cast<std::int64_t>(o.weights.size()) / (o.rows * blocks);
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t to = (b * 7 + 3) % blocks; // 7 and 20 have no common factor
        for (std::int64_t t = 0; t < o.tokens; ++t) {
            std::copy_n(o.x.begin() + t * o.k + b * length, length,
                        mixed.x.begin() + t * o.k + to * length);
        }
        for (std::int64_t r = 0; r < o.rows; ++r) {
            std::copy_n(o.weights.begin() + (r * blocks + b) * blockBytes, blockBytes,
                        mixed.weights.begin() + (r * blocks + to) * blockBytes);
        }
    }
    EXPECT_EQ(firstDifference(mixed.run(Policy::Exact), o.run(Policy::Exact)), -1);
    EXPECT_NE(firstDifference(mixed.run(Policy::Ordered), o.run(Policy::Ordered)), -1);
}

TEST_P(MatmulExact, AwkwardInputs)
{
    const float inf = std::numeric_limits<float>::infinity();
    for (const float planted : {inf, -inf, numeric::floatOf(0xffc12345U), 3.0e38F, 1.0e-42F}) {
        Operands o(GetParam(), 33, 96, 2, 34);
        for (auto& x : o.x) {
            x *= planted < 1.0e-40F && planted > 0.0F ? 1.0e-38F : 1.0F; // all of them small
        }
        o.x[5] = planted;
        o.x[40] = planted;
        EXPECT_EQ(firstDifference(o.run(Policy::Exact, 2), truth(o)), -1) << planted;
    }
    Operands zero(GetParam(), 33, 96, 1, 35);
    zero.x.assign(zero.x.size(), -0.0F);
    EXPECT_EQ(firstDifference(zero.run(Policy::Exact), std::vector<float>(33, 0.0F)), -1);
}

TEST(MatmulExactFloats, TakesTheLongWayWhereFloat64CannotTell)
{
    // Cancels to something that float64 has lost, and ties that only the last bit decides.
    const std::int64_t k = 6;
    const std::vector<float> w{0x1p100F, 1.0F,     -0x1p100F, 0x1p-140F, 0.0F, 0.0F,
                               1.0F,     0x1p-24F, 0.0F,      0x1p-149F, 0.0F, 0.0F,
                               1.0F,     0x1p-24F, 0.0F,      0.0F,      0.0F, 0.0F};
    const std::vector<float> x{1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F};
    const auto packed =
        PackedMatrix::pack(WeightType::F32, std::as_bytes(std::span(w)), 3, k, Team(1));
    ASSERT_TRUE(packed.ok());
    const auto out = product(*packed, x, 1, ExecContext{Team(1), bestIsa(), 32, Policy::Exact});
    EXPECT_EQ(out[0], 1.0F);
    EXPECT_EQ(out[1], 1.0F + 0x1p-23F);
    EXPECT_EQ(out[2], 1.0F);
    float nearest = 0.0F;
    EXPECT_FALSE(nearestFloat(0.0, 0x1p100, k, nearest));
    EXPECT_FALSE(nearestFloat(1.0 + 0x1p-24, 1.0 + 0x1p-24, k, nearest));
    EXPECT_TRUE(nearestFloat(1.0 + 0x1p-25, 1.0 + 0x1p-25, k, nearest));
}

TEST_P(MatmulExact, IsWhatNoOtherPolicyIs)
{
    const Operands o(GetParam(), 64, 1024, 4, 36);
    const auto exact = o.run(Policy::Exact);
    for (const Policy policy : {Policy::Ordered, Policy::BatchSplit, Policy::Kahan}) {
        EXPECT_NE(firstDifference(o.run(policy), exact), -1) << toString(policy);
    }
}

class MatmulBatchSplit : public testing::TestWithParam<WeightType> {};

TEST_P(MatmulBatchSplit, FollowsTheNumberOfTokensAndNothingElse)
{
    const Operands o(GetParam(), 70, 1024, 24, 41);
    const auto once = o.run(Policy::BatchSplit);
    for (const int threads : {1, 2, 3, 5}) {
        for (const Isa isa : availableIsas()) {
            for (const std::int64_t chunk : {32, 256}) {
                EXPECT_EQ(firstDifference(o.run(Policy::BatchSplit, threads, isa, chunk), once),
                          -1);
            }
        }
    }
    // The places where the rule switches, both sides of each.
    std::vector<std::vector<float>> byCut;
    for (const std::int64_t cut : {1, 2, 4, 8, 12}) {
        byCut.push_back(o.runCut(Policy::BatchSplit, cut));
        EXPECT_EQ(firstDifference(o.runCut(Policy::BatchSplit, cut), byCut.back()), -1);
    }
    for (std::size_t i = 0; i < byCut.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(firstDifference(byCut[i], byCut[j]), -1) << i << " " << j;
        }
    }
    EXPECT_EQ(firstDifference(o.runCut(Policy::BatchSplit, 3), byCut[2]), -1); // 3 and 4 agree
    EXPECT_EQ(firstDifference(once, byCut[4]), -1);                            // 12 and 24 too
}

TEST(BatchSplitRule, NeverMakesAnEmptyOrCrookedPiece)
{
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 8, 9, 512}) {
        for (const std::int64_t k : {1, 31, 32, 172, 576, 1024, 2048, 11008}) {
            const std::int64_t length = batchSplitLength(k, rows);
            EXPECT_GT(length, 0);
            EXPECT_EQ(length % 32, 0);
            EXPECT_LE((k + length - 1) / length,
                      std::max(batchSplitPieces(rows), (k + 1023) / 1024));
        }
    }
}

std::string nameOf(const testing::TestParamInfo<WeightType>& type)
{
    return std::string(numeric::weightTypeInfo(type.param).name);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, MatmulExact, testing::ValuesIn(allWeightTypes()), nameOf);
INSTANTIATE_TEST_SUITE_P(AllTypes, MatmulBatchSplit, testing::ValuesIn(allWeightTypes()), nameOf);

} // namespace
} // namespace ulp::kernels::test
