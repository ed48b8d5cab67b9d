// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products with float formats for AVX-512, and the table of all AVX-512
// kernels. A vector lane is one output row, so the order inside a sum is the contract's whatever
// the tile.
#include "engine/kernels/cpu/avx512/matmul_quantised.h"
#include "engine/kernels/cpu/avx512/matmul_select.h"
#include "engine/numeric/activation_quant.h"

namespace ulp::kernels {
namespace {

// 32 rows x 12 tokens: 24 of the 32 registers hold sums, which covers the latency of two FMA ports.
constexpr int kFloatTile = 12;

// ---- Float formats: load() widens one element of k for 32 rows.

struct F32Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::F32);
    static constexpr bool kPrefetch = false;
    static void load(const std::byte* w, __m512& rows0, __m512& rows16)
    {
        rows0 = _mm512_load_ps(w);
        rows16 = _mm512_load_ps(w + 64);
    }
};

struct F16Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::F16);
    static constexpr bool kPrefetch = true;
    static void load(const std::byte* w, __m512& rows0, __m512& rows16)
    {
        rows0 = _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w)));
        rows16 = _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(w + 32)));
    }
};

struct Bf16Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::Bf16);
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
void floatChunk(const WeightRange& range, const TileInput& input, float* acc, bool fromZero)
{
    const std::byte* w = range.block;
    __m512 rows0[T];
    __m512 rows16[T];
#pragma GCC unroll 16
    for (int t = 0; t < T; ++t) {
        rows0[t] = _mm512_setzero_ps();
        rows16[t] = _mm512_setzero_ps();
    }
    const float* x = input.x;
    for (std::int64_t i = 0; i < range.units; ++i) {
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
        w += Weights::kBlockBytes;
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
    static constexpr bool kHalves = false;
    static constexpr std::int64_t kBlockElements = 1;
    static constexpr std::int64_t kBlockBytes = Weights::kBlockBytes;
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
    static constexpr std::int64_t kBlockElements = 1;
    static constexpr std::int64_t kBlockBytes = Weights::kBlockBytes;
    static void unpack(const WeightRange& w, std::byte* scratch)
    {
        for (std::int64_t i = 0; i < w.units; ++i) {
            __m512 rows0;
            __m512 rows16;
            Weights::load(w.block + i * kBlockBytes, rows0, rows16);
            _mm512_store_ps(scratch + i * F32Weights::kBlockBytes, rows0);
            _mm512_store_ps(scratch + i * F32Weights::kBlockBytes + 64, rows16);
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
            F32Weights::kBlockBytes};
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
    default:
        break;
    }
    const WeightKernel kernel = selectSmallAvx512(type, tiles);
    return kernel.run != nullptr ? kernel : selectSuperAvx512(type, tiles);
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

/// See IsaKernels::store.
void storeSums(const float* acc, std::int64_t stride, std::int64_t panels, float* out)
{
    const __m512 nan = _mm512_set1_ps(numeric::floatOf(numeric::kCanonicalNanBits));
    for (std::int64_t p = 0; p < panels; ++p, acc += stride, out += kPanelRows) {
#pragma GCC unroll 2
        for (int half = 0; half < 2; ++half) {
            const __m512 sums = _mm512_load_ps(acc + half * 16);
            const __mmask16 isNan = _mm512_cmp_ps_mask(sums, sums, _CMP_UNORD_Q);
            _mm512_storeu_ps(out + half * 16, _mm512_mask_mov_ps(sums, isNan, nan));
        }
    }
}

} // namespace

const IsaKernels& avx512Kernels()
{
    static constexpr IsaKernels kernels{kFloatTile,       kQuantisedTile, kQuantisedBatch,
                                        {quantiseBlocks}, storeSums,      select};
    return kernels;
}

} // namespace ulp::kernels
