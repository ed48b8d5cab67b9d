// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/sampler.h"

#include <cmath>
#include <string>

#include "engine/base/logits.h"
#include "engine/numeric/math.h"
#include "engine/numeric/random.h"

namespace ulp::run {

Result<std::int32_t> sample(std::span<const float> logits, float temperature, std::uint64_t seed,
                            std::uint32_t sequence, std::uint32_t step)
{
    const std::int32_t best = argmax(logits);
    if (best < 0) {
        return makeError(ErrorCode::Internal, "all logits are NaN at step " + std::to_string(step),
                         {}, "look for the first op with NaN in the trace");
    }
    if (temperature == 0.0F) {
        return best;
    }
    // Weights exp((logit - max) / temperature) with the engine's own exp, summed ascending: the
    // draw is part of the bits, so no library function may stand in it.
    const float top = logits[static_cast<std::size_t>(best)];
    const auto weight = [&](float logit) {
        return std::isnan(logit)
                   ? 0.0
                   : static_cast<double>(numeric::expFloat((logit - top) / temperature));
    };
    double total = 0.0;
    for (const float logit : logits) {
        total += weight(logit);
    }
    const double target = static_cast<double>(numeric::uniformFloat(seed, sequence, step)) * total;
    double sum = 0.0;
    std::int32_t last = best;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double w = weight(logits[i]);
        if (w > 0.0) {
            last = static_cast<std::int32_t>(i);
            sum += w;
            if (sum > target) {
                break;
            }
        }
    }
    return last;
}

} // namespace ulp::run
