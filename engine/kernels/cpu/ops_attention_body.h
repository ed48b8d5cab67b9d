// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention over one KV chunk, and the merge of two softmax states, written once over a vector of
// 16 lanes V. Both products (queries x keys, weights x values) are one register-tiled kernel:
// lanes are outputs, the inner index ascends. Include only from cpu/*/ops_*.cpp.
// Thread-safety: pure functions over the caller's buffers.
#pragma once

#include <cstdint>

#include "engine/kernels/cpu/ops_body.h"
#include "engine/numeric/contract.h"

namespace ulp::kernels::body {

inline constexpr std::int64_t kChunk = numeric::kKvChunk;
inline constexpr float kMinusInfinity = -__builtin_inff();

/// c[r, :] = chain over k in [first, last) of fma(a[r, k], b[k, :], c[r, :]), ascending, for R rows
/// and P vectors of columns, continuing c or, if `fresh`, from +0.
template <typename V, int R, int P>
[[gnu::always_inline]] inline void
tileProduct(const float* a, std::int64_t aStride, const float* b, std::int64_t bStride,
            std::int64_t first, std::int64_t last, float* c, std::int64_t cStride, bool fresh)
{
    V sums[R][P];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
        for (int p = 0; p < P; ++p) {
            sums[r][p] = fresh ? V::zero() : V::load(c + r * cStride + p * 16);
        }
    }
    for (std::int64_t k = first; k < last; ++k) {
        V columns[P];
#pragma GCC unroll 4
        for (int p = 0; p < P; ++p) {
            columns[p] = V::load(b + k * bStride + p * 16);
        }
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            const V left = V::all(a[r * aStride + k]);
#pragma GCC unroll 4
            for (int p = 0; p < P; ++p) {
                sums[r][p] = V::fma(left, columns[p], sums[r][p]);
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
        for (int p = 0; p < P; ++p) {
            sums[r][p].store(c + r * cStride + p * 16);
        }
    }
}

/// tileProduct for any number of vectors of columns.
template <typename V, int R>
void rowsProduct(const float* a, std::int64_t aStride, const float* b, std::int64_t bStride,
                 std::int64_t first, std::int64_t last, float* c, std::int64_t cStride,
                 std::int64_t vectors, bool fresh)
{
    constexpr int kP = V::kTileVectors;
    std::int64_t p = 0;
    for (; p + kP <= vectors; p += kP) {
        tileProduct<V, R, kP>(a, aStride, b + p * 16, bStride, first, last, c + p * 16, cStride,
                              fresh);
    }
    if constexpr (kP > 1) {
        for (; p < vectors; ++p) {
            tileProduct<V, R, 1>(a, aStride, b + p * 16, bStride, first, last, c + p * 16, cStride,
                                 fresh);
        }
    }
}

/// rowsProduct for `rows` <= R rows.
template <typename V, int R = V::kTileRows>
[[gnu::always_inline]] inline void product(std::int64_t rows, const float* a, std::int64_t aStride,
                                           const float* b, std::int64_t bStride, std::int64_t first,
                                           std::int64_t last, float* c, std::int64_t cStride,
                                           std::int64_t vectors, bool fresh)
{
    if (rows == R) {
        rowsProduct<V, R>(a, aStride, b, bStride, first, last, c, cStride, vectors, fresh);
        return;
    }
    if constexpr (R > 1) {
        product<V, R - 1>(rows, a, aStride, b, bStride, first, last, c, cStride, vectors, fresh);
    }
}

/// Scores of one vector -> weights, in place; its max and sum. 1 <= valid <= 64
template <typename V>
[[gnu::always_inline]] inline void softmaxOfChunk(float* scores, std::int64_t valid, float scale,
                                                  float* max, float* sum)
{
    // Positions beyond `valid` become -inf: weight exactly +0, which changes no lane sum.
    const V factor = V::all(scale);
    V s[kChunk / 16];
    V largest = V::all(kMinusInfinity);
#pragma GCC unroll 4
    for (int i = 0; i < kChunk / 16; ++i) {
        s[i] = V::all(kMinusInfinity);
        const std::int64_t left = valid - 16 * i;
        if (left > 0) {
            s[i] = V::mul(V::load(scores + 16 * i), factor);
            s[i] = left >= 16 ? s[i] : V::firstLanes(s[i], left, kMinusInfinity);
        }
        largest = V::greater(s[i], largest);
    }
    *max = largest.largest();
    const V shift = V::all(*max == kMinusInfinity ? 0.0F : *max);
    V lanes = V::zero();
#pragma GCC unroll 4
    for (int i = 0; i < kChunk / 16; ++i) {
        const V w = expOf(V::sub(s[i], shift));
        lanes = V::add(lanes, w);
        w.store(scores + 16 * i);
    }
    *sum = lanes.fold();
}

/// attentionPartial for vectors [begin, begin + rows), rows <= V::kTileRows.
template <typename V>
void tilePartial(const AttentionBlock& block, const KvBlock& kv, std::int64_t begin,
                 std::int64_t rows, const AttentionState& partial)
{
    alignas(64) float weights[V::kTileRows * kChunk];
    std::int64_t valid[V::kTileRows];
    std::int64_t most = 0;
    std::int64_t common = kChunk;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t seen = block.lengths[begin + r] - kv.start;
        valid[r] = seen < 0 ? 0 : (seen > kChunk ? kChunk : seen);
        partial.filled[begin + r] = valid[r] > 0;
        most = valid[r] > most ? valid[r] : most;
        common = valid[r] > 0 && valid[r] < common ? valid[r] : common;
    }
    if (most == 0) {
        return;
    }
    product<V>(rows, block.q + begin * block.headDim, block.headDim, kv.keys, kChunk, 0,
               block.headDim, weights, kChunk, (most + 15) / 16, true);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (valid[r] > 0) {
            softmaxOfChunk<V>(weights + r * kChunk, valid[r], block.scale, &partial.max[begin + r],
                              &partial.sum[begin + r]);
        }
    }
    // The positions that all rows see together, then each row's own rest. Never a position that a
    // row must not see: zero times a stranger's infinity would be NaN.
    const std::int64_t dim = block.paddedDim;
    float* values = partial.values + begin * dim;
    product<V>(rows, weights, kChunk, kv.values, dim, 0, common, values, dim, dim / 16, true);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (valid[r] > common) {
            rowsProduct<V, 1>(weights + r * kChunk, kChunk, kv.values, dim, common, valid[r],
                              values + r * dim, dim, dim / 16, false);
        }
    }
}

