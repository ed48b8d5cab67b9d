// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of the HTML report. Long ones are capped and say so, with a pointer to the JSON.
// Thread-safety: pure functions. Ownership: by value; all data is escaped.
#pragma once

#include <string>

#include "engine/compare/comparison.h"

namespace ulp::audit::html {

[[nodiscard]] std::string runTable(const compare::Comparison& comparison);
/// The first divergent cell: kind, shape, classes with hashes, magnitude by run, top logits there.
[[nodiscard]] std::string firstDivergenceTables(const compare::Comparison& comparison);
[[nodiscard]] std::string tokenDivergenceTable(const compare::Comparison& comparison);
/// Ops by how often they are an origin.
[[nodiscard]] std::string originTable(const compare::Comparison& comparison);
[[nodiscard]] std::string divergentCellTable(const compare::Comparison& comparison);
/// Empty when every value is finite.
[[nodiscard]] std::string nonFiniteTable(const compare::Comparison& comparison);
[[nodiscard]] std::string settingsTable(const compare::Comparison& comparison);
[[nodiscard]] std::string modelTable(const compare::Comparison& comparison);
[[nodiscard]] std::string tensorTable(const compare::Comparison& comparison);
[[nodiscard]] std::string fingerprintTable(const compare::Comparison& comparison);

} // namespace ulp::audit::html
