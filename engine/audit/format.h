// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers, hashes and text as every report writes them: one place, so that the command line, the
// reports and the inspector quote the same figures in the same words. Thread-safety: pure
// functions. Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::audit {

/// A difference with three significant digits: "3.12e-7", "0.25", "0". NaN is "NaN".
[[nodiscard]] std::string formatDifference(double value);
/// Tokens a second: "2,210", "91.4", "0.52"; "-" where none was measured.
[[nodiscard]] std::string formatRate(double perSecond);
/// The shortest text that reads back as the same double; NaN and infinities as "nan", "inf",
/// "-inf".
[[nodiscard]] std::string formatExact(double value);
/// An integer in groups of three digits: "4,812".
[[nodiscard]] std::string formatCount(std::int64_t value);
/// "1 run", "2 runs", "2 classes".
[[nodiscard]] std::string formatPlural(std::int64_t count, std::string_view one,
                                       std::string_view many);
/// A ULP distance; the saturated value is ">= 4294967295".
[[nodiscard]] std::string formatUlp(std::uint32_t value);
/// 16 hex digits; grouped: "9f31 c07e 11d4 83ab".
[[nodiscard]] std::string formatHash(std::uint64_t hash);
[[nodiscard]] std::string formatHashGrouped(std::uint64_t hash);
/// "A", "B", ..., "Z", "AA", ...
[[nodiscard]] std::string className(std::size_t index);
/// Run numbers, runs of three and more folded: "0, 2, 5-7".
[[nodiscard]] std::string formatRuns(std::span<const int> runs);
/// Items joined by a separator.
[[nodiscard]] std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The number of code points; a byte that is not part of one counts as one.
[[nodiscard]] std::size_t codePoints(std::string_view bytes);
/// Text for one line: control characters as visible symbols (newline as U+21B5, tab as U+21E5,
/// others as their Unicode control pictures), invalid UTF-8 replaced.
[[nodiscard]] std::string visibleText(std::string_view bytes);
/// Safe inside HTML element content and double-quoted attributes.
[[nodiscard]] std::string htmlEscape(std::string_view bytes);
/// One CSV field as RFC 4180 writes it; quoted only where needed.
[[nodiscard]] std::string csvField(std::string_view text);

} // namespace ulp::audit
