// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of the runs in aligned columns, one line for each distinct output, the first differing
// token outlined. Thread-safety: pure function.
#pragma once

#include <string>

#include "engine/compare/comparison.h"

namespace ulp::audit::html {

[[nodiscard]] std::string tokenLines(const compare::Comparison& comparison);

} // namespace ulp::audit::html
