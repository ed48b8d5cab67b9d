// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ops that llama does without: the same bits on every path as the readable reference, and the
// values that their definitions ask for.
#include <cmath>
#include <limits>

#include "engine/kernels/ops.h"
#include "engine/numeric/math.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> withSpecials(std::int64_t n, std::uint64_t seed)
{
    std::vector<float> x = randomValues(n, seed, 12.0F);
    const float specials[] = {0.0F,   -0.0F,  kInf,    -kInf, numeric::floatOf(0xffc00001U),
                              1e-41F, 0.625F, -0.625F, 3e38F, -3e38F};
    for (std::size_t i = 0; i < x.size(); i += 3) {
        x[i] = specials[i / 3 % std::size(specials)];
    }
    return x;
}

TEST(GeluAndCaps, EveryPathHasTheBitsOfTheReference)
{
    for (const std::int64_t n : {1, 15, 16, 17, 31, 576, 1000, 40001}) {
        const auto x = withSpecials(n, 1);
        const auto y = withSpecials(n, 2);
        std::vector<float> gegluTruth(x.size());
        std::vector<float> geluTruth(x.size());
        gegluReference(x.data(), y.data(), n, gegluTruth.data());
        geluReference(x.data(), n, geluTruth.data());
        std::vector<float> capTruth = x;
        softCapReference(capTruth.data(), 7.5F, n);
        for (const Isa isa : availableIsas()) {
            const ExecContext context = contextOf(isa, 3);
            std::vector<float> out(x.size());
            geglu(x.data(), y.data(), n, out.data(), context);
            EXPECT_EQ(differingBits(out, gegluTruth), 0) << toString(isa) << " " << n;
            gelu(x.data(), n, out.data(), context);
            EXPECT_EQ(differingBits(out, geluTruth), 0) << toString(isa) << " " << n;
            out = x;
            softCap(out.data(), 7.5F, n, context);
            EXPECT_EQ(differingBits(out, capTruth), 0) << toString(isa) << " " << n;
        }
    }
}

TEST(GeluAndCaps, AreTheirFormulas)
{
    double worstGelu = 0.0;
    double worstTanh = 0.0;
    for (double x = -9.0; x <= 9.0; x += 0.00731) {
        const auto f = static_cast<float>(x);
        const auto d = static_cast<double>(f);
        // Exact far below zero as well, where 1 + tanh would have no digits left.
        const double u = std::sqrt(2.0 / M_PI) * (d + 0.044715 * d * d * d);
        const double gelu = d / (1.0 + std::exp(-2.0 * u));
        worstGelu = std::max(worstGelu, std::fabs((numeric::geluFloat(f) - gelu) / gelu));
        worstTanh =
            std::max(worstTanh, std::fabs((numeric::tanhFloat(f) - std::tanh(d)) / std::tanh(d)));
    }
    EXPECT_LT(worstGelu, 3e-5); // the exponent of -90 carries the rounding of its argument
    EXPECT_LT(worstTanh, 3e-7);
    EXPECT_NEAR(numeric::geluFloat(1.0F), 0.841192F, 1e-6F);
}

