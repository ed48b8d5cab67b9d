// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "engine/kernels/ops.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Shape {
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t headDim;
};

/// A cache with `positions` of two sequences in two layers, and queries at every position.
struct Scene {
    Shape shape;
    std::int64_t positions;
    KvCache cache;
    std::vector<float> q; // [positions, heads, headDim]

    Scene(Shape s, std::int64_t count, float spread = 2.0F)
        : shape(s), positions(count),
          cache(*KvCache::create(2, 2, count + 70, s.kvHeads, s.headDim)),
          q(randomValues(count * s.heads * s.headDim, 21, spread))
    {
        const std::int64_t width = s.kvHeads * s.headDim;
        for (int sequence = 0; sequence < 2; ++sequence) {
            for (std::int64_t p = 0; p < count; ++p) {
                const auto seed = static_cast<std::uint64_t>(100 + 1000 * sequence + p);
                cache.store(1, sequence, p, randomValues(width, seed, spread).data(),
                            randomValues(width, seed + 500000).data());
            }
        }
    }
    [[nodiscard]] std::int64_t width() const { return shape.heads * shape.headDim; }

    /// Attention of the given (sequence, position) rows; row r's query is that of its position.
    struct Rows {
        std::vector<std::int32_t> sequences;
        std::vector<std::int32_t> positions;
        std::vector<float> q;
        std::vector<float> out;
    };
    [[nodiscard]] Rows rows(const std::vector<std::pair<int, int>>& which) const
    {
        Rows r;
        for (const auto& [sequence, position] : which) {
            r.sequences.push_back(sequence);
            r.positions.push_back(position);
            r.q.insert(r.q.end(), q.begin() + position * width(),
                       q.begin() + (position + 1) * width());
        }
        r.out.assign(r.q.size(), 7.0F);
        return r;
    }
    [[nodiscard]] AttentionArgs args(Rows& r) const
    {
        return {r.q.data(),
                r.out.data(),
                static_cast<std::int64_t>(r.positions.size()),
                shape.heads,
                shape.headDim,
                &cache,
                1,
                r.sequences.data(),
                r.positions.data(),
                1.0F / std::sqrt(static_cast<float>(shape.headDim))};
    }
    [[nodiscard]] std::vector<float> reference(const std::vector<std::pair<int, int>>& which) const
    {
        Rows r = rows(which);
        attentionReference(args(r));
        return r.out;
    }
    [[nodiscard]] std::vector<float> run(const std::vector<std::pair<int, int>>& which,
                                         const ExecContext& context) const
    {
        Rows r = rows(which);
        attention(args(r), context);
        return r.out;
    }
};

std::vector<std::pair<int, int>> positionsOf(int sequence, int begin, int end)
{
    std::vector<std::pair<int, int>> which;
    for (int p = begin; p < end; ++p) {
        which.emplace_back(sequence, p);
    }
    return which;
}

TEST(Attention, EveryPathHasTheBitsOfTheReference)
{
    for (const Shape& shape : {Shape{8, 2, 64}, Shape{3, 3, 20}, Shape{9, 3, 16}, Shape{5, 1, 80},
                               Shape{2, 1, 128}, Shape{30, 1, 8}, Shape{7, 7, 36}}) {
        const Scene scene(shape, 200);
        std::vector<std::pair<int, int>> which = positionsOf(0, 0, 9);
        const auto more = positionsOf(1, 55, 75);
        which.insert(which.end(), more.begin(), more.end());
        for (const int p : {127, 128, 63, 64, 0, 199}) { // in no order
            which.emplace_back(p % 2, p);
        }
        const auto truth = scene.reference(which);
        for (const Isa isa : availableIsas()) {
            for (int threads = 1; threads <= 4; ++threads) {
                EXPECT_EQ(differingBits(scene.run(which, contextOf(isa, threads)), truth), 0)
                    << toString(isa) << " " << shape.heads << "/" << shape.kvHeads << " x "
                    << shape.headDim << " threads " << threads;
            }
        }
    }
}

