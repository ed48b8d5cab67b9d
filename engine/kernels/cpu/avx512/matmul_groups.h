// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of 32 elements of block formats as AVX-512 kernels see them: as they are packed, and as
// they are unpacked for many tokens, with one interface. A vector lane is one row. Included by the
// files of this folder only; everything is in their anonymous namespace. Thread-safety: kernels
// touch their task alone. Ownership: views.
#pragma once

#include <immintrin.h>

#include "engine/kernels/cpu/panel_loop.h"

namespace ulp::kernels {
namespace {

using numeric::SubScales;
using numeric::WeightType;

// Far enough ahead for memory, for formats that take longer to widen than to read.
constexpr int kPrefetchBytes = 6144;

inline __m128i loadBytes16(const std::byte* p)
{
    return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}

inline __m512 bytesToFloats(__m128i bytes)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
}

/// A 16-bit shift by a signed count, to the left if it is negative.
template <int right>
inline __m512i shifted(__m512i v)
{
    if constexpr (right > 0) {
        return _mm512_srli_epi16(v, right);
    } else if constexpr (right < 0) {
        return _mm512_slli_epi16(v, -right);
    } else {
        return v;
    }
}

/// Bits of one part of the levels of word `s`, moved to bit `at` of each byte; neighbouring bits
/// are not masked away yet.
template <int bits, int at, int s>
inline __m512i partOfWord(const std::byte* lines)
{
    return shifted<s / bits * bits - at>(_mm512_load_si512(lines + s % bits * kLineBytes));
}

// ---- Groups: at(), next(), prefetch(), and for a half of 16 rows scale(), minimum(), levels();
// formats with a factor for each 16 elements also factor() and minimumFactors().

/// Groups as they are packed.
template <WeightType T>
struct PackedGroups {
    using Block = PackedBlock<T>;
    using Traits = typename Block::Traits;
    static constexpr std::int64_t kBlockElements = Traits::kElements;
    static constexpr std::int64_t kBlockBytes = Block::kBytes;
    static constexpr bool kHasMinimum = Block::kHasMinimum;
    static constexpr bool kHalves = Block::kSubScales == SubScales::Halves;

    struct Place {
        const std::byte* block;
        const std::byte* factors;
        const std::byte* levels;
        std::int64_t index; // of the group in its block
    };
    static Place at(const WeightRange& w)
    {
        return {w.block, w.block + Block::kFactors + w.first * Block::kGroupFactors,
                w.block + Block::kLevels + w.first * Block::kGroupBytes, w.first};
    }
    static void next(Place& p)
    {
        ++p.index;
        p.factors += Block::kGroupFactors;
        p.levels += Block::kGroupBytes;
        if (p.index == Block::kGroups) {
            p = at({p.block + Block::kBytes, 0, 0});
        }
    }
    static void prefetch(const Place& p)
    {
        if constexpr (Traits::kLevelBits != 8) { // bytes are read faster than memory gives them
            if (p.index == 0) {
                fetch<Block::kLevels>(p.block);
            }
            fetch<Block::kGroupBytes>(p.levels);
        }
    }
    template <std::int64_t bytes>
    static void fetch(const std::byte* from)
    {
#pragma GCC unroll 16
        for (std::int64_t line = 0; line < bytes; line += kLineBytes) {
            _mm_prefetch(reinterpret_cast<const char*>(from) + kPrefetchBytes + line, _MM_HINT_T0);
        }
    }

