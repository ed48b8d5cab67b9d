// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the bits may depend on besides the settings: program, compiler, processor, system,
// libraries, thread environment. Recorded with each trace. Thread-safety: pure. Ownership: by
// value.
#pragma once

#include <map>
#include <string>

namespace ulp::run {

/// Keys such as "program.version", "build.compiler", "cpu.model", "os.kernel",
/// "env.OMP_NUM_THREADS", "library.sqlite". What cannot be read is absent, never invented.
[[nodiscard]] std::map<std::string, std::string> environmentFingerprint();

} // namespace ulp::run
