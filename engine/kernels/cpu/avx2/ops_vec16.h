// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sixteen float32 lanes in two AVX2 registers; members as in cpu/portable/ops_vec16.h.
// Include only from files compiled for AVX2. Thread-safety: values.
#pragma once

#include <cstdint>
#include <immintrin.h>

#include "engine/numeric/math.h"

namespace ulp::kernels::avx2 {

struct Vec16 {
    static constexpr int kTileRows = 6; // 12 accumulators, 2 loads, 1 broadcast of 16 registers
    static constexpr int kTileVectors = 1;

    __m256 a; // lanes 0 to 7
    __m256 b; // lanes 8 to 15

    static __m256i firstMask(std::int64_t n)
    {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }

    static Vec16 zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
    static Vec16 all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
    static Vec16 load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
    static Vec16 loadFirst(const float* p, std::int64_t n)
    {
        return {_mm256_maskload_ps(p, firstMask(n)), _mm256_maskload_ps(p + 8, firstMask(n - 8))};
    }
    void store(float* p) const
    {
        _mm256_storeu_ps(p, a);
        _mm256_storeu_ps(p + 8, b);
    }
    void storeFirst(float* p, std::int64_t n) const
    {
        _mm256_maskstore_ps(p, firstMask(n), a);
        _mm256_maskstore_ps(p + 8, firstMask(n - 8), b);
    }

