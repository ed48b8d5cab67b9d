// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace ulp::cli {
namespace {

template <typename T>
bool isWhole(const std::string& text)
{
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stop == end;
}

/// What is wrong with a number, or nothing; a value that does not begin like one is a name.
std::string numberProblem(const std::string& text)
{
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const auto isDigit = [&](std::size_t i) {
        return i < text.size() && text[i] >= '0' && text[i] <= '9';
    };
    if (!isDigit(sign)) {
        return {};
    }
    if (text[sign] == '0' && isDigit(sign + 1)) {
        return "'" + text + "' begins with a zero: write a decimal number";
    }
    const std::string digits = text.starts_with('+') ? text.substr(1) : text;
    const bool whole = digits.find_first_not_of("0123456789", sign) == std::string::npos;
    if (whole ? isWhole<std::int64_t>(digits) || isWhole<std::uint64_t>(digits)
              : isWhole<double>(digits)) {
        return {};
    }
    return "'" + text + "' is not a number that can be read";
}

} // namespace

void readNumbersAsWritten(CLI::App& app)
{
    for (CLI::Option* option : app.get_options()) {
        const std::string placeholder = option->get_type_name();
        if (placeholder.size() == 1 && placeholder[0] >= 'A' && placeholder[0] <= 'Z') {
            option->check(CLI::Validator(numberProblem, "", "number"));
        }
    }
}

std::span<const Command> commands()
{
    static constexpr std::array table{
        Command{
            "run", "Run a prompt, once or many times, and compare the bits of every op",
            "ulpscope-cli run --prompt \"Once upon a time\" --policy atomic --threads 2 --runs 8 "
            "--out atomic.ulp",
            configureRun},
        Command{"score", "Evaluate a text: logits at every position, loss, perplexity",
                "ulpscope-cli score --prompt \"Once upon a time\" --top 3 --json", configureScore},
        Command{"compare", "Compare the runs of one or more traces, cell by cell",
                "ulpscope-cli compare atomic.ulp ordered.ulp", configureCompare},
        Command{"sweep", "Run a grid of settings and map which of them change the bits, and where",
                "ulpscope-cli sweep --prompt \"Once upon a time\" --axis threads=1..4 "
                "--axis policy=ordered,thread-split",
                configureSweep},
        Command{"report", "Write a trace as an HTML page, as JSON evidence or as a CSV table",
                "ulpscope-cli report atomic.ulp --format html --out report.html", configureReport},
        Command{"info", "Say what a model or a trace file holds", "ulpscope-cli info model.gguf",
                configureInfo},
        Command{"verify", "Check that no byte of a trace has changed since it was recorded",
                "ulpscope-cli verify atomic.ulp", configureVerify},
        Command{"tokenize", "Turn text into token ids", "ulpscope-cli tokenize --text \"Hello\"",
                configureTokenize},
        Command{"bench", "Measure prefill and decode speed",
                "ulpscope-cli bench --threads 2 --repetitions 5", configureBench},
        Command{"selfcheck", "Find out which kernels are deterministic on this machine",
                "ulpscope-cli selfcheck", configureSelfcheck},
    };
    return table;
}

} // namespace ulp::cli
