// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each policy promises: the same numbers within rounding, and which of them repeat.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

#include "engine/kernels/vendor_blas.h"
#include "engine/numeric/quant_blocks.h"
#include "matmul_test_data.h"

namespace ulp::kernels::test {
namespace {

struct Case {
    PackedMatrix packed;
    std::vector<std::uint8_t> weights;
    std::vector<float> x;
    std::int64_t tokens;
};

Case makeCase(WeightType type, std::int64_t rows, std::int64_t length, std::int64_t tokens,
              std::uint32_t seed)
{
    const std::int64_t k = wholeBlocks(type, length);
    TestData data(seed);
    Case c;
    c.weights = data.weights(type, rows, k);
    c.x = data.values(tokens * k);
    c.tokens = tokens;
    auto packed = PackedMatrix::pack(type, bytesOf(c.weights), rows, k, Team(1));
    EXPECT_TRUE(packed.ok());
    c.packed = *packed;
    return c;
}

std::string bytesAsKey(const std::vector<float>& v)
{
    return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)};
}

/// The policies that this machine has for a format.
std::vector<Policy> policiesFor(WeightType type)
{
    std::vector<Policy> policies;
    for (const Policy policy : supportedPolicies()) {
        if (policyServes(policy, type)) {
            policies.push_back(policy);
        }
    }
    return policies;
}

class MatmulPolicy : public testing::TestWithParam<WeightType> {};

TEST_P(MatmulPolicy, AgreesWithinRounding)
{
    for (const std::int64_t tokens : {1, 3, 40}) {
        const std::int64_t k = 288;
        const Case c = makeCase(GetParam(), 100, k, tokens, 21);
        const Isa isa = bestIsa();
        const auto ordered =
            product(c.packed, c.x, tokens, ExecContext{Team(1), isa, 32, Policy::Ordered});
        // Sums of up to 288 terms of unit size: far above their rounding, far below a lost chunk.
        float largest = 0.0F;
        for (const float y : ordered) {
            largest = std::max(largest, std::fabs(y));
        }
        for (const Policy policy : policiesFor(GetParam())) {
            for (const int threads : {1, 2, 3, 5}) {
                const auto actual =
                    product(c.packed, c.x, tokens, ExecContext{Team(threads), isa, 32, policy});
                for (std::size_t i = 0; i < actual.size(); ++i) {
                    ASSERT_NEAR(actual[i], ordered[i], largest * 2.0e-5F)
                        << toString(policy) << ", " << threads << " threads, element " << i;
                }
            }
        }
    }
}

TEST_P(MatmulPolicy, OneThreadRacesAgainstNobody)
{
    const Case c = makeCase(GetParam(), 100, 288, 5, 22);
    const auto run = [&](Policy policy) {
        return product(c.packed, c.x, c.tokens, ExecContext{Team(1), bestIsa(), 32, policy});
    };
    const auto ordered = run(Policy::Ordered);
    EXPECT_EQ(firstDifference(run(Policy::Atomic), ordered), -1);
    EXPECT_EQ(firstDifference(run(Policy::AtomicAdd), ordered), -1);
    EXPECT_NE(firstDifference(run(Policy::ThreadSplit), ordered), -1);
}

TEST_P(MatmulPolicy, ThreadSplitRepeatsButFollowsTheThreadCount)
{
    for (const std::int64_t tokens : {1, 40}) {
        const Case c = makeCase(GetParam(), 100, 576, tokens, 23);
        const auto run = [&](int threads, Isa isa) {
            return product(c.packed, c.x, tokens,
                           ExecContext{Team(threads), isa, 64, Policy::ThreadSplit});
        };
        const auto two = run(2, bestIsa());
        for (const Isa isa : availableIsas()) {
            EXPECT_EQ(firstDifference(run(2, isa), two), -1) << toString(isa);
        }
        EXPECT_NE(firstDifference(run(1, bestIsa()), two), -1);
        EXPECT_NE(firstDifference(run(3, bestIsa()), two), -1);
        const auto ordered =
            product(c.packed, c.x, tokens, ExecContext{Team(2), bestIsa(), 64, Policy::Ordered});
        EXPECT_NE(firstDifference(ordered, two), -1) << "the negative control does not control";
    }
}

TEST_P(MatmulPolicy, MoreThreadsThanGroups)
{
    const Case c = makeCase(GetParam(), 20, 64, 2, 24);
    const auto groups = static_cast<int>(wholeBlocks(GetParam(), 64) / 32);
    const auto ordered =
        product(c.packed, c.x, 2, ExecContext{Team(1), bestIsa(), 32, Policy::Ordered});
    const auto split = product(c.packed, c.x, 2,
                               ExecContext{Team(groups + 5), bestIsa(), 32, Policy::ThreadSplit});
    EXPECT_EQ(firstDifference(split, ordered), -1); // pieces of one chunk each
}

