// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products for AVX2 with FMA and F16C. A vector lane is one output row, so
// the order inside a sum is the contract's whatever the tile. vpmaddubsw adds pairs with saturation
// to 16 bits: levels go through it four bits at a time ("planes"), where a whole group of 32 stays
// below 8 * 2 * 15 * 127 = 30480 and nothing can saturate.
#include <immintrin.h>

#include "engine/kernels/cpu/panel_loop.h"
#include "engine/numeric/activation_quant.h"

namespace ulp::kernels {
namespace {

using numeric::WeightType;

// 16 rows x 6 tokens: 12 of the 16 registers hold sums.
constexpr int kFloatTile = 6;
// 16 rows x 4 tokens: 8 16-bit sums; the float sums live in the first-level cache.
constexpr int kQuantisedTile = 4;
constexpr int kPrefetchBytes = 6144;
// Tiles of this many tokens and more come in numbers; their input is fetched one tile ahead.
constexpr int kFetchAhead = 4;

inline void addPartial(float* acc, __m256 partial, bool fromZero)
{
    const __m256 before = fromZero ? _mm256_setzero_ps() : _mm256_load_ps(acc);
    _mm256_store_ps(acc, _mm256_add_ps(before, partial));
}

inline __m256i loadInts(const std::byte* p)
{
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}

inline __m256 widenHalves(const std::byte* p)
{
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(p)));
}

inline __m256 loadFloats(const std::byte* p)
{
    return _mm256_load_ps(reinterpret_cast<const float*>(p));
}

// ---- Float formats: load() widens one element of k for rows 8v .. 8v + 7.

struct F32Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::F32);
    static constexpr bool kPrefetch = false;
    static __m256 load(const std::byte* w, int v) { return loadFloats(w + v * 32); }
};

struct F16Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::F16);
    static constexpr bool kPrefetch = true;
    static __m256 load(const std::byte* w, int v) { return widenHalves(w + v * 16); }
};

struct Bf16Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::Bf16);
    static constexpr bool kPrefetch = true;
    static __m256 load(const std::byte* w, int v)
    {
        const __m256i words = loadInts(w + v % 2 * 32);
        const __m256i high = _mm256_set1_epi32(static_cast<int>(0xffff0000U));
        return _mm256_castsi256_ps(v < 2 ? _mm256_slli_epi32(words, 16)
                                         : _mm256_and_si256(words, high));
    }
};

/// Vectors [v0, v0 + V) of the panel for T tokens.
template <typename Weights, int T, int V>
void floatRows(const std::byte* w, const TileInput& input, std::int64_t units, int v0, float* acc,
               bool fromZero)
{
    const float* x = input.x;
    __m256 sums[T][V];
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            sums[t][v] = _mm256_setzero_ps();
        }
    }
    for (std::int64_t i = 0; i < units; ++i) {
        if constexpr (Weights::kPrefetch) {
            _mm_prefetch(reinterpret_cast<const char*>(w) + kPrefetchBytes, _MM_HINT_T0);
        }
        if constexpr (T >= kFetchAhead) {
            if (v0 == 0) {
                fetchLine(input.ahead + i * T * 4);
            }
        }
        __m256 row[V];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            row[v] = Weights::load(w, v0 + v);
        }
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            const __m256 xt = _mm256_broadcast_ss(x + t);
#pragma GCC unroll 4
            for (int v = 0; v < V; ++v) {
                sums[t][v] = _mm256_fmadd_ps(row[v], xt, sums[t][v]);
            }
        }
        x += T;
        w += Weights::kUnitBytes;
    }
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            addPartial(acc + t * kPanelRows + (v0 + v) * 8, sums[t][v], fromZero);
        }
    }
}

template <typename Weights, int T>
void floatChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                bool fromZero)
{
    if constexpr (T <= 2) { // all 32 rows: one pass over the weights, four chains and more
        floatRows<Weights, T, 4>(w, input, units, 0, acc, fromZero);
    } else {
        floatRows<Weights, T, 2>(w, input, units, 0, acc, fromZero);
        floatRows<Weights, T, 2>(w, input, units, 2, acc, fromZero);
    }
}

template <typename Weights>
struct FloatFormat {
    static constexpr bool kQuantised = false;
    static constexpr std::int64_t kUnitBytes = Weights::kUnitBytes;
    static constexpr ChunkKernel kChunkKernels[kFloatTile] = {
        floatChunk<Weights, 1>, floatChunk<Weights, 2>, floatChunk<Weights, 3>,
        floatChunk<Weights, 4>, floatChunk<Weights, 5>, floatChunk<Weights, 6>,
    };
};

