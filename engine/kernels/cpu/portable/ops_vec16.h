// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sixteen float32 lanes in plain C++: the vector that the op kernels (cpu/ops_body.h) are written
// for. The AVX2 and AVX-512 versions have the same members with the same meaning, lane by lane; the
// comments are here only. Thread-safety: values.
#pragma once

#include <cstdint>

#include "engine/numeric/float_format.h"
#include "engine/numeric/host_device.h"
#include "engine/numeric/lanes.h"
#include "engine/numeric/math.h"

namespace ulp::kernels::portable {

struct Vec16 {
    /// Register tile of the attention product: rows x vectors of accumulators.
    static constexpr int kTileRows = 4;
    static constexpr int kTileVectors = 1;

    float lane[16];

    template <typename F>
    [[gnu::always_inline]] static Vec16 each(F f)
    {
        Vec16 r;
        for (int j = 0; j < 16; ++j) {
            r.lane[j] = f(j);
        }
        return r;
    }

    static Vec16 zero()
    {
        return each([](int) { return 0.0F; });
    }
    static Vec16 all(float x)
    {
        return each([=](int) { return x; });
    }
    static Vec16 load(const float* p)
    {
        return each([=](int j) { return p[j]; });
    }
    /// The first n of p, the other lanes +0; reads nothing beyond. 0 <= n <= 16
    static Vec16 loadFirst(const float* p, std::int64_t n)
    {
        return each([=](int j) { return j < n ? p[j] : 0.0F; });
    }
    void store(float* p) const
    {
        for (int j = 0; j < 16; ++j) {
            p[j] = lane[j];
        }
    }
    void storeFirst(float* p, std::int64_t n) const
    {
        for (int j = 0; j < n; ++j) {
            p[j] = lane[j];
        }
    }

    static Vec16 add(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] + b.lane[j]; });
    }
    static Vec16 sub(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] - b.lane[j]; });
    }
    static Vec16 mul(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] * b.lane[j]; });
    }
    static Vec16 div(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] / b.lane[j]; });
    }
    /// a * b + c, one rounding
    static Vec16 fma(const Vec16& a, const Vec16& b, const Vec16& c)
    {
        return each(
            [&](int j) { return numeric::fusedMultiplyAdd(a.lane[j], b.lane[j], c.lane[j]); });
    }
    static Vec16 negated(const Vec16& a)
    {
        return each([&](int j) { return -a.lane[j]; });
    }
    static Vec16 magnitude(const Vec16& a)
    {
        return each(
            [&](int j) { return numeric::floatOf(numeric::bitsOf(a.lane[j]) & 0x7fffffffU); });
    }
    /// `a`, not negative, with the sign bit of `sign`.
    static Vec16 withSignOf(const Vec16& a, const Vec16& sign)
    {
        return each([&](int j) {
            return numeric::floatOf(numeric::bitsOf(a.lane[j]) |
                                    (numeric::bitsOf(sign.lane[j]) & 0x80000000U));
        });
    }
    /// a < b ? x : y
    static Vec16 whereLess(const Vec16& a, const Vec16& b, const Vec16& x, const Vec16& y)
    {
        return each([&](int j) { return a.lane[j] < b.lane[j] ? x.lane[j] : y.lane[j]; });
    }
    /// a > b ? a : b, as MAXPS: b where either is NaN
    static Vec16 greater(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] > b.lane[j] ? a.lane[j] : b.lane[j]; });
    }
    /// a < b ? a : b, as MINPS: b where either is NaN
    static Vec16 lesser(const Vec16& a, const Vec16& b)
    {
        return each([&](int j) { return a.lane[j] < b.lane[j] ? a.lane[j] : b.lane[j]; });
    }
    /// +0 where a is -inf, else a.
    static Vec16 zeroWhereMinusInfinity(const Vec16& a)
    {
        return each([&](int j) { return a.lane[j] == -__builtin_inff() ? 0.0F : a.lane[j]; });
    }
    /// The first n lanes of a, the others `rest`.
    static Vec16 firstLanes(const Vec16& a, std::int64_t n, float rest)
    {
        return each([&](int j) { return j < n ? a.lane[j] : rest; });
    }
    /// p * 2^n with one rounding. `shifted` is n + exp_constants::kRoundMagic: n as an integer in
    /// its low bits (numeric/math.h, expFloat).
    static Vec16 timesPowerOfTwo(const Vec16& p, const Vec16& /*n*/, const Vec16& shifted)
    {
        return each([&](int j) { return numeric::timesPowerOfTwo(p.lane[j], shifted.lane[j]); });
    }
    static Vec16 canonical(const Vec16& a)
    {
        return each([&](int j) { return numeric::canonicalNan(a.lane[j]); });
    }
    static Vec16 toBf16AndBack(const Vec16& a)
    {
        return each([&](int j) { return numeric::roundToBf16(a.lane[j]); });
    }
    static Vec16 toF16AndBack(const Vec16& a)
    {
        return each([&](int j) { return numeric::roundToF16(a.lane[j]); });
    }
    /// The contract's tree over the lanes.
    [[nodiscard]] float fold() const
    {
        Vec16 copy = *this;
        return numeric::foldLanes(copy.lane);
    }
    /// Largest lane; no lane may be NaN.
    [[nodiscard]] float largest() const
    {
        float m = lane[0];
        for (int j = 1; j < 16; ++j) {
            m = lane[j] > m ? lane[j] : m;
        }
        return m;
    }
    /// 32 values a0 b0 a1 b1 ... -> a, b, and back
    static void loadPairs(const float* p, Vec16& a, Vec16& b)
    {
        a = each([=](int j) { return p[2 * j]; });
        b = each([=](int j) { return p[2 * j + 1]; });
    }
    static void storePairs(float* p, const Vec16& a, const Vec16& b)
    {
        for (int j = 0; j < 16; ++j) {
            p[2 * j] = a.lane[j];
            p[2 * j + 1] = b.lane[j];
        }
    }
};

} // namespace ulp::kernels::portable
