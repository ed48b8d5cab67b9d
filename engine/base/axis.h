// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of a sweep: settings by name, the values they take, and the grid of runs they span.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/settings.h"

namespace ulp {

/// A setting that a sweep may vary.
struct AxisKind {
    std::string_view name;   // "prefill-chunk", as the command line's option
    std::string_view values; // "1, 2, ...", for people
    std::int64_t unit = 0;   // of an ordered axis: how far apart two neighbours are; else 0
    bool integer = false;    // values are integers
};
[[nodiscard]] const std::vector<AxisKind>& axisKinds();

struct Axis {
    std::string name;                // that of an AxisKind
    std::vector<std::string> values; // as their settings write them: "1", "batch-split", "on"
    bool operator==(const Axis&) const = default;

    [[nodiscard]] const AxisKind& kind() const;
    /// Values lie on a line, so that one can look between two of them.
    [[nodiscard]] bool ordered() const { return kind().unit > 0; }
};

/// The most runs of one sweep.
inline constexpr std::int64_t kMaxSweepRuns = 10'000;

/// `NAME=V1,V2,...`; integers may be ranges, A..B or A..B:STEP. Errors: BadUsage, naming the axis
/// and what it takes.
[[nodiscard]] Result<Axis> parseAxis(std::string_view text);

/// Gives a setting a value written as text. Errors: BadUsage.
Result<void> setByName(RunSettings& settings, std::string_view name, std::string_view value);

/// The grid: `base` with every combination of the axes' values, the last axis fastest. Errors:
/// BadUsage when an axis comes twice, or cells times `runs` exceeds kMaxSweepRuns.
[[nodiscard]] Result<std::vector<RunSettings>> expandGrid(const RunSettings& base,
                                                          const std::vector<Axis>& axes, int runs);

/// The value in the middle between two values of an ordered axis; empty when they are neighbours.
[[nodiscard]] std::optional<std::int64_t> valueBetween(const AxisKind& kind, std::int64_t low,
                                                       std::int64_t high);

} // namespace ulp
