// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products in plain C++, for machines without a kernel of their own. Lanes
// are output rows here too, so that a compiler may use whatever vectors it has.
#include "engine/kernels/cpu/panel_loop.h"
#include "engine/kernels/packed_group.h"
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
void floatChunk(const WeightRange& w, const TileInput& input, float* acc, bool fromZero)
{
    float partial[N * kPanelRows] = {};
    for (std::int64_t i = 0; i < w.units; ++i) {
        float row[kPanelRows];
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            row[r] = widenElement<T>(w.block + i * packedBlockBytes(T), r);
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

/// Adds the products of words [first, last) of a group to integer sums of 32 rows.
/// q: [8, n, 4] at one token
template <WeightType T>
void addWords(const PackedGroup<T>& group, int first, int last, const std::int8_t* q,
              std::int64_t n, std::int32_t* dots)
{
    for (int s = first; s < last; ++s) {
        const std::int8_t* four = q + s * n * 4;
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            const std::uint32_t word = group.levelWord(s, r);
            for (int e = 0; e < 4; ++e) {
                const int level = static_cast<int>(word >> (8 * e) & 255U);
                dots[r] += PackedGroup<T>::unsignedValue(level) * four[e];
            }
        }
    }
}

/// The contract's integer sums of 32 rows. q, start: at one token; see ActivationTiles
template <WeightType T>
void groupSums(const PackedGroup<T>& group, const std::int8_t* q, const std::int32_t* start,
               std::int64_t n, std::int32_t* sums)
{
    constexpr int kParts = PackedGroup<T>::kHalves ? 2 : 1;
    constexpr int kWords = kGroupWords / kParts;
    for (std::int64_t r = 0; r < kPanelRows; ++r) {
        sums[r] = 0;
    }
    for (int part = 0; part < kParts; ++part) {
        std::int32_t dots[kPanelRows];
        for (std::int32_t& dot : dots) {
            dot = start[part * n];
        }
        addWords<T>(group, part * kWords, (part + 1) * kWords, q, n, dots);
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            sums[r] += group.halfFactor(part, r) * dots[r];
        }
    }
}

/// rn(dx * float(sum of activations, with the minimum's factors)) for one row
template <WeightType T>
float scaledSum(const PackedGroup<T>& group, const TileInput& input, std::int64_t at,
                std::int64_t row)
{
    if constexpr (!PackedGroup<T>::kHalves) {
        return input.scaledSum[at];
    } else {
        const std::int32_t both = input.halfSums[at];
        const std::int32_t sum =
            group.halfMinimumFactor(0, row) * static_cast<std::int16_t>(both & 0xffff) +
            group.halfMinimumFactor(1, row) * (both >> 16);
        return input.scale[at] * static_cast<float>(sum);
    }
}

template <WeightType T, int N>
void quantisedChunk(const WeightRange& w, const TileInput& input, float* acc, bool fromZero)
{
    constexpr std::int64_t kStarts = PackedGroup<T>::kHalves ? 2 : 1; // of a token and group
    float partial[N * kPanelRows] = {};
    for (std::int64_t g = 0; g < w.units; ++g) {
        const auto group = PackedGroup<T>::of(w.block, w.first + g);
        for (std::int64_t t = 0; t < N; ++t) {
            const std::int64_t at = g * N + t;
            std::int32_t dots[kPanelRows];
            groupSums<T>(group, input.q + (g * 8 * N + t) * 4, input.start + kStarts * g * N + t, N,
                         dots);
            float* sums = partial + t * kPanelRows;
            for (std::int64_t r = 0; r < kPanelRows; ++r) {
                const float scale = group.scale(r) * input.scale[at];
                sums[r] = numeric::fusedMultiplyAdd(static_cast<float>(dots[r]), scale, sums[r]);
                if constexpr (PackedBlock<T>::kHasMinimum) {
                    sums[r] = numeric::fusedMultiplyAdd(group.minimum(r),
                                                        scaledSum<T>(group, input, at, r), sums[r]);
                }
            }
        }
    }
    addPartial(partial, N, acc, fromZero);
}

template <WeightType T>
constexpr bool kIsFloat = T == WeightType::F32 || T == WeightType::F16 || T == WeightType::Bf16;

template <WeightType T>
constexpr bool hasHalves()
{
    if constexpr (kIsFloat<T>) {
        return false;
    } else {
        return PackedGroup<T>::kHalves;
    }
}

template <WeightType T, int N>
void chunkKernel(const WeightRange& w, const TileInput& input, float* acc, bool fromZero)
{
    if constexpr (kIsFloat<T>) {
        floatChunk<T, N>(w, input, acc, fromZero);
    } else {
        quantisedChunk<T, N>(w, input, acc, fromZero);
    }
}

template <WeightType T>
struct Format {
    static constexpr bool kQuantised = !kIsFloat<T>;
    static constexpr bool kHalves = hasHalves<T>();
    static constexpr std::int64_t kBlockElements = packedBlockElements(T);
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(T);
    static constexpr ChunkKernel kChunkKernels[kTile] = {
        chunkKernel<T, 1>, chunkKernel<T, 2>, chunkKernel<T, 3>, chunkKernel<T, 4>,
        chunkKernel<T, 5>, chunkKernel<T, 6>, chunkKernel<T, 7>, chunkKernel<T, 8>,
    };
};

WeightKernel select(WeightType type, std::int64_t /*tiles*/)
{
    WeightKernel kernel;
    numeric::visitQuantised(type, [&]<WeightType T>() { kernel.run = runPanel<Format<T>>; });
    switch (type) {
    case WeightType::F32:
        return {runPanel<Format<WeightType::F32>>, 0};
    case WeightType::F16:
        return {runPanel<Format<WeightType::F16>>, 0};
    case WeightType::Bf16:
        return {runPanel<Format<WeightType::Bf16>>, 0};
    default:
        return kernel;
    }
}

void quantiseBlocks(const float* x, std::int64_t count, std::int8_t* q, float* scale,
                    std::int32_t* sum)
{
    for (std::int64_t b = 0; b < count; ++b) {
        numeric::quantiseBlock(x + b * numeric::kGroup, q + b * numeric::kGroup, scale + b,
                               sum + b);
    }
}

/// See IsaKernels::store.
void storeSums(const float* acc, std::int64_t stride, std::int64_t panels, float* out)
{
    for (std::int64_t p = 0; p < panels; ++p, acc += stride, out += kPanelRows) {
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            out[r] = numeric::canonicalNan(acc[r]);
        }
    }
}

} // namespace

const IsaKernels& portableKernels()
{
    static constexpr IsaKernels kernels{kTile, kTile, kTile, {quantiseBlocks}, storeSums, select};
    return kernels;
}

} // namespace ulp::kernels
