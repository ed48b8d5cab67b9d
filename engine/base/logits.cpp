// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/logits.h"

#include <algorithm>
#include <cmath>

namespace ulp {

std::int32_t argmax(std::span<const float> logits)
{
    std::int32_t best = -1;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (!std::isnan(logits[i]) &&
            (best < 0 || logits[i] > logits[static_cast<std::size_t>(best)])) {
            best = static_cast<std::int32_t>(i);
        }
    }
    return best;
}

std::vector<std::pair<std::int32_t, float>> topLogits(std::span<const float> logits, std::size_t k)
{
    // A small sorted buffer: one comparison for nearly every logit, no allocation of vocabulary
    // size.
    std::vector<std::pair<std::int32_t, float>> top;
    top.reserve(k + 1);
    for (std::size_t i = 0; i < logits.size() && k > 0; ++i) {
        const float logit = logits[i];
        if (std::isnan(logit) || (top.size() == k && !(logit > top.back().second))) {
            continue;
        }
        const auto after = [](float value, const auto& entry) { return value > entry.second; };
        const auto at = std::upper_bound(top.begin(), top.end(), logit, after);
        top.insert(at, {static_cast<std::int32_t>(i), logit});
        if (top.size() > k) {
            top.pop_back();
        }
    }
    return top;
}

double logSumExp(std::span<const float> logits)
{
    const std::int32_t best = argmax(logits);
    if (best < 0) {
        return std::nan("");
    }
    const auto top = static_cast<double>(logits[static_cast<std::size_t>(best)]);
    if (std::isinf(top)) {
        return top;
    }
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - top);
    }
    return top + std::log(sum);
}

} // namespace ulp
