// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of runs as words: what a run was asked to do, and what was varied between runs.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <string>
#include <vector>

#include "engine/base/settings.h"
#include "engine/compare/comparison.h"

namespace ulp::audit {

struct SettingText {
    std::string name;  // "threads"
    std::string value; // "2"
};

/// Every setting of a run that can change its bits or its length, always in the same order.
[[nodiscard]] std::vector<SettingText> settingTexts(const RunSettings& settings);

struct SettingValues {
    std::string name;
    std::vector<std::string> values; // distinct, in the order of the runs
};

/// Every setting with the values it took in the compared runs.
[[nodiscard]] std::vector<SettingValues> valuesOfSettings(const compare::Comparison& comparison);
/// The settings that are not the same in all compared runs.
[[nodiscard]] std::vector<SettingValues> variedSettings(const compare::Comparison& comparison);
/// "threads 1, 2; prefill chunk 1, 512", or empty when nothing was varied.
[[nodiscard]] std::string variedText(const compare::Comparison& comparison);

} // namespace ulp::audit