/// To the layout of F32.
template <typename Weights>
struct FloatUnpack {
    static constexpr std::int64_t kUnitBytes = Weights::kUnitBytes;
    static void unpack(const std::byte* w, std::int64_t units, std::byte* scratch)
    {
        for (std::int64_t i = 0; i < units; ++i) {
            auto* row = reinterpret_cast<float*>(scratch + i * F32Weights::kUnitBytes);
#pragma GCC unroll 4
            for (int v = 0; v < 4; ++v) {
                _mm256_store_ps(row + v * 8, Weights::load(w + i * kUnitBytes, v));
            }
        }
    }
};

// ---- Quantised formats: scale(), minimum() and plane() read rows 8v .. 8v + 7 of one group.

template <WeightType T>
struct PackedGroups {
    using Record = PackedRecord<T>;
    static constexpr std::int64_t kUnitBytes = Record::kBytes;
    static constexpr bool kHasMinimum = Record::Traits::kHasMinimum;
    static constexpr int kPlanes = Record::Traits::kLevelBits / 4;
    static constexpr int kAlike = kPlanes == 2 ? 8 : 4; // lines read in one way: nibbles differ
    static constexpr bool kPrefetch = true;

    static __m256 scale(const std::byte* record, int v)
    {
        return widenHalves(record + Record::kScales + v * 16);
    }
    static __m256 minimum(const std::byte* record, int v)
    {
        return widenHalves(record + Record::kMinimums + v * 16);
    }
    static __m256i plane(const std::byte* record, int v, int s, int plane)
    {
        const std::byte* lines = record + Record::kLevels + v / 2 * Record::kHalfBytes + v % 2 * 32;
        const bool high = kPlanes == 2 ? plane == 1 : s >= 4;
        const __m256i line = loadInts(lines + (kPlanes == 2 ? s : s % 4) * kLineBytes);
        return _mm256_and_si256(high ? _mm256_srli_epi16(line, 4) : line, _mm256_set1_epi8(0x0f));
    }
};

/// What a quantised format is unpacked to: 32 float scales, 32 float minimums, and for each plane
/// 16 lines of 4-bit levels.
template <bool hasMinimum, int planes>
struct UnpackedGroups {
    static constexpr std::int64_t kMinimums = 128;
    static constexpr std::int64_t kLevels = 256;
    static constexpr std::int64_t kPlaneBytes = 16 * kLineBytes;
    static constexpr std::int64_t kUnitBytes = kLevels + planes * kPlaneBytes;
    static constexpr bool kHasMinimum = hasMinimum;
    static constexpr int kPlanes = planes;
    static constexpr int kAlike = planes == 2 ? 8 : 4; // as measured
    static constexpr bool kPrefetch = false;

    static __m256 scale(const std::byte* record, int v) { return loadFloats(record + v * 32); }
    static __m256 minimum(const std::byte* record, int v)
    {
        return loadFloats(record + kMinimums + v * 32);
    }
    static std::int64_t planeAt(int v, int s, int plane)
    {
        return kLevels + plane * kPlaneBytes + (v / 2 * 8 + s) * kLineBytes + v % 2 * 32;
    }
    static __m256i plane(const std::byte* record, int v, int s, int plane)
    {
        return loadInts(record + planeAt(v, s, plane));
    }
};

/// Adds elements 4s .. 4s + 3 of a group to 16-bit sums.
template <typename Groups, int T, int V>
inline void addLine(const std::byte* record, const std::int8_t* q, int s, int v0, int plane,
                    __m256i (&sums16)[V][T])
{
    __m256i levels[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
        levels[v] = Groups::plane(record, v0 + v, s, plane);
    }
#pragma GCC unroll 4
    for (int t = 0; t < T; ++t) {
        std::int32_t four;
        __builtin_memcpy(&four, q + (s * T + t) * 4, 4);
        const __m256i xt = _mm256_set1_epi32(four);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            sums16[v][t] = _mm256_add_epi16(sums16[v][t], _mm256_maddubs_epi16(levels[v], xt));
        }
    }
}

