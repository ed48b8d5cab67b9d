// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `exact` and `batch-split` in norms and attention: what changes them and what does not.
#include <cmath>
#include <limits>

#include "engine/numeric/math.h"
#include "engine/numeric/wide_sum.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

constexpr std::int64_t kHeads = 6;
constexpr std::int64_t kKvHeads = 2;
constexpr std::int64_t kDim = 20; // not a multiple of 16
constexpr std::int64_t kPositions = 600;

/// One sequence of keys and values, and a query at every position.
struct Scene {
    KvCache cache = *KvCache::create(1, 1, kPositions + 70, kKvHeads, kDim);
    std::vector<float> q = randomValues(kPositions * kHeads * kDim, 51);

    Scene()
    {
        for (std::int64_t p = 0; p < kPositions; ++p) {
            const auto seed = static_cast<std::uint64_t>(p);
            cache.store(0, 0, p, randomValues(kKvHeads * kDim, 1000 + seed).data(),
                        randomValues(kKvHeads * kDim, 5000 + seed).data());
        }
    }
    /// Attention of positions [begin, end) in passes of `cut` rows.
    [[nodiscard]] std::vector<float> run(std::int64_t begin, std::int64_t end, std::int64_t cut,
                                         const ExecContext& context) const
    {
        std::vector<float> out(static_cast<std::size_t>((end - begin) * kHeads * kDim), 7.0F);
        for (std::int64_t at = begin; at < end; at += cut) {
            std::vector<std::int32_t> positions;
            for (std::int64_t p = at; p < std::min(end, at + cut); ++p) {
                positions.push_back(static_cast<std::int32_t>(p));
            }
            const std::vector<std::int32_t> sequences(positions.size(), 0);
            AttentionArgs args;
            args.q = q.data() + at * kHeads * kDim;
            args.out = out.data() + (at - begin) * kHeads * kDim;
            args.rows = static_cast<std::int64_t>(positions.size());
            args.heads = kHeads;
            args.headDim = kDim;
            args.cache = &cache;
            args.sequences = sequences.data();
            args.positions = positions.data();
            args.scale = 0.25F;
            attention(args, context);
        }
        return out;
    }
    /// One vector by its definition, with wide sums only.
    [[nodiscard]] std::vector<float> truth(std::int64_t position, std::int64_t head) const
    {
        const std::int64_t kvHead = head / (kHeads / kKvHeads);
        std::vector<float> w;
        float max = -std::numeric_limits<float>::infinity();
        for (std::int64_t p = 0; p <= position; ++p) {
            numeric::WideSum dot;
            for (std::int64_t i = 0; i < kDim; ++i) {
                dot.addProduct(q[static_cast<std::size_t>((position * kHeads + head) * kDim + i)],
                               cache.keyAt(0, 0, p, kvHead, i));
            }
            w.push_back(dot.value() * 0.25F);
            max = w.back() > max ? w.back() : max;
        }
        numeric::WideSum total;
        for (float& score : w) {
            score = numeric::expFloat(score - max);
            total.addProduct(score, 1.0F);
        }
        std::vector<float> out;
        for (std::int64_t i = 0; i < kDim; ++i) {
            numeric::WideSum sum;
            for (std::int64_t p = 0; p <= position; ++p) {
                sum.addProduct(w[static_cast<std::size_t>(p)], cache.valueAt(0, 0, p, kvHead, i));
            }
            out.push_back(sum.value() / total.value());
        }
        return out;
    }
};

TEST(ExactAttention, IsItsDefinition)
{
    const Scene scene;
    for (const std::int64_t position : {0, 5, 63, 64, 200, 599}) {
        const auto out =
            scene.run(position, position + 1, 1, contextOf(bestIsa(), 2, Policy::Exact));
        for (std::int64_t head = 0; head < kHeads; ++head) {
            const std::vector<float> row(out.begin() + head * kDim,
                                         out.begin() + (head + 1) * kDim);
            EXPECT_EQ(differingBits(row, scene.truth(position, head)), 0) << position;
        }
    }
}

TEST(ExactAttention, NothingChangesIt)
{
    const Scene scene;
    const auto once = scene.run(400, 440, 40, contextOf(bestIsa(), 1, Policy::Exact));
    for (const Isa isa : availableIsas()) {
        for (const int threads : {1, 2, 3}) {
            for (const std::int64_t cut : {1, 7, 40}) {
                EXPECT_EQ(
                    differingBits(scene.run(400, 440, cut, contextOf(isa, threads, Policy::Exact)),
                                  once),
                    0);
            }
        }
    }
    EXPECT_GT(differingBits(scene.run(400, 440, 40, contextOf(bestIsa(), 1)), once), 0);
}

