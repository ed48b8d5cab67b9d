// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sweep as JSON with stable keys, and the words for its parts that every output uses.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <string>

#include "engine/audit/comparison_json.h"
#include "engine/compare/sweep_map.h"

namespace ulp::audit {

/// The document that the command line's manual describes. Axis names have underscores, as the keys
/// of runs have; values of integer axes are numbers.
[[nodiscard]] JsonValue sweepJson(const trace::Snapshot& snapshot, const compare::SweepMap& map);

/// "A", or "A, B" where repeats of the cell differ; "-" without a complete run.
[[nodiscard]] std::string cellClassText(const compare::SweepCell& cell);
/// What an axis does to the bits, as a sentence.
[[nodiscard]] std::string effectText(const compare::SweepMap& map,
                                     const compare::AxisEffect& effect);
/// "class changes between batch 8 and 9 (A, B) at policy batch-split".
[[nodiscard]] std::string switchText(const compare::SweepMap& map,
                                     const compare::SwitchPoint& point);
/// SHA-256 in hex over input token, chosen token (32-bit little-endian each) and logit hash
/// (64-bit) of each column: what a run without hashed ops can be compared by.
[[nodiscard]] std::string outputHash(const trace::RunRecord& run);

} // namespace ulp::audit
