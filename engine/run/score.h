// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Teacher-forced evaluation: the model's prediction after every token of a given text.
// Thread-safety: one thread; the cancel flag from any. Ownership: shares the model.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/settings.h"
#include "engine/model/model.h"

namespace ulp::run {

struct ScorePosition {
    double logSumExp = 0.0;
    std::vector<std::pair<std::int32_t, float>> top; // sorted by logit, then id
};

struct ScoreResult {
    std::vector<std::int32_t> tokens;
    double meanNll = 0.0;                 // over tokens 1..n-1, each given those before it
    double perplexity = 0.0;              // exp(meanNll)
    std::vector<ScorePosition> positions; // entry i: the prediction after token i
};

/// `settings` must be resolved; batch must be 1. Errors: BadUsage when the text exceeds the
/// context.
Result<ScoreResult> score(std::shared_ptr<const model::Model> model, const RunSettings& settings,
                          std::span<const std::int32_t> tokens, int topK,
                          const std::atomic<bool>* cancel = nullptr);

} // namespace ulp::run