template <typename V>
void attentionPartial(const AttentionBlock& block, const KvBlock& kv, const AttentionState& partial)
{
    for (std::int64_t begin = 0; begin < block.vectors; begin += V::kTileRows) {
        const std::int64_t left = block.vectors - begin;
        tilePartial<V>(block, kv, begin, left < V::kTileRows ? left : V::kTileRows, partial);
    }
}

template <typename V>
struct MergeScales {
    V max;
    V ofInto;
    V ofFrom;
};

/// The contract's rescaling of 16 vectors' states.
template <typename V>
[[gnu::always_inline]] inline MergeScales<V> mergeScales(const V& into, const V& from)
{
    const V m = V::greater(from, into);
    // Where m is -inf: 0. No lane is NaN here.
    const V shift = V::zeroWhereMinusInfinity(m);
    return {m, expOf(V::sub(into, shift)), expOf(V::sub(from, shift))};
}

/// a * f + b * g in two parts: the rounded value and (nearly all of) what rounding lost, by exact
/// products (fma) and Knuth's TwoSum.
template <typename V>
[[gnu::always_inline]] inline void mergeCompensated(V& a, V& aError, const V& b, const V& bError,
                                                    const V& f, const V& g)
{
    const V x = V::mul(a, f);
    const V y = V::mul(b, g);
    const V xLost = V::fma(a, f, V::negated(x));
    const V yLost = V::fma(b, g, V::negated(y));
    const V total = V::add(x, y);
    const V part = V::sub(total, x);
    const V lost = V::add(V::sub(x, V::sub(total, part)), V::sub(y, part));
    V error = V::fma(aError, f, V::mul(bError, g));
    error = V::add(error, V::add(xLost, yLost));
    aError = V::add(error, lost);
    a = total;
}

