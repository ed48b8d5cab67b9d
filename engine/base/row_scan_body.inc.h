// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bodies of row_scan.h, compiled once for each instruction set: the including file sets
// ULP_ROW_SCAN_TABLE and the compiler flags. XXH3 is taken from its header so that it gets them
// too.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/row_scan.h"

namespace ulp {
namespace {

RowScan scanBody(const float* row, std::size_t n)
{
    // The exponent of NaN and infinity is all ones: as integers without sign they are the largest.
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, row + i, sizeof(bits));
        const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
        largest = magnitude > largest ? magnitude : largest;
    }
    return {XXH3_64bits(row, n * sizeof(float)), largest < 0x7F800000U};
}

constexpr std::size_t kLanes = 16;

float largestBody(const float* row, std::size_t n)
{
    float lanes[kLanes];
    for (float& lane : lanes) {
        lane = -std::numeric_limits<float>::infinity();
    }
    const std::size_t whole = n - n % kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t j = 0; j < kLanes; ++j) {
            lanes[j] = row[i + j] > lanes[j] ? row[i + j] : lanes[j];
        }
    }
    float best = -std::numeric_limits<float>::infinity();
    for (const float lane : lanes) {
        best = lane > best ? lane : best;
    }
    for (std::size_t i = whole; i < n; ++i) {
        best = row[i] > best ? row[i] : best;
    }
    return best;
}

/// exp(x) for x <= 0: 2^n * p(r), the polynomial of Cephes' expf. NaN and x below -87 give 0.
inline float expTerm(float x)
{
    const bool counts = x > -87.0F;
    const float clamped = counts ? x : 0.0F;
    constexpr float kRound = 12582912.0F; // 1.5 * 2^23: adding it rounds to an integer
    const float shifted = clamped * 1.44269504F + kRound;
    const float n = shifted - kRound;
    const float r = (clamped - n * 0.693359375F) - n * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    std::int32_t exponent = 0;
    std::memcpy(&exponent, &shifted, sizeof(exponent));
    // The low bits of the shifted sum are n; moved into the exponent field they are 2^n.
    const std::uint32_t power = (static_cast<std::uint32_t>(exponent) << 23U) + 0x3F800000U;
    float scale = 0.0F;
    std::memcpy(&scale, &power, sizeof(scale));
    return counts ? p * scale : 0.0F;
}

double sumExpBody(const float* row, std::size_t n, float top)
{
    double lanes[kLanes] = {};
    const std::size_t whole = n - n % kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
        float terms[kLanes];
        for (std::size_t j = 0; j < kLanes; ++j) {
            terms[j] = expTerm(row[i + j] - top);
        }
        for (std::size_t j = 0; j < kLanes; ++j) {
            lanes[j] += static_cast<double>(terms[j]);
        }
    }
    for (std::size_t i = whole; i < n; ++i) {
        lanes[i - whole] += static_cast<double>(expTerm(row[i] - top));
    }
    double sum = 0.0;
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

} // namespace

extern const RowScanTable ULP_ROW_SCAN_TABLE;
const RowScanTable ULP_ROW_SCAN_TABLE{scanBody, largestBody, sumExpBody};

} // namespace ulp
