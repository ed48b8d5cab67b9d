// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/drift.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/ulp_distance.h"

namespace ulp::compare {
namespace {

const trace::TopLogit* find(const std::vector<trace::TopLogit>& top, std::int32_t token)
{
    const auto it = std::find_if(top.begin(), top.end(),
                                 [token](const auto& entry) { return entry.token == token; });
    return it == top.end() ? nullptr : &*it;
}

/// KL of a coin: what the two say about whether the token is among those that both list.
double coinKl(double p, double q)
{
    // log-sum-exp is known to about 1e-7; a rest below that is noise and says nothing.
    constexpr double kNoise = 1e-6;
    if (1.0 - p < kNoise || 1.0 - q < kNoise || p <= 0.0 || q <= 0.0) {
        return 0.0;
    }
    return p * std::log(p / q) + (1.0 - p) * std::log((1.0 - p) / (1.0 - q));
}

struct Pair {
    double p = 0.0; // logits of one token in the two runs
    double q = 0.0;
};

double logSumOf(const std::vector<Pair>& pairs, double Pair::*side)
{
    double top = pairs.front().*side;
    for (const Pair& pair : pairs) {
        top = std::max(top, pair.*side);
    }
    double sum = 0.0;
    for (const Pair& pair : pairs) {
        sum += std::exp(pair.*side - top);
    }
    return top + std::log(sum);
}

void addTopDifferences(const trace::Column& reference, const trace::Column& run, Drift& drift)
{
    for (const trace::TopLogit& entry : reference.top) {
        if (const trace::TopLogit* other = find(run.top, entry.token)) {
            const double difference =
                std::abs(static_cast<double>(entry.logit) - static_cast<double>(other->logit));
            drift.maxAbs = std::max(drift.maxAbs, difference);
            drift.maxUlp = std::max(drift.maxUlp, ulpDistance(entry.logit, other->logit));
        }
    }
}

} // namespace

double topLogitKl(const trace::Column& reference, const trace::Column& run)
{
    std::vector<Pair> both;
    for (const trace::TopLogit& entry : reference.top) {
        if (const trace::TopLogit* other = find(run.top, entry.token)) {
            both.push_back({static_cast<double>(entry.logit), static_cast<double>(other->logit)});
        }
    }
    if (both.empty()) {
        return 0.0;
    }
    // The chain rule, without its third term: KL of "one of these tokens or not", plus the
    // reference's share of these times KL among them. The second needs no log-sum-exp of the whole
    // vocabulary, so that differences of the last bit are not drowned in its rounding.
    const double logP = logSumOf(both, &Pair::p);
    const double logQ = logSumOf(both, &Pair::q);
    double among = 0.0;
    for (const Pair& pair : both) {
        among += std::exp(pair.p - logP) * ((pair.p - logP) - (pair.q - logQ));
    }
    const double shareP = std::min(std::exp(logP - reference.logSumExp), 1.0);
    const double shareQ = std::min(std::exp(logQ - run.logSumExp), 1.0);
    const double sum = coinKl(shareP, shareQ) + shareP * among;
    return sum > 0.0 ? sum : 0.0;
}

Drift logitDrift(const trace::Column& reference, const trace::Column& run,
                 const trace::Magnitude* magnitude)
{
    Drift drift;
    if (reference.logitHash == trace::kNotRecorded || run.logitHash == trace::kNotRecorded) {
        return drift;
    }
    if (reference.logitHash == run.logitHash) {
        drift.recorded = true;
        return drift;
    }
    const bool tops = !reference.top.empty() && !run.top.empty();
    drift.recorded = tops || magnitude != nullptr;
    if (magnitude != nullptr) {
        drift.maxAbs = magnitude->maxAbs;
        drift.maxUlp = magnitude->maxUlp;
    } else if (tops) {
        addTopDifferences(reference, run, drift);
    }
    drift.kl = tops ? topLogitKl(reference, run) : 0.0;
    return drift;
}

} // namespace ulp::compare
