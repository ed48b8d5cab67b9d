// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of products with block formats for AVX-512 (F, BW, VL, DQ, VNNI); one kernel serves
// packed and unpacked groups. A vector lane is one output row, so the order inside a sum is the
// contract's whatever the tile.
// Included by the files of this folder only; everything is in their anonymous namespace.
// Thread-safety: kernels touch their task alone. Ownership: views.
#pragma once

#include "engine/kernels/cpu/avx512/matmul_groups.h"

namespace ulp::kernels {
namespace {

// 32 rows x 6 tokens: 12 integer sums and 12 float sums.
constexpr int kQuantisedTile = 6;
// Measured: with 8 tokens some sums live in the first-level cache, which costs less than widening
// the weights twice.
constexpr int kQuantisedBatch = 8;
// Tiles of this many tokens and more come in numbers; their input is fetched one tile ahead.
constexpr int kFetchAhead = 4;

inline void addPartial(float* acc, __m512 partial, bool fromZero)
{
    const __m512 before = fromZero ? _mm512_setzero_ps() : _mm512_load_ps(acc);
    _mm512_store_ps(acc, _mm512_add_ps(before, partial));
}

/// Adds words [first, last) of a group to integer sums of 32 rows and T tokens. q: [8, T, 4]
template <typename Groups, int T, int first, int last>
inline void addWords(const typename Groups::Place& p, const std::int8_t* q, __m512i (&dot)[2][T])
{
    if constexpr (first < last) {
        __m512i w[2];
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            w[v] = Groups::template levels<first>(p, v);
        }
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            std::int32_t four;
            __builtin_memcpy(&four, q + (first * T + t) * 4, 4);
            const __m512i xt = _mm512_set1_epi32(four);
#pragma GCC unroll 2
            for (int v = 0; v < 2; ++v) {
                dot[v][t] = _mm512_dpbusd_epi32(dot[v][t], w[v], xt);
            }
        }
        addWords<Groups, T, first + 1, last>(p, q, dot);
    }
}

template <int T>
inline void startDots(const std::int32_t* start, __m512i (&dot)[2][T])
{
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        dot[0][t] = _mm512_set1_epi32(start[t]);
        dot[1][t] = dot[0][t];
    }
}

/// The contract's integer sums of one group, as floats: all are below 2^24, so that the products
/// and sums with factors are exact. input: at the group
template <typename Groups, int T>
inline void groupSums(const typename Groups::Place& p, const TileInput& input, __m512 (&sums)[2][T])
{
    __m512i dot[2][T];
    startDots<T>(input.start, dot);
    if constexpr (Groups::kHalves) {
        addWords<Groups, T, 0, 4>(p, input.q, dot);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const __m512 factor = Groups::factor(p, v, 0);
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                sums[v][t] = _mm512_mul_ps(_mm512_cvtepi32_ps(dot[v][t]), factor);
            }
        }
        startDots<T>(input.start + T, dot);
        addWords<Groups, T, 4, 8>(p, input.q, dot);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const __m512 factor = Groups::factor(p, v, 1);
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                sums[v][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot[v][t]), factor, sums[v][t]);
            }
        }
    } else {
        addWords<Groups, T, 0, 8>(p, input.q, dot);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                sums[v][t] = _mm512_cvtepi32_ps(dot[v][t]);
            }
        }
    }
}

/// partial = fma(sum, rn(dw * dx), partial), then the minimum's term. input: at the group
template <typename Groups, int T>
inline void foldGroup(const typename Groups::Place& p, int half, const TileInput& input,
                      const __m512 (&sums)[T], __m512 (&partial)[T])
{
    const __m512 scale = Groups::scale(p, half);
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        const __m512 s = _mm512_mul_ps(scale, _mm512_set1_ps(input.scale[t]));
        partial[t] = _mm512_fmadd_ps(sums[t], s, partial[t]);
    }
    if constexpr (Groups::kHasMinimum) {
        const __m512 minimum = Groups::minimum(p, half);
        if constexpr (Groups::kHalves) {
            const __m512i factors = Groups::minimumFactors(p, half);
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                const __m512i sum = _mm512_dpwssd_epi32(_mm512_setzero_si512(), factors,
                                                        _mm512_set1_epi32(input.halfSums[t]));
                const __m512 scaled =
                    _mm512_mul_ps(_mm512_set1_ps(input.scale[t]), _mm512_cvtepi32_ps(sum));
                partial[t] = _mm512_fmadd_ps(minimum, scaled, partial[t]);
            }
        } else {
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                partial[t] =
                    _mm512_fmadd_ps(minimum, _mm512_set1_ps(input.scaledSum[t]), partial[t]);
            }
        }
    }
}

/// The input of the group after this one.
template <typename Groups, int T>
inline void nextInput(TileInput& input)
{
    input.q += 32 * T;
    input.start += Groups::kHalves ? 2 * T : T;
    input.scale += T;
    input.scaledSum += T;
    input.ahead += 32 * T;
    if constexpr (Groups::kHalves) {
        input.halfSums += T;
    }
}

