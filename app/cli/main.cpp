// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "engine/audit/format.h"
#include "engine/base/build_info.h"
#include "engine/base/settings.h"
#include "engine/kernels/matmul.h"

namespace ulp::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, and all compared bits are the same; 1 done, and runs diverged or a "
    "check failed;\n2 bad usage or bad input; 3 internal failure; 130 interrupted.\n"
    "Help on a command: ulpscope-cli COMMAND --help";

std::string versionText()
{
    const BuildInfo& build = buildInfo();
    std::vector<std::string> isas;
    for (const Isa isa : kernels::availableIsas()) {
        isas.emplace_back(toString(isa));
    }
    return "ulpscope-cli " + build.version + "\ncontract          " +
           std::to_string(kContractVersion) + "\nbuild             " + build.id + " (" +
           build.type + ")\ncompiler          " + build.compiler + "\ninstruction sets  " +
           audit::join(isas, ", ");
}

Exit usage(const std::string& message, const std::string& command)
{
    const std::string help =
        command.empty() ? "ulpscope-cli --help" : "ulpscope-cli " + command + " --help";
    return fail(makeError(ErrorCode::BadUsage, message, command, "see " + help));
}

/// A first word that is no command is refused by name, saying what there is.
bool isUnknownCommand(const std::string& word)
{
    const auto all = commands();
    return !word.starts_with('-') &&
           std::none_of(all.begin(), all.end(), [&](const Command& c) { return c.name == word; });
}

Exit unknownCommand(const std::string& word)
{
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        names.emplace_back(command.name);
    }
    return fail(makeError(ErrorCode::BadUsage, "there is no command '" + word + "' in this version",
                          {}, "use one of " + audit::join(names, ", ")));
}

Exit dispatch(int argc, char** argv)
{
    CLI::App app("An oscilloscope for the last bit: runs a prompt through a language model and "
                 "shows where two runs part.",
                 "ulpscope-cli");
    app.footer(kFooter);
    app.require_subcommand(1);
    app.set_version_flag("--version", versionText, "Version, contract, build, instruction sets");
    std::vector<std::pair<CLI::App*, Action>> actions;
    for (const Command& command : commands()) {
        CLI::App* sub = app.add_subcommand(command.name, command.summary);
        sub->footer(std::string("Example:\n  ") + command.example);
        actions.emplace_back(sub, command.configure(*sub));
        readNumbersAsWritten(*sub);
    }
    if (argc > 1 && isUnknownCommand(argv[1])) {
        return unknownCommand(argv[1]);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& done) { // --help, --version
        app.exit(done);
        return Exit::Done;
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        return usage(error.what(), chosen.empty() ? std::string() : chosen.front()->get_name());
    }
    for (const auto& [sub, action] : actions) {
        if (sub->parsed()) {
            return action();
        }
    }
    return Exit::Internal;
}

} // namespace
} // namespace ulp::cli

int main(int argc, char** argv)
{
    using ulp::cli::Exit;
    try {
        const Exit code = ulp::cli::dispatch(argc, argv);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
            return static_cast<int>(code);
        }
        return static_cast<int>(ulp::cli::fail(
            ulp::makeError(ulp::ErrorCode::Io, "cannot be written to", "standard output",
                           "free space or redirect it elsewhere")));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ulpscope-cli: internal failure: %s; please report it\n",
                     error.what());
    }
    return static_cast<int>(Exit::Internal);
}
