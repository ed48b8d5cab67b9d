// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sequences that share a batch with the recorded one: what they say, and when they come and go.
// All of it is fixed by the seed, so that a run can be repeated. Thread-safety: pure functions.
// Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/settings.h"

namespace ulp::run {

/// One companion in one place of the batch, for passes [begin, end) of the run.
struct Stay {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t guest = 0; // numbers the companions of a run; each has a prompt of its own
};

/// The stay after `previous` in the same place; `place` counts from 1. Steady companions have one
/// stay that never ends. Joining ones stay for 1 to 12 passes and leave the place empty for up to
/// 3.
[[nodiscard]] Stay firstStay(const RunSettings& settings, int place);
[[nodiscard]] Stay nextStay(const RunSettings& settings, int place, const Stay& previous);

/// The prompt of a companion: fixed by the seed and its number, and never the same as another's.
/// Steady ones are about as long as the main prompt, joining ones of any length up to it.
[[nodiscard]] std::vector<std::int32_t> companionPrompt(const RunSettings& settings,
                                                        std::uint64_t guest, std::size_t mainLength,
                                                        std::int64_t vocab);

} // namespace ulp::run