template <typename Groups, int T>
void quantisedChunk(const WeightRange& w, const TileInput& first, float* acc, bool fromZero)
{
    TileInput input = first;
    __m512 partial[2][T];
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        partial[0][t] = _mm512_setzero_ps();
        partial[1][t] = _mm512_setzero_ps();
    }
    auto place = Groups::at(w);
    for (std::int64_t g = 0; g < w.units; ++g) {
        Groups::prefetch(place);
        if constexpr (T >= kFetchAhead) {
#pragma GCC unroll 4
            for (std::int64_t line = 0; line < T * 32; line += kLineBytes) {
                fetchLine(input.ahead + line);
            }
        }
        __m512 sums[2][T];
        groupSums<Groups, T>(place, input, sums);
        foldGroup<Groups, T>(place, 0, input, sums[0], partial[0]);
        foldGroup<Groups, T>(place, 1, input, sums[1], partial[1]);
        Groups::next(place);
        nextInput<Groups, T>(input);
    }
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        addPartial(acc + t * kPanelRows, partial[0][t], fromZero);
        addPartial(acc + t * kPanelRows + 16, partial[1][t], fromZero);
    }
}

template <typename Groups>
struct FormatOf {
    static constexpr bool kQuantised = true;
    static constexpr bool kHalves = Groups::kHalves;
    static constexpr std::int64_t kBlockElements = Groups::kBlockElements;
    static constexpr std::int64_t kBlockBytes = Groups::kBlockBytes;
};

template <typename Groups>
struct BatchFormat : FormatOf<Groups> {
    static constexpr ChunkKernel kChunkKernels[kQuantisedBatch] = {
        quantisedChunk<Groups, 1>, quantisedChunk<Groups, 2>, quantisedChunk<Groups, 3>,
        quantisedChunk<Groups, 4>, quantisedChunk<Groups, 5>, quantisedChunk<Groups, 6>,
        quantisedChunk<Groups, 7>, quantisedChunk<Groups, 8>,
    };
};

template <typename Groups>
struct TileFormat : FormatOf<Groups> {
    static constexpr ChunkKernel kChunkKernels[kQuantisedTile] = {
        quantisedChunk<Groups, 1>, quantisedChunk<Groups, 2>, quantisedChunk<Groups, 3>,
        quantisedChunk<Groups, 4>, quantisedChunk<Groups, 5>, quantisedChunk<Groups, 6>,
    };
};

template <WeightType T>
struct QuantisedUnpack {
    using Packed = PackedGroups<T>;
    using Unpacked = UnpackedGroups<Packed::kHasMinimum, Packed::kHalves>;
    static constexpr std::int64_t kBlockElements = Packed::kBlockElements;
    static constexpr std::int64_t kBlockBytes = Packed::kBlockBytes;

    static void unpack(const WeightRange& w, std::byte* scratch)
    {
        auto from = Packed::at(w);
        std::byte* to = scratch;
        for (std::int64_t g = 0; g < w.units; ++g, to += Unpacked::kBlockBytes) {
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                _mm512_store_ps(to + half * 64, Packed::scale(from, half));
                if constexpr (Packed::kHasMinimum) {
                    _mm512_store_ps(to + Unpacked::kMinimums + half * 64,
                                    Packed::minimum(from, half));
                }
                if constexpr (Packed::kHalves) {
                    _mm512_store_ps(to + Unpacked::kFactors + half * 64,
                                    Packed::factor(from, half, 0));
                    _mm512_store_ps(to + Unpacked::kFactors + 128 + half * 64,
                                    Packed::factor(from, half, 1));
                }
                if constexpr (Packed::kHalves && Packed::kHasMinimum) {
                    _mm512_store_si512(to + Unpacked::kMinimumFactors + half * 64,
                                       Packed::minimumFactors(from, half));
                }
                unpackWords<0>(from, half, to + Unpacked::kLevels + half * 8 * kLineBytes);
            }
            Packed::next(from);
        }
    }

  private:
    template <int s>
    static void unpackWords(const typename Packed::Place& from, int half, std::byte* lines)
    {
        if constexpr (s < kGroupWords) {
            _mm512_store_si512(lines + s * kLineBytes, Packed::template levels<s>(from, half));
            unpackWords<s + 1>(from, half, lines);
        }
    }
};

template <WeightType T>
WeightKernel selectQuantised(std::int64_t tiles)
{
    using Unpack = QuantisedUnpack<T>;
    if (tiles <= 2) {
        return {runPanel<BatchFormat<PackedGroups<T>>>, 0};
    }
    return {runPanelUnpacked<Unpack, TileFormat<typename Unpack::Unpacked>>,
            Unpack::Unpacked::kBlockBytes};
}

} // namespace
} // namespace ulp::kernels
