// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The packed values of a trace file (trace_schema.h has their layouts): to bytes, and back with
// every size and index checked. Internal to trace. Thread-safety: pure functions. Ownership: by
// value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"

namespace ulp::trace {

[[nodiscard]] std::string packTop(std::span<const TopLogit> top);
/// Nothing when an entry does not fit the format (a row of 2^32 elements or more).
[[nodiscard]] std::optional<std::string> packMagnitudes(std::span<const Magnitude> magnitudes);
[[nodiscard]] std::string packNonFinite(std::span<const NonFinite> counts);
/// Nothing when compression fails.
[[nodiscard]] std::optional<std::string> packTensor(std::span<const float> row);

/// Nothing when the bytes are no whole number of entries, an op is not below `ops`, or ops do not
/// ascend.
[[nodiscard]] std::optional<std::vector<TopLogit>> unpackTop(std::string_view bytes);
[[nodiscard]] std::optional<std::vector<Magnitude>> unpackMagnitudes(std::string_view bytes,
                                                                     std::size_t ops);
[[nodiscard]] std::optional<std::vector<NonFinite>> unpackNonFinite(std::string_view bytes,
                                                                    std::size_t ops);
/// Nothing unless the bytes are one zstd frame of exactly `count` floats.
[[nodiscard]] std::optional<std::vector<float>> unpackTensor(std::string_view bytes,
                                                             std::size_t count);

/// "[1,2,3]" and back; nothing for anything else.
[[nodiscard]] std::string listToText(std::span<const std::int64_t> list);
[[nodiscard]] std::string listToText(std::span<const int> list);
[[nodiscard]] std::optional<std::vector<std::int64_t>> listFromText(std::string_view text);

} // namespace ulp::trace
