// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// UTF-8 that may be broken: find where it is valid, walk it, repair it for display.
// Valid means RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
// Thread-safety: pure functions. Ownership: views borrow from their argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ulp::utf8 {

/// Bytes of the valid code point that starts at `text[at]`: 1 to 4; 0 if none starts there.
[[nodiscard]] std::size_t codePointLength(std::string_view text, std::size_t at);
/// The code point at `text[at]`, where codePointLength() gave `length` > 0.
[[nodiscard]] char32_t decode(std::string_view text, std::size_t at, std::size_t length);
/// Appends one code point (at most U+10FFFF).
void append(std::string& text, char32_t codePoint);

[[nodiscard]] bool isValid(std::string_view text);
/// Bytes from the front of `text` that are valid UTF-8 (text.size() if all of it is).
[[nodiscard]] std::size_t validPrefix(std::string_view text);
/// Bytes from the front of `text` at which no valid code point starts.
[[nodiscard]] std::size_t invalidPrefix(std::string_view text);

/// Every byte that is not part of a valid code point becomes U+FFFD: text that any user interface
/// and any JSON writer takes. Lossy; for display only.
[[nodiscard]] std::string repaired(std::string_view text);

} // namespace ulp::utf8
