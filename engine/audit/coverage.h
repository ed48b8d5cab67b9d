// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a comparison says nothing about, in sentences: every report ends with it, so that "same
// bits" is never read as more than was looked at. Thread-safety: pure function. Ownership: by
// value.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::audit {

/// Whole sentences, the most particular first.
[[nodiscard]] std::vector<std::string> notChecked(const compare::Comparison& comparison);

} // namespace ulp::audit
