// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contract's row reduction: inside a chunk, 16 strided lanes (lane j takes elements j, j + 16,
// j + 32, ... ascending, from +0), then a fixed tree over the lanes (j with j + 8, + 4, + 2, + 1);
// chunk partials are merged ascending. A vector of 16 lanes computes exactly this. Also the merges
// that other policies use: plain, and compensated.
// Thread-safety: pure functions.
#pragma once

#include "engine/numeric/host_device.h"

namespace ulp::numeric {

inline constexpr int kLanes = 16;

/// Folds 16 lanes by the fixed tree. Overwrites them.
ULP_HOST_DEVICE float foldLanes(float* lanes)
{
    for (int width = kLanes / 2; width >= 1; width /= 2) {
        for (int j = 0; j < width; ++j) {
            lanes[j] = lanes[j] + lanes[j + width];
        }
    }
    return lanes[0];
}

/// Sum of x over one chunk. x: [n]
ULP_HOST_DEVICE float laneSum(const float* x, std::int64_t n)
{
    float lanes[kLanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lanes[i % kLanes] = lanes[i % kLanes] + x[i];
    }
    return foldLanes(lanes);
}

/// Sum of x^2 over one chunk, fused multiply-add in each lane. x: [n]
ULP_HOST_DEVICE float laneSumOfSquares(const float* x, std::int64_t n)
{
    float lanes[kLanes] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        lanes[i % kLanes] = fusedMultiplyAdd(x[i], x[i], lanes[i % kLanes]);
    }
    return foldLanes(lanes);
}

/// A running sum with the rounding errors it has left behind: value() is nearly what float64 would
/// have given, whatever the order of the addends.
struct CompensatedSum {
    float sum = 0.0F;
    float error = 0.0F;

    /// Knuth's TwoSum (The Art of Computer Programming, volume 2, 4.2.2) gives the exact error of
    /// the addition; summing the errors is Sum2 of Ogita, Rump and Oishi (2005).
    ULP_HOST_DEVICE void add(float x)
    {
        const float total = sum + x;
        const float part = total - sum;
        error = error + ((sum - (total - part)) + (x - part));
        sum = total;
    }
    /// Merges another compensated sum: its value, then its errors.
    ULP_HOST_DEVICE void merge(const CompensatedSum& other)
    {
        add(other.sum);
        error = error + other.error;
    }
    [[nodiscard]] ULP_HOST_DEVICE float value() const
    {
        // After an overflow the error term is NaN; the plain sum says infinity, which is the truth.
        return isFinite(sum) ? sum + error : sum;
    }
};

} // namespace ulp::numeric
