// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Picks the next token from logits: greedy, or by a counter-based draw.
// Thread-safety: pure functions. Ownership: none.
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/result.h"

namespace ulp::run {

/// temperature 0: argmax. Else one draw from softmax(logits / temperature), keyed by
/// (seed, sequence, step), so that a draw depends on nothing but its key and the logits.
/// Error: Internal "all logits are NaN" naming the step.
Result<std::int32_t> sample(std::span<const float> logits, float temperature, std::uint64_t seed,
                            std::uint32_t sequence, std::uint32_t step);

} // namespace ulp::run
