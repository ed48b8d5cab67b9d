// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this program was built from and with. Thread-safety: constants.
#pragma once

#include <string>

namespace ulp {

struct BuildInfo {
    std::string version;  // "0.1.0"
    std::string id;       // digest of the sources' state: git description, or "unknown"
    std::string compiler; // "GNU 12.2.0"
    std::string flags;
    std::string type; // "Release"
};

[[nodiscard]] const BuildInfo& buildInfo();

} // namespace ulp
