// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_options.h"

#include <array>
#include <cstdio>

#include "app/cli/input.h"

namespace ulp::cli {
namespace {

Error named(const char* option, Error error)
{
    error.where = option;
    return error;
}

Result<std::int64_t> referenceBytes(const std::string& text)
{
    if (text == "auto") {
        return std::int64_t{-1};
    }
    if (text == "off") {
        return std::int64_t{0};
    }
    auto size = parseSize(text);
    if (!size) {
        Error error = named("--keep-reference", size.error());
        error.remedy = "write auto, off, or a size such as 512M";
        return error;
    }
    return size;
}

} // namespace

void GenerationOptions::add(CLI::App& app)
{
    app.add_option("--steps", steps, "Tokens to generate")->type_name("N")->capture_default_str();
    app.add_option("--seed", seed, "Seed of sampling and of the other sequences of a batch")
        ->type_name("S")
        ->check(CLI::Validator(
            [](const std::string& text) {
                return text.starts_with('-') ? std::string("a seed is 0 or more") : std::string();
            },
            ""))
        ->capture_default_str();
    app.add_option("--temperature", temperature, "0 is greedy")
        ->type_name("X")
        ->capture_default_str();
    addSampler(app);
    app.add_flag("--ignore-eos", ignoreEos, "Go on after an end-of-text token");
    app.add_option("--companions", companions,
                   "The others of a batch: steady, or joining and leaving on the way")
        ->type_name("WHO")
        ->capture_default_str();
    app.add_option("--cache", cache,
                   "KV cache at the start: cold, or reused with half of the prompt in it")
        ->type_name("STATE")
        ->capture_default_str();
}

void GenerationOptions::addSampler(CLI::App& app)
{
    app.add_option("--top-k", topK, "Draw from the K likeliest tokens; 0: from all")
        ->type_name("K")
        ->capture_default_str();
    app.add_option("--top-p", topP, "Draw from the likeliest tokens that make up this share")
        ->type_name("P")
        ->capture_default_str();
    app.add_option("--min-p", minP, "Leave out what is less likely than this share of the best")
        ->type_name("P")
        ->capture_default_str();
    app.add_option("--repeat-penalty", repeatPenalty,
                   "Divide the logits of tokens that came before by this; 1: off")
        ->type_name("X")
        ->capture_default_str();
    app.add_option("--repeat-last-n", repeatLastN,
                   "Tokens that the repeat penalty looks back; -1: all")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--logit-bias", logitBias,
                   "Add X to a token's logit, -inf forbids it; may be repeated")
        ->type_name("ID=X")
        ->allow_extra_args(false);
}

Result<SamplerSettings> GenerationOptions::sampler() const
{
    SamplerSettings chain{{}, repeatPenalty, repeatLastN, topK, topP, minP};
    for (const std::string& text : logitBias) {
        const auto bias = parseLogitBias(text);
        if (!bias) {
            return named("--logit-bias", bias.error());
        }
        chain.logitBias.push_back(*bias);
    }
    if (auto checked = checkSampler(chain); !checked) {
        return checked.error();
    }
    return chain;
}

Result<void> GenerationOptions::apply(RunSettings& settings) const
{
    const auto company = parseCompanions(companions);
    if (!company) {
        return named("--companions", company.error());
    }
    const auto start = parsePromptCache(cache);
    if (!start) {
        return named("--cache", start.error());
    }
    auto chain = sampler();
    if (!chain) {
        return chain.error();
    }
    settings.sampler = *std::move(chain);
    settings.companions = *company;
    settings.cache = *start;
    settings.steps = steps;
    settings.seed = seed;
    settings.temperature = temperature;
    settings.ignoreEos = ignoreEos;
    return {};
}

void RecordingOptions::add(CLI::App& app)
{
    app.add_flag("--keep-logits", keepLogits, "Keep all logits of every step in the trace");
    app.add_option("--keep-reference", keepReference,
                   "Memory for run 0's outputs (auto, off, 512M): others are measured by them")
        ->type_name("SIZE")
        ->capture_default_str();
    app.add_option("--out", out, "Write the trace to this file while running")
        ->type_name("FILE.ulp")
        ->check(CLI::Validator(outputNameProblem, ""));
    app.add_flag("--overwrite", overwrite, "Replace an existing trace file");
}

Result<void> RecordingOptions::apply(worker::SessionRequest& request) const
{
    if (keepLogits && out.empty()) {
        return makeError(ErrorCode::BadUsage, "full logits are kept in the trace only",
                         "--keep-logits", "add --out FILE.ulp");
    }
    const auto reference = referenceBytes(keepReference);
    if (!reference) {
        return reference.error();
    }
    if (!out.empty() && !overwrite) { // what may be overwritten, the writer knows
        if (auto free = checkOutput(out, true); !free) {
            return free;
        }
    }
    request.referenceBytes = *reference;
    request.keepLogits = keepLogits;
    request.out = out;
    request.overwrite = overwrite;
    return {};
}

void applyPrompt(const PromptOptions& prompt, worker::SessionRequest& request)
{
    request.prompt = prompt.text;
    request.tokens = prompt.tokens;
    request.parseSpecial = prompt.special;
    request.chat = prompt.chat;
    request.system = prompt.system;
}

std::string progressText(const worker::Progress& progress)
{
    std::array<char, 160> buffer{};
    std::snprintf(buffer.data(), buffer.size(),
                  "run %d of %d   position %lld of %lld   %.1f tokens/s   %.0f s left",
                  progress.run + 1, progress.runs, static_cast<long long>(progress.column),
                  static_cast<long long>(progress.columns), progress.tokensPerSecond,
                  progress.secondsLeft);
    return buffer.data();
}

void printWarnings(const std::vector<std::string>& warnings)
{
    for (const auto& warning : warnings) {
        std::fprintf(stderr, "ulpscope-cli: warning: %s\n", warning.c_str());
    }
}

} // namespace ulp::cli
