// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A comparison as JSON: the keys that `run` and `compare` print and that scripts rely on. Keys keep
// their order and their names; new ones may be added. Numbers read back exactly; NaN and infinities
// are the strings "nan", "inf" and "-inf"; hashes are 16 hex digits; bytes that are not UTF-8 are
// replaced. Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/compare/comparison.h"

namespace ulp::audit {

using JsonValue = nlohmann::ordered_json;

[[nodiscard]] JsonValue jsonNumber(double value);
[[nodiscard]] JsonValue jsonText(std::string_view bytes);
/// The text, or null when it is empty.
[[nodiscard]] JsonValue jsonOptional(const std::string& text);

[[nodiscard]] JsonValue settingsJson(const RunSettings& settings);
/// One entry of "runs".
[[nodiscard]] JsonValue runJson(const compare::Comparison& comparison, int index);
/// {"differing": ..., "of": ..., "max_ulp": ..., "max_abs": ..., "relative_l2": ...}
[[nodiscard]] JsonValue magnitudeJson(const trace::Magnitude& magnitude);
/// The run numbers of each class: [[0, 2], [1]].
[[nodiscard]] JsonValue classesJson(const compare::Comparison& comparison,
                                    const std::vector<compare::RunClass>& classes);
/// The document of `run --json` and `compare --json`.
[[nodiscard]] JsonValue comparisonJson(const compare::Comparison& comparison);
/// A document as text: one key on each line, and one element of a list of objects on each line, so
/// that line tools can read it.
[[nodiscard]] std::string layoutJson(const JsonValue& document);
/// One value of such a document.
[[nodiscard]] std::string layoutValue(const JsonValue& value);
/// Steps that the longest compared run recorded.
[[nodiscard]] std::int64_t stepCount(const compare::Comparison& comparison);

} // namespace ulp::audit
