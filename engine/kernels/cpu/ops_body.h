// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The elementwise and row loops of the ops, written once over a vector of 16 lanes (V: cpu/*/
// ops_vec16.h) and compiled once for each instruction set. Equal bits on all of them follow from
// equal operations in equal lanes. Include only from cpu/*/ops_*.cpp; nothing here may end up in a
// symbol that another instruction set shares, hence templates over V alone.
// Thread-safety: pure functions over the caller's buffers.
#pragma once

#include <cstdint>

#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/numeric/math.h"

namespace ulp::kernels::body {

/// numeric::expFloat, lane by lane, but for its upper clamp: for x <= 0, -inf or NaN.
template <typename V>
[[gnu::always_inline]] inline V expOfNonPositive(const V& x)
{
    namespace c = numeric::exp_constants;
    const V v = V::greater(V::all(c::kLowest), x);
    const V shifted = V::fma(v, V::all(c::kLog2E), V::all(c::kRoundMagic));
    const V n = V::sub(shifted, V::all(c::kRoundMagic));
    V r = V::fma(n, V::all(c::kMinusLn2High), v);
    r = V::fma(n, V::all(c::kMinusLn2Low), r);
    V p = V::fma(V::all(c::kP5), r, V::all(c::kP4));
    p = V::fma(p, r, V::all(c::kP3));
    p = V::fma(p, r, V::all(c::kP2));
    p = V::fma(p, r, V::all(c::kP1));
    p = V::fma(p, r, V::all(c::kP0));
    p = V::fma(p, V::mul(r, r), r);
    p = V::add(p, V::all(1.0F));
    return V::timesPowerOfTwo(p, n, shifted);
}

/// numeric::expFloat, lane by lane.
template <typename V>
[[gnu::always_inline]] inline V expOf(const V& x)
{
    return expOfNonPositive(V::lesser(V::all(numeric::exp_constants::kHighest), x));
}

/// Calls f(offset, count) for each 16 elements of n; count is 16 but for the last.
template <typename F>
[[gnu::always_inline]] inline void forEach16(std::int64_t n, F f)
{
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        f(i, std::int64_t{16});
    }
    if (i < n) {
        f(i, n - i);
    }
}

template <typename V>
[[gnu::always_inline]] inline V loadSome(const float* p, std::int64_t count)
{
    return count == 16 ? V::load(p) : V::loadFirst(p, count);
}

template <typename V>
[[gnu::always_inline]] inline void storeSome(const V& v, float* p, std::int64_t count)
{
    if (count == 16) {
        v.store(p);
    } else {
        v.storeFirst(p, count);
    }
}

template <typename V>
float sumOfSquares(const float* x, std::int64_t n)
{
    // A missing lane of the last step adds +0 * +0 to a sum that is never -0: no change.
    V lanes = V::zero();
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V v = loadSome<V>(x + i, count);
        lanes = V::fma(v, v, lanes);
    });
    return lanes.fold();
}

template <typename V>
void normalise(const float* x, const float* weight, float factor, std::int64_t n, float* out)
{
    const V scale = V::all(factor);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V scaled = V::mul(loadSome<V>(x + i, count), scale);
        const V y = V::mul(scaled, loadSome<V>(weight + i, count));
        storeSome(V::canonical(y), out + i, count);
    });
}

template <typename V>
void swiglu(const float* gate, const float* up, std::int64_t n, float* out)
{
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V g = loadSome<V>(gate + i, count);
        const V silu = V::div(g, V::add(V::all(1.0F), expOf(V::negated(g))));
        storeSome(V::canonical(V::mul(silu, loadSome<V>(up + i, count))), out + i, count);
    });
}

/// numeric::geluFloat, lane by lane.
template <typename V>
[[gnu::always_inline]] inline V geluOf(const V& x)
{
    namespace c = numeric::gelu_constants;
    const V inner = V::fma(V::all(c::kCubic), V::mul(x, x), V::all(1.0F));
    const V u = V::mul(V::mul(V::all(c::kTwiceRootTwoOverPi), x), inner);
    return V::div(x, V::add(V::all(1.0F), expOf(V::negated(u))));
}

template <typename V>
void geglu(const float* gate, const float* up, std::int64_t n, float* out)
{
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V y = V::mul(geluOf(loadSome<V>(gate + i, count)), loadSome<V>(up + i, count));
        storeSome(V::canonical(y), out + i, count);
    });
}

template <typename V>
void gelu(const float* x, std::int64_t n, float* out)
{
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        storeSome(V::canonical(geluOf(loadSome<V>(x + i, count))), out + i, count);
    });
}

template <typename V>
void scale(const float* x, float factor, std::int64_t n, float* out)
{
    const V f = V::all(factor);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        storeSome(V::canonical(V::mul(loadSome<V>(x + i, count), f)), out + i, count);
    });
}

template <typename V>
void addScaled(const float* x, float factor, std::int64_t n, float* sum)
{
    const V f = V::all(factor);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V y = V::fma(f, loadSome<V>(x + i, count), loadSome<V>(sum + i, count));
        storeSome(V::canonical(y), sum + i, count);
    });
}

template <typename V>
void expShifted(const float* x, float shift, std::int64_t n, float* out)
{
    const V s = V::all(shift);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        storeSome(expOfNonPositive(V::sub(loadSome<V>(x + i, count), s)), out + i, count);
    });
}

