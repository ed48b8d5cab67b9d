// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sixteen float32 lanes in one AVX-512 register; members as in cpu/portable/ops_vec16.h.
// Include only from files compiled for AVX-512. Thread-safety: values.
#pragma once

#include <cstdint>

// GCC 12 takes the deliberately undefined operand inside its own intrinsics for a fault of the
// caller (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#include "engine/numeric/host_device.h"

namespace ulp::kernels::avx512 {

struct Vec16 {
    static constexpr int kTileRows = 6; // 24 accumulators, 4 loads, 1 broadcast of 32 registers
    static constexpr int kTileVectors = 4;

    __m512 v;

    static __mmask16 firstMask(std::int64_t n)
    {
        return static_cast<__mmask16>((1U << static_cast<unsigned>(n)) - 1U);
    }

    static Vec16 zero() { return {_mm512_setzero_ps()}; }
    static Vec16 all(float x) { return {_mm512_set1_ps(x)}; }
    static Vec16 load(const float* p) { return {_mm512_loadu_ps(p)}; }
    static Vec16 loadFirst(const float* p, std::int64_t n)
    {
        return {_mm512_maskz_loadu_ps(firstMask(n), p)};
    }
    void store(float* p) const { _mm512_storeu_ps(p, v); }
    void storeFirst(float* p, std::int64_t n) const { _mm512_mask_storeu_ps(p, firstMask(n), v); }

    static Vec16 add(Vec16 a, Vec16 b) { return {_mm512_add_ps(a.v, b.v)}; }
    static Vec16 sub(Vec16 a, Vec16 b) { return {_mm512_sub_ps(a.v, b.v)}; }
    static Vec16 mul(Vec16 a, Vec16 b) { return {_mm512_mul_ps(a.v, b.v)}; }
    static Vec16 div(Vec16 a, Vec16 b) { return {_mm512_div_ps(a.v, b.v)}; }
    static Vec16 fma(Vec16 a, Vec16 b, Vec16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
    static Vec16 negated(Vec16 a) { return {_mm512_xor_ps(a.v, _mm512_set1_ps(-0.0F))}; }
    static Vec16 magnitude(Vec16 a) { return {_mm512_abs_ps(a.v)}; }
    static Vec16 withSignOf(Vec16 a, Vec16 from)
    {
        return {_mm512_or_ps(a.v, _mm512_and_ps(from.v, _mm512_set1_ps(-0.0F)))};
    }
    static Vec16 whereLess(Vec16 a, Vec16 b, Vec16 x, Vec16 y)
    {
        return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ), y.v, x.v)};
    }
    static Vec16 greater(Vec16 a, Vec16 b) { return {_mm512_max_ps(a.v, b.v)}; }
    static Vec16 lesser(Vec16 a, Vec16 b) { return {_mm512_min_ps(a.v, b.v)}; }
    static Vec16 zeroWhereMinusInfinity(Vec16 a)
    {
        const __mmask16 keep =
            _mm512_cmp_ps_mask(a.v, _mm512_set1_ps(-__builtin_inff()), _CMP_NEQ_UQ);
        return {_mm512_maskz_mov_ps(keep, a.v)};
    }
    static Vec16 firstLanes(Vec16 a, std::int64_t n, float rest)
    {
        return {_mm512_mask_blend_ps(firstMask(n), _mm512_set1_ps(rest), a.v)};
    }
    static Vec16 timesPowerOfTwo(Vec16 p, Vec16 n, Vec16 /*shifted*/)
    {
        return {_mm512_scalef_ps(p.v, n.v)};
    }
    static Vec16 canonical(Vec16 a)
    {
        const __mmask16 nan = _mm512_cmp_ps_mask(a.v, a.v, _CMP_UNORD_Q);
        return {_mm512_mask_blend_ps(nan, a.v, canonicalNans())};
    }
    static Vec16 toBf16AndBack(Vec16 a)
    {
        const __m512i bits = _mm512_castps_si512(a.v);
        const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
        const __m512i sum =
            _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
        const __m512i cut = _mm512_slli_epi32(_mm512_srli_epi32(sum, 16), 16);
        const __mmask16 nan = _mm512_cmp_ps_mask(a.v, a.v, _CMP_UNORD_Q);
        return {_mm512_mask_blend_ps(nan, _mm512_castsi512_ps(cut), canonicalNans())};
    }
    static Vec16 toF16AndBack(Vec16 a)
    {
        const __m256i half = _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        return canonical({_mm512_cvtph_ps(half)});
    }
    [[nodiscard]] float fold() const
    {
        const __m256 by8 = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
        const __m128 by4 = _mm_add_ps(_mm256_castps256_ps128(by8), _mm256_extractf128_ps(by8, 1));
        const __m128 by2 = _mm_add_ps(by4, _mm_movehl_ps(by4, by4));
        return _mm_cvtss_f32(_mm_add_ss(by2, _mm_movehdup_ps(by2)));
    }
    [[nodiscard]] float largest() const
    {
        const __m256 by8 = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
        const __m128 by4 = _mm_max_ps(_mm256_castps256_ps128(by8), _mm256_extractf128_ps(by8, 1));
        const __m128 by2 = _mm_max_ps(by4, _mm_movehl_ps(by4, by4));
        return _mm_cvtss_f32(_mm_max_ss(by2, _mm_movehdup_ps(by2)));
    }
    static void loadPairs(const float* p, Vec16& a, Vec16& b)
    {
        const __m512 low = _mm512_loadu_ps(p);
        const __m512 high = _mm512_loadu_ps(p + 16);
        const __m512i even =
            _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
        a.v = _mm512_permutex2var_ps(low, even, high);
        b.v = _mm512_permutex2var_ps(low, odd, high);
    }
    static void storePairs(float* p, Vec16 a, Vec16 b)
    {
        const __m512i low =
            _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
        _mm512_storeu_ps(p, _mm512_permutex2var_ps(a.v, low, b.v));
        _mm512_storeu_ps(p + 16, _mm512_permutex2var_ps(a.v, high, b.v));
    }

  private:
    static __m512 canonicalNans()
    {
        return _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(numeric::kCanonicalNanBits)));
    }
};

} // namespace ulp::kernels::avx512
