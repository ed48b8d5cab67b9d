// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/logits.h"

#include <algorithm>
#include <cmath>

#include "engine/base/row_scan.h"

namespace ulp {
namespace {

/// Rows of a vocabulary's size are looked through in blocks whose maximum is one vector pass.
constexpr std::size_t kBlock = 256;

} // namespace

std::int32_t argmax(std::span<const float> logits)
{
    std::int32_t best = -1;
    for (std::size_t from = 0; from < logits.size(); from += kBlock) {
        const std::size_t to = std::min(logits.size(), from + kBlock);
        const float top = best < 0 ? 0.0F : logits[static_cast<std::size_t>(best)];
        if (best >= 0 && !(rowScan().largest(logits.data() + from, to - from) > top)) {
            continue;
        }
        for (std::size_t i = from; i < to; ++i) {
            if (!std::isnan(logits[i]) &&
                (best < 0 || logits[i] > logits[static_cast<std::size_t>(best)])) {
                best = static_cast<std::int32_t>(i);
            }
        }
    }
    return best;
}

std::vector<std::pair<std::int32_t, float>> topLogits(std::span<const float> logits, std::size_t k)
{
    std::vector<std::pair<std::int32_t, float>> top;
    if (k == 0) {
        return top;
    }
    top.reserve(std::min(k, logits.size()) + 1);
    const auto after = [](float value, const auto& entry) { return value > entry.second; };
    for (std::size_t from = 0; from < logits.size(); from += kBlock) {
        const std::size_t to = std::min(logits.size(), from + kBlock);
        if (top.size() == k &&
            !(rowScan().largest(logits.data() + from, to - from) > top.back().second)) {
            continue;
        }
        for (std::size_t i = from; i < to; ++i) {
            const float logit = logits[i];
            if (std::isnan(logit) || (top.size() == k && !(logit > top.back().second))) {
                continue;
            }
            const auto at = std::upper_bound(top.begin(), top.end(), logit, after);
            top.insert(at, {static_cast<std::int32_t>(i), logit});
            if (top.size() > k) {
                top.pop_back();
            }
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
    const float top = logits[static_cast<std::size_t>(best)];
    if (std::isinf(top)) {
        return static_cast<double>(top);
    }
    return static_cast<double>(top) + std::log(rowScan().sumExp(logits.data(), logits.size(), top));
}

} // namespace ulp
