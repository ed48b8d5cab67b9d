// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/drift.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/ulp_distance.h"

namespace ulp::compare {
namespace {

const trace::TopLogit* find(const std::vector<trace::TopLogit>& top, std::int32_t token)
{
    const auto it = std::find_if(top.begin(), top.end(),
                                 [token](const auto& entry) { return entry.token == token; });
    return it == top.end() ? nullptr : &*it;
}

double klTerm(double p, double q)
{
    if (p <= 0.0) {
        return 0.0;
    }
    return q > 0.0 ? p * std::log(p / q) : std::numeric_limits<double>::infinity();
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
    double sum = 0.0;
    double restP = 1.0;
    double restQ = 1.0;
    bool any = false;
    for (const trace::TopLogit& entry : reference.top) {
        const trace::TopLogit* other = find(run.top, entry.token);
        if (other == nullptr) {
            continue;
        }
        any = true;
        const double logP = static_cast<double>(entry.logit) - reference.logSumExp;
        const double logQ = static_cast<double>(other->logit) - run.logSumExp;
        const double p = std::exp(logP);
        sum += p * (logP - logQ);
        restP -= p;
        restQ -= std::exp(logQ);
    }
    // Rounding can leave a rest of the wrong sign where the top holds nearly everything; such a
    // rest says nothing.
    constexpr double kNoise = 1e-12;
    if (restP > kNoise && restQ > kNoise) {
        sum += klTerm(restP, restQ);
    }
    return any && sum > 0.0 ? sum : 0.0;
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
