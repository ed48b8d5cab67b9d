// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Packing loses nothing and refuses what does not fit; activations are quantised to the same bits
// by every instruction set.
#include <gtest/gtest.h>

#include <limits>

#include "engine/kernels/packed_layout.h"
#include "engine/numeric/activation_quant.h"
#include "matmul_test_data.h"

namespace ulp::kernels::test {
namespace {

/// Row `row` of a packed quantised matrix: levels and scale bits, read by the layout's description.
template <WeightType T>
void expectPackedRow(const PackedMatrix& m, const std::uint8_t* source, std::int64_t row)
{
    using Record = PackedRecord<T>;
    using Traits = numeric::BlockTraits<T>;
    const std::int64_t groups = m.k() / 32;
    const auto* panel = reinterpret_cast<const std::uint8_t*>(m.data()) +
                        row / kPanelRows * groups * Record::kBytes;
    const std::int64_t r = row % kPanelRows;
    for (std::int64_t g = 0; g < groups; ++g) {
        numeric::WeightGroup group;
        Traits::group(source + (row * groups + g) * Traits::kBytes, group);
        const std::uint8_t* record = panel + g * Record::kBytes;
        EXPECT_EQ(numeric::loadU16(record + r * 2), group.scaleBits);
        if (Traits::kHasMinimum) {
            EXPECT_EQ(numeric::loadU16(record + 64 + r * 2), group.minimumBits);
        }
        const std::uint8_t* half = record + Record::kLevels + r / 16 * Record::kHalfBytes;
        for (std::int64_t i = 0; i < 32; ++i) {
            const std::int64_t line = Traits::kLevelBits == 8 ? i / 4 : i % 16 / 4;
            int level = half[line * 64 + r % 16 * 4 + i % 4];
            if (Traits::kLevelBits == 4) {
                level = i < 16 ? level & 15 : level >> 4;
            }
            ASSERT_EQ(level, group.level[i]) << "row " << row << " group " << g << " element " << i;
        }
    }
}

TEST(PackedMatrix, QuantisedRowsRoundTrip)
{
    for (const WeightType type : {WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1}) {
        for (const std::int64_t rows : {1, 31, 32, 45}) {
            TestData data(31);
            const auto weights = data.weights(type, rows, 96);
            const auto packed = PackedMatrix::pack(type, bytesOf(weights), rows, 96, Team(3));
            ASSERT_TRUE(packed.ok());
            numeric::visitQuantised(type, [&]<WeightType T>() {
                for (std::int64_t r = 0; r < rows; ++r) {
                    expectPackedRow<T>(*packed, weights.data(), r);
                }
            });
        }
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
    EXPECT_FALSE(numeric::weightTypeInfo(4U).has_value());
    EXPECT_FALSE(numeric::weightTypeInfo(0xffffffffU).has_value());
    EXPECT_EQ(numeric::ggufTypeName(14), "Q6_K");
    EXPECT_EQ(numeric::ggufTypeName(39), "MXFP4");
    EXPECT_TRUE(numeric::ggufTypeName(40).empty());
}

} // namespace
} // namespace ulp::kernels::test