    static Vec16 add(Vec16 x, Vec16 y)
    {
        return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)};
    }
    static Vec16 sub(Vec16 x, Vec16 y)
    {
        return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)};
    }
    static Vec16 mul(Vec16 x, Vec16 y)
    {
        return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)};
    }
    static Vec16 div(Vec16 x, Vec16 y)
    {
        return {_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)};
    }
    static Vec16 fma(Vec16 x, Vec16 y, Vec16 z)
    {
        return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
    }
    static Vec16 negated(Vec16 x)
    {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        return {_mm256_xor_ps(x.a, sign), _mm256_xor_ps(x.b, sign)};
    }
    static Vec16 magnitude(Vec16 x)
    {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        return {_mm256_andnot_ps(sign, x.a), _mm256_andnot_ps(sign, x.b)};
    }
    static Vec16 withSignOf(Vec16 x, Vec16 from)
    {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        return {_mm256_or_ps(x.a, _mm256_and_ps(from.a, sign)),
                _mm256_or_ps(x.b, _mm256_and_ps(from.b, sign))};
    }
    static Vec16 whereLess(Vec16 p, Vec16 q, Vec16 x, Vec16 y)
    {
        return {_mm256_blendv_ps(y.a, x.a, _mm256_cmp_ps(p.a, q.a, _CMP_LT_OQ)),
                _mm256_blendv_ps(y.b, x.b, _mm256_cmp_ps(p.b, q.b, _CMP_LT_OQ))};
    }
    static Vec16 greater(Vec16 x, Vec16 y)
    {
        return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)};
    }
    static Vec16 lesser(Vec16 x, Vec16 y)
    {
        return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)};
    }
    static Vec16 zeroWhereMinusInfinity(Vec16 x)
    {
        const __m256 low = _mm256_set1_ps(-__builtin_inff());
        return {_mm256_and_ps(x.a, _mm256_cmp_ps(x.a, low, _CMP_NEQ_UQ)),
                _mm256_and_ps(x.b, _mm256_cmp_ps(x.b, low, _CMP_NEQ_UQ))};
    }
    static Vec16 firstLanes(Vec16 x, std::int64_t n, float rest)
    {
        const __m256 r = _mm256_set1_ps(rest);
        return {_mm256_blendv_ps(r, x.a, _mm256_castsi256_ps(firstMask(n))),
                _mm256_blendv_ps(r, x.b, _mm256_castsi256_ps(firstMask(n - 8)))};
    }
    static Vec16 timesPowerOfTwo(Vec16 p, Vec16 /*n*/, Vec16 shifted)
    {
        return {timesPower(p.a, shifted.a), timesPower(p.b, shifted.b)};
    }
    static Vec16 canonical(Vec16 x) { return {canonicalHalf(x.a, x.a), canonicalHalf(x.b, x.b)}; }
    static Vec16 toBf16AndBack(Vec16 x) { return {bf16Half(x.a), bf16Half(x.b)}; }
    static Vec16 toF16AndBack(Vec16 x) { return {f16Half(x.a), f16Half(x.b)}; }
    [[nodiscard]] float fold() const
    {
        const __m256 by8 = _mm256_add_ps(a, b);
        const __m128 by4 = _mm_add_ps(_mm256_castps256_ps128(by8), _mm256_extractf128_ps(by8, 1));
        const __m128 by2 = _mm_add_ps(by4, _mm_movehl_ps(by4, by4));
        return _mm_cvtss_f32(_mm_add_ss(by2, _mm_movehdup_ps(by2)));
    }
    [[nodiscard]] float largest() const
    {
        const __m256 by8 = _mm256_max_ps(a, b);
        const __m128 by4 = _mm_max_ps(_mm256_castps256_ps128(by8), _mm256_extractf128_ps(by8, 1));
        const __m128 by2 = _mm_max_ps(by4, _mm_movehl_ps(by4, by4));
        return _mm_cvtss_f32(_mm_max_ss(by2, _mm_movehdup_ps(by2)));
    }
    static void loadPairs(const float* p, Vec16& x, Vec16& y)
    {
        splitPairs(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8), x.a, y.a);
        splitPairs(_mm256_loadu_ps(p + 16), _mm256_loadu_ps(p + 24), x.b, y.b);
    }
    static void storePairs(float* p, Vec16 x, Vec16 y)
    {
        joinPairs(x.a, y.a, p);
        joinPairs(x.b, y.b, p + 16);
    }

  private:
    static __m256 timesPower(__m256 p, __m256 shifted)
    {
        const __m256i n = _mm256_sub_epi32(_mm256_castps_si256(shifted),
                                           _mm256_set1_epi32(static_cast<int>(numeric::bitsOf(
                                               numeric::exp_constants::kRoundMagic))));
        const __m256i half = _mm256_srai_epi32(n, 1);
        const __m256i bias = _mm256_set1_epi32(127);
        const __m256i first = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
        const __m256i second =
            _mm256_slli_epi32(_mm256_add_epi32(_mm256_sub_epi32(n, half), bias), 23);
        return _mm256_mul_ps(_mm256_mul_ps(p, _mm256_castsi256_ps(first)),
                             _mm256_castsi256_ps(second));
    }
    /// `value`, or the canonical NaN where `tested` is NaN.
    static __m256 canonicalHalf(__m256 value, __m256 tested)
    {
        const __m256 nan =
            _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(numeric::kCanonicalNanBits)));
        return _mm256_blendv_ps(value, nan, _mm256_cmp_ps(tested, tested, _CMP_UNORD_Q));
    }
    static __m256 bf16Half(__m256 x)
    {
        const __m256i bits = _mm256_castps_si256(x);
        const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
        const __m256i sum =
            _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
        const __m256i cut = _mm256_slli_epi32(_mm256_srli_epi32(sum, 16), 16);
        return canonicalHalf(_mm256_castsi256_ps(cut), x);
    }
    static __m256 f16Half(__m256 x)
    {
        const __m128i half = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        return canonicalHalf(_mm256_cvtph_ps(half), x);
    }
    static void splitPairs(__m256 low, __m256 high, __m256& even, __m256& odd)
    {
        // Within 128-bit halves first; the 64-bit permutation then puts the halves in order.
        const __m256 e = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
        const __m256 o = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
        even =
            _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(e), _MM_SHUFFLE(3, 1, 2, 0)));
        odd = _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(o), _MM_SHUFFLE(3, 1, 2, 0)));
    }
    static void joinPairs(__m256 even, __m256 odd, float* p)
    {
        const __m256 low = _mm256_unpacklo_ps(even, odd);
        const __m256 high = _mm256_unpackhi_ps(even, odd);
        _mm256_storeu_ps(p, _mm256_permute2f128_ps(low, high, 0x20));
        _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(low, high, 0x31));
    }
};

} // namespace ulp::kernels::avx2
