// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `ordered` gives the reference's bits for every format, odd shape, tile, thread count and
// instruction set; and the comparison can fail: another order gives other bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "matmul_test_data.h"

namespace ulp::kernels::test {
namespace {

class MatmulBits : public testing::TestWithParam<WeightType> {};

/// One shape against the reference under every instruction set; with the first chunk size also
/// under several thread counts.
void expectReferenceBits(WeightType type, std::int64_t rows, std::int64_t length,
                         std::int64_t tokens, const std::vector<std::int64_t>& chunks,
                         std::uint32_t seed)
{
    const std::int64_t k = wholeBlocks(type, length);
    TestData data(seed);
    const auto weights = data.weights(type, rows, k);
    const auto x = data.values(tokens * k);
    const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, k, Team(2));
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    for (const std::int64_t chunk : chunks) {
        const auto expected = reference(type, weights, rows, k, x, tokens, chunk);
        for (const Isa isa : availableIsas()) {
            for (const int threads : chunk == chunks[0] ? std::vector{1, 2, 3} : std::vector{1}) {
                const ExecContext context{Team(threads), isa, chunk, Policy::Ordered};
                const auto actual = product(*packed, x, tokens, context);
                const std::int64_t at = firstDifference(actual, expected);
                ASSERT_EQ(at, -1) << rows << " x " << k << ", " << tokens << " tokens, chunk "
                                  << chunk << ", " << toString(isa) << ", " << threads
                                  << " threads: element " << at << " is "
                                  << actual[static_cast<std::size_t>(at)] << " instead of "
                                  << expected[static_cast<std::size_t>(at)];
            }
        }
    }
}

TEST_P(MatmulBits, OddShapes)
{
    std::uint32_t seed = 1;
    const bool large = numeric::weightTypeInfo(GetParam()).blockElements > 32;
    const auto lengths =
        large ? std::vector<std::int64_t>{256, 512} : std::vector<std::int64_t>{32, 96, 160, 288};
    // Chunks of 96 and 160 begin inside blocks of 256.
    const auto chunks =
        large ? std::vector<std::int64_t>{96, 160, 256} : std::vector<std::int64_t>{32, 64, 256};
    for (const std::int64_t rows : {1, 16, 17, 50}) {
        for (const std::int64_t k : lengths) {
            for (const std::int64_t tokens : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 33}) {
                expectReferenceBits(GetParam(), rows, k, tokens, chunks, seed++);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST_P(MatmulBits, FloatFormatsTakeAnyLength)
{
    if (isQuantised(GetParam())) {
        GTEST_SKIP() << "block formats need whole blocks";
    }
    std::uint32_t seed = 1000;
    for (const std::int64_t k : {1, 31, 33, 172}) {
        for (const std::int64_t tokens : {1, 4, 14, 25}) {
            expectReferenceBits(GetParam(), 40, k, tokens, {32, 64}, seed++);
        }
    }
}

TEST_P(MatmulBits, SeveralBlocksOfTokensAndRows)
{
    expectReferenceBits(GetParam(), 300, 96, 530, {32}, 5);
}

TEST_P(MatmulBits, ChunkLongerThanTheRow)
{
    expectReferenceBits(GetParam(), 48, 96, 20, {1 << 20}, 6);
}

TEST_P(MatmulBits, StridesAreKept)
{
    const std::int64_t rows = 37;
    const std::int64_t k = wholeBlocks(GetParam(), 64);
    const std::int64_t tokens = 5;
    TestData data(9);
    const auto weights = data.weights(GetParam(), rows, k);
    const auto x = data.values(tokens * (k + 3));
    const auto packed = PackedMatrix::pack(GetParam(), bytesOf(weights), rows, k, Team(1));
    ASSERT_TRUE(packed.ok());
    for (const Isa isa : availableIsas()) {
        const ExecContext context{Team(2), isa, 32, Policy::Ordered};
        Activations input;
        input.set(x.data(), tokens, k, k + 3, isQuantised(GetParam()), context);
        std::vector<float> out(static_cast<std::size_t>(tokens * (rows + 2)), 7.0F);
        matmul(*packed, input, out.data(), rows + 2, context);
        for (std::int64_t t = 0; t < tokens; ++t) {
            const std::vector<float> row(x.begin() + t * (k + 3), x.begin() + t * (k + 3) + k);
            const auto expected = reference(GetParam(), weights, rows, k, row, 1, 32);
            const auto* actual = out.data() + t * (rows + 2);
            EXPECT_EQ(std::memcmp(actual, expected.data(), expected.size() * 4), 0);
            EXPECT_EQ(actual[rows], 7.0F) << "an element outside the output was written";
            EXPECT_EQ(actual[rows + 1], 7.0F);
        }
    }
}

TEST_P(MatmulBits, InputThatIsNotFiniteGivesTheCanonicalNan)
{
    const std::int64_t k = wholeBlocks(GetParam(), 96);
    const std::int64_t tokens = 14;
    TestData data(10);
    const auto weights = data.weights(GetParam(), 33, k);
    const auto packed = PackedMatrix::pack(GetParam(), bytesOf(weights), 33, k, Team(1));
    ASSERT_TRUE(packed.ok());
    auto x = data.values(tokens * k);
    x[2 * k + 40] = std::numeric_limits<float>::quiet_NaN();
    x[3 * k + 5] = -std::numeric_limits<float>::signaling_NaN();
    x[4 * k + 95] = std::numeric_limits<float>::infinity();
    x[4 * k + 94] = -std::numeric_limits<float>::infinity();
    const auto expected = reference(GetParam(), weights, 33, k, x, tokens, 32);
    for (std::int64_t t = 2; t <= 4; ++t) {
        // A block with an infinity is NaN as a whole; a float product has NaN from inf - inf, or
        // stays infinite where both infinities meet weights of opposite signs.
        if (t < 4 || isQuantised(GetParam())) {
            EXPECT_EQ(numeric::bitsOf(expected[static_cast<std::size_t>(t * 33)]), 0x7fc00000U);
        }
    }
    for (const Isa isa : availableIsas()) {
        for (const Policy policy : supportedPolicies()) {
            const ExecContext context{Team(2), isa, 32, policy};
            const auto actual = product(*packed, x, tokens, context);
            for (std::size_t i = 0; i < actual.size(); ++i) {
                ASSERT_EQ(std::isnan(actual[i]), std::isnan(expected[i]))
                    << toString(isa) << ' ' << toString(policy) << " element " << i;
                if (std::isnan(actual[i])) {
                    ASSERT_EQ(numeric::bitsOf(actual[i]), 0x7fc00000U);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, MatmulBits, testing::ValuesIn(allWeightTypes()),
                         [](const testing::TestParamInfo<WeightType>& type) {
                             return std::string(numeric::weightTypeInfo(type.param).name);
                         });

std::vector<WeightType> quantisedTypes()
{
    std::vector<WeightType> types;
    for (const WeightType type : allWeightTypes()) {
        if (isQuantised(type)) {
            types.push_back(type);
        }
    }
    return types;
}

void setHalfFields(WeightType type, std::vector<std::uint8_t>& weights, std::size_t block,
                   std::uint16_t bits)
{
    for (const ulp::test::HalfField& field : ulp::test::halfFields(type)) {
        std::memcpy(&weights[block + field.offset], &bits, 2);
    }
}

class MatmulBitsExtremes : public testing::TestWithParam<WeightType> {};

/// Levels, factors and activations at the ends of their range: a 16-bit saturating sum, or an
/// integer that float32 cannot hold, would show here.
TEST_P(MatmulBitsExtremes, IntegerSumsAreExact)
{
    const WeightType type = GetParam();
    const auto& info = numeric::weightTypeInfo(type);
    const std::int64_t k = wholeBlocks(type, 288);
    const auto blockBytes = static_cast<std::size_t>(info.blockBytes);
    for (const int level : {0x80, 0x7f, 0x81, 0x00, 0xff}) {
        std::vector<std::uint8_t> weights(static_cast<std::size_t>(33 * k / info.blockElements) *
                                              blockBytes,
                                          static_cast<std::uint8_t>(level));
        for (std::size_t at = 0; at < weights.size(); at += blockBytes) {
            setHalfFields(type, weights, at, numeric::floatToF16(1.0F));
        }
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), 33, k, Team(1));
        ASSERT_TRUE(packed.ok());
        for (const float magnitude : {127.0F, -127.0F}) {
            const std::vector<float> x(static_cast<std::size_t>(13 * k), magnitude);
            const auto expected = reference(type, weights, 33, k, x, 13, 64);
            for (const Isa isa : availableIsas()) {
                const ExecContext context{Team(1), isa, 64, Policy::Ordered};
                EXPECT_EQ(firstDifference(product(*packed, x, 13, context), expected), -1)
                    << info.name << ' ' << level << ' ' << toString(isa);
                for (const std::int64_t tokens : {1, 8}) {
                    const std::vector<float> some(x.begin(), x.begin() + tokens * k);
                    EXPECT_EQ(product(*packed, some, tokens, context)[0], expected[0]);
                }
            }
            if (type == WeightType::Q8_0) { // and against arithmetic done by hand
                const float weight = static_cast<float>(static_cast<std::int8_t>(level));
                EXPECT_EQ(expected[0], weight * magnitude * static_cast<float>(k));
            }
        }
    }
}

TEST_P(MatmulBitsExtremes, AnyScaleThatAFileMayHold)
{
    const WeightType type = GetParam();
    const auto& info = numeric::weightTypeInfo(type);
    const std::int64_t k = wholeBlocks(type, 96);
    const auto blockBytes = static_cast<std::size_t>(info.blockBytes);
    // Zeros, the smallest subnormal, the largest numbers, infinities, NaN.
    const std::uint16_t scales[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff,
                                    0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c00};
    TestData data(12);
    for (const std::int64_t tokens : {1, 8, 13}) {
        auto weights = data.weights(type, 40, k);
        for (std::size_t block = 0; block * blockBytes < weights.size(); ++block) {
            setHalfFields(type, weights, block * blockBytes, scales[block % std::size(scales)]);
            if (type == WeightType::Mxfp4) {
                weights[block * blockBytes] = static_cast<std::uint8_t>(block * 37);
            }
        }
        auto x = data.values(tokens * k);
        std::fill_n(x.begin(), 32, 0.0F); // a block of zeros, and one too small to be seen
        std::fill_n(x.end() - 32, 32, 1.0e-40F);
        const auto expected = reference(type, weights, 40, k, x, tokens, 32);
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), 40, k, Team(1));
        ASSERT_TRUE(packed.ok());
        for (const Isa isa : availableIsas()) {
            const ExecContext context{Team(1), isa, 32, Policy::Ordered};
            EXPECT_EQ(firstDifference(product(*packed, x, tokens, context), expected), -1)
                << info.name << ' ' << toString(isa) << ' ' << tokens;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BlockFormats, MatmulBitsExtremes, testing::ValuesIn(quantisedTypes()),
                         [](const testing::TestParamInfo<WeightType>& type) {
                             return std::string(numeric::weightTypeInfo(type.param).name);
                         });

TEST(MatmulBitsOrder, PartialsFoldAscendingFromPlusZero)
{
    // Chunks are sliced out and multiplied alone; folding their results by hand must give the
    // whole product ascending, and must not descending.
    const std::int64_t rows = 48;
    const std::int64_t k = 576;
    const std::int64_t chunk = 64;
    TestData data(11);
    const auto w = data.values(rows * k);
    const auto x = data.values(k);
    std::vector<std::vector<float>> partials;
    for (std::int64_t begin = 0; begin < k; begin += chunk) {
        std::vector<float> slice;
        for (std::int64_t r = 0; r < rows; ++r) {
            slice.insert(slice.end(), w.begin() + r * k + begin, w.begin() + r * k + begin + chunk);
        }
        std::vector<float> out(static_cast<std::size_t>(rows));
        matmulReference(WeightType::F32, slice.data(), rows, chunk, x.data() + begin, 1, chunk,
                        out.data());
        partials.push_back(out);
    }
    std::vector<float> ascending(static_cast<std::size_t>(rows), 0.0F);
    std::vector<float> descending(static_cast<std::size_t>(rows), 0.0F);
    for (std::size_t c = 0; c < partials.size(); ++c) {
        for (std::size_t r = 0; r < ascending.size(); ++r) {
            ascending[r] += partials[c][r];
            descending[r] += partials[partials.size() - 1 - c][r];
        }
    }
    std::vector<float> whole(static_cast<std::size_t>(rows));
    matmulReference(WeightType::F32, w.data(), rows, k, x.data(), 1, chunk, whole.data());
    EXPECT_EQ(firstDifference(whole, ascending), -1);
    EXPECT_NE(firstDifference(whole, descending), -1) << "the order of the fold does not show";
}

TEST(MatmulBitsOrder, NegativeZeroPartialGivesPlusZero)
{
    // -1e-30 * 1e-30 underflows to -0 in the partial; the fold starts from +0.
    const std::vector<float> w(32, -1.0e-30F);
    const std::vector<float> x(32, 1.0e-30F);
    const auto packed =
        PackedMatrix::pack(WeightType::F32, std::as_bytes(std::span(w)), 1, 32, Team(1));
    ASSERT_TRUE(packed.ok());
    float out = 1.0F;
    matmulReference(WeightType::F32, w.data(), 1, 32, x.data(), 1, 32, &out);
    EXPECT_EQ(numeric::bitsOf(out), 0U);
    for (const Isa isa : availableIsas()) {
        const auto fast = product(*packed, x, 1, ExecContext{Team(1), isa, 32, Policy::Ordered});
        EXPECT_EQ(numeric::bitsOf(fast[0]), 0U) << toString(isa);
    }
}

TEST(MatmulBitsOrder, ChunkSizeIsPartOfTheBits)
{
    TestData data(12);
    const auto weights = data.weights(WeightType::F16, 64, 576);
    const auto x = data.values(576);
    EXPECT_NE(firstDifference(reference(WeightType::F16, weights, 64, 576, x, 1, 32),
                              reference(WeightType::F16, weights, 64, 576, x, 1, 64)),
              -1);
}

} // namespace
} // namespace ulp::kernels::test