TEST(LayerNorm, OrderedHasTheBitsOfTheReferenceAndTheRightValues)
{
    for (const std::int64_t n : {1, 16, 31, 288, 1000}) {
        for (const std::int64_t chunk : {32, 256}) {
            const std::int64_t rows = 5;
            auto x = randomValues(rows * n, 5);
            for (float& v : x) {
                v += 3.0F; // a mean worth taking away
            }
            const auto weight = randomValues(n, 6);
            const auto bias = randomValues(n, 7);
            std::vector<float> truth(x.size());
            layerNormReference(x.data(), weight.data(), bias.data(), 1e-5F, rows, n, chunk,
                               truth.data());
            for (const Isa isa : availableIsas()) {
                std::vector<float> out(x.size());
                layerNorm(x.data(), weight.data(), bias.data(), 1e-5F, rows, n, out.data(),
                          contextOf(isa, 3, Policy::Ordered, chunk));
                EXPECT_EQ(differingBits(out, truth), 0) << toString(isa) << " " << n;
                out = x; // in place
                layerNorm(out.data(), weight.data(), bias.data(), 1e-5F, rows, n, out.data(),
                          contextOf(isa, 1, Policy::Ordered, chunk));
                EXPECT_EQ(differingBits(out, truth), 0) << toString(isa) << " " << n;
            }
            std::vector<float> plain(x.size());
            for (std::int64_t r = 0; r < rows; ++r) {
                const float* row = x.data() + r * n;
                double mean = 0.0;
                double squares = 0.0;
                for (std::int64_t i = 0; i < n; ++i) {
                    mean += static_cast<double>(row[i]) / static_cast<double>(n);
                }
                for (std::int64_t i = 0; i < n; ++i) {
                    const double d = static_cast<double>(row[i]) - mean;
                    squares += d * d / static_cast<double>(n);
                }
                for (std::int64_t i = 0; i < n; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    plain[static_cast<std::size_t>(r * n + i)] = static_cast<float>(
                        (static_cast<double>(row[i]) - mean) / std::sqrt(squares + 1e-5) *
                            static_cast<double>(weight[at]) +
                        static_cast<double>(bias[at]));
                }
            }
            EXPECT_LT(relativeDistance(truth, plain), 2e-6) << n;
            std::vector<float> exact(x.size());
            layerNorm(x.data(), weight.data(), bias.data(), 1e-5F, rows, n, exact.data(),
                      contextOf(bestIsa(), 2, Policy::Exact, chunk));
            EXPECT_LT(relativeDistance(exact, plain), 2e-6) << n;
        }
    }
}

/// 200 positions of one sequence, two KV heads, and a query at each.
struct Scene {
    static constexpr std::int64_t kHeads = 6;
    static constexpr std::int64_t kDim = 20;
    KvCache cache = *KvCache::create(1, 1, 200, 2, kDim);
    std::vector<float> q = randomValues(200 * kHeads * kDim, 21);
    std::vector<std::int32_t> sequences = std::vector<std::int32_t>(200, 0);
    std::vector<std::int32_t> positions;

    Scene()
    {
        for (std::int32_t p = 0; p < 200; ++p) {
            const auto seed = static_cast<std::uint64_t>(100 + p);
            cache.store(0, 0, p, randomValues(2 * kDim, seed).data(),
                        randomValues(2 * kDim, seed + 5000).data());
            positions.push_back(p);
        }
    }
    [[nodiscard]] AttentionArgs args(std::int64_t window, float cap, std::vector<float>& out) const
    {
        out.assign(q.size(), 7.0F);
        return {q.data(),         out.data(),       200,  kHeads, kDim, &cache, 0,
                sequences.data(), positions.data(), 0.3F, window, cap};
    }
    [[nodiscard]] std::vector<float> run(std::int64_t window, float cap,
                                         const ExecContext& context) const
    {
        std::vector<float> out;
        attention(args(window, cap, out), context);
        return out;
    }
    [[nodiscard]] std::vector<float> reference(std::int64_t window, float cap) const
    {
        std::vector<float> out;
        attentionReference(args(window, cap, out));
        return out;
    }
};

