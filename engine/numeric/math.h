// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine's own elementary functions: nothing of libm lies on the path to a hash. They use only
// IEEE + - * / fma and exact conversions, so every machine computes the same bits; the vector
// versions in the kernels repeat the same operations in the same order. float32 functions serve the
// ops, float64 ones serve tables that are made once (RoPE). Largest errors in units of the last
// place, measured once over every float32 argument and guarded by tests over a sample:
//   expFloat   1.02, subnormal results included
//   siluFloat  1.50 for x > 0, 2.41 for -88 < x < 0
//   tanhFloat  1.34
//   sinCos     0.50001 once rounded to float32, |angle| <= 2^20 (sampled)
// Thread-safety: pure functions.
#pragma once

#include "engine/numeric/host_device.h"

namespace ulp::numeric {

namespace exp_constants {
// Argument range outside which the result is +0 or +infinity anyway.
inline constexpr float kLowest = -104.0F;
inline constexpr float kHighest = 89.0F;
// Adding 1.5 * 2^23 rounds to an integer, and leaves it in the low bits.
inline constexpr float kRoundMagic = 12582912.0F;
inline constexpr float kLog2E = 1.44269504088896341F;
// ln 2 in two parts; n * kLn2High is exact for |n| < 2^9 (Cephes, exp.c).
inline constexpr float kMinusLn2High = -0.693359375F;
inline constexpr float kMinusLn2Low = 2.12194440e-4F;
// exp(r) = 1 + r + r^2 * P(r) for |r| <= ln(2) / 2: S. L. Moshier, Cephes Math Library, expf.c.
inline constexpr float kP5 = 1.9875691500e-4F;
inline constexpr float kP4 = 1.3981999507e-3F;
inline constexpr float kP3 = 8.3334519073e-3F;
inline constexpr float kP2 = 4.1665795894e-2F;
inline constexpr float kP1 = 1.6666665459e-1F;
inline constexpr float kP0 = 5.0000001201e-1F;
} // namespace exp_constants

/// p * 2^n for p near 1, where `shifted` is n + kRoundMagic. Two steps keep the powers in range;
/// the first is exact, so even a subnormal result is rounded once.
ULP_HOST_DEVICE float timesPowerOfTwo(float p, float shifted)
{
    const std::uint32_t n = bitsOf(shifted) - bitsOf(exp_constants::kRoundMagic);
    const auto half = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) >> 1);
    return (p * floatOf((half + 127U) << 23)) * floatOf((n - half + 127U) << 23);
}

/// e^x in float32. +inf above 88.7228, subnormal below -87.33, +0 below -103.97; NaN stays NaN.
ULP_HOST_DEVICE float expFloat(float x)
{
    namespace c = exp_constants;
    // Written so that NaN passes: this is what MINPS and MAXPS compute.
    float v = c::kHighest < x ? c::kHighest : x;
    v = c::kLowest > v ? c::kLowest : v;
    const float shifted = fusedMultiplyAdd(v, c::kLog2E, c::kRoundMagic);
    const float n = shifted - c::kRoundMagic;
    float r = fusedMultiplyAdd(n, c::kMinusLn2High, v);
    r = fusedMultiplyAdd(n, c::kMinusLn2Low, r);
    float p = fusedMultiplyAdd(c::kP5, r, c::kP4);
    p = fusedMultiplyAdd(p, r, c::kP3);
    p = fusedMultiplyAdd(p, r, c::kP2);
    p = fusedMultiplyAdd(p, r, c::kP1);
    p = fusedMultiplyAdd(p, r, c::kP0);
    p = fusedMultiplyAdd(p, r * r, r);
    p = p + 1.0F;
    return timesPowerOfTwo(p, shifted);
}

/// x / (1 + e^-x) in float32: -0 far below zero, x far above; -inf and NaN give NaN.
ULP_HOST_DEVICE float siluFloat(float x)
{
    return x / (1.0F + expFloat(-x));
}

namespace tanh_constants {
inline constexpr float kSmall = 0.625F;
inline constexpr float kP4 = -5.70498872745e-3F;
inline constexpr float kP3 = 2.06390887954e-2F;
inline constexpr float kP2 = -5.37397155531e-2F;
inline constexpr float kP1 = 1.33314422036e-1F;
inline constexpr float kP0 = -3.33332819422e-1F;
} // namespace tanh_constants

/// tanh in float32: S. L. Moshier, Cephes Math Library, tanhf.c, with fused multiply-adds.
ULP_HOST_DEVICE float tanhFloat(float x)
{
    namespace c = tanh_constants;
    const float magnitude = floatOf(bitsOf(x) & 0x7fffffffU);
    float t = 0.0F;
    if (magnitude < c::kSmall) {
        const float z = magnitude * magnitude;
        float p = fusedMultiplyAdd(c::kP4, z, c::kP3);
        p = fusedMultiplyAdd(p, z, c::kP2);
        p = fusedMultiplyAdd(p, z, c::kP1);
        p = fusedMultiplyAdd(p, z, c::kP0);
        t = fusedMultiplyAdd(p * z, magnitude, magnitude);
    } else {
        t = 1.0F - 2.0F / (expFloat(magnitude + magnitude) + 1.0F);
    }
    return floatOf(bitsOf(t) | (bitsOf(x) & 0x80000000U));
}

