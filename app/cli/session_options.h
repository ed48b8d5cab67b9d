// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The options of the commands that run sessions (run, sweep): what is generated, in which company,
// and where the recording goes. Thread-safety: one thread at a time. Ownership: plain values; CLI11
// writes into them while it parses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/run_options.h"
#include "app/worker/session_runner.h"
#include "engine/base/result.h"
#include "engine/base/settings.h"

namespace ulp::cli {

struct GenerationOptions {
    int steps = 64;
    std::uint64_t seed = 0;
    float temperature = 0.0F;
    int topK = 0;
    float topP = 1.0F;
    float minP = 0.0F;
    float repeatPenalty = 1.0F;
    int repeatLastN = 64;
    std::vector<std::string> logitBias;
    bool ignoreEos = false;
    std::string companions = "steady";
    std::string cache = "cold";

    void add(CLI::App& app);
    /// Errors: BadUsage, naming the option.
    [[nodiscard]] Result<void> apply(RunSettings& settings) const;

  private:
    void addSampler(CLI::App& app);
    [[nodiscard]] Result<SamplerSettings> sampler() const;
};

struct RecordingOptions {
    bool keepLogits = false;
    std::string keepReference = "auto";
    std::string out;
    bool overwrite = false;

    void add(CLI::App& app);
    /// Refuses what cannot be written before anything is loaded. Errors: BadUsage, Io.
    [[nodiscard]] Result<void> apply(worker::SessionRequest& request) const;
};

/// The prompt as a session is told of it.
void applyPrompt(const PromptOptions& prompt, worker::SessionRequest& request);

/// "run 3 of 8   position 12 of 70   41.0 tokens/s   9 s left"
[[nodiscard]] std::string progressText(const worker::Progress& progress);
/// Prints each to standard error.
void printWarnings(const std::vector<std::string>& warnings);

} // namespace ulp::cli
