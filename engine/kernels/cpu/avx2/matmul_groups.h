// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of 32 elements of block formats as AVX2 kernels see them: as they are packed, and as they
// are unpacked for many tokens, with one interface. A vector lane is one row.
// vpmaddubsw adds pairs with saturation to 16 bits. Nothing may saturate: levels of 8 bits go
// through it four bits at a time ("planes"), and only as many words of four elements are added in
// 16 bits as stay below 2^15 (kWordsPerSum).
// Included by the files of this folder only; everything is in their anonymous namespace.
// Thread-safety: kernels touch their task alone. Ownership: views.
#pragma once

#include <immintrin.h>

#include "engine/kernels/cpu/panel_loop.h"

namespace ulp::kernels {
namespace {

using numeric::SubScales;
using numeric::WeightType;

constexpr int kPrefetchBytes = 6144;

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

/// A 16-bit shift by a signed count, to the left if it is negative.
template <int right>
inline __m256i shifted(__m256i v)
{
    if constexpr (right > 0) {
        return _mm256_srli_epi16(v, right);
    } else if constexpr (right < 0) {
        return _mm256_slli_epi16(v, -right);
    } else {
        return v;
    }
}

/// Bits of one part of the levels of word `s`, moved to bit `at` of each byte and masked.
template <int bits, int at, int s>
inline __m256i partOfWord(const std::byte* lines)
{
    const __m256i v = shifted<s / bits * bits - at>(loadInts(lines + s % bits * kLineBytes));
    if constexpr (bits == 8) {
        return v;
    } else {
        return _mm256_and_si256(v, _mm256_set1_epi8(((1 << bits) - 1) << at));
    }
}

// ---- Groups: at(), next(), prefetch(), and for rows 8v .. 8v + 7 scale(), minimum(), plane();
// formats with a factor for each 16 elements also factor(), factorPairs() and minimumPairs().

/// Groups as they are packed.
template <WeightType T>
struct PackedGroups {
    using Block = PackedBlock<T>;
    using Traits = typename Block::Traits;
    static constexpr std::int64_t kBlockElements = Traits::kElements;
    static constexpr std::int64_t kBlockBytes = Block::kBytes;
    static constexpr bool kHasMinimum = Block::kHasMinimum;
    static constexpr bool kHalves = Block::kSubScales == SubScales::Halves;
    static constexpr int kOffset = Traits::kOffset;
    static constexpr int kLargest = Traits::kHasCodebook && kOffset == 128 ? 255
                                    : Traits::kHasCodebook                 ? 2 * kOffset
                                                           : (1 << Traits::kLevelBits) - 1;
    static constexpr int kPlanes = kLargest > 127 ? 2 : 1;
    /// Words of a plane that 16 bits hold: two products of 127 for each.
    static constexpr int kWordsThatFit = 32767 / (2 * 127 * (kPlanes == 2 ? 15 : kLargest));
    static constexpr int kWordsPerSum = kWordsThatFit >= 8   ? (kHalves ? 4 : 8)
                                        : kWordsThatFit >= 4 ? 4
                                                             : 2;
    static_assert(kWordsThatFit >= 2);

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
        if (p.index == 0) {
            fetch<Block::kLevels>(p.block);
        }
        fetch<Block::kGroupBytes>(p.levels);
    }
    template <std::int64_t bytes>
    static void fetch(const std::byte* from)
    {
#pragma GCC unroll 16
        for (std::int64_t line = 0; line < bytes; line += kLineBytes) {
            _mm_prefetch(reinterpret_cast<const char*>(from) + kPrefetchBytes + line, _MM_HINT_T0);
        }
    }

