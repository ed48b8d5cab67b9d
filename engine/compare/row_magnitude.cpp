// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/row_magnitude.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/ulp_distance.h"

namespace ulp::compare {

trace::Magnitude rowMagnitude(int op, const float* x, const float* reference, std::int64_t n)
{
    trace::Magnitude magnitude;
    magnitude.op = op;
    magnitude.of = n;
    double squares = 0.0;
    double referenceSquares = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto b = static_cast<double>(reference[i]);
        referenceSquares += b * b;
        if (std::bit_cast<std::uint32_t>(x[i]) == std::bit_cast<std::uint32_t>(reference[i])) {
            continue;
        }
        ++magnitude.differing;
        magnitude.maxUlp = std::max(magnitude.maxUlp, ulpDistance(x[i], reference[i]));
        const double difference = static_cast<double>(x[i]) - b;
        const double size = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                                   : std::fabs(difference);
        magnitude.maxAbs = std::max(magnitude.maxAbs, size);
        squares += size * size;
    }
    if (squares > 0.0) {
        const double ratio = std::sqrt(squares) / std::sqrt(referenceSquares);
        magnitude.relativeL2 = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    }
    return magnitude;
}

} // namespace ulp::compare
