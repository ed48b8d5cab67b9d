// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "engine/kernels/ops.h"
#include "engine/numeric/math.h"
#include "tests/engine/kernels/ops_test_data.h"

namespace ulp::kernels::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// Random values with every special value planted, NaNs of several payloads among them.
std::vector<float> withSpecials(std::int64_t n, std::uint64_t seed)
{
    std::vector<float> x = randomValues(n, seed, 40.0F);
    const std::vector<float> specials{0.0F,
                                      -0.0F,
                                      kInf,
                                      -kInf,
                                      numeric::floatOf(0x7fc12345U),
                                      numeric::floatOf(0xffc00001U),
                                      numeric::floatOf(0x7f800001U),
                                      1e-41F,
                                      -1e-41F,
                                      3.4e38F,
                                      -3.4e38F,
                                      -88.5F,
                                      -104.5F};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float u = numeric::uniformFloat(seed, 3, i);
        if (u < 0.2F) {
            x[i] =
                specials[static_cast<std::size_t>(u * 5.0F * static_cast<float>(specials.size()))];
        }
    }
    return x;
}

constexpr std::int64_t kSizes[] = {1, 7, 15, 16, 17, 31, 33, 576, 1000, 40001, 200003};

TEST(Elementwise, EveryPathHasTheBitsOfTheReference)
{
    for (const std::int64_t n : kSizes) {
        const auto a = withSpecials(n, 1);
        const auto b = withSpecials(n, 2);
        std::vector<float> swigluTruth(a.size());
        std::vector<float> addTruth(a.size());
        swigluReference(a.data(), b.data(), n, swigluTruth.data());
        addReference(a.data(), b.data(), n, addTruth.data());
        for (const Isa isa : availableIsas()) {
            for (int threads = 1; threads <= 4; ++threads) {
                const ExecContext context = contextOf(isa, threads);
                std::vector<float> out(a.size(), 7.0F);
                swiglu(a.data(), b.data(), n, out.data(), context);
                EXPECT_EQ(differingBits(out, swigluTruth), 0) << toString(isa) << " " << n;
                add(a.data(), b.data(), n, out.data(), context);
                EXPECT_EQ(differingBits(out, addTruth), 0) << toString(isa) << " " << n;
                for (const Precision p : {Precision::F32, Precision::Bf16, Precision::F16}) {
                    std::vector<float> truth = a;
                    roundToReference(p, truth.data(), n);
                    out = a;
                    roundTo(p, out.data(), n, context);
                    EXPECT_EQ(differingBits(out, truth), 0) << toString(isa) << toString(p);
                }
            }
        }
    }
}

TEST(Elementwise, RoundingTouchesEveryClassOfFloat)
{
    // All upper halves of float32 with lower halves around the ties of both formats.
    std::vector<float> x;
    for (std::uint32_t high = 0; high <= 0xffffU; high += 3) {
        for (const std::uint32_t low : {0x0000U, 0x0fffU, 0x1000U, 0x1001U, 0x7fffU, 0x8000U,
                                        0x8001U, 0x9000U, 0xf000U, 0xffffU}) {
            x.push_back(numeric::floatOf((high << 16) | low));
        }
    }
    const auto n = static_cast<std::int64_t>(x.size());
    for (const Isa isa : availableIsas()) {
        for (const Precision p : {Precision::Bf16, Precision::F16}) {
            std::vector<float> truth = x;
            roundToReference(p, truth.data(), n);
            std::vector<float> out = x;
            roundTo(p, out.data(), n, contextOf(isa, 1));
            EXPECT_EQ(differingBits(out, truth), 0) << toString(isa) << toString(p);
        }
    }
}

TEST(Elementwise, ResultsAreWhatTheNamesSay)
{
    const std::vector<float> gate{-3.0F, 0.0F, 0.5F, 20.0F};
    const std::vector<float> up{2.0F, 5.0F, -1.5F, 0.25F};
    std::vector<float> out(4);
    swiglu(gate.data(), up.data(), 4, out.data(), contextOf(Isa::Portable, 1));
    for (std::size_t i = 0; i < 4; ++i) {
        const double g = gate[i];
        EXPECT_NEAR(out[i], g / (1.0 + std::exp(-g)) * up[i], 1e-6);
    }
    // NaN comes out as one NaN, whatever went in
    const float nan = numeric::floatOf(0xffc12345U);
    add(&nan, &up[0], 1, out.data(), contextOf(Isa::Portable, 1));
    EXPECT_EQ(numeric::bitsOf(out[0]), numeric::kCanonicalNanBits);
}

TEST(VectorExp, HasTheBitsOfTheScalarOne)
{
    // silu's exp sees every sign and exponent here; gate * 1 shows it.
    std::vector<float> x;
    for (std::uint64_t bits = 0; bits <= 0xffffffffULL; bits += 9973) {
        x.push_back(numeric::floatOf(static_cast<std::uint32_t>(bits)));
    }
    const auto n = static_cast<std::int64_t>(x.size());
    const std::vector<float> ones(x.size(), 1.0F);
    std::vector<float> truth(x.size());
    swigluReference(x.data(), ones.data(), n, truth.data());
    for (const Isa isa : availableIsas()) {
        std::vector<float> out(x.size());
        swiglu(x.data(), ones.data(), n, out.data(), contextOf(isa, 2));
        EXPECT_EQ(differingBits(out, truth), 0) << toString(isa);
    }
}

} // namespace
} // namespace ulp::kernels::test