    static __m128i factorBytes(const Place& p, int which, int v)
    {
        return _mm_loadl_epi64(
            reinterpret_cast<const __m128i*>(p.factors + which * kPanelRows + v * 8));
    }
    static __m256 byteFloats(const Place& p, int which, int v)
    {
        return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(factorBytes(p, which, v)));
    }
    static __m256 scale(const Place& p, int v)
    {
        __m256 d;
        if constexpr (Traits::kScaleIsBf16) {
            const __m128i words =
                _mm_load_si128(reinterpret_cast<const __m128i*>(p.block + v * 16));
            d = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words), 16));
        } else {
            d = widenHalves(p.block + v * 16);
        }
        if constexpr (Block::kSubScales == SubScales::Whole) {
            d = _mm256_mul_ps(d, byteFloats(p, 0, v));
        }
        return d;
    }
    static __m256 minimum(const Place& p, int v)
    {
        const __m256 m = widenHalves(p.block + Block::kMinimums + v * 16);
        if constexpr (Block::kSubScales == SubScales::Whole) {
            return _mm256_mul_ps(m, byteFloats(p, 1, v));
        } else {
            return m;
        }
    }
    static __m128i scaleFactors(const Place& p, int which, int v)
    {
        const __m128i bytes = factorBytes(p, which, v);
        return kHasMinimum ? _mm_and_si128(bytes, _mm_set1_epi8(15)) : bytes;
    }
    /// The factor of a half of the group, twice in 16 bits.
    static __m256i factor(const Place& p, int v, int which)
    {
        const __m128i bytes = scaleFactors(p, which, v);
        return _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(bytes, bytes));
    }
    /// Both factors in 16 bits each, the first half's low.
    static __m256i factorPairs(const Place& p, int v)
    {
        return _mm256_cvtepi8_epi16(
            _mm_unpacklo_epi8(scaleFactors(p, 0, v), scaleFactors(p, 1, v)));
    }
    static __m256i minimumPairs(const Place& p, int v)
    {
        const __m128i both = _mm_unpacklo_epi8(factorBytes(p, 0, v), factorBytes(p, 1, v));
        return _mm256_cvtepu8_epi16(_mm_and_si128(_mm_srli_epi16(both, 4), _mm_set1_epi8(15)));
    }
    template <int s, int plane>
    static __m256i levels(const Place& p, int v)
    {
        const std::byte* lines = p.levels + v / 2 * Block::kHalfBytes + v % 2 * 32;
        const __m256i nibbles = _mm256_set1_epi8(15);
        if constexpr (Block::kLowBits == 8) {
            const __m256i bytes = loadInts(lines + s * kLineBytes);
            return _mm256_and_si256(shifted<4 * plane>(bytes), nibbles);
        } else if constexpr (Traits::kHasCodebook) {
            __m128i book = _mm_loadu_si128(reinterpret_cast<const __m128i*>(Traits::kCodebook));
            if constexpr (kPlanes == 2) {
                book =
                    _mm_and_si128(plane == 0 ? book : _mm_srli_epi16(book, 4), _mm_set1_epi8(15));
            }
            return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(book),
                                       partOfWord<4, 0, s>(lines));
        } else {
            const __m256i low = partOfWord<Block::kLowBits, 0, s>(lines);
            if constexpr (Block::kHighBits == 0) {
                return low;
            } else {
                return _mm256_or_si256(low, partOfWord<Block::kHighBits, Block::kLowBits, s>(
                                                lines + Block::kHighLines));
            }
        }
    }
};

/// What a group of a format is unpacked to: 32 float scales, float minimums, for formats with a
/// factor for each 16 elements what their accessors give, and 16 lines of levels for each plane.
template <bool hasMinimum, bool halves, int offset, int planes, int wordsPerSum>
struct UnpackedGroups {
    static constexpr std::int64_t kMinimums = 128;
    static constexpr std::int64_t kFactors = 256; // of the first half, then of the second
    static constexpr std::int64_t kPairs = kFactors + 256;
    static constexpr std::int64_t kMinimumPairs = kPairs + 128;
    static constexpr std::int64_t kLevels = halves ? kMinimumPairs + 128 : kFactors;
    static constexpr std::int64_t kPlaneBytes = 16 * kLineBytes;
    static constexpr std::int64_t kBlockElements = numeric::kGroup;
    static constexpr std::int64_t kBlockBytes = kLevels + planes * kPlaneBytes;
    static constexpr bool kHasMinimum = hasMinimum;
    static constexpr bool kHalves = halves;
    static constexpr int kOffset = offset;
    static constexpr int kPlanes = planes;
    static constexpr int kWordsPerSum = wordsPerSum;

    using Place = const std::byte*;
    static Place at(const WeightRange& w) { return w.block + w.first * kBlockBytes; }
    static void next(Place& p) { p += kBlockBytes; }
    static void prefetch(Place /*p*/) {}

    static __m256 scale(Place p, int v) { return loadFloats(p + v * 32); }
    static __m256 minimum(Place p, int v) { return loadFloats(p + kMinimums + v * 32); }
    static __m256i factor(Place p, int v, int which)
    {
        return loadInts(p + kFactors + which * 128 + v * 32);
    }
    static __m256i factorPairs(Place p, int v) { return loadInts(p + kPairs + v * 32); }
    static __m256i minimumPairs(Place p, int v) { return loadInts(p + kMinimumPairs + v * 32); }
    static std::int64_t levelsAt(int v, int s, int plane)
    {
        return kLevels + plane * kPlaneBytes + (v / 2 * 8 + s) * kLineBytes + v % 2 * 32;
    }
    template <int s, int plane>
    static __m256i levels(Place p, int v)
    {
        return loadInts(p + levelsAt(v, s, plane));
    }
};

} // namespace
} // namespace ulp::kernels
