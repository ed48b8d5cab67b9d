// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the command line refuses, how it says so, and that help, manual and completions agree.
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace ulp::test {
namespace {

const std::vector<std::string> kCommands{"run",  "sweep",  "score",    "compare", "report",
                                         "info", "verify", "tokenize", "bench",   "selfcheck"};

/// Exit 2, nothing on standard output, one line on standard error that holds all of `words`.
void expectRefused(const std::vector<std::string>& arguments, const std::vector<std::string>& words)
{
    const auto result = cli(arguments);
    EXPECT_EQ(result.exitCode, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("ulpscope-cli: "), 0U) << result.err;
    for (const auto& word : words) {
        EXPECT_NE(result.err.find(word), std::string::npos) << word << " not in: " << result.err;
    }
}

TEST(Usage, UnknownCommandsAreRefusedByName)
{
    for (const char* command :
         {"replay", "import", "export", "serve", "probe", "gate", "frobnicate", ""}) {
        expectRefused({command}, {"no command '" + std::string(command) + "'", "selfcheck"});
    }
}

TEST(Usage, BadFlagsAreRefused)
{
    expectRefused({}, {"--help"});
    expectRefused({"run"}, {"--prompt", "run --help"});
    expectRefused({"run", "--prompt", "a", "--tokens", "1"}, {"run --help"});
    expectRefused({"run", "--prompt", "a", "--frobnicate"}, {"--frobnicate"});
    expectRefused({"run", "--prompt", "a", "--steps", "many"}, {"--steps"});
    expectRefused({"run", "--prompt", "a", "--steps"}, {"--steps"});
    expectRefused({"run", "--prompt", "a", "--runs", "0"}, {"--runs"});
    expectRefused({"run", "--tokens", "1,x"}, {"--tokens", "1,x"});
    expectRefused({"run", "--tokens", ""}, {"--tokens"});
    expectRefused({"run", "--tokens", "1,,2"}, {"--tokens"});
    expectRefused({"run", "--tokens", "99999999999"}, {"--tokens"});
    expectRefused({"run", "--prompt", "a", "--keep-reference", "12Q"}, {"--keep-reference"});
    expectRefused({"run", "--prompt", "a", "--perturb", "ffn_out-1"}, {"--perturb", "OP@POSITION"});
    expectRefused({"run", "--prompt", "a", "--op-policy", "ffn"}, {"--op-policy", "ffn"});
    expectRefused({"run", "--prompt", "a", "--keep-logits"}, {"--keep-logits", "--out"});
    expectRefused({"run", "--prompt-file", "/nonexistent/prompt"}, {"/nonexistent/prompt"});
    expectRefused({"report", "x.ulp", "--format", "pdf", "--out", "x.pdf"}, {"--format", "pdf"});
    expectRefused({"report", "x.ulp", "--format", "csv", "--out", "-"}, {"--out", "'-'"});
    expectRefused({"run", "--prompt", "a", "--out", ""}, {"--out"});
    expectRefused({"info", "/dev/null"}, {"/dev/null", "not a regular file"});
    expectRefused({"compare"}, {"compare --help"});
    expectRefused({"tokenize"}, {"tokenize --help"});
    expectRefused({"bench", "--gen-tokens", "0"}, {"--gen-tokens"});
}

TEST(Usage, AnErrorIsOneShortLine)
{
    const auto result = cli({"run", "--tokens", std::string(100000, '7') + "\x1b[31m\n"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_LT(result.err.size(), 2000U);
    EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
    EXPECT_NE(result.err.find("write"), std::string::npos) << "no remedy in " << result.err;
}

TEST(Usage, NumbersMeanWhatTheyLookLike)
{
    expectRefused({"run", "--prompt", "a", "--threads", "99999"}, {"threads 99999", "use 0 to"});
    expectRefused({"bench", "--threads", "2147483647"}, {"threads 2147483647"});
    for (const char* text : {"010", "0x10", "4.5.6", "18446744073709551616", "-1"}) {
        expectRefused({"run", "--prompt", "a", "--seed", text}, {"--seed"});
    }
    expectRefused({"run", "--prompt", "a", "--steps", "010"}, {"--steps", "begins with a zero"});
    expectRefused({"bench", "--threads", "08"}, {"--threads", "begins with a zero"});
    expectRefused({"score", "--prompt", "a", "--batch", "99999999999999999999"}, {"--batch"});
}

TEST(Usage, UnsupportedSettingsAreRefusedNotReplaced)
{
    expectRefused({"run", "--prompt", "a", "--device", "cuda"}, {"--device", "no CUDA device"});
    expectRefused({"run", "--prompt", "a", "--policy", "orderly"}, {"--policy", "atomic-add"});
    expectRefused({"run", "--prompt", "a", "--isa", "neon"}, {"--isa", "portable"});
    expectRefused({"run", "--prompt", "a", "--activation", "fp8"}, {"--activation", "bf16"});
}

TEST(Usage, AnExistingTraceIsRefusedBeforeAnythingRuns)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("taken.ulp");
    writeFile(path, "precious");
    // The model does not exist either: the output is looked at first.
    expectRefused({"run", "--prompt", "a", "--out", path, "--model", "/nonexistent.gguf"},
                  {path, "exists already", "--overwrite"});
    EXPECT_EQ(readFile(path), "precious");
}

TEST(Usage, MissingAndForeignFilesAreNamed)
{
    const TemporaryFolder folder;
    const std::string garbage = folder.file("garbage.bin");
    writeFile(garbage, std::string(5000, 'x'));
    const std::string empty = folder.file("empty.ulp");
    writeFile(empty, "");
    const std::string missing = folder.file("missing.ulp");
    for (const auto& path : {garbage, empty, missing, folder.path()}) {
        expectRefused({"compare", path}, {path});
        expectRefused({"verify", path}, {path});
        expectRefused({"info", path}, {path});
        expectRefused({"report", path, "--format", "json", "--out", folder.file("r.json")}, {path});
        expectRefused({"run", "--prompt", "a", "--model", path}, {path});
        expectRefused({"score", "--prompt", "a", "--model", path}, {path});
        expectRefused({"tokenize", "--text", "a", "--model", path}, {path});
        expectRefused({"bench", "--model", path}, {path});
    }
}

TEST(Usage, ErrorsLeaveStandardOutputEmptyWithJsonToo)
{
    const auto result = cli({"compare", "/nonexistent.ulp", "--json"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_EQ(result.out, "");
}

TEST(Usage, VersionSaysWhatBitsMayDependOn)
{
    const auto result = cli({"--version"});
    EXPECT_EQ(result.exitCode, 0);
    for (const char* word : {"ulpscope-cli ", "contract ", "build ", "compiler ", "portable"}) {
        EXPECT_NE(result.out.find(word), std::string::npos) << word;
    }
}

std::set<std::string> flagsIn(const std::string& help)
{
    std::set<std::string> flags;
    static const std::regex flag("(^|[^-\\w])(--[a-z][a-z-]*)");
    for (auto it = std::sregex_iterator(help.begin(), help.end(), flag);
         it != std::sregex_iterator(); ++it) {
        flags.insert((*it)[2]);
    }
    return flags;
}

/// The options that a command's help lists: lines that start with one.
std::set<std::string> optionsOf(const std::string& command)
{
    const auto result = cli({command, "--help"});
    EXPECT_EQ(result.exitCode, 0) << command;
    EXPECT_NE(result.out.find("Example:\n  ulpscope-cli " + command), std::string::npos)
        << result.out;
    std::set<std::string> options;
    static const std::regex line("\n {2,}(?:-h,)?(--[a-z][a-z-]*)");
    for (auto it = std::sregex_iterator(result.out.begin(), result.out.end(), line);
         it != std::sregex_iterator(); ++it) {
        options.insert((*it)[1]);
    }
    EXPECT_TRUE(options.contains("--json")) << command;
    EXPECT_TRUE(options.contains("--help")) << command;
    return options;
}

std::string packagingFile(const std::string& name)
{
    const std::string text = readFile(std::string(ULP_PACKAGING_DIR) + "/" + name);
    EXPECT_FALSE(text.empty()) << name;
    return text;
}

TEST(Help, ManualAndCompletionsKnowEveryFlagAndNoOther)
{
    std::set<std::string> all{"--version"};
    for (const auto& command : kCommands) {
        all.merge(optionsOf(command));
    }
    const std::string manual =
        std::regex_replace(packagingFile("man/ulpscope-cli.1"), std::regex("\\\\-"), "-");
    EXPECT_EQ(flagsIn(manual), all);
    EXPECT_EQ(flagsIn(packagingFile("completions/ulpscope-cli.bash")), all);
    EXPECT_EQ(flagsIn(packagingFile("completions/_ulpscope-cli")), all);
    const std::string fish = std::regex_replace(packagingFile("completions/ulpscope-cli.fish"),
                                                std::regex(" -l "), " --");
    EXPECT_EQ(flagsIn(fish), all);
}

TEST(Help, CompletionsOfferEachCommandItsFlags)
{
    const std::string fish = packagingFile("completions/ulpscope-cli.fish");
    for (const auto& command : kCommands) {
        std::set<std::string> offered{"--help"};
        static const std::regex line("__fish_seen_subcommand_from ([a-z ]+)' -l ([a-z-]+)");
        for (auto it = std::sregex_iterator(fish.begin(), fish.end(), line);
             it != std::sregex_iterator(); ++it) {
            if ((" " + (*it)[1].str() + " ").find(" " + command + " ") != std::string::npos) {
                offered.insert("--" + (*it)[2].str());
            }
        }
        EXPECT_EQ(offered, optionsOf(command)) << command;
    }
}

TEST(Help, TheManualDescribesEveryCommand)
{
    const std::string manual = packagingFile("man/ulpscope-cli.1");
    for (const auto& command : kCommands) {
        EXPECT_NE(manual.find(".SS \"" + command + " \\- "), std::string::npos) << command;
    }
}

} // namespace
} // namespace ulp::test
