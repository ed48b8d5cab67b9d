// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/exact_sums.h"

#include <cmath>

// The float64 sums may use whatever vectors the machine has: their rounding is allowed for, so it
// never reaches a result.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define ULP_ANY_VECTORS                                                                            \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ULP_ANY_VECTORS
#endif

namespace ulp::kernels {
namespace {

/// addProducts for 16 lanes, which stay in registers.
[[gnu::always_inline]] inline void addProducts16(const float* a, std::int64_t stride,
                                                 const float* x, std::int64_t n, double* sum,
                                                 double* magnitude)
{
    double s[kExactLanes];
    double m[kExactLanes];
    for (int j = 0; j < kExactLanes; ++j) {
        s[j] = sum[j];
        m[j] = magnitude[j];
    }
    for (std::int64_t i = 0; i < n; ++i) {
        const double factor = x[i];
        const float* row = a + i * stride;
        for (int j = 0; j < kExactLanes; ++j) {
            const double product = static_cast<double>(row[j]) * factor;
            s[j] += product;
            m[j] += std::fabs(product);
        }
    }
    for (int j = 0; j < kExactLanes; ++j) {
        sum[j] = s[j];
        magnitude[j] = m[j];
    }
}

} // namespace

ULP_ANY_VECTORS void addProducts(const float* a, std::int64_t stride, std::int64_t lanes,
                                 const float* x, std::int64_t n, double* sum, double* magnitude)
{
    for (std::int64_t j = 0; j < lanes; j += kExactLanes) {
        addProducts16(a + j, stride, x, n, sum + j, magnitude + j);
    }
}

ULP_ANY_VECTORS void addScaled(const std::int32_t* integer, const float* scale, float factor,
                               std::int64_t lanes, double* sum, double* magnitude)
{
    for (std::int64_t j = 0; j < lanes; ++j) {
        const double term = static_cast<double>(integer[j]) *
                            (static_cast<double>(scale[j]) * static_cast<double>(factor));
        sum[j] += term;
        magnitude[j] += std::fabs(term);
    }
}

float wideDot(const float* a, std::int64_t stride, const float* x, std::int64_t n)
{
    numeric::WideSum sum;
    for (std::int64_t i = 0; i < n; ++i) {
        sum.addProduct(a[i * stride], x[i]);
    }
    return sum.value();
}

float exactSumOfSquares(const float* x, std::int64_t n)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    float nearest = 0.0F;
    return nearestFloat(sum, sum, n, nearest) ? nearest : wideDot(x, 1, x, n);
}

float exactSum(const float* x, std::int64_t n)
{
    double sum = 0.0;
    double magnitude = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        sum += static_cast<double>(x[i]);
        magnitude += std::fabs(static_cast<double>(x[i]));
    }
    float nearest = 0.0F;
    if (nearestFloat(sum, magnitude, n, nearest)) {
        return nearest;
    }
    numeric::WideSum wide;
    for (std::int64_t i = 0; i < n; ++i) {
        wide.addProduct(x[i], 1.0F);
    }
    return wide.value();
}

} // namespace ulp::kernels
