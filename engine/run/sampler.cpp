// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "engine/base/logits.h"
#include "engine/numeric/math.h"
#include "engine/numeric/random.h"

namespace ulp::run {
namespace {

/// exp((logit - top) / temperature); 0 for NaN. The largest is 1 even if it is infinite.
double weightOf(float logit, float top, float temperature)
{
    if (std::isnan(logit)) {
        return 0.0;
    }
    if (logit == top) {
        return 1.0;
    }
    return static_cast<double>(numeric::expFloat((logit - top) / temperature));
}

bool changesLogits(const SamplerSettings& chain)
{
    return !chain.logitBias.empty() || (chain.repeatPenalty != 1.0F && chain.repeatLastN != 0);
}

/// The logits after biases and penalty.
std::vector<float> adjusted(std::span<const float> logits, const SamplerSettings& chain,
                            std::span<const std::int32_t> history)
{
    std::vector<float> values(logits.begin(), logits.end());
    const auto inside = [&](std::int32_t token) {
        return token >= 0 && static_cast<std::size_t>(token) < values.size();
    };
    for (const LogitBias& bias : chain.logitBias) {
        if (inside(bias.token)) {
            values[static_cast<std::size_t>(bias.token)] += bias.bias;
        }
    }
    if (chain.repeatPenalty == 1.0F) {
        return values;
    }
    const std::size_t window =
        chain.repeatLastN < 0
            ? history.size()
            : std::min(history.size(), static_cast<std::size_t>(chain.repeatLastN));
    std::vector<std::int32_t> seen(history.end() - static_cast<std::ptrdiff_t>(window),
                                   history.end());
    std::ranges::sort(seen); // each token pays once, however often it came
    const auto repeated = std::ranges::unique(seen);
    seen.erase(repeated.begin(), repeated.end());
    for (const std::int32_t token : seen) {
        if (inside(token)) {
            float& value = values[static_cast<std::size_t>(token)];
            value = value > 0.0F ? value / chain.repeatPenalty : value * chain.repeatPenalty;
        }
    }
    return values;
}

/// The ids that top-k, top-p and min-p leave, by logit and then id; at least one.
std::vector<std::int32_t> filtered(std::span<const float> values, const SamplerSettings& chain)
{
    const auto value = [&](std::int32_t id) { return values[static_cast<std::size_t>(id)]; };
    std::vector<std::int32_t> ids(values.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::erase_if(ids, [&](std::int32_t id) { return std::isnan(value(id)); });
    const auto before = [&](std::int32_t a, std::int32_t b) {
        return value(a) != value(b) ? value(a) > value(b) : a < b;
    };
    const std::size_t kept =
        chain.topK > 0 ? std::min(ids.size(), static_cast<std::size_t>(chain.topK)) : ids.size();
    std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(),
                      before);
    ids.resize(kept);
    const float top = value(ids.front());
    if (chain.topP < 1.0F) {
        double total = 0.0;
        for (const std::int32_t id : ids) {
            total += weightOf(value(id), top, 1.0F);
        }
        double sum = 0.0;
        std::size_t count = 0;
        while (count < ids.size() &&
               (count == 0 || sum < static_cast<double>(chain.topP) * total)) {
            sum += weightOf(value(ids[count++]), top, 1.0F);
        }
        ids.resize(count);
    }
    // The best one's own weight is 1, so it is never left out.
    std::erase_if(ids, [&](std::int32_t id) {
        return weightOf(value(id), top, 1.0F) < static_cast<double>(chain.minP);
    });
    return ids;
}

/// One draw over `ids`, ascending, with weights at the temperature.
template <typename Ids>
std::int32_t draw(std::span<const float> values, const Ids& ids, float top, float temperature,
                  const DrawKey& key)
{
    const auto weight = [&](std::int32_t id) {
        return weightOf(values[static_cast<std::size_t>(id)], top, temperature);
    };
    double total = 0.0;
    for (const std::int32_t id : ids) {
        total += weight(id);
    }
    const double target =
        static_cast<double>(numeric::uniformFloat(key.seed, key.sequence, key.step)) * total;
    double sum = 0.0;
    std::int32_t last = -1;
    for (const std::int32_t id : ids) {
        const double w = weight(id);
        if (w > 0.0) {
            last = id;
            sum += w;
            if (sum > target) {
                break;
            }
        }
    }
    return last;
}

} // namespace

Result<std::int32_t> sample(std::span<const float> logits, const RunSettings& settings,
                            std::span<const std::int32_t> history, const DrawKey& key)
{
    const SamplerSettings& chain = settings.sampler;
    std::vector<float> changed;
    if (changesLogits(chain)) {
        changed = adjusted(logits, chain, history);
    }
    const std::span<const float> values =
        changed.empty() ? logits : std::span<const float>(changed);
    const std::int32_t best = argmax(values);
    if (best < 0) {
        return makeError(ErrorCode::Internal,
                         "all logits are NaN at step " + std::to_string(key.step), {},
                         "look for the first op with NaN in the trace");
    }
    const float top = values[static_cast<std::size_t>(best)];
    if (!chain.logitBias.empty() && std::isinf(top) && top < 0.0F) {
        return makeError(ErrorCode::BadUsage, "the logit biases forbid every token", "logit bias",
                         "leave a token that may be chosen");
    }
    if (settings.temperature == 0.0F) {
        return best;
    }
    // Summed by ascending id in either case, so that filters that leave all change no draw.
    if (chain.topK > 0 || chain.topP < 1.0F || chain.minP > 0.0F) {
        std::vector<std::int32_t> ids = filtered(values, chain);
        std::ranges::sort(ids);
        return draw(values, ids, top, settings.temperature, key);
    }
    return draw(values, std::views::iota(0, static_cast<std::int32_t>(values.size())), top,
                settings.temperature, key);
}

} // namespace ulp::run
