// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers, hashes and tokens as the inspector writes them, on top of the words that the reports use
// (engine/audit/format.h). Decimal points never follow the locale.
// Thread-safety: pure functions. Ownership: none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "engine/base/op_info.h"

namespace ulp::views {

/// "9f31 c07e 11d4 83ab"; a dash for a cell that was not recorded.
[[nodiscard]] QString hashText(std::uint64_t hash);
/// "0 2 5–7"; lists of more than `most` parts end in an ellipsis and the count of runs.
[[nodiscard]] QString runsText(const std::vector<int>& runs, int most = 12);
/// A difference with three significant digits, as the reports write it.
[[nodiscard]] QString differenceText(double value);
/// A difference with its sign: "+7e-5", "-6e-5", "0".
[[nodiscard]] QString signedNumber(double value);
/// "1 h 02 min", "4.1 s", "85 ms".
[[nodiscard]] QString durationText(double seconds);
/// "41 MB", "1.2 GB" (powers of 1024).
[[nodiscard]] QString bytesText(std::int64_t bytes);
/// "[576] f32".
[[nodiscard]] QString shapeText(const OpInfo& op);
/// The bytes of a token as one may read them: control characters as pictures, newline as an arrow,
/// a token of blanks as open boxes, bytes that are not UTF-8 as \xE2.
[[nodiscard]] QString visibleToken(std::string_view bytes);
/// A word quoted for a POSIX shell when it needs to be.
[[nodiscard]] QString shellQuoted(const QString& word);

} // namespace ulp::views