    static __m512 widen(const std::byte* line, int half)
    {
        const __m256i words = _mm256_load_si256(reinterpret_cast<const __m256i*>(line) + half);
        if constexpr (Traits::kScaleIsBf16) {
            return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(words), 16));
        } else {
            return _mm512_cvtph_ps(words);
        }
    }
    static __m128i factorBytes(const Place& p, int which, int half)
    {
        return loadBytes16(p.factors + which * kPanelRows + half * kHalfRows);
    }
    static __m512 scale(const Place& p, int half)
    {
        const __m512 d = widen(p.block, half);
        if constexpr (Block::kSubScales == SubScales::Whole) {
            return _mm512_mul_ps(d, bytesToFloats(factorBytes(p, 0, half)));
        } else {
            return d;
        }
    }
    static __m512 minimum(const Place& p, int half)
    {
        const __m512 m = widen(p.block + Block::kMinimums, half);
        if constexpr (Block::kSubScales == SubScales::Whole) {
            return _mm512_mul_ps(m, bytesToFloats(factorBytes(p, 1, half)));
        } else {
            return m;
        }
    }
    static __m512 factor(const Place& p, int half, int which)
    {
        const __m128i bytes = factorBytes(p, which, half);
        return bytesToFloats(kHasMinimum ? _mm_and_si128(bytes, _mm_set1_epi8(15)) : bytes);
    }
    /// Pairs of 16 bits, the first half's low.
    static __m512i minimumFactors(const Place& p, int half)
    {
        const __m512i first = _mm512_cvtepu8_epi32(factorBytes(p, 0, half));
        const __m512i second = _mm512_cvtepu8_epi32(factorBytes(p, 1, half));
        const __m512i high = _mm512_slli_epi32(_mm512_srli_epi32(second, 4), 16);
        return _mm512_or_si512(_mm512_srli_epi32(first, 4), high);
    }
    template <int s>
    static __m512i levels(const Place& p, int half)
    {
        const std::byte* lines = p.levels + half * Block::kHalfBytes;
        __m512i v = partOfWord<Block::kLowBits, 0, s>(lines);
        if constexpr (Block::kLowBits != 8) {
            v = _mm512_and_si512(v, _mm512_set1_epi8((1 << Block::kLowBits) - 1));
        }
        if constexpr (Block::kHighBits != 0) {
            const __m512i high =
                partOfWord<Block::kHighBits, Block::kLowBits, s>(lines + Block::kHighLines);
            const __m512i mask = _mm512_set1_epi8(((1 << Block::kHighBits) - 1) << Block::kLowBits);
            v = _mm512_ternarylogic_epi32(v, high, mask, 0xF8); // v | (high & mask)
        }
        if constexpr (Traits::kHasCodebook) {
            const __m128i book =
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(Traits::kCodebook));
            v = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(book), v);
        }
        return v;
    }
};

/// What a group is unpacked to: 32 float scales, float minimums, factors of either half, pairs of
/// minimum factors (as far as the format has them), and 16 lines of 8-bit levels.
template <bool hasMinimum, bool halves>
struct UnpackedGroups {
    static constexpr std::int64_t kMinimums = 128;
    static constexpr std::int64_t kFactors = hasMinimum ? 256 : 128;
    static constexpr std::int64_t kMinimumFactors = kFactors + 256;
    static constexpr std::int64_t kLevels = !halves      ? kFactors
                                            : hasMinimum ? kMinimumFactors + 128
                                                         : kMinimumFactors;
    static constexpr std::int64_t kBlockElements = numeric::kGroup;
    static constexpr std::int64_t kBlockBytes = kLevels + 16 * kLineBytes;
    static constexpr bool kHasMinimum = hasMinimum;
    static constexpr bool kHalves = halves;

    using Place = const std::byte*;
    static Place at(const WeightRange& w) { return w.block + w.first * kBlockBytes; }
    static void next(Place& p) { p += kBlockBytes; }
    static void prefetch(const Place& /*p*/) {}

    static __m512 scale(Place p, int half) { return _mm512_load_ps(p + half * 64); }
    static __m512 minimum(Place p, int half) { return _mm512_load_ps(p + kMinimums + half * 64); }
    static __m512 factor(Place p, int half, int which)
    {
        return _mm512_load_ps(p + kFactors + which * 128 + half * 64);
    }
    static __m512i minimumFactors(Place p, int half)
    {
        return _mm512_load_si512(p + kMinimumFactors + half * 64);
    }
    template <int s>
    static __m512i levels(Place p, int half)
    {
        return _mm512_load_si512(p + kLevels + (half * 8 + s) * kLineBytes);
    }
};

} // namespace
} // namespace ulp::kernels