TEST(WindowedAttention, EveryPathHasTheBitsOfTheReference)
{
    const Scene scene;
    for (const std::int64_t window : {0, 1, 5, 63, 64, 65, 130, 500}) {
        for (const float cap : {0.0F, 0.8F}) {
            const auto truth = scene.reference(window, cap);
            for (const Isa isa : availableIsas()) {
                for (const int threads : {1, 3}) {
                    const auto out = scene.run(window, cap, contextOf(isa, threads));
                    EXPECT_EQ(differingBits(out, truth), 0)
                        << toString(isa) << " window " << window << " cap " << cap;
                }
            }
            for (const Policy policy : {Policy::Atomic, Policy::ThreadSplit, Policy::Kahan,
                                        Policy::BatchSplit, Policy::Exact}) {
                const auto out = scene.run(window, cap, contextOf(bestIsa(), 3, policy));
                EXPECT_LT(relativeDistance(out, truth), 3e-6)
                    << toString(policy) << " window " << window << " cap " << cap;
            }
        }
    }
    EXPECT_NE(differingBits(scene.reference(64, 0.0F), scene.reference(65, 0.0F)), 0);
    EXPECT_NE(differingBits(scene.reference(64, 0.0F), scene.reference(64, 0.8F)), 0);
}

TEST(WindowedAttention, WhatIsHiddenHasNoPart)
{
    Scene scene;
    const auto before = scene.run(10, 0.0F, contextOf(bestIsa(), 1));
    const std::vector<float> infinite(2 * Scene::kDim, kInf);
    scene.cache.store(0, 0, 70, infinite.data(), infinite.data());
    const auto after = scene.run(10, 0.0F, contextOf(bestIsa(), 1));
    constexpr std::int64_t kWidth = Scene::kHeads * Scene::kDim;
    const auto rowsDiffer = [&](std::int64_t row) {
        const auto cut = [&](const std::vector<float>& all) {
            return std::vector<float>(all.begin() + row * kWidth, all.begin() + (row + 1) * kWidth);
        };
        return differingBits(cut(before), cut(after)) != 0;
    };
    EXPECT_FALSE(rowsDiffer(69));
    EXPECT_TRUE(rowsDiffer(70));
    EXPECT_TRUE(rowsDiffer(79));
    EXPECT_FALSE(rowsDiffer(80)); // sees 71 and later; chunk 64 to 127 holds the hidden infinity
    EXPECT_FALSE(rowsDiffer(199));
}

TEST(RouterSoftmax, SumsToOneWithTheSameBitsOnEveryPath)
{
    const auto x = randomValues(3 * 131, 9, 8.0F);
    std::vector<float> truth;
    for (const Isa isa : availableIsas()) {
        std::vector<float> out(x.size());
        softmax(x.data(), 3, 131, out.data(), contextOf(isa, 2, Policy::Ordered, 64));
        truth = truth.empty() ? out : truth;
        EXPECT_EQ(differingBits(out, truth), 0) << toString(isa);
        double sum = 0.0;
        for (std::size_t i = 0; i < 131; ++i) {
            sum += static_cast<double>(out[i]);
            EXPECT_NEAR(out[i] / out[0], std::exp(x[i] - x[0]), 1e-4F * out[i] / out[0]);
        }
        EXPECT_NEAR(sum, 1.0, 1e-6);
    }
}

TEST(RopeTable, YarnKeepsShortWavesAndSlowsLongOnes)
{
    RopeSpec spec;
    spec.pairing = RopePairing::Halves;
    spec.dims = 128;
    spec.base = 1000000.0F;
    RopeSpec yarn = spec;
    yarn.yarnFactor = 4.0F;
    yarn.yarnOriginalContext = 32768.0F;
    yarn.magnitude = 1.25F;
    const RopeTable plain(spec, 200);
    const RopeTable scaled(yarn, 200);
    EXPECT_NEAR(scaled.cosOf(199)[0], 1.25F * plain.cosOf(199)[0], 1e-6F);
    EXPECT_NEAR(scaled.sinOf(199)[5], 1.25F * plain.sinOf(199)[5], 1e-6F);
    EXPECT_NEAR(scaled.sinOf(196)[63], 1.25F * plain.sinOf(49)[63], 1e-6F);
    EXPECT_GT(std::fabs(scaled.sinOf(199)[30] - 1.25F * plain.sinOf(199)[30]), 1e-4F);
}

} // namespace
} // namespace ulp::kernels::test