/// numeric::tanhFloat, lane by lane.
template <typename V>
[[gnu::always_inline]] inline V tanhOf(const V& x)
{
    namespace c = numeric::tanh_constants;
    const V magnitude = V::magnitude(x);
    const V z = V::mul(magnitude, magnitude);
    V p = V::fma(V::all(c::kP4), z, V::all(c::kP3));
    p = V::fma(p, z, V::all(c::kP2));
    p = V::fma(p, z, V::all(c::kP1));
    p = V::fma(p, z, V::all(c::kP0));
    const V small = V::fma(V::mul(p, z), magnitude, magnitude);
    const V e = V::add(expOf(V::add(magnitude, magnitude)), V::all(1.0F));
    const V large = V::sub(V::all(1.0F), V::div(V::all(2.0F), e));
    return V::withSignOf(V::whereLess(magnitude, V::all(c::kSmall), small, large), x);
}

/// numeric::softCapFloat, lane by lane.
template <typename V>
[[gnu::always_inline]] inline V softCapOf(const V& x, const V& cap, const V& inverse)
{
    return V::mul(tanhOf(V::mul(x, inverse)), cap);
}

template <typename V>
void softCap(float* x, float cap, std::int64_t n)
{
    const V limit = V::all(cap);
    const V inverse = V::all(1.0F / cap);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V y = softCapOf(loadSome<V>(x + i, count), limit, inverse);
        storeSome(V::canonical(y), x + i, count);
    });
}

template <typename V>
float sum(const float* x, std::int64_t n)
{
    V lanes = V::zero();
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        lanes = V::add(lanes, loadSome<V>(x + i, count));
    });
    return lanes.fold();
}

template <typename V>
void subtract(const float* x, float value, std::int64_t n, float* out)
{
    const V v = V::all(value);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        storeSome(V::sub(loadSome<V>(x + i, count), v), out + i, count);
    });
}

template <typename V>
void add(const float* a, const float* b, std::int64_t n, float* out)
{
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        const V sum = V::add(loadSome<V>(a + i, count), loadSome<V>(b + i, count));
        storeSome(V::canonical(sum), out + i, count);
    });
}

template <typename V>
void roundTo(Precision precision, float* x, std::int64_t n)
{
    if (precision == Precision::Bf16) {
        forEach16(n, [&](std::int64_t i, std::int64_t count) {
            storeSome(V::toBf16AndBack(loadSome<V>(x + i, count)), x + i, count);
        });
    } else if (precision == Precision::F16) {
        forEach16(n, [&](std::int64_t i, std::int64_t count) {
            storeSome(V::toF16AndBack(loadSome<V>(x + i, count)), x + i, count);
        });
    }
}

template <typename V>
void divideBy(const float* values, float sum, std::int64_t n, float* out)
{
    const V divisor = V::all(sum);
    forEach16(n, [&](std::int64_t i, std::int64_t count) {
        storeSome(V::canonical(V::div(loadSome<V>(values + i, count), divisor)), out + i, count);
    });
}

/// y0 = fma(x0, c, -(x1 * s)), y1 = fma(x1, c, x0 * s)
template <typename V>
[[gnu::always_inline]] inline void rotate(V& x0, V& x1, const V& c, const V& s)
{
    const V y0 = V::canonical(V::fma(x0, c, V::negated(V::mul(x1, s))));
    const V y1 = V::canonical(V::fma(x1, c, V::mul(x0, s)));
    x0 = y0;
    x1 = y1;
}

/// The dimensions of a head that RoPE leaves alone.
template <typename V>
[[gnu::always_inline]] inline void copyRest(const float* x, std::int64_t from, std::int64_t to,
                                            float* out)
{
    for (std::int64_t i = from; i < to; ++i) {
        out[i] = numeric::canonicalNan(x[i]);
    }
}

template <typename V>
void rotateHalves(const float* x, const float* cos, const float* sin, std::int64_t heads,
                  std::int64_t headDim, std::int64_t dims, float* out)
{
    const std::int64_t half = dims / 2;
    for (std::int64_t h = 0; h < heads; ++h) {
        const float* in = x + h * headDim;
        float* to = out + h * headDim;
        forEach16(half, [&](std::int64_t i, std::int64_t count) {
            V x0 = loadSome<V>(in + i, count);
            V x1 = loadSome<V>(in + half + i, count);
            rotate(x0, x1, loadSome<V>(cos + i, count), loadSome<V>(sin + i, count));
            storeSome(x0, to + i, count);
            storeSome(x1, to + half + i, count);
        });
        copyRest<V>(in, dims, headDim, to);
    }
}

template <typename V>
void rotateInterleaved(const float* x, const float* cos, const float* sin, std::int64_t heads,
                       std::int64_t headDim, std::int64_t dims, float* out)
{
    const std::int64_t half = dims / 2;
    for (std::int64_t h = 0; h < heads; ++h) {
        const float* in = x + h * headDim;
        float* to = out + h * headDim;
        forEach16(half, [&](std::int64_t i, std::int64_t count) {
            V x0;
            V x1;
            if (count == 16) {
                V::loadPairs(in + 2 * i, x0, x1);
                rotate(x0, x1, V::load(cos + i), V::load(sin + i));
                V::storePairs(to + 2 * i, x0, x1);
                return;
            }
            float pairs[32] = {};
            for (std::int64_t j = 0; j < 2 * count; ++j) {
                pairs[j] = in[2 * i + j];
            }
            V::loadPairs(pairs, x0, x1);
            rotate(x0, x1, V::loadFirst(cos + i, count), V::loadFirst(sin + i, count));
            V::storePairs(pairs, x0, x1);
            for (std::int64_t j = 0; j < 2 * count; ++j) {
                to[2 * i + j] = pairs[j];
            }
        });
        copyRest<V>(in, dims, headDim, to);
    }
}

} // namespace ulp::kernels::body