/// The integer sums of one group, vectors [v0, v0 + V) and T tokens. q: [8, T, 4]
template <typename Groups, int T, int V>
inline void groupDots(const std::byte* record, const std::int8_t* q, const std::int32_t* start,
                      int v0, __m256i (&dots)[V][T])
{
#pragma GCC unroll 4
    for (int t = 0; t < T; ++t) {
        dots[0][t] = _mm256_set1_epi32(start[t]);
#pragma GCC unroll 4
        for (int v = 1; v < V; ++v) {
            dots[v][t] = dots[0][t];
        }
    }
#pragma GCC unroll 2
    for (int plane = 0; plane < Groups::kPlanes; ++plane) {
        __m256i sums16[V][T] = {};
        // The inner loop stays a loop, since the compiler would turn its unrolled sums into trees
        // that need more registers than there are.
#pragma GCC unroll 2
        for (int first = 0; first < 8; first += Groups::kAlike) {
#pragma GCC unroll 1
            for (int i = 0; i < Groups::kAlike; ++i) {
                addLine<Groups, T, V>(record, q, first + i, v0, plane, sums16);
            }
        }
        const __m256i weight = _mm256_set1_epi16(plane == 0 ? 1 : 16);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
#pragma GCC unroll 4
            for (int t = 0; t < T; ++t) {
                dots[v][t] = _mm256_add_epi32(dots[v][t], _mm256_madd_epi16(sums16[v][t], weight));
            }
        }
    }
}

template <typename Groups, int T, int V>
void quantisedRows(const std::byte* w, const TileInput& input, std::int64_t units, int v0,
                   float* acc, bool fromZero)
{
    __m256 partial[V][T];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
#pragma GCC unroll 4
        for (int t = 0; t < T; ++t) {
            partial[v][t] = _mm256_setzero_ps();
        }
    }
    for (std::int64_t g = 0; g < units; ++g, w += Groups::kUnitBytes) {
        if constexpr (Groups::kPrefetch) {
#pragma GCC unroll 20
            for (std::int64_t line = 0; line < Groups::kUnitBytes / kLineBytes; ++line) {
                _mm_prefetch(reinterpret_cast<const char*>(w) + kPrefetchBytes + line * kLineBytes,
                             _MM_HINT_T0);
            }
        }
        if constexpr (T >= kFetchAhead) {
#pragma GCC unroll 4
            for (std::int64_t line = 0; line < T * 32; line += kLineBytes) {
                fetchLine(input.ahead + g * T * 32 + line);
            }
        }
        __m256i dots[V][T];
        groupDots<Groups, T, V>(w, input.q + g * T * 32, input.start + g * T, v0, dots);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            const __m256 scale = Groups::scale(w, v0 + v);
#pragma GCC unroll 4
            for (int t = 0; t < T; ++t) {
                const __m256 s = _mm256_mul_ps(scale, _mm256_set1_ps(input.scale[g * T + t]));
                partial[v][t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[v][t]), s, partial[v][t]);
            }
            if constexpr (Groups::kHasMinimum) {
                const __m256 minimum = Groups::minimum(w, v0 + v);
#pragma GCC unroll 4
                for (int t = 0; t < T; ++t) {
                    partial[v][t] = _mm256_fmadd_ps(
                        minimum, _mm256_set1_ps(input.scaledSum[g * T + t]), partial[v][t]);
                }
            }
        }
    }
#pragma GCC unroll 4
    for (int t = 0; t < T; ++t) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            addPartial(acc + t * kPanelRows + (v0 + v) * 8, partial[v][t], fromZero);
        }
    }
}

template <typename Groups, int T>
void quantisedChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                    bool fromZero)
{
    if constexpr (T == 1) {
        quantisedRows<Groups, T, 4>(w, input, units, 0, acc, fromZero);
    } else {
        quantisedRows<Groups, T, 2>(w, input, units, 0, acc, fromZero);
        quantisedRows<Groups, T, 2>(w, input, units, 2, acc, fromZero);
    }
}

template <typename Groups>
struct QuantisedFormat {
    static constexpr bool kQuantised = true;
    static constexpr std::int64_t kUnitBytes = Groups::kUnitBytes;
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
    using Unpacked = UnpackedGroups<Packed::kHasMinimum, Packed::kPlanes>;
    static constexpr std::int64_t kUnitBytes = Packed::kUnitBytes;
    static void unpack(const std::byte* w, std::int64_t units, std::byte* scratch)
    {
        for (std::int64_t g = 0; g < units; ++g) {
            const std::byte* from = w + g * kUnitBytes;
            std::byte* to = scratch + g * Unpacked::kUnitBytes;
            for (int v = 0; v < 4; ++v) {
                _mm256_store_ps(reinterpret_cast<float*>(to) + v * 8, Packed::scale(from, v));
                if constexpr (Packed::kHasMinimum) {
                    _mm256_store_ps(reinterpret_cast<float*>(to + Unpacked::kMinimums) + v * 8,
                                    Packed::minimum(from, v));
                }
                for (int plane = 0; plane < Packed::kPlanes; ++plane) {
                    for (int s = 0; s < 8; ++s) {
                        _mm256_store_si256(
                            reinterpret_cast<__m256i*>(to + Unpacked::planeAt(v, s, plane)),
                            Packed::plane(from, v, s, plane));
                    }
                }
            }
        }
    }
};

