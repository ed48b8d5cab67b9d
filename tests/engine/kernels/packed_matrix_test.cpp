// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Packing loses nothing and refuses what does not fit; activations are quantised to the same bits
// by every instruction set.
#include <gtest/gtest.h>

#include <limits>

#include "engine/kernels/packed_group.h"
#include "engine/numeric/activation_quant.h"
#include "matmul_test_data.h"

namespace ulp::kernels::test {
namespace {

/// Row `row` of a packed quantised matrix: levels, factors and scales, read by the layout's
/// description.
template <WeightType T>
void expectPackedRow(const PackedMatrix& m, const std::uint8_t* source, std::int64_t row)
{
    using Traits = numeric::BlockTraits<T>;
    constexpr std::int64_t kGroups = PackedBlock<T>::kGroups;
    const std::int64_t blocks = m.k() / Traits::kElements;
    const std::byte* panel = m.data() + row / kPanelRows * blocks * PackedBlock<T>::kBytes;
    const std::int64_t r = row % kPanelRows;
    for (std::int64_t g = 0; g < m.k() / 32; ++g) {
        numeric::WeightGroup group;
        Traits::group(source + (row * blocks + g / kGroups) * Traits::kBytes,
                      static_cast<int>(g % kGroups), group);
        const auto packed = PackedGroup<T>::of(panel, g);
        EXPECT_EQ(packed.scale(r), numeric::groupScale<Traits>(group));
        if (Traits::kHasMinimum) {
            EXPECT_EQ(packed.minimum(r), numeric::groupMinimum<Traits>(group));
        }
        for (int half = 0; half < 2; ++half) {
            EXPECT_EQ(packed.halfFactor(half, r), numeric::halfFactor<Traits>(group, half));
            if (Traits::kHasMinimum) {
                EXPECT_EQ(packed.halfMinimumFactor(half, r),
                          numeric::halfMinimumFactor<Traits>(group, half));
            }
        }
        for (int i = 0; i < 32; ++i) {
            const std::uint32_t level = packed.levelWord(i / 4, r) >> (i % 4 * 8) & 255U;
            ASSERT_EQ(level, group.level[i]) << "row " << row << " group " << g << " element " << i;
        }
    }
}

TEST(PackedMatrix, QuantisedRowsRoundTrip)
{
    for (const WeightType type : allWeightTypes()) {
        const std::int64_t k = wholeBlocks(type, 96);
        for (const std::int64_t rows : {1, 31, 32, 45}) {
            TestData data(31);
            const auto weights = data.weights(type, rows, k);
            const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, k, Team(3));
            ASSERT_TRUE(packed.ok());
            numeric::visitQuantised(type, [&]<WeightType T>() {
                for (std::int64_t r = 0; r < rows; ++r) {
                    expectPackedRow<T>(*packed, weights.data(), r);
                }
            });
        }
    }
}

TEST(PackedMatrix, TakesHardlyMoreThanTheFile)
{
    for (const WeightType type : allWeightTypes()) {
        const auto& info = numeric::weightTypeInfo(type);
        const std::int64_t k = wholeBlocks(type, 512);
        TestData data(34);
        const auto weights = data.weights(type, 64, k);
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), 64, k, Team(1));
        ASSERT_TRUE(packed.ok());
        EXPECT_LE(packed->bytes(), weights.size() * 106 / 100) << info.name;
    }
}

TEST(PackedMatrix, FloatRowsRoundTripThroughUnitVectors)
{
    const std::int64_t k = 45;
    for (const WeightType type : {WeightType::F32, WeightType::F16, WeightType::Bf16}) {
        TestData data(32);
        const std::int64_t rows = 70;
        const auto weights = data.weights(type, rows, k);
        const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, k, Team(2));
        ASSERT_TRUE(packed.ok());
        std::vector<float> unit(static_cast<std::size_t>(k * k), 0.0F);
        for (std::int64_t i = 0; i < k; ++i) {
            unit[static_cast<std::size_t>(i * k + i)] = 1.0F;
        }
        const auto columns =
            product(*packed, unit, k, ExecContext{Team(1), Isa::Portable, 64, Policy::Ordered});
        std::vector<float> row(static_cast<std::size_t>(k));
        const std::int64_t rowBytes = k * numeric::weightTypeInfo(type).blockBytes;
        for (std::int64_t r = 0; r < rows; ++r) {
            numeric::dequantiseRow(type, weights.data() + r * rowBytes, k, row.data());
            for (std::int64_t i = 0; i < k; ++i) {
                ASSERT_EQ(columns[static_cast<std::size_t>(i * rows + r)],
                          row[static_cast<std::size_t>(i)]);
            }
        }
    }
}

