// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products for AVX-512 (F, BW, VL, DQ, VNNI). A vector lane is one output
// row, so the order inside a sum is the contract's whatever the tile.
#include <immintrin.h>

#include "engine/kernels/cpu/panel_loop.h"
#include "engine/numeric/activation_quant.h"

namespace ulp::kernels {
namespace {

using numeric::WeightType;

// 32 rows x 12 tokens: 24 of the 32 registers hold sums, which covers the latency of two FMA ports.
constexpr int kFloatTile = 12;
// 32 rows x 6 tokens: 12 integer sums and 12 float sums.
constexpr int kQuantisedTile = 6;
// Far enough ahead for memory, for formats that take longer to widen than to read.
constexpr int kPrefetchBytes = 6144;
// Tiles of this many tokens and more come in numbers; their input is fetched one tile ahead.
constexpr int kFetchAhead = 4;

inline void addPartial(float* acc, __m512 partial, bool fromZero)
{
    const __m512 before = fromZero ? _mm512_setzero_ps() : _mm512_load_ps(acc);
    _mm512_store_ps(acc, _mm512_add_ps(before, partial));
}

// ---- Float formats: load() widens one element of k for 32 rows.

struct F32Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::F32);
    static constexpr bool kPrefetch = false;
    static void load(const std::byte* w, __m512& rows0, __m512& rows16)
    {
        rows0 = _mm512_load_ps(w);
        rows16 = _mm512_load_ps(w + 64);
    }
};

struct F16Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::F16);
    static constexpr bool kPrefetch = true;
    static void load(const std::byte* w, __m512& rows0, __m512& rows16)
    {
        rows0 = _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w)));
        rows16 = _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w + 32)));
    }
};

struct Bf16Weights {
    static constexpr std::int64_t kUnitBytes = packedUnitBytes(WeightType::Bf16);
    static constexpr bool kPrefetch = true;
    static void load(const std::byte* w, __m512& rows0, __m512& rows16)
    {
        const __m512i line = _mm512_load_si512(w);
        rows0 = _mm512_castsi512_ps(_mm512_slli_epi32(line, 16));
        rows16 = _mm512_castsi512_ps(
            _mm512_and_si512(line, _mm512_set1_epi32(static_cast<int>(0xffff0000U))));
    }
};

template <typename Weights, int T>
void floatChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                bool fromZero)
{
    __m512 rows0[T];
    __m512 rows16[T];
#pragma GCC unroll 16
    for (int t = 0; t < T; ++t) {
        rows0[t] = _mm512_setzero_ps();
        rows16[t] = _mm512_setzero_ps();
    }
    const float* x = input.x;
    for (std::int64_t i = 0; i < units; ++i) {
        if constexpr (Weights::kPrefetch) {
            _mm_prefetch(reinterpret_cast<const char*>(w) + kPrefetchBytes, _MM_HINT_T0);
        }
        if constexpr (T >= kFetchAhead) {
            fetchLine(input.ahead + i * T * 4);
        }
        __m512 w0;
        __m512 w16;
        Weights::load(w, w0, w16);
#pragma GCC unroll 16
        for (int t = 0; t < T; ++t) {
            const __m512 xt = _mm512_set1_ps(x[t]);
            rows0[t] = _mm512_fmadd_ps(w0, xt, rows0[t]);
            rows16[t] = _mm512_fmadd_ps(w16, xt, rows16[t]);
        }
        x += T;
        w += Weights::kUnitBytes;
    }
#pragma GCC unroll 16
    for (int t = 0; t < T; ++t) {
        addPartial(acc + t * kPanelRows, rows0[t], fromZero);
        addPartial(acc + t * kPanelRows + 16, rows16[t], fromZero);
    }
}

template <typename Weights>
struct FloatFormat {
    static constexpr bool kQuantised = false;
    static constexpr std::int64_t kUnitBytes = Weights::kUnitBytes;
    static constexpr ChunkKernel kChunkKernels[kFloatTile] = {
        floatChunk<Weights, 1>,  floatChunk<Weights, 2>,  floatChunk<Weights, 3>,
        floatChunk<Weights, 4>,  floatChunk<Weights, 5>,  floatChunk<Weights, 6>,
        floatChunk<Weights, 7>,  floatChunk<Weights, 8>,  floatChunk<Weights, 9>,
        floatChunk<Weights, 10>, floatChunk<Weights, 11>, floatChunk<Weights, 12>,
    };
};