template <typename Weights>
WeightKernel selectFloat(std::int64_t tiles)
{
    if (tiles <= 2) {
        return {runPanel<FloatFormat<Weights>>, 0};
    }
    return {runPanelUnpacked<FloatUnpack<Weights>, FloatFormat<F32Weights>>,
            F32Weights::kUnitBytes};
}

template <WeightType T>
WeightKernel selectQuantised(std::int64_t tiles)
{
    using Unpack = QuantisedUnpack<T>;
    if (tiles <= 2) {
        return {runPanel<QuantisedFormat<PackedGroups<T>>>, 0};
    }
    return {runPanelUnpacked<Unpack, QuantisedFormat<typename Unpack::Unpacked>>,
            Unpack::Unpacked::kUnitBytes};
}

WeightKernel select(WeightType type, std::int64_t tiles)
{
    switch (type) {
    case WeightType::F32:
        return {runPanel<FloatFormat<F32Weights>>, 0};
    case WeightType::F16:
        return selectFloat<F16Weights>(tiles);
    case WeightType::Bf16:
        return selectFloat<Bf16Weights>(tiles);
    case WeightType::Q8_0:
        return selectQuantised<WeightType::Q8_0>(tiles);
    case WeightType::Q4_0:
        return selectQuantised<WeightType::Q4_0>(tiles);
    case WeightType::Q4_1:
        return selectQuantised<WeightType::Q4_1>(tiles);
    }
    return {};
}

inline __m128i halvesOf(__m256i v, int half)
{
    return half == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
}

inline std::uint32_t largestOf(__m256i v)
{
    __m128i m = _mm_max_epu32(halvesOf(v, 0), halvesOf(v, 1));
    m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_max_epu32(m, _mm_shuffle_epi32(m, 0xb1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(m));
}

inline std::int32_t totalOf(__m256i v)
{
    __m128i s = _mm_add_epi32(halvesOf(v, 0), halvesOf(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

/// numeric::quantiseBlock, 8 lanes at a time.
void quantiseBlocks(const float* x, std::int64_t count, std::int8_t* q, float* scale,
                    std::int32_t* sum)
{
    const __m256i magnitudeMask = _mm256_set1_epi32(0x7fffffff);
    const __m256 high = _mm256_set1_ps(127.0F);
    const __m256 low = _mm256_set1_ps(-127.0F);
    for (std::int64_t b = 0; b < count; ++b, x += 32, q += 32) {
        __m256i largest = _mm256_setzero_si256();
        for (int v = 0; v < 4; ++v) {
            const __m256i bits = _mm256_castps_si256(_mm256_loadu_ps(x + v * 8));
            largest = _mm256_max_epu32(largest, _mm256_and_si256(bits, magnitudeMask));
        }
        const float amax = numeric::floatOf(largestOf(largest));
        if (!numeric::isFinite(amax) || amax < numeric::kSmallestAmax) {
            numeric::quantiseBlock(x, q, scale + b, sum + b);
            continue;
        }
        scale[b] = amax / 127.0F;
        const __m256 inverse = _mm256_set1_ps(127.0F / amax);
        __m256i rounded[4];
        __m256i total = _mm256_setzero_si256();
        for (int v = 0; v < 4; ++v) {
            const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(x + v * 8), inverse);
            // To nearest, ties to even: the rounding mode of a run.
            rounded[v] = _mm256_cvtps_epi32(_mm256_max_ps(_mm256_min_ps(scaled, high), low));
            total = _mm256_add_epi32(total, rounded[v]);
        }
        sum[b] = totalOf(total);
        const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(rounded[0], rounded[1]),
                                                 _mm256_packs_epi32(rounded[2], rounded[3]));
        // The packs work within 128-bit lanes; put the words of four back in order.
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(q),
                            _mm256_permutevar8x32_epi32(bytes, order));
    }
}

} // namespace

const IsaKernels& avx2Kernels()
{
    static constexpr IsaKernels kernels{kFloatTile, kQuantisedTile, {quantiseBlocks}, select};
    return kernels;
}

} // namespace ulp::kernels
