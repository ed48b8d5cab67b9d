// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The distinct texts of the compared runs. Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::audit {

/// Runs that wrote the same tokens as far as each of them went.
struct Output {
    std::vector<std::int32_t> tokens; // of the run that went farthest
    std::vector<int> runs;            // run numbers, ascending
    std::size_t firstFlip = 0;        // first step that differs from the reference run's output
};

/// The reference run's output first, then the others by their first run. A run that was cut short
/// belongs to the first output that begins with what it wrote.
[[nodiscard]] std::vector<Output> distinctOutputs(const compare::Comparison& comparison);

/// Prompt ids of a run, and the ids it generated.
[[nodiscard]] std::vector<std::int32_t> promptTokens(const trace::RunRecord& run);
[[nodiscard]] std::vector<std::int32_t> generatedTokens(const trace::RunRecord& run);
/// The text of tokens, by the pieces that the snapshot holds; not necessarily valid UTF-8.
[[nodiscard]] std::string textOf(const trace::Snapshot& snapshot,
                                 const std::vector<std::int32_t>& tokens);

} // namespace ulp::audit
