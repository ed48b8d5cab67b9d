// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contract of a linear output, written to be read: the fold from +0, in ascending order, of its
// chunk partials; a partial is a chain of fused multiply-adds from +0 over its elements (float
// weights) or its groups of 32 (quantised weights, int8 activations, exact integer dot products),
// ascending. A NaN output is the canonical NaN.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/kernels/matmul.h"
#include "engine/numeric/activation_quant.h"
#include "engine/numeric/quant_blocks.h"

namespace ulp::kernels {
namespace {

using numeric::fusedMultiplyAdd;
using numeric::kGroup;
using numeric::WeightType;

struct QuantisedRow {
    std::vector<std::int8_t> q; // [k]
    std::vector<float> scale;   // [k / 32]
};

QuantisedRow quantiseRow(const float* x, std::int64_t k)
{
    QuantisedRow row;
    row.q.resize(static_cast<std::size_t>(k));
    row.scale.resize(static_cast<std::size_t>(k / kGroup));
    std::int32_t sum = 0;
    for (std::int64_t g = 0; g < k / kGroup; ++g) {
        numeric::quantiseBlock(x + g * kGroup, row.q.data() + g * kGroup, row.scale.data() + g,
                               &sum);
    }
    return row;
}

/// Partial of elements [begin, end). w, x: [k]
float floatPartial(const float* w, const float* x, std::int64_t begin, std::int64_t end)
{
    float partial = 0.0F;
    for (std::int64_t i = begin; i < end; ++i) {
        partial = fusedMultiplyAdd(w[i], x[i], partial);
    }
    return partial;
}

/// Partial of groups [begin, end). row: one row of blocks of format T.
template <WeightType T>
float quantisedPartial(const std::uint8_t* row, const QuantisedRow& x, std::int64_t begin,
                       std::int64_t end)
{
    using Traits = numeric::BlockTraits<T>;
    constexpr std::int64_t kGroups = Traits::kElements / kGroup;
    float partial = 0.0F;
    numeric::WeightGroup group;
    for (std::int64_t g = begin; g < end; ++g) {
        Traits::group(row + g / kGroups * Traits::kBytes, static_cast<int>(g % kGroups), group);
        std::int32_t dot = 0;
        std::int32_t sum = 0; // of the activations, for the minimum
        for (std::int64_t i = 0; i < kGroup; ++i) {
            const int half = i < kGroup / 2 ? 0 : 1;
            const std::int32_t q = x.q[static_cast<std::size_t>(g * kGroup + i)];
            dot += numeric::halfFactor<Traits>(group, half) *
                   numeric::weightInteger<Traits>(group.level[i]) * q;
            sum += numeric::halfMinimumFactor<Traits>(group, half) * q;
        }
        const float dx = x.scale[static_cast<std::size_t>(g)];
        const float scale = numeric::groupScale<Traits>(group) * dx;
        partial = fusedMultiplyAdd(static_cast<float>(dot), scale, partial);
        if constexpr (Traits::kHasMinimum) {
            const float scaledSum = dx * static_cast<float>(sum);
            partial = fusedMultiplyAdd(numeric::groupMinimum<Traits>(group), scaledSum, partial);
        }
    }
    return partial;
}

/// Folds partial(begin, end) over [0, count) in steps of `step`, ascending, from +0.
template <typename Partial>
float foldChunks(std::int64_t count, std::int64_t step, Partial&& partial)
{
    float sum = 0.0F;
    for (std::int64_t begin = 0; begin < count; begin += step) {
        sum = sum + partial(begin, std::min(count, begin + step));
    }
    return numeric::canonicalNan(sum);
}

} // namespace

void matmulReference(WeightType type, const void* w, std::int64_t rows, std::int64_t k,
                     const float* x, std::int64_t tokens, std::int64_t chunk, float* out)
{
    const auto& info = numeric::weightTypeInfo(type);
    const auto* bytes = static_cast<const std::uint8_t*>(w);
    const std::int64_t rowBytes = k / info.blockElements * info.blockBytes;

    if (!info.quantised) {
        std::vector<float> weights(static_cast<std::size_t>(k));
        for (std::int64_t r = 0; r < rows; ++r) {
            numeric::dequantiseRow(type, bytes + r * rowBytes, k, weights.data());
            for (std::int64_t t = 0; t < tokens; ++t) {
                out[t * rows + r] = foldChunks(k, chunk, [&](std::int64_t begin, std::int64_t end) {
                    return floatPartial(weights.data(), x + t * k, begin, end);
                });
            }
        }
        return;
    }
    for (std::int64_t t = 0; t < tokens; ++t) {
        const QuantisedRow row = quantiseRow(x + t * k, k);
        numeric::visitQuantised(type, [&]<WeightType T>() {
            for (std::int64_t r = 0; r < rows; ++r) {
                out[t * rows + r] = foldChunks(
                    k / kGroup, chunk / kGroup, [&](std::int64_t begin, std::int64_t end) {
                        return quantisedPartial<T>(bytes + r * rowBytes, row, begin, end);
                    });
            }
        });
    }
}

} // namespace ulp::kernels
