// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/row_magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#if defined(__x86_64__) && defined(__gnu_linux__)
#define ULP_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ULP_VECTOR_CLONES
#endif

namespace ulp::compare {
namespace {

constexpr std::int64_t kLanes = 8;
// The compilers' vector extension: one operation for 8 lanes on any instruction set, each lane
// rounded like the scalar operation.
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Doubles = double __attribute__((vector_size(kLanes * sizeof(double))));
using Ints = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));
using Words = std::uint32_t __attribute__((vector_size(kLanes * sizeof(float))));
using Masks = std::int64_t __attribute__((vector_size(kLanes * sizeof(double))));

/// One partial result for each lane; element i belongs to lane i % kLanes.
struct Lanes {
    Doubles squares{}; // of the differences
    Doubles norms{};   // of the reference
    Doubles largest{};
    Words ulps{};
    Ints differing{};
};

/// `groups` full groups of kLanes elements. Every instruction set gives the same bits, because each
/// lane is its own sum and nothing is contracted.
ULP_VECTOR_CLONES
void accumulate(const float* row, const float* reference, std::int64_t groups, Lanes& lanes)
{
    const Doubles infinity = Doubles{} + std::numeric_limits<double>::infinity();
    Lanes sums = lanes;
    for (std::int64_t g = 0; g < groups; ++g) {
        Floats a;
        Floats b;
        std::memcpy(&a, row + g * kLanes, sizeof a);
        std::memcpy(&b, reference + g * kLanes, sizeof b);
        const Ints bitsA = reinterpret_cast<Ints>(a);
        const Ints bitsB = reinterpret_cast<Ints>(b);
        const Ints differs = bitsA != bitsB; // -1 or 0
        sums.differing -= differs;

        // As ulpOrder and ulpDistance say, in 32 bits.
        const Ints sizeA = bitsA & 0x7fffffff;
        const Ints sizeB = bitsB & 0x7fffffff;
        const Ints orderA = bitsA < 0 ? -sizeA : sizeA;
        const Ints orderB = bitsB < 0 ? -sizeB : sizeB;
        const Words apart = reinterpret_cast<Words>(orderA) - reinterpret_cast<Words>(orderB);
        const Ints isNan = (sizeA > 0x7f800000) | (sizeB > 0x7f800000);
        Words steps = orderA > orderB ? apart : -apart;
        steps = (isNan & differs) != 0 ? ~Words{} : steps;
        sums.ulps = steps > sums.ulps ? steps : sums.ulps;

        const Doubles x = __builtin_convertvector(a, Doubles);
        const Doubles y = __builtin_convertvector(b, Doubles);
        const Doubles difference = x > y ? x - y : y - x;
        // Against NaN the distance is infinite; equal bits are no distance, infinities included.
        Doubles distance = difference == difference ? difference : infinity;
        distance = __builtin_convertvector(differs, Masks) != 0 ? distance : Doubles{};
        sums.norms += y * y;
        sums.squares += distance * distance;
        sums.largest = distance > sums.largest ? distance : sums.largest;
    }
    lanes = sums;
}

double root(const Doubles& lanes)
{
    double sum = 0.0;
    for (std::int64_t i = 0; i < kLanes; ++i) {
        sum += lanes[i];
    }
    return std::sqrt(sum);
}

} // namespace

trace::Magnitude rowMagnitude(int op, const float* row, const float* reference, std::int64_t count)
{
    Lanes lanes;
    const std::int64_t groups = count / kLanes;
    accumulate(row, reference, groups, lanes);
    // The last group, filled up with equal zeros, which add nothing.
    std::array<float, kLanes> restRow{};
    std::array<float, kLanes> restReference{};
    std::copy(row + groups * kLanes, row + count, restRow.begin());
    std::copy(reference + groups * kLanes, reference + count, restReference.begin());
    accumulate(restRow.data(), restReference.data(), 1, lanes);

    trace::Magnitude magnitude;
    magnitude.op = op;
    magnitude.of = count;
    for (std::int64_t i = 0; i < kLanes; ++i) {
        magnitude.differing += lanes.differing[i];
        magnitude.maxUlp = std::max<std::uint32_t>(magnitude.maxUlp, lanes.ulps[i]);
        magnitude.maxAbs = std::max<double>(magnitude.maxAbs, lanes.largest[i]);
    }
    const double apart = root(lanes.squares);
    const double norm = root(lanes.norms);
    if (apart > 0.0) {
        const bool measurable = std::isfinite(apart) && std::isfinite(norm) && norm > 0.0;
        magnitude.relativeL2 = measurable ? apart / norm : std::numeric_limits<double>::infinity();
    }
    return magnitude;
}

} // namespace ulp::compare