/// To the layout of F32.
template <typename Weights>
struct FloatUnpack {
    static constexpr std::int64_t kUnitBytes = Weights::kUnitBytes;
    static void unpack(const std::byte* w, std::int64_t units, std::byte* scratch)
    {
        for (std::int64_t i = 0; i < units; ++i) {
            __m512 rows0;
            __m512 rows16;
            Weights::load(w + i * kUnitBytes, rows0, rows16);
            _mm512_store_ps(scratch + i * F32Weights::kUnitBytes, rows0);
            _mm512_store_ps(scratch + i * F32Weights::kUnitBytes + 64, rows16);
        }
    }
};

// ---- Quantised formats: scale(), minimum() and levels() read one group of a half of 16 rows.

inline __m512 widenScales(const std::byte* halves)
{
    return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(halves)));
}

template <WeightType T>
struct PackedGroups {
    using Record = PackedRecord<T>;
    static constexpr std::int64_t kUnitBytes = Record::kBytes;
    static constexpr bool kHasMinimum = Record::Traits::kHasMinimum;
    static constexpr bool kPrefetch = Record::Traits::kLevelBits == 4;

    static __m512 scale(const std::byte* record, int half)
    {
        return widenScales(record + Record::kScales + half * 32);
    }
    static __m512 minimum(const std::byte* record, int half)
    {
        return widenScales(record + Record::kMinimums + half * 32);
    }
    static __m512i levels(const std::byte* record, int half, int s)
    {
        const std::byte* lines = record + Record::kLevels + half * Record::kHalfBytes;
        if constexpr (Record::Traits::kLevelBits == 8) {
            return _mm512_load_si512(lines + s * kLineBytes);
        } else {
            const __m512i line = _mm512_load_si512(lines + s % 4 * kLineBytes);
            return _mm512_and_si512(s < 4 ? line : _mm512_srli_epi16(line, 4),
                                    _mm512_set1_epi8(0x0f));
        }
    }
};

/// What every quantised format is unpacked to: 32 float scales, 32 float minimums, 16 lines of
/// 8-bit levels.
template <bool hasMinimum>
struct UnpackedGroups {
    static constexpr std::int64_t kMinimums = 128;
    static constexpr std::int64_t kLevels = 256;
    static constexpr std::int64_t kUnitBytes = kLevels + 16 * kLineBytes;
    static constexpr bool kHasMinimum = hasMinimum;
    static constexpr bool kPrefetch = false;

    static __m512 scale(const std::byte* record, int half)
    {
        return _mm512_load_ps(record + half * 64);
    }
    static __m512 minimum(const std::byte* record, int half)
    {
        return _mm512_load_ps(record + kMinimums + half * 64);
    }
    static __m512i levels(const std::byte* record, int half, int s)
    {
        return _mm512_load_si512(record + kLevels + (half * 8 + s) * kLineBytes);
    }
};

template <typename Groups, int T>
void quantisedChunk(const std::byte* w, const TileInput& input, std::int64_t units, float* acc,
                    bool fromZero)
{
    __m512 partial[2][T];
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        partial[0][t] = _mm512_setzero_ps();
        partial[1][t] = _mm512_setzero_ps();
    }
    const std::int8_t* q = input.q;
    for (std::int64_t g = 0; g < units; ++g) {
        if constexpr (Groups::kPrefetch) {
#pragma GCC unroll 16
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
        __m512i dot[2][T];
#pragma GCC unroll 8
        for (int t = 0; t < T; ++t) {
            dot[0][t] = _mm512_set1_epi32(input.start[g * T + t]);
            dot[1][t] = dot[0][t];
        }
#pragma GCC unroll 8
        for (int s = 0; s < 8; ++s) {
            const __m512i w0 = Groups::levels(w, 0, s);
            const __m512i w16 = Groups::levels(w, 1, s);
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                std::int32_t four;
                __builtin_memcpy(&four, q + (s * T + t) * 4, 4);
                const __m512i xt = _mm512_set1_epi32(four);
                dot[0][t] = _mm512_dpbusd_epi32(dot[0][t], w0, xt);
                dot[1][t] = _mm512_dpbusd_epi32(dot[1][t], w16, xt);
            }
        }
#pragma GCC unroll 2
        for (int half = 0; half < 2; ++half) {
            const __m512 scale = Groups::scale(w, half);
#pragma GCC unroll 8
            for (int t = 0; t < T; ++t) {
                const __m512 s = _mm512_mul_ps(scale, _mm512_set1_ps(input.scale[g * T + t]));
                partial[half][t] =
                    _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot[half][t]), s, partial[half][t]);
            }
            if constexpr (Groups::kHasMinimum) {
                const __m512 minimum = Groups::minimum(w, half);
#pragma GCC unroll 8
                for (int t = 0; t < T; ++t) {
                    partial[half][t] = _mm512_fmadd_ps(
                        minimum, _mm512_set1_ps(input.scaledSum[g * T + t]), partial[half][t]);
                }
            }
        }
        q += 32 * T;
        w += Groups::kUnitBytes;
    }