TEST(Attention, IsSoftmaxAttention)
{
    const Scene scene({4, 2, 24}, 150);
    const auto out = scene.run({{1, 149}}, contextOf(bestIsa(), 1));
    for (std::int64_t h = 0; h < 4; ++h) {
        std::vector<double> w(150);
        double sum = 0.0;
        for (std::int64_t p = 0; p < 150; ++p) {
            double dot = 0.0;
            for (std::int64_t i = 0; i < 24; ++i) {
                dot += static_cast<double>(
                           scene.q[static_cast<std::size_t>(149 * scene.width() + h * 24 + i)]) *
                       static_cast<double>(scene.cache.keyAt(1, 1, p, h / 2, i));
            }
            w[static_cast<std::size_t>(p)] = std::exp(dot / std::sqrt(24.0));
            sum += w[static_cast<std::size_t>(p)];
        }
        for (std::int64_t i = 0; i < 24; ++i) {
            double value = 0.0;
            for (std::int64_t p = 0; p < 150; ++p) {
                value += w[static_cast<std::size_t>(p)] / sum *
                         static_cast<double>(scene.cache.valueAt(1, 1, p, h / 2, i));
            }
            EXPECT_NEAR(out[static_cast<std::size_t>(h * 24 + i)], value, 1e-5);
        }
    }
}

TEST(Attention, DoesNotDependOnHowThePromptIsCut)
{
    const Scene scene({6, 2, 32}, 150);
    const auto whole = scene.run(positionsOf(0, 0, 150), contextOf(bestIsa(), 2));
    for (const int cut : {1, 7, 64, 149}) {
        std::vector<float> pieces;
        for (int begin = 0; begin < 150; begin += cut) {
            const auto piece = scene.run(positionsOf(0, begin, std::min(begin + cut, 150)),
                                         contextOf(bestIsa(), 2));
            pieces.insert(pieces.end(), piece.begin(), piece.end());
        }
        EXPECT_EQ(differingBits(pieces, whole), 0) << cut;
    }
}

TEST(Attention, NeverReadsWhatARowMustNotSee)
{
    for (const Isa isa : availableIsas()) {
        Scene scene({8, 4, 40}, 100);
        const auto which = positionsOf(0, 60, 70);
        const auto truth = scene.run(which, contextOf(isa, 1));
        // Later positions of the same prefill, and slots beyond, turn to poison.
        const std::vector<float> poison(4 * 40, std::numeric_limits<float>::quiet_NaN());
        const std::vector<float> infinite(4 * 40, kInf);
        for (std::int64_t p = 65; p < 170; ++p) {
            scene.cache.store(1, 0, p, p % 2 == 0 ? poison.data() : infinite.data(),
                              p % 3 == 0 ? poison.data() : infinite.data());
        }
        for (std::int64_t p = 0; p < 100; ++p) {
            scene.cache.store(1, 1, p, poison.data(), poison.data());
            scene.cache.store(0, 0, p, poison.data(), poison.data());
        }
        const auto out = scene.run(which, contextOf(isa, 1));
        const auto seen = static_cast<std::size_t>(5 * scene.width()); // rows 60 to 64
        for (std::size_t i = 0; i < seen; ++i) {
            ASSERT_TRUE(numeric::sameBits(out[i], truth[i])) << toString(isa) << " " << i;
        }
        EXPECT_TRUE(std::isnan(out[seen])); // the negative control: row 65 does see it
    }
}

TEST(Attention, ExtremeScoresAndNanAgreeOnEveryPath)
{
    const auto nan = numeric::floatOf(0xffc54321U);
    for (const float planted : {kInf, -kInf, nan, 1e30F, -3e38F}) {
        for (const bool inKeys : {true, false}) {
            Scene scene({4, 2, 16}, 140, 30.0F);
            std::vector<float> row = randomValues(32, 77);
            row[3] = planted;
            row[20] = planted;
            const auto plain = randomValues(32, 78);
            for (const std::int64_t p : {2, 70, 131}) {
                scene.cache.store(1, 0, p, inKeys ? row.data() : plain.data(),
                                  inKeys ? plain.data() : row.data());
            }
            auto which = positionsOf(0, 0, 4);
            for (const int p : {1, 63, 64, 69, 70, 71, 127, 128, 130, 131, 139}) {
                which.emplace_back(0, p);
            }
            const auto truth = scene.reference(which);
            for (const Isa isa : availableIsas()) {
                EXPECT_EQ(differingBits(scene.run(which, contextOf(isa, 2)), truth), 0)
                    << toString(isa) << " " << planted << " " << inKeys;
            }
        }
    }
}