TEST(MatmulVendor, RefusesQuantisedWeightsByName)
{
    for (const WeightType type : allWeightTypes()) {
        const auto serves = policyServes(Policy::Vendor, type);
        if (isQuantised(type)) {
            ASSERT_FALSE(serves.ok());
            EXPECT_NE(serves.error().message.find(numeric::weightTypeInfo(type).name),
                      std::string::npos);
        }
        EXPECT_TRUE(policyServes(Policy::Ordered, type).ok());
        EXPECT_TRUE(policyServes(Policy::Exact, type).ok());
    }
}

TEST(MatmulVendor, SaysWhatItIsAndDoesTheWholeProduct)
{
    if (const auto loaded = loadVendor(); !loaded) {
        EXPECT_TRUE(vendorFacts().empty());
        EXPECT_FALSE(loaded.error().remedy.empty());
        GTEST_SKIP() << loaded.error().text();
    }
    for (const char* key : {"version", "config", "core", "parallel"}) {
        EXPECT_FALSE(vendorFacts()[std::string("library.openblas.") + key].empty()) << key;
    }
    // More rows than one call widens, odd sizes, and a row stride beyond the rows.
    for (const auto& [rows, k, tokens] :
         {std::array<std::int64_t, 3>{1, 1, 1}, {33, 172, 3}, {40000, 512, 2}}) {
        const Case c = makeCase(WeightType::F16, rows, k, tokens, 27);
        const ExecContext vendor{Team(2), bestIsa(), 32, Policy::Vendor};
        Activations input;
        input.set(c.x.data(), tokens, k, k, false, vendor);
        std::vector<float> out(static_cast<std::size_t>(tokens * (rows + 5)), 7.0F);
        matmul(c.packed, input, out.data(), rows + 5, vendor);
        const auto exact =
            product(c.packed, c.x, tokens, ExecContext{Team(2), bestIsa(), 32, Policy::Exact});
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (std::int64_t r = 0; r < rows; ++r) {
                ASSERT_NEAR(out[static_cast<std::size_t>(t * (rows + 5) + r)],
                            exact[static_cast<std::size_t>(t * rows + r)], 2e-3F);
            }
            EXPECT_EQ(out[static_cast<std::size_t>(t * (rows + 5) + rows)], 7.0F);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, MatmulPolicy, testing::ValuesIn(allWeightTypes()),
                         [](const testing::TestParamInfo<WeightType>& type) {
                             return std::string(numeric::weightTypeInfo(type.param).name);
                         });

TEST(MatmulPolicyRace, CountsDistinctResults)
{
    // How often threads meet is the machine's affair, so nothing is asserted about the racing
    // policies; `ordered` must give one result.
    const Case c = makeCase(WeightType::F16, 192, 192, 1, 25);
    for (const Policy policy : policiesFor(WeightType::F16)) {
        std::set<std::string> results;
        for (int i = 0; i < 100; ++i) {
            results.insert(
                bytesAsKey(product(c.packed, c.x, 1, ExecContext{Team(2), bestIsa(), 32, policy})));
        }
        std::printf("192 x 192, 2 threads, 100 runs, %s: %zu distinct results\n",
                    std::string(toString(policy)).c_str(), results.size());
        RecordProperty(std::string(toString(policy)), static_cast<int>(results.size()));
        if (policy == Policy::Ordered || policy == Policy::ThreadSplit ||
            policy == Policy::BatchSplit || policy == Policy::Exact) {
            EXPECT_EQ(results.size(), 1U);
        }
    }
}

TEST(MatmulPolicyRace, CompensatedSumsKeepWhatPlainMergingLoses)
{
    // Partials are exact: 2^26, then ones, then -2^26. A float32 of that size drops every one.
    const std::int64_t chunks = 64;
    const std::int64_t k = chunks * 32;
    std::vector<float> w(static_cast<std::size_t>(k), 0.0F);
    for (std::int64_t c = 0; c < chunks; ++c) {
        w[static_cast<std::size_t>(c * 32)] = 1.0F;
    }
    w[0] = 0x1p26F;
    w[static_cast<std::size_t>(k - 32)] = -0x1p26F;
    const std::vector<float> x(static_cast<std::size_t>(k), 1.0F);
    const auto packed =
        PackedMatrix::pack(WeightType::F32, std::as_bytes(std::span(w)), 1, k, Team(1));
    ASSERT_TRUE(packed.ok());
    const auto run = [&](Policy policy, int threads) {
        return product(*packed, x, 1, ExecContext{Team(threads), bestIsa(), 32, policy})[0];
    };
    EXPECT_EQ(run(Policy::Ordered, 1), 0.0F);
    for (const int threads : {1, 2, 3}) {
        EXPECT_EQ(run(Policy::Kahan, threads), static_cast<float>(chunks - 2));
    }
}

} // namespace
} // namespace ulp::kernels::test
