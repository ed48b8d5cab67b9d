// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The digest of a whole trace file, kept inside it: taken with zeros in its place, then written
// over them. It covers what no row digest can reach (SQLite's own structure, unused bytes).
// Internal to trace. Thread-safety: pure functions over files. Ownership: none.
#pragma once

#include <string>

#include "engine/base/result.h"

namespace ulp::trace {

/// 32 hex digits that no earlier content can hold.
[[nodiscard]] std::string randomNonce();

/// Finds `prefix` (see sealPrefix) and the zeros behind it, takes the file's digest and writes it
/// there, down to the disk.
Result<void> stampSeal(const std::string& file, const std::string& name, const std::string& prefix);

/// `seal` is what the file says (prefix and digest). Nothing when the file has that digest, else
/// what is wrong, as a sentence.
Result<std::string> checkSeal(const std::string& file, const std::string& seal);

} // namespace ulp::trace