TEST(PackedMatrix, RefusesSizesThatDoNotFit)
{
    const std::vector<std::uint8_t> bytes(34 * 4);
    const auto pack = [&](WeightType type, std::size_t size, std::int64_t rows, std::int64_t k) {
        return PackedMatrix::pack(type, bytesOf(bytes).subspan(0, size), rows, k, Team(1));
    };
    EXPECT_TRUE(pack(WeightType::Q8_0, 34 * 4, 2, 64).ok());
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const auto& result :
         {pack(WeightType::Q8_0, 34 * 4 - 1, 2, 64), pack(WeightType::Q8_0, 34 * 4, 2, 32),
          pack(WeightType::Q8_0, 34 * 4, 2, 65), pack(WeightType::Q8_0, 34 * 4, 0, 64),
          pack(WeightType::Q8_0, 34 * 4, 2, 0), pack(WeightType::Q8_0, 34 * 4, -2, 64),
          pack(WeightType::Q8_0, 34 * 4, huge, 64), pack(WeightType::F32, 4, huge / 4, huge / 2),
          pack(WeightType::F32, 0, 1, huge)}) {
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::BadInput) << result.error().text();
    }
    const auto unknown = pack(static_cast<WeightType>(999), 4, 1, 1);
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().code, ErrorCode::Unsupported);
}

TEST(Activations, EveryInstructionSetQuantisesToTheDefinition)
{
    TestData data(33);
    const std::int64_t k = 64;
    const std::int64_t tokens = 700; // enough for the parallel path
    auto x = data.values(tokens * k);
    const float awkward[] = {0.0F,
                             -0.0F,
                             std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::max(),
                             -std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::denorm_min(),
                             std::numeric_limits<float>::min(),
                             0x1p-110F,
                             0x1p-111F};
    for (std::size_t i = 0; i < std::size(awkward); ++i) { // one in a block, and a block of each
        x[i * 64 + i] = awkward[i];
        for (std::size_t j = 0; j < 32; ++j) {
            x[(20 + i) * 64 + j] = awkward[i];
        }
    }
    for (std::size_t i = 0; i < 64; ++i) { // ties: amax 127, halves
        x[40 * 64 + i] = i % 32 == 0 ? 127.0F : static_cast<float>(i) - 20.5F;
    }
    for (const Isa isa : availableIsas()) {
        for (const int threads : {1, 3}) {
            Activations input;
            input.set(x.data(), tokens, k, k, true,
                      ExecContext{Team(threads), isa, 32, Policy::Ordered});
            for (std::int64_t b = 0; b < tokens * k / 32; ++b) {
                std::int8_t q[32];
                float scale = 0.0F;
                std::int32_t sum = 0;
                numeric::quantiseBlock(x.data() + b * 32, q, &scale, &sum);
                ASSERT_EQ(std::memcmp(q, input.q.data() + b * 32, 32), 0)
                    << toString(isa) << " block " << b;
                const auto at = static_cast<std::size_t>(b);
                ASSERT_EQ(numeric::bitsOf(scale), numeric::bitsOf(input.scale[at]));
                ASSERT_EQ(sum, input.sum[at]);
            }
        }
    }
}

TEST(WeightTypes, NamesAndSizes)
{
    EXPECT_EQ(numeric::weightTypeInfo(8U)->name, "Q8_0");
    EXPECT_EQ(numeric::weightTypeInfo(30U)->name, "BF16");
    EXPECT_EQ(numeric::weightTypeInfo(23U)->name, "IQ4_XS");
    EXPECT_FALSE(numeric::weightTypeInfo(4U).has_value());
    EXPECT_FALSE(numeric::weightTypeInfo(0xffffffffU).has_value());
    EXPECT_EQ(numeric::ggufTypeName(14), "Q6_K");
    EXPECT_EQ(numeric::ggufTypeName(39), "MXFP4");
    EXPECT_TRUE(numeric::ggufTypeName(40).empty());
}

} // namespace
} // namespace ulp::kernels::test
