// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of products with block formats for AVX2; one kernel serves packed and unpacked
// groups. A vector lane is one output row, so the order inside a sum is the contract's whatever the
// tile. Sums of 16 bits (matmul_groups.h says how many words they hold) widen in pairs through
// vpmaddwd, which multiplies by the plane's weight or by the factor of 16 elements on the way.
// Included by the files of this folder only; everything is in their anonymous namespace.
// Thread-safety: kernels touch their task alone. Ownership: views.
#pragma once

#include "engine/kernels/cpu/avx2/matmul_groups.h"

namespace ulp::kernels {
namespace {

// 16 rows x 4 tokens: 8 16-bit sums; the float sums live in the first-level cache.
constexpr int kQuantisedTile = 4;
// 8 rows x 8 tokens at a time.
constexpr int kQuantisedBatch = 8;
// Tiles of this many tokens and more come in numbers; their input is fetched one tile ahead.
constexpr int kFetchAhead = 4;

inline void addPartial(float* acc, __m256 partial, bool fromZero)
{
    const __m256 before = fromZero ? _mm256_setzero_ps() : _mm256_load_ps(acc);
    _mm256_store_ps(acc, _mm256_add_ps(before, partial));
}

/// Adds words [first, last) of a plane to 16-bit sums. q: [8, T, 4]
template <typename Groups, int T, int V, int plane, int first, int last>
inline void addWords(const typename Groups::Place& p, const std::int8_t* q, int v0,
                     __m256i (&sums16)[V][T])
{
    if constexpr (first < last) {
        __m256i levels[V];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            levels[v] = Groups::template levels<first, plane>(p, v0 + v);
        }
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            std::int32_t four;
            __builtin_memcpy(&four, q + (first * T + t) * 4, 4);
            const __m256i xt = _mm256_set1_epi32(four);
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) {
                sums16[v][t] = _mm256_add_epi16(sums16[v][t], _mm256_maddubs_epi16(levels[v], xt));
                // Or the compiler would turn the sums into trees that need more registers than
                // there are.
                asm("" : "+x"(sums16[v][t]));
            }
        }
        addWords<Groups, T, V, plane, first + 1, last>(p, q, v0, sums16);
    }
}

/// All words of a group from `first` on, a 16-bit sum at a time.
template <typename Groups, int T, int V, int plane, int first>
inline void addSums(const typename Groups::Place& p, const std::int8_t* q, int v0,
                    __m256i (&dots)[V][T])
{
    if constexpr (first < kGroupWords) {
        __m256i sums16[V][T] = {};
        addWords<Groups, T, V, plane, first, first + Groups::kWordsPerSum>(p, q, v0, sums16);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            __m256i weight;
            if constexpr (Groups::kHalves) {
                weight = Groups::factor(p, v0 + v, first / 4);
            } else {
                weight = _mm256_set1_epi16(plane == 0 ? 1 : 16);
            }
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                dots[v][t] = _mm256_add_epi32(dots[v][t], _mm256_madd_epi16(sums16[v][t], weight));
            }
        }
        addSums<Groups, T, V, plane, first + Groups::kWordsPerSum>(p, q, v0, dots);
    }
}

/// What integer sums start from: -offset * (sum of the activations, with the factors of halves).
template <typename Groups, int T, int V>
inline void startDots(const typename Groups::Place& p, const TileInput& input, int v0,
                      __m256i (&dots)[V][T])
{
    constexpr bool kPlain = !Groups::kHalves || Groups::kOffset == 0;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
        __m256i pairs;
        if constexpr (!kPlain) {
            pairs = Groups::factorPairs(p, v0 + v);
        }
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            if constexpr (kPlain) {
                dots[v][t] = _mm256_set1_epi32(input.start[t]);
            } else {
                constexpr int kShift = Groups::kOffset == 32 ? 5 : 2;
                static_assert(Groups::kOffset == 1 << kShift);
                const __m256i sum = _mm256_madd_epi16(pairs, _mm256_set1_epi32(input.halfSums[t]));
                dots[v][t] =
                    _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_slli_epi32(sum, kShift));
            }
        }
    }
}

