// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of ulpscope-cli as one table: name, what it does, an example, and the function that
// adds its options and returns the action. Each command is one file, cmd_<name>.cpp.
// Thread-safety: used from main's thread only. Ownership: actions own their options.
#pragma once

#include <functional>
#include <span>

#include <CLI/CLI.hpp>

#include "app/cli/console.h"

namespace ulp::cli {

using Action = std::function<Exit()>;

struct Command {
    const char* name;
    const char* summary;
    const char* example;
    Action (*configure)(CLI::App& app);
};

/// Numbers mean what they look like: no octal or hexadecimal, nothing that does not fit. For every
/// option whose placeholder is one capital letter, which is how ours announce a number or a name.
void readNumbersAsWritten(CLI::App& app);

/// In the order in which help lists them.
[[nodiscard]] std::span<const Command> commands();

Action configureRun(CLI::App& app);
Action configureScore(CLI::App& app);
Action configureCompare(CLI::App& app);
Action configureSweep(CLI::App& app);
Action configureReport(CLI::App& app);
Action configureInfo(CLI::App& app);
Action configureVerify(CLI::App& app);
Action configureTokenize(CLI::App& app);
Action configureBench(CLI::App& app);
Action configureSelfcheck(CLI::App& app);

} // namespace ulp::cli