TEST(Attention, AChunkOfMinusInfinityWeighsNothing)
{
    Scene scene({1, 1, 16}, 130);
    scene.q.assign(scene.q.size(), 1.0F);
    const std::vector<float> low(16, -kInf);
    const std::vector<float> ones(16, 1.0F);
    for (std::int64_t p = 0; p < 64; ++p) {
        scene.cache.store(1, 0, p, low.data(), randomValues(16, 9).data());
    }
    for (std::int64_t p = 64; p < 130; ++p) {
        scene.cache.store(1, 0, p, ones.data(), ones.data());
    }
    for (const Isa isa : availableIsas()) {
        const auto out = scene.run({{0, 129}}, contextOf(isa, 1));
        EXPECT_EQ(out, ones);
        EXPECT_TRUE(std::isnan(scene.run({{0, 63}}, contextOf(isa, 1))[0]));
    }
}

TEST(Attention, OtherPoliciesAreCloseAndComplete)
{
    const Scene scene({8, 2, 32}, 400);
    for (const auto& which : {positionsOf(0, 330, 400), positionsOf(1, 399, 400)}) {
        const auto truth = scene.reference(which);
        for (const Policy policy : {Policy::Atomic, Policy::AtomicAdd, Policy::ThreadSplit,
                                    Policy::BatchSplit, Policy::Kahan, Policy::Exact}) {
            for (int threads = 1; threads <= 4; ++threads) {
                const auto out = scene.run(which, contextOf(bestIsa(), threads, policy));
                EXPECT_LT(relativeDistance(out, truth), 2e-6) << toString(policy);
            }
        }
        EXPECT_EQ(differingBits(scene.run(which, contextOf(bestIsa(), 1, Policy::Atomic)), truth),
                  0);
    }
}

TEST(Attention, ThreadSplitRepeatsAndDependsOnThreads)
{
    const Scene scene({8, 2, 32}, 400);
    const auto which = positionsOf(0, 380, 400);
    const auto truth = scene.reference(which);
    const auto run = [&](int threads) {
        return scene.run(which, contextOf(bestIsa(), threads, Policy::ThreadSplit));
    };
    EXPECT_EQ(differingBits(run(1), truth), 0);
    for (int threads = 2; threads <= 4; ++threads) {
        const auto first = run(threads);
        EXPECT_EQ(differingBits(run(threads), first), 0);
        EXPECT_GT(differingBits(first, truth), 0);
    }
}

TEST(KvCache, KeepsWhatIsStoredAndCopiesOnlyWhatIsAsked)
{
    auto cache = *KvCache::create(2, 3, 150, 2, 20);
    for (int layer = 0; layer < 2; ++layer) {
        for (std::int64_t p = 0; p < 150; ++p) {
            const auto seed = static_cast<std::uint64_t>(p + 1000 * layer);
            cache.store(layer, 0, p, randomValues(40, seed).data(),
                        randomValues(40, seed + 77777).data());
            cache.store(layer, 2, p, randomValues(40, seed + 5000).data(),
                        randomValues(40, seed + 6000).data());
        }
    }
    cache.copySequence(0, 2, 71);
    for (int layer = 0; layer < 2; ++layer) {
        for (std::int64_t p = 0; p < 150; ++p) {
            const auto seed = static_cast<std::uint64_t>(p + 1000 * layer);
            const auto k = randomValues(40, p < 71 ? seed : seed + 5000);
            const auto v = randomValues(40, p < 71 ? seed + 77777 : seed + 6000);
            for (std::int64_t i = 0; i < 40; ++i) {
                const auto at = static_cast<std::size_t>(i);
                ASSERT_EQ(cache.keyAt(layer, 2, p, i / 20, i % 20), k[at]) << p;
                ASSERT_EQ(cache.valueAt(layer, 2, p, i / 20, i % 20), v[at]) << p;
                ASSERT_EQ(cache.keyAt(layer, 1, p, i / 20, i % 20), 0.0F);
            }
        }
    }
}

TEST(KvCache, RefusesWhatCannotBeHad)
{
    for (const std::int64_t positions :
         {std::int64_t{1} << 45, std::int64_t{1} << 62, std::int64_t{-1}, std::int64_t{0}}) {
        const auto cache = KvCache::create(30, 8, positions, 8, 128);
        ASSERT_FALSE(cache.ok());
        EXPECT_EQ(cache.error().code, ErrorCode::BadUsage);
    }
    EXPECT_FALSE(KvCache::create(1 << 20, 1 << 20, std::int64_t{1} << 39, 8, 128).ok());
}

} // namespace
} // namespace ulp::kernels::test
