// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Picks the next token from logits: greedy, or by a counter-based draw from what a chain of filters
// leaves. The chain's order is the field's (llama.cpp's default): logit bias, repetition penalty,
// top-k, top-p, min-p, temperature. Shares are of the distribution at temperature 1; whatever is
// ordered is ordered by logit, then by id, so that no tie is left to chance; the exponential is the
// engine's own. Thread-safety: pure functions. Ownership: none.
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/result.h"
#include "engine/base/settings.h"

namespace ulp::run {

/// What a draw depends on besides the logits.
struct DrawKey {
    std::uint64_t seed = 0;
    std::uint32_t sequence = 0;
    std::uint32_t step = 0;
};

/// temperature 0: the largest logit after biases and penalty, the lowest id of equals. Else one
/// draw from the softmax over what the filters leave. `history`: the tokens of the sequence so far,
/// which the repetition penalty looks back over. Errors: Internal "all logits are NaN" naming the
/// step; BadUsage when the biases forbid every token.
Result<std::int32_t> sample(std::span<const float> logits, const RunSettings& settings,
                            std::span<const std::int32_t> history, const DrawKey& key);

} // namespace ulp::run
