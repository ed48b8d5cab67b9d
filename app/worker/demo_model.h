// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the files that come with the program lie. Thread-safety: pure. Ownership: by value.
#pragma once

#include <string>

namespace ulp::worker {

/// The folder share/ulpscope beside the program's bin/, in a build tree as in an installation;
/// ULPSCOPE_DATA overrides it.
[[nodiscard]] std::string dataFolder();
/// The built-in model. The file need not exist; opening it then says what is missing.
[[nodiscard]] std::string demoModelPath();

} // namespace ulp::worker
