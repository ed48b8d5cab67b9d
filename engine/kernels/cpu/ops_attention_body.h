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

/// tileProduct for the last `vectors` < P + 1 vectors of columns.
template <typename V, int R, int P>
[[gnu::always_inline]] inline void restProduct(const float* a, std::int64_t aStride, const float* b,
                                               std::int64_t bStride, std::int64_t first,
                                               std::int64_t last, float* c, std::int64_t cStride,
                                               std::int64_t vectors, bool fresh)
{
    if constexpr (P > 0) {
        if (vectors == P) {
            tileProduct<V, R, P>(a, aStride, b, bStride, first, last, c, cStride, fresh);
        } else {
            restProduct<V, R, P - 1>(a, aStride, b, bStride, first, last, c, cStride, vectors,
                                     fresh);
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
    restProduct<V, R, kP - 1>(a, aStride, b + p * 16, bStride, first, last, c + p * 16, cStride,
                              vectors - p, fresh);
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

/// Scores of one row -> scaled scores, in place. Returns their max. 1 <= valid <= 64
template <typename V>
[[gnu::always_inline]] inline float scaleScores(float* scores, std::int64_t valid, const V& scale)
{
    V largest = V::all(kMinusInfinity);
    std::int64_t i = 0;
    for (; i + 16 <= valid; i += 16) {
        const V s = V::mul(V::load(scores + i), scale);
        s.store(scores + i);
        largest = V::greater(s, largest);
    }
    if (i < valid) {
        const V s = V::firstLanes(V::mul(V::load(scores + i), scale), valid - i, kMinusInfinity);
        s.store(scores + i);
        largest = V::greater(s, largest);
    }
    return largest.largest();
}

/// The same with a cap, or for a row that does not see the first `hidden` positions of the chunk.
template <typename V>
float scaleUnusualScores(float* scores, std::int64_t hidden, std::int64_t valid, const V& scale,
                         float cap)
{
    const V limit = V::all(cap);
    const V inverse = V::all(1.0F / cap);
    V largest = V::all(kMinusInfinity);
    for (std::int64_t i = 0; i < valid; i += 16) {
        V s = V::mul(V::load(scores + i), scale);
        if (cap != 0.0F) {
            s = softCapOf(s, limit, inverse);
        }
        if (i < hidden) {
            // Minus infinity is no max, and its weight is +0.
            float lanes[16];
            s.store(lanes);
            for (std::int64_t j = 0; j < 16 && i + j < hidden; ++j) {
                lanes[j] = kMinusInfinity;
            }
            s = V::load(lanes);
        }
        s = valid - i < 16 ? V::firstLanes(s, valid - i, kMinusInfinity) : s;
        s.store(scores + i);
        largest = V::greater(s, largest);
    }
    return largest.largest();
}

/// Scaled scores of one row -> weights, in place. Returns the lanes of their sum.
template <typename V>
[[gnu::always_inline]] inline V weightsOf(float* scores, std::int64_t valid, float max)
{
    const V shift = V::all(max == kMinusInfinity ? 0.0F : max);
    V lanes = V::zero();
    if (valid == kChunk) {
        // The usual case, with its trip count known: four independent chains.
#pragma GCC unroll 4
        for (int i = 0; i < kChunk; i += 16) {
            const V w = expOfNonPositive(V::sub(V::load(scores + i), shift));
            w.store(scores + i);
            lanes = V::add(lanes, w);
        }
        return lanes;
    }
    forEach16(valid, [&](std::int64_t i, std::int64_t count) {
        // Lanes beyond `valid` get weight +0, which changes no lane sum; by way of exp(0), because
        // exp(-inf) underflows, and processors are slow at that.
        const V x = V::firstLanes(V::sub(V::load(scores + i), shift), count, 0.0F);
        const V w = V::firstLanes(expOfNonPositive(x), count, 0.0F);
        w.store(scores + i);
        lanes = V::add(lanes, w);
    });
    return lanes;
}

/// Softmax of the rows of a tile. scores: [rows, 64] -> weights. The three steps go over all rows
/// each, so that the latency of one row's reduction hides behind the others'.
template <typename V>
[[gnu::always_inline]] inline void
softmaxRows(float* scores, std::int64_t rows, const std::int64_t* hidden, const std::int64_t* valid,
            const AttentionBlock& block, float* max, float* sum)
{
    const V factor = V::all(block.scale);
    V lanes[V::kTileRows];
    for (std::int64_t r = 0; r < rows; ++r) {
        if (valid[r] > 0) {
            float* row = scores + r * kChunk;
            max[r] = hidden[r] > 0 || block.softCap != 0.0F
                         ? scaleUnusualScores<V>(row, hidden[r], valid[r], factor, block.softCap)
                         : scaleScores<V>(row, valid[r], factor);
        }
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        if (valid[r] > 0) {
            lanes[r] = weightsOf<V>(scores + r * kChunk, valid[r], max[r]);
        }
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        if (valid[r] > 0) {
            sum[r] = lanes[r].fold();
        }
    }
}

/// attentionPartial for vectors [begin, begin + rows), rows <= V::kTileRows.
template <typename V>
void tilePartial(const AttentionBlock& block, const KvBlock& kv, std::int64_t begin,
                 std::int64_t rows, const AttentionState& partial)
{
    alignas(64) float weights[V::kTileRows * kChunk];
    std::int64_t hidden[V::kTileRows];
    std::int64_t valid[V::kTileRows];
    std::int64_t mostHidden = 0;
    std::int64_t most = 0;
    std::int64_t common = kChunk;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t seen = block.lengths[begin + r] - kv.start;
        valid[r] = seen < 0 ? 0 : (seen > kChunk ? kChunk : seen);
        const std::int64_t before =
            block.firsts == nullptr ? 0 : block.firsts[begin + r] - kv.start;
        hidden[r] = before < 0 ? 0 : before;
        valid[r] = hidden[r] < valid[r] ? valid[r] : 0;
        mostHidden = valid[r] > 0 && hidden[r] > mostHidden ? hidden[r] : mostHidden;
        partial.filled[begin + r] = valid[r] > 0;
        most = valid[r] > most ? valid[r] : most;
        common = valid[r] > 0 && valid[r] < common ? valid[r] : common;
    }
    if (most == 0) {
        return;
    }
    product<V>(rows, block.q + begin * block.headDim, block.headDim, kv.keys, kChunk, 0,
               block.headDim, weights, kChunk, (most + 15) / 16, true);
    softmaxRows<V>(weights, rows, hidden, valid, block, partial.max + begin, partial.sum + begin);
    const std::int64_t dim = block.paddedDim;
    float* values = partial.values + begin * dim;
    if (mostHidden > 0) {
        // The one chunk in which a window begins: each row by itself.
        for (std::int64_t r = 0; r < rows; ++r) {
            if (valid[r] > 0) {
                rowsProduct<V, 1>(weights + r * kChunk, kChunk, kv.values, dim, hidden[r], valid[r],
                                  values + r * dim, dim, dim / 16, true);
            }
        }
        return;
    }
    // The positions that all rows see together, then each row's own rest. Never a position that a
    // row must not see: zero times a stranger's infinity would be NaN.
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
    // Tiles as even as can be: a tile of few rows cannot hide the latency of its sums.
    const std::int64_t tiles = (block.vectors + V::kTileRows - 1) / V::kTileRows;
    for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t begin = block.vectors * t / tiles;
        tilePartial<V>(block, kv, begin, block.vectors * (t + 1) / tiles - begin, partial);
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
    return {m, expOfNonPositive(V::sub(into, shift)), expOfNonPositive(V::sub(from, shift))};
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
    return {sumOfSquares<V>,
            sum<V>,
            subtract<V>,
            normalise<V>,
            rotateInterleaved<V>,
            rotateHalves<V>,
            swiglu<V>,
            geglu<V>,
            gelu<V>,
            scale<V>,
            addScaled<V>,
            expShifted<V>,
            softCap<V>,
            add<V>,
            roundTo<V>,
            attentionPartial<V>,
            attentionMerge<V>,
            divideBy<V>};
}

} // namespace ulp::kernels::body
