// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner loops of matrix products with float formats for AVX2 with FMA and F16C, and the table of
// all AVX2 kernels. A vector lane is one output row, so the order inside a sum is the contract's
// whatever the tile.
#include "engine/kernels/cpu/avx2/matmul_quantised.h"
#include "engine/kernels/cpu/avx2/matmul_select.h"
#include "engine/numeric/activation_quant.h"

namespace ulp::kernels {
namespace {

// 16 rows x 6 tokens: 12 of the 16 registers hold sums.
constexpr int kFloatTile = 6;

// ---- Float formats: load() widens one element of k for rows 8v .. 8v + 7.

struct F32Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::F32);
    static constexpr bool kPrefetch = false;
    static __m256 load(const std::byte* w, int v) { return loadFloats(w + v * 32); }
};

struct F16Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::F16);
    static constexpr bool kPrefetch = true;
    static __m256 load(const std::byte* w, int v) { return widenHalves(w + v * 16); }
};

struct Bf16Weights {
    static constexpr std::int64_t kBlockBytes = packedBlockBytes(WeightType::Bf16);
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
        w += Weights::kBlockBytes;
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
void floatChunk(const WeightRange& w, const TileInput& input, float* acc, bool fromZero)
{
    if constexpr (T <= 2) { // all 32 rows: one pass over the weights, four chains and more
        floatRows<Weights, T, 4>(w.block, input, w.units, 0, acc, fromZero);
    } else {
        floatRows<Weights, T, 2>(w.block, input, w.units, 0, acc, fromZero);
        floatRows<Weights, T, 2>(w.block, input, w.units, 2, acc, fromZero);
    }
}

template <typename Weights>
struct FloatFormat {
    static constexpr bool kQuantised = false;
    static constexpr bool kHalves = false;
    static constexpr std::int64_t kBlockElements = 1;
    static constexpr std::int64_t kBlockBytes = Weights::kBlockBytes;
    static constexpr ChunkKernel kChunkKernels[kFloatTile] = {
        floatChunk<Weights, 1>, floatChunk<Weights, 2>, floatChunk<Weights, 3>,
        floatChunk<Weights, 4>, floatChunk<Weights, 5>, floatChunk<Weights, 6>,
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
            auto* row = reinterpret_cast<float*>(scratch + i * F32Weights::kBlockBytes);
#pragma GCC unroll 4
            for (int v = 0; v < 4; ++v) {
                _mm256_store_ps(row + v * 8, Weights::load(w.block + i * kBlockBytes, v));
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
    const WeightKernel kernel = selectSmallAvx2(type, tiles);
    return kernel.run != nullptr ? kernel : selectSuperAvx2(type, tiles);
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

/// See IsaKernels::store.
void storeSums(const float* acc, std::int64_t stride, std::int64_t panels, float* out)
{
    for (std::int64_t p = 0; p < panels; ++p, acc += stride, out += kPanelRows) {
        const __m256 nan = _mm256_set1_ps(numeric::floatOf(numeric::kCanonicalNanBits));
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
            const __m256 sums = _mm256_load_ps(acc + v * 8);
            const __m256 isNan = _mm256_cmp_ps(sums, sums, _CMP_UNORD_Q);
            _mm256_storeu_ps(out + v * 8, _mm256_blendv_ps(sums, nan, isNan));
        }
    }
}

} // namespace

const IsaKernels& avx2Kernels()
{
    static constexpr IsaKernels kernels{kFloatTile,       kQuantisedTile, kQuantisedBatch,
                                        {quantiseBlocks}, storeSums,      select};
    return kernels;
}

} // namespace ulp::kernels