/// Merges one vector's values by its scales f and g.
template <typename V>
[[gnu::always_inline]] inline void mergeValues(const AttentionState& into,
                                               const AttentionState& from, std::int64_t offset,
                                               std::int64_t dim, float f, float g)
{
    const V ofInto = V::all(f);
    const V ofFrom = V::all(g);
    for (std::int64_t i = offset; i < offset + dim; i += 16) {
        V a = V::load(into.values + i);
        const V b = V::load(from.values + i);
        if (into.valueErrors != nullptr) {
            V error = V::load(into.valueErrors + i);
            mergeCompensated(a, error, b, V::load(from.valueErrors + i), ofInto, ofFrom);
            error.store(into.valueErrors + i);
        } else {
            a = V::fma(b, ofFrom, V::mul(a, ofInto));
        }
        a.store(into.values + i);
    }
}

/// The first state of a vector is taken as it is.
template <typename V>
void copyState(const AttentionState& into, const AttentionState& from, std::int64_t vector,
               std::int64_t dim)
{
    into.filled[vector] = true;
    into.max[vector] = from.max[vector];
    into.sum[vector] = from.sum[vector];
    if (into.sumError != nullptr) {
        into.sumError[vector] = from.sumError[vector];
    }
    for (std::int64_t i = vector * dim; i < (vector + 1) * dim; i += 16) {
        V::load(from.values + i).store(into.values + i);
        if (into.valueErrors != nullptr) {
            V::load(from.valueErrors + i).store(into.valueErrors + i);
        }
    }
}

template <typename V>
void attentionMerge(const AttentionBlock& block, const AttentionState& into,
                    const AttentionState& from)
{
    for (std::int64_t begin = 0; begin < block.vectors; begin += 16) {
        const std::int64_t left = block.vectors - begin;
        const std::int64_t count = left < 16 ? left : 16;
        float f[16];
        float g[16];
        float max[16];
        float sum[16];
        float sumError[16] = {};
        const MergeScales<V> scales =
            mergeScales(loadSome<V>(into.max + begin, count), loadSome<V>(from.max + begin, count));
        scales.max.store(max);
        scales.ofInto.store(f);
        scales.ofFrom.store(g);
        V total = loadSome<V>(into.sum + begin, count);
        const V other = loadSome<V>(from.sum + begin, count);
        if (into.sumError != nullptr) {
            V error = loadSome<V>(into.sumError + begin, count);
            mergeCompensated(total, error, other, loadSome<V>(from.sumError + begin, count),
                             scales.ofInto, scales.ofFrom);
            error.store(sumError);
        } else {
            total = V::fma(other, scales.ofFrom, V::mul(total, scales.ofInto));
        }
        total.store(sum);
        for (std::int64_t r = 0; r < count; ++r) {
            const std::int64_t vector = begin + r;
            if (!from.filled[vector]) {
                continue;
            }
            if (!into.filled[vector]) {
                copyState<V>(into, from, vector, block.paddedDim);
                continue;
            }
            into.max[vector] = max[r];
            into.sum[vector] = sum[r];
            if (into.sumError != nullptr) {
                into.sumError[vector] = sumError[r];
            }
            mergeValues<V>(into, from, vector * block.paddedDim, block.paddedDim, f[r], g[r]);
        }
    }
}

/// The table of one instruction set.
template <typename V>
constexpr OpsKernels tableOf()
{
    return {sumOfSquares<V>, normalise<V>, rotateInterleaved<V>, rotateHalves<V>,   swiglu<V>,
            add<V>,          roundTo<V>,   attentionPartial<V>,  attentionMerge<V>, divideBy<V>};
}

} // namespace ulp::kernels::body
