// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verdict as a sentence that a person can repeat, in parts, so that the inspector's verdict
// line, the reports and the command line say the same. Thread-safety: pure functions. Ownership:
// by value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::audit {

/// What the whole comparison amounts to. Unlike compare::Verdict it says Incomplete when all bits
/// recorded so far are equal but a run is not finished: that is not yet "same bits".
enum class VerdictStatus : std::uint8_t {
    Empty,
    Incomplete,
    SameBits,
    SameTokensDifferentBits,
    Diverged,
    Failed,
    Incomparable,
};
[[nodiscard]] std::string_view toString(VerdictStatus status); // "same-bits", ...
[[nodiscard]] VerdictStatus verdictStatus(const compare::Comparison& comparison);

struct VerdictPart {
    enum class Kind : std::uint8_t {
        Status,          // "Diverged"
        Classes,         // "3 classes in 8 runs"
        Varied,          // "varied: threads 1, 2"
        FirstDivergence, // "bits part first at step 3 in ffn_out-2 (3 of 576 elements, 1 ULP)"
        TokenDivergence, // "tokens part at step 41 (margin 3e-4)"
        Note,            // "run 3 was cancelled at step 12"
    };
    Kind kind = Kind::Status;
    std::string text;
    std::optional<std::int64_t> column; // where a click on this part moves the cursor
    std::optional<int> op;
};

/// The parts in reading order; the first is always the status.
[[nodiscard]] std::vector<VerdictPart> verdictParts(const compare::Comparison& comparison);
/// All parts as one sentence: "Diverged: 3 classes in 8 runs; ...".
[[nodiscard]] std::string verdictSentence(const compare::Comparison& comparison);
/// A column in words: "step 3" or "prompt position 5".
[[nodiscard]] std::string placeText(const compare::Comparison& comparison, std::int64_t column);

} // namespace ulp::audit
