// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inputs and comparisons that the tests of the ops share. Thread-safety: values.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "engine/kernels/ops.h"
#include "engine/numeric/random.h"
#include "engine/numeric/ulp.h"

namespace ulp::kernels::test {

/// n values around zero, of sizes from `spread` down to a thousandth of it.
inline std::vector<float> randomValues(std::int64_t n, std::uint64_t seed, float spread = 2.0F)
{
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float u = numeric::uniformFloat(seed, 1, i) - 0.5F;
        const float v = numeric::uniformFloat(seed, 2, i);
        x[i] = u * spread * (v < 0.1F ? 0.001F : 1.0F + v);
    }
    return x;
}

inline ExecContext contextOf(Isa isa, int threads, Policy policy = Policy::Ordered,
                             std::int64_t chunk = 256)
{
    ExecContext context;
    context.team = Team(threads);
    context.isa = isa;
    context.chunk = chunk;
    context.policy = policy;
    return context;
}

/// Number of elements whose bits differ.
inline std::int64_t differingBits(const std::vector<float>& a, const std::vector<float>& b)
{
    std::int64_t count = a.size() == b.size() ? 0 : 1000000;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        count += numeric::sameBits(a[i], b[i]) ? 0 : 1;
    }
    return count;
}

/// Largest |a - b| relative to the largest |b|.
inline double relativeDistance(const std::vector<float>& a, const std::vector<float>& b)
{
    double worst = 0.0;
    double largest = 1e-30;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        worst = std::max(worst, difference < 0 ? -difference : difference);
        largest = std::max(largest, static_cast<double>(b[i] < 0 ? -b[i] : b[i]));
    }
    return worst / largest;
}

} // namespace ulp::kernels::test
