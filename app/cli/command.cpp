// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include <array>

namespace ulp::cli {

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
