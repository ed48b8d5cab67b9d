// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exactly rounded sums for policy `exact`, at two levels. The float32 nearest to an exact sum is
// one definite number, so any way of finding it gives the same bits. Float64 sums find it nearly
// always: their error is bounded by the sum of magnitudes, and where both ends of the bound round
// to one float32, that is the answer. Where they do not, or a term is not finite, the sum is formed
// again in a numeric::WideSum. Lanes are different sums, n terms each. Thread-safety: pure
// functions over the caller's buffers. Ownership: the caller owns all buffers.
#pragma once

#include <cstdint>

#include "engine/numeric/host_device.h"
#include "engine/numeric/wide_sum.h"

namespace ulp::kernels {

inline constexpr std::int64_t kExactLanes = 16; // lanes come in multiples of this

/// sum[j] += a[i, j] * x[i] and magnitude[j] += |a[i, j] * x[i]| over i, in float64, where the
/// products are exact. a: [n, stride], the first `lanes` columns; x: [n]; sum, magnitude: [lanes].
void addProducts(const float* a, std::int64_t stride, std::int64_t lanes, const float* x,
                 std::int64_t n, double* sum, double* magnitude);

/// sum[j] += t and magnitude[j] += |t| with t = integer[j] * (scale[j] * factor), rounded twice.
/// All: [lanes].
void addScaled(const std::int32_t* integer, const float* scale, float factor, std::int64_t lanes,
               double* sum, double* magnitude);

/// The float32 nearest to an exact sum, if the float64 sum of its `terms` terms (each rounded at
/// most twice, in any order) leaves no doubt about it. False: form the wide sum.
inline bool nearestFloat(double sum, double magnitude, std::int64_t terms, float& nearest)
{
    // Higham, Accuracy and Stability of Numerical Algorithms, section 4.2: |error| <= (n - 1) u
    // times the sum of magnitudes, in any order of adding. The terms' own roundings and those of
    // this line are paid for by the 16, higher orders of u by the last factor.
    const double bound = magnitude * (static_cast<double>(terms + 16) * 0x1p-53) * (1.0 + 0x1p-10);
    const auto low = static_cast<float>(sum - bound);
    const auto high = static_cast<float>(sum + bound);
    nearest = low;
    // By bits: a sum that may be of either sign around zero is in doubt. So is one with NaN or
    // infinity among its terms, whose bound is not finite.
    return numeric::bitsOf(low) == numeric::bitsOf(high) && bound < 0x1p300;
}

/// The exactly rounded sum of a[i * stride] * x[i]. n terms
[[nodiscard]] float wideDot(const float* a, std::int64_t stride, const float* x, std::int64_t n);
/// The exactly rounded sum of squares, and sum. x: [n]
[[nodiscard]] float exactSumOfSquares(const float* x, std::int64_t n);
[[nodiscard]] float exactSum(const float* x, std::int64_t n);

} // namespace ulp::kernels