#pragma GCC unroll 8
    for (int t = 0; t < T; ++t) {
        addPartial(acc + t * kPanelRows, partial[0][t], fromZero);
        addPartial(acc + t * kPanelRows + 16, partial[1][t], fromZero);
    }
}

template <typename Groups>
struct QuantisedFormat {
    static constexpr bool kQuantised = true;
    static constexpr std::int64_t kUnitBytes = Groups::kUnitBytes;
    static constexpr ChunkKernel kChunkKernels[kQuantisedTile] = {
        quantisedChunk<Groups, 1>, quantisedChunk<Groups, 2>, quantisedChunk<Groups, 3>,
        quantisedChunk<Groups, 4>, quantisedChunk<Groups, 5>, quantisedChunk<Groups, 6>,
    };
};

template <WeightType T>
struct QuantisedUnpack {
    using Packed = PackedGroups<T>;
    using Unpacked = UnpackedGroups<Packed::kHasMinimum>;
    static constexpr std::int64_t kUnitBytes = Packed::kUnitBytes;
    static void unpack(const std::byte* w, std::int64_t units, std::byte* scratch)
    {
        for (std::int64_t g = 0; g < units; ++g) {
            const std::byte* from = w + g * kUnitBytes;
            std::byte* to = scratch + g * Unpacked::kUnitBytes;
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                _mm512_store_ps(to + half * 64, Packed::scale(from, half));
                if constexpr (Packed::kHasMinimum) {
                    _mm512_store_ps(to + Unpacked::kMinimums + half * 64,
                                    Packed::minimum(from, half));
                }
#pragma GCC unroll 8
                for (int s = 0; s < 8; ++s) {
                    _mm512_store_si512(to + Unpacked::kLevels + (half * 8 + s) * kLineBytes,
                                       Packed::levels(from, half, s));
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

/// numeric::quantiseBlock, 16 lanes at a time.
void quantiseBlocks(const float* x, std::int64_t count, std::int8_t* q, float* scale,
                    std::int32_t* sum)
{
    const __m512i magnitudeMask = _mm512_set1_epi32(0x7fffffff);
    for (std::int64_t b = 0; b < count; ++b, x += 32, q += 32) {
        const __m512 x0 = _mm512_loadu_ps(x);
        const __m512 x1 = _mm512_loadu_ps(x + 16);
        const __m512i m0 = _mm512_and_si512(_mm512_castps_si512(x0), magnitudeMask);
        const __m512i m1 = _mm512_and_si512(_mm512_castps_si512(x1), magnitudeMask);
        const float amax = numeric::floatOf(_mm512_reduce_max_epu32(_mm512_max_epu32(m0, m1)));
        if (!numeric::isFinite(amax) || amax < numeric::kSmallestAmax) {
            numeric::quantiseBlock(x, q, scale + b, sum + b);
            continue;
        }
        scale[b] = amax / 127.0F;
        const __m512 inverse = _mm512_set1_ps(127.0F / amax);
        const __m512 high = _mm512_set1_ps(127.0F);
        const __m512 low = _mm512_set1_ps(-127.0F);
        const __m512 c0 = _mm512_max_ps(_mm512_min_ps(_mm512_mul_ps(x0, inverse), high), low);
        const __m512 c1 = _mm512_max_ps(_mm512_min_ps(_mm512_mul_ps(x1, inverse), high), low);
        // To nearest, ties to even: the rounding mode of a run.
        const __m512i i0 = _mm512_cvtps_epi32(c0);
        const __m512i i1 = _mm512_cvtps_epi32(c1);
        sum[b] = _mm512_reduce_add_epi32(_mm512_add_epi32(i0, i1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(q), _mm512_cvtepi32_epi8(i0));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(q + 16), _mm512_cvtepi32_epi8(i1));
    }
}

} // namespace

const IsaKernels& avx512Kernels()
{
    static constexpr IsaKernels kernels{kFloatTile, kQuantisedTile, {quantiseBlocks}, select};
    return kernels;
}

} // namespace ulp::kernels