/// cap * tanh(x / cap) in float32; inverse is rn(1 / cap).
ULP_HOST_DEVICE float softCapFloat(float x, float cap, float inverse)
{
    return tanhFloat(x * inverse) * cap;
}

namespace gelu_constants {
inline constexpr float kCubic = 0.044715F;
inline constexpr float kTwiceRootTwoOverPi = 1.59576912160573071F;
} // namespace gelu_constants

/// GELU by its tanh formula (Hendrycks and Gimpel 2016), 0.5 x (1 + tanh u) with u = sqrt(2 / pi)
/// (x + 0.044715 x^3), written as x / (1 + e^-2u): the same function, without the loss of digits
/// far below zero.
ULP_HOST_DEVICE float geluFloat(float x)
{
    namespace c = gelu_constants;
    const float inner = fusedMultiplyAdd(c::kCubic, x * x, 1.0F);
    const float u = (c::kTwiceRootTwoOverPi * x) * inner;
    return x / (1.0F + expFloat(-u));
}

/// Natural logarithm in float64 of a positive, finite, normal x: the atanh series of the
/// significand, cut where its terms fall below 2^-60.
ULP_HOST_DEVICE double logDouble(double x)
{
    const std::uint64_t bits = bitsOf(x);
    int exponent = static_cast<int>((bits >> 52) & 0x7ffU) - 1023;
    double m = doubleOf((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        exponent += 1;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 25.0;
    for (int k = 23; k >= 3; k -= 2) {
        p = fusedMultiplyAdd(p, z, 1.0 / k);
    }
    // ln 2 in two parts, the first with 21 trailing zero bits (fdlibm, e_log.c).
    const double n = static_cast<double>(exponent);
    const double low = fusedMultiplyAdd(2.0 * s * z, p, n * 1.90821492927058770002e-10);
    return fusedMultiplyAdd(n, 6.93147180369123816490e-01, fusedMultiplyAdd(2.0, s, low));
}

/// e^x in float64 for |x| <= 700: reduction by ln 2 and the Taylor polynomial of degree 14.
ULP_HOST_DEVICE double expDouble(double x)
{
    const double magic = 6755399441055744.0; // 1.5 * 2^52
    const double shifted = fusedMultiplyAdd(x, 1.44269504088896340736, magic);
    const double n = shifted - magic;
    double r = fusedMultiplyAdd(n, -6.93147180369123816490e-01, x);
    r = fusedMultiplyAdd(n, -1.90821492927058770002e-10, r);
    double p = 1.0;
    for (int k = 14; k >= 1; --k) {
        p = fusedMultiplyAdd(p, r / k, 1.0);
    }
    return p * doubleOf((bitsOf(shifted) - bitsOf(magic) + 1023ULL) << 52);
}

/// base^exponent in float64 for positive, normal base; |exponent * ln base| <= 700.
ULP_HOST_DEVICE double powDouble(double base, double exponent)
{
    return expDouble(exponent * logDouble(base));
}

struct SinCos {
    double sin;
    double cos;
};

/// Sine and cosine in float64 for |angle| <= 2^26: three-part pi / 2 with fused multiply-adds (Cody
/// and Waite's reduction), polynomials of fdlibm (k_sin.c, k_cos.c).
ULP_HOST_DEVICE SinCos sinCos(double angle)
{
    const double magic = 6755399441055744.0;
    const double shifted = fusedMultiplyAdd(angle, 0.63661977236758134308, magic);
    const double n = shifted - magic;
    double r = fusedMultiplyAdd(n, -1.5707963267948965580e+00, angle);
    r = fusedMultiplyAdd(n, -6.1232339957367660359e-17, r);
    const double z = r * r;
    double s = fusedMultiplyAdd(1.58969099521155010221e-10, z, -2.50507602534068634195e-08);
    s = fusedMultiplyAdd(s, z, 2.75573137070700676789e-06);
    s = fusedMultiplyAdd(s, z, -1.98412698298579493134e-04);
    s = fusedMultiplyAdd(s, z, 8.33333333332248946124e-03);
    s = fusedMultiplyAdd(s, z, -1.66666666666666324348e-01);
    s = fusedMultiplyAdd(s * z, r, r);
    double c = fusedMultiplyAdd(-1.13596475577881948265e-11, z, 2.08757232129817482790e-09);
    c = fusedMultiplyAdd(c, z, -2.75573143513906633035e-07);
    c = fusedMultiplyAdd(c, z, 2.48015872894767294178e-05);
    c = fusedMultiplyAdd(c, z, -1.38888888888741095749e-03);
    c = fusedMultiplyAdd(c, z, 4.16666666666666019037e-02);
    c = fusedMultiplyAdd(c, z, -0.5);
    c = fusedMultiplyAdd(c, z, 1.0);
    const std::uint64_t quadrant = bitsOf(shifted) & 3U;
    const double sine = (quadrant & 1U) != 0 ? c : s;
    const double cosine = (quadrant & 1U) != 0 ? s : c;
    return {(quadrant & 2U) != 0 ? -sine : sine, quadrant == 1 || quadrant == 2 ? -cosine : cosine};
}

} // namespace ulp::numeric
