// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run's settings as JSON, the form in which a trace keeps them. Keys are those of the command
// line's JSON. Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/settings.h"

namespace ulp::trace {

[[nodiscard]] std::string settingsToJson(const RunSettings& settings);
/// Keys that are absent keep their default, unknown ones are passed over; a value of the wrong type
/// or an unknown name is BadInput and says which.
Result<RunSettings> settingsFromJson(std::string_view text);

} // namespace ulp::trace