/// partial = fma(float(dot), rn(dw * dx), partial), then the minimum's term. input: at the group
template <typename Groups, int T, int V>
inline void foldGroup(const typename Groups::Place& p, const TileInput& input, int v0,
                      const __m256i (&dots)[V][T], __m256 (&partial)[V][T])
{
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
        const __m256 scale = Groups::scale(p, v0 + v);
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            const __m256 s = _mm256_mul_ps(scale, _mm256_set1_ps(input.scale[t]));
            partial[v][t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[v][t]), s, partial[v][t]);
        }
        if constexpr (Groups::kHasMinimum) {
            const __m256 minimum = Groups::minimum(p, v0 + v);
            __m256i pairs;
            if constexpr (Groups::kHalves) {
                pairs = Groups::minimumPairs(p, v0 + v);
            }
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                __m256 scaled;
                if constexpr (Groups::kHalves) {
                    const __m256i sum =
                        _mm256_madd_epi16(pairs, _mm256_set1_epi32(input.halfSums[t]));
                    scaled = _mm256_mul_ps(_mm256_set1_ps(input.scale[t]), _mm256_cvtepi32_ps(sum));
                } else {
                    scaled = _mm256_set1_ps(input.scaledSum[t]);
                }
                partial[v][t] = _mm256_fmadd_ps(minimum, scaled, partial[v][t]);
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

template <typename Groups, int T, int V>
void quantisedRows(const WeightRange& w, TileInput input, int v0, float* acc, bool fromZero)
{
    __m256 partial[V][T];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            partial[v][t] = _mm256_setzero_ps();
        }
    }
    auto place = Groups::at(w);
    for (std::int64_t g = 0; g < w.units; ++g) {
        if (v0 == 0) {
            Groups::prefetch(place);
            if constexpr (T >= kFetchAhead) {
#pragma GCC unroll 4
                for (std::int64_t line = 0; line < T * 32; line += kLineBytes) {
                    fetchLine(input.ahead + line);
                }
            }
        }
        __m256i dots[V][T];
        startDots<Groups, T, V>(place, input, v0, dots);
        addSums<Groups, T, V, 0, 0>(place, input.q, v0, dots);
        if constexpr (Groups::kPlanes == 2) {
            addSums<Groups, T, V, 1, 0>(place, input.q, v0, dots);
        }
        foldGroup<Groups, T, V>(place, input, v0, dots, partial);
        Groups::next(place);
        nextInput<Groups, T>(input);
    }
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            addPartial(acc + t * kPanelRows + (v0 + v) * 8, partial[v][t], fromZero);
        }
    }
}

template <typename Groups, int T>
void quantisedChunk(const WeightRange& w, const TileInput& input, float* acc, bool fromZero)
{
    constexpr int kVectors = T == 1 ? 4 : T <= 4 ? 2 : 1;
    for (int v = 0; v < 4; v += kVectors) {
        quantisedRows<Groups, T, kVectors>(w, input, v, acc, fromZero);
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
        quantisedChunk<Groups, 1>,
        quantisedChunk<Groups, 2>,
        quantisedChunk<Groups, 3>,
        quantisedChunk<Groups, 4>,
    };
};

template <WeightType T>
struct QuantisedUnpack {
    using Packed = PackedGroups<T>;
    using Unpacked =
        UnpackedGroups<Packed::kHasMinimum, Packed::kHalves, Packed::kHalves ? Packed::kOffset : 0,
                       Packed::kPlanes, Packed::kWordsPerSum>;
    static constexpr std::int64_t kBlockElements = Packed::kBlockElements;
    static constexpr std::int64_t kBlockBytes = Packed::kBlockBytes;

    static void unpack(const WeightRange& w, std::byte* scratch)
    {
        auto from = Packed::at(w);
        std::byte* to = scratch;
        for (std::int64_t g = 0; g < w.units; ++g, to += Unpacked::kBlockBytes) {
            for (int v = 0; v < 4; ++v) {
                store(to + v * 32, _mm256_castps_si256(Packed::scale(from, v)));
                if constexpr (Packed::kHasMinimum) {
                    store(to + Unpacked::kMinimums + v * 32,
                          _mm256_castps_si256(Packed::minimum(from, v)));
                }
                if constexpr (Packed::kHalves) {
                    store(to + Unpacked::kFactors + v * 32, Packed::factor(from, v, 0));
                    store(to + Unpacked::kFactors + 128 + v * 32, Packed::factor(from, v, 1));
                    store(to + Unpacked::kPairs + v * 32, Packed::factorPairs(from, v));
                    store(to + Unpacked::kMinimumPairs + v * 32, Packed::minimumPairs(from, v));
                }
                unpackWords<0>(from, v, to);
            }
            Packed::next(from);
        }
    }

  private:
    static void store(std::byte* to, __m256i v)
    {
        _mm256_store_si256(reinterpret_cast<__m256i*>(to), v);
    }
    template <int s>
    static void unpackWords(const typename Packed::Place& from, int v, std::byte* to)
    {
        if constexpr (s < kGroupWords) {
            store(to + Unpacked::levelsAt(v, s, 0), Packed::template levels<s, 0>(from, v));
            if constexpr (Packed::kPlanes == 2) {
                store(to + Unpacked::levelsAt(v, s, 1), Packed::template levels<s, 1>(from, v));
            }
            unpackWords<s + 1>(from, v, to);
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