TEST(ExactAttention, InfinityAndNanOfAKeyReachThoseWhoSeeIt)
{
    Scene scene;
    std::vector<float> bad = randomValues(kKvHeads * kDim, 9);
    bad[3] = numeric::floatOf(0xffc12345U);
    scene.cache.store(0, 0, 100, bad.data(), randomValues(kKvHeads * kDim, 10).data());
    const auto out = scene.run(98, 102, 4, contextOf(bestIsa(), 1, Policy::Exact));
    const std::size_t row = kHeads * kDim;
    EXPECT_TRUE(std::isfinite(out[row])); // position 99
    EXPECT_EQ(numeric::bitsOf(out[2 * row]), numeric::kCanonicalNanBits);
    EXPECT_TRUE(std::isfinite(out[2 * row + row - 1])); // the other KV head
}

TEST(BatchSplitAttention, FollowsTheRowsOfThePassAndNothingElse)
{
    const Scene scene;
    const auto run = [&](std::int64_t cut, int threads, Isa isa) {
        return scene.run(560, 584, cut, contextOf(isa, threads, Policy::BatchSplit));
    };
    std::vector<std::vector<float>> byCut;
    for (const std::int64_t cut : {1, 2, 4, 8, 12}) {
        byCut.push_back(run(cut, 1, bestIsa()));
        for (const Isa isa : availableIsas()) {
            for (const int threads : {1, 2, 3}) {
                EXPECT_EQ(differingBits(run(cut, threads, isa), byCut.back()), 0) << cut;
            }
        }
    }
    for (std::size_t i = 0; i < byCut.size(); ++i) {
        for (std::size_t j = 1; j < i; ++j) { // 10 chunks in 12 pieces are those of `ordered`
            EXPECT_GT(differingBits(byCut[i], byCut[j]), 0) << i << " " << j;
        }
    }
    EXPECT_EQ(differingBits(run(24, 2, bestIsa()), byCut.back()), 0);
}

struct NormRows {
    std::int64_t n = 1100;
    std::vector<float> x = randomValues(40 * n, 61);
    std::vector<float> weight = randomValues(n, 62);

    [[nodiscard]] std::vector<float> run(std::int64_t cut, const ExecContext& context) const
    {
        std::vector<float> out(x.size());
        for (std::int64_t row = 0; row < 40; row += cut) {
            const std::int64_t rows = std::min<std::int64_t>(cut, 40 - row);
            rmsNorm(x.data() + row * n, weight.data(), 1e-5F, rows, n, out.data() + row * n,
                    context);
        }
        return out;
    }
};

TEST(ExactNorm, IsItsDefinitionAndNothingChangesIt)
{
    const NormRows test;
    const auto once = test.run(40, contextOf(bestIsa(), 1, Policy::Exact, 32));
    for (std::int64_t row = 0; row < 40; ++row) {
        numeric::WideSum sum;
        for (std::int64_t i = 0; i < test.n; ++i) {
            const float x = test.x[static_cast<std::size_t>(row * test.n + i)];
            sum.addProduct(x, x);
        }
        const float factor = 1.0F / std::sqrt(sum.value() / static_cast<float>(test.n) + 1e-5F);
        const auto at = static_cast<std::size_t>(row * test.n + 17);
        EXPECT_EQ(once[at], test.x[at] * factor * test.weight[17]);
    }
    for (const Isa isa : availableIsas()) {
        for (const std::int64_t cut : {1, 7, 40}) {
            for (const std::int64_t chunk : {32, 256}) {
                EXPECT_EQ(
                    differingBits(test.run(cut, contextOf(isa, 3, Policy::Exact, chunk)), once), 0);
            }
        }
    }
    EXPECT_GT(differingBits(test.run(40, contextOf(bestIsa(), 1, Policy::Ordered, 32)), once), 0);
}

TEST(BatchSplitNorm, FollowsTheRowsOfThePassAndNothingElse)
{
    const NormRows test;
    const auto run = [&](std::int64_t cut, int threads) {
        return test.run(cut, contextOf(bestIsa(), threads, Policy::BatchSplit, 32));
    };
    for (const std::int64_t cut : {1, 2, 4, 8}) {
        const auto once = run(cut, 1);
        EXPECT_EQ(differingBits(run(cut, 3), once), 0);
        EXPECT_GT(differingBits(run(cut == 8 ? 1 : cut * 2, 1), once), 0) << cut;
    }
}

} // namespace
} // namespace ulp::kernels::test
