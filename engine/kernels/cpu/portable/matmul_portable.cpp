// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products in plain C++, for machines without a kernel of their own. Lanes
// are output rows here too, so that a compiler may use whatever vectors it has.
#include "engine/kernels/cpu/panel_loop.h"
#include "engine/numeric/activation_quant.h"
#include "engine/numeric/float_format.h"

namespace ulp::kernels {
namespace {

using numeric::WeightType;

constexpr int kTile = 8;

template <WeightType T>
float widenElement(const std::byte* w, std::int64_t row)
{
    if constexpr (T == WeightType::F32) {
        float value = 0.0F;
        __builtin_memcpy(&value, w + row * 4, 4);
        return value;
    } else {
        const std::int64_t slot =
            T == WeightType::Bf16 ? row % kHalfRows * 2 + row / kHalfRows : row;
        std::uint16_t bits = 0;
        __builtin_memcpy(&bits, w + slot * 2, 2);
        return T == WeightType::Bf16 ? numeric::bf16ToFloat(bits) : numeric::f16ToFloat(bits);
    }
}

void addPartial(const float* partial, std::int64_t n, float* acc, bool fromZero)
{
    for (std::int64_t i = 0; i < n * kPanelRows; ++i) {
        acc[i] = (fromZero ? 0.0F : acc[i]) + partial[i];
    }
}

template <WeightType T, int N>
void floatChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                bool fromZero)
{
    float partial[N * kPanelRows] = {};
    for (std::int64_t i = 0; i < units; ++i) {
        float row[kPanelRows];
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            row[r] = widenElement<T>(w + i * packedUnitBytes(T), r);
        }
        for (std::int64_t t = 0; t < N; ++t) {
            float* sums = partial + t * kPanelRows;
            for (std::int64_t r = 0; r < kPanelRows; ++r) {
                sums[r] = numeric::fusedMultiplyAdd(row[r], input.x[i * N + t], sums[r]);
            }
        }
    }
    addPartial(partial, N, acc, fromZero);
}

/// The integer sums of one group for 16 rows. lines: levels of the half; q: [8, n, 4] at one token
template <WeightType T>
void groupDots(const std::byte* lines, const std::int8_t* q, std::int64_t n, std::int32_t* dots)
{
    constexpr bool kNibbles = numeric::BlockTraits<T>::kLevelBits == 4;
    const auto* levels = reinterpret_cast<const std::uint8_t*>(lines);
    for (int s = 0; s < 8; ++s) {
        const std::int8_t* four = q + s * n * 4;
        const std::uint8_t* line = levels + (kNibbles ? s % 4 : s) * kLineBytes;
        const int shift = kNibbles && s >= 4 ? 4 : 0;
        const int mask = kNibbles ? 0x0f : 0xff;
        for (int r = 0; r < kHalfRows; ++r) {
            for (int e = 0; e < 4; ++e) {
                dots[r] += ((line[r * 4 + e] >> shift) & mask) * four[e];
            }
        }
    }
}

template <WeightType T, int N>
void quantisedChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                    bool fromZero)
{
    using Record = PackedRecord<T>;
    float partial[N * kPanelRows] = {};
    for (std::int64_t g = 0; g < units; ++g) {
        const std::byte* record = w + g * Record::kBytes;
        for (std::int64_t t = 0; t < N; ++t) {
            const std::int64_t at = g * N + t;
            std::int32_t dots[kPanelRows];
            for (std::int32_t& dot : dots) {
                dot = input.start[at];
            }
            for (std::int64_t half = 0; half < 2; ++half) {
                groupDots<T>(record + Record::kLevels + half * Record::kHalfBytes,
                             input.q + (g * 8 * N + t) * 4, N, dots + half * kHalfRows);
            }
            float* sums = partial + t * kPanelRows;
            for (std::int64_t r = 0; r < kPanelRows; ++r) {
                const float scale =
                    widenElement<WeightType::F16>(record + Record::kScales, r) * input.scale[at];
                sums[r] = numeric::fusedMultiplyAdd(static_cast<float>(dots[r]), scale, sums[r]);
                if constexpr (Record::Traits::kHasMinimum) {
                    sums[r] = numeric::fusedMultiplyAdd(
                        widenElement<WeightType::F16>(record + Record::kMinimums, r),
                        input.scaledSum[at], sums[r]);
                }
            }
        }
    }
    addPartial(partial, N, acc, fromZero);
}

template <WeightType T, int N>
void chunkKernel(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                 bool fromZero)
{
    if constexpr (T == WeightType::F32 || T == WeightType::F16 || T == WeightType::Bf16) {
        floatChunk<T, N>(w, input, units, acc, fromZero);
    } else {
        quantisedChunk<T, N>(w, input, units, acc, fromZero);
    }
}

template <WeightType T>
struct Format {
    static constexpr bool kQuantised =
        T != WeightType::F32 && T != WeightType::F16 && T != WeightType::Bf16;
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(T);
    static constexpr ChunkKernel kChunkKernels[kTile] = {
        chunkKernel<T, 1>, chunkKernel<T, 2>, chunkKernel<T, 3>, chunkKernel<T, 4>,
        chunkKernel<T, 5>, chunkKernel<T, 6>, chunkKernel<T, 7>, chunkKernel<T, 8>,
    };
};

WeightKernel select(WeightType type, std::int64_t /*tiles*/)
{
    switch (type) {
    case WeightType::F32:
        return {runPanel<Format<WeightType::F32>>, 0};
    case WeightType::F16:
        return {runPanel<Format<WeightType::F16>>, 0};
    case WeightType::Bf16:
        return {runPanel<Format<WeightType::Bf16>>, 0};
    case WeightType::Q8_0:
        return {runPanel<Format<WeightType::Q8_0>>, 0};
    case WeightType::Q4_0:
        return {runPanel<Format<WeightType::Q4_0>>, 0};
    case WeightType::Q4_1:
        return {runPanel<Format<WeightType::Q4_1>>, 0};
    }
    return {};
}

void quantiseBlocks(const float* x, std::int64_t count, std::int8_t* q, float* scale,
                    std::int32_t* sum)
{
    for (std::int64_t b = 0; b < count; ++b) {
        numeric::quantiseBlock(x + b * numeric::kGroup, q + b * numeric::kGroup, scale + b,
                               sum + b);
    }
}

} // namespace

const IsaKernels& portableKernels()
{
    static constexpr IsaKernels kernels{kTile, kTile, {quantiseBlocks}, select};
    return kernels;
}

} // namespace ulp::kernels
