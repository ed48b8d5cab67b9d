// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The options that several commands share: model, prompt, settings, output. Thread-safety: one
// thread at a time. Ownership: plain values; CLI11 writes into them while it parses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/base/result.h"
#include "engine/base/settings.h"
#include "engine/model/model.h"

namespace ulp::cli {

struct OutputOptions {
    bool json = false;
    bool progress = false;
    void add(CLI::App& app, bool withProgress);
};

class PromptOptions {
  public:
    std::string text;
    std::string file;
    std::string tokenList;
    bool special = false;
    bool chat = false;
    std::optional<std::string> system; // of the chat

    /// Exactly one of the three is required.
    void add(CLI::App& app);
    /// Reads the file or parses the ids, before anything expensive is done. Errors: BadUsage,
    /// BadInput.
    Result<void> read();
    [[nodiscard]] bool isTokens() const { return m_tokensOption->count() > 0; }
    /// The ids of the prompt: as given, or encoded. Errors: BadUsage (id out of range).
    [[nodiscard]] Result<std::vector<std::int32_t>> encode(const model::Model& model) const;

    std::vector<std::int32_t> tokens; // of --tokens, filled by read()

  private:
    CLI::Option* m_tokensOption = nullptr; // owned by the app
};

/// What may change bits without changing the text asked for.
struct SettingOptions {
    std::string policy = "ordered";
    std::vector<std::string> opPolicies;
    int threads = 0;
    int batch = 1;
    int prefillChunk = 512;
    int reductionChunk = 0;
    std::string isa = "auto";
    std::string device = "cpu";
    std::string activation = "f32";

    void add(CLI::App& app);
    /// Errors: BadUsage, naming the option.
    [[nodiscard]] Result<RunSettings> settings() const;
};

void addModelOption(CLI::App& app, std::string& model);

} // namespace ulp::cli
