// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_options.h"

#include <algorithm>

#include "app/cli/input.h"
#include "engine/audit/format.h"
#include "engine/kernels/matmul.h"
#include "engine/model/chat_template.h"

namespace ulp::cli {
namespace {

Error named(const char* option, Error error)
{
    error.where = option;
    return error;
}

std::string policyNames()
{
    std::vector<std::string> names;
    for (const Policy policy : supportedPolicies()) {
        names.emplace_back(toString(policy));
    }
    return audit::join(names, ", ");
}

/// Refuses what this build or machine does not have before a model is loaded.
Result<Policy> supportedPolicy(std::string_view name)
{
    auto policy = parsePolicy(name);
    if (!policy) {
        return policy;
    }
    const auto& known = supportedPolicies();
    if (std::find(known.begin(), known.end(), *policy) == known.end()) {
        return makeError(ErrorCode::Unsupported,
                         "policy '" + std::string(name) + "' is not in this build", {},
                         "use one of " + policyNames());
    }
    return policy;
}

Result<Isa> supportedIsa(std::string_view name)
{
    auto isa = parseIsa(name);
    if (isa && *isa != Isa::Auto && !kernels::isaAvailable(*isa)) {
        return makeError(ErrorCode::Unsupported,
                         "this machine cannot execute '" + std::string(name) + "'", {},
                         "use auto, or see ulpscope-cli --version for what it can");
    }
    return isa;
}

Result<Device> supportedDevice(std::string_view name)
{
    auto device = parseDevice(name);
    if (device && *device == Device::Cuda) {
        return makeError(ErrorCode::Unsupported, "this build has no CUDA device", {}, "use cpu");
    }
    return device;
}

} // namespace

void OutputOptions::add(CLI::App& app, bool withProgress)
{
    app.add_flag("--json", json, "Print one JSON document and nothing else");
    if (withProgress) {
        app.add_flag("--progress", progress, "Print progress even if not on a terminal");
    }
}

void PromptOptions::add(CLI::App& app)
{
    auto* group = app.add_option_group("Prompt", "Exactly one of these is needed");
    group->add_option("--prompt", text, "The prompt")->type_name("TEXT");
    group->add_option("--prompt-file", file, "Read the prompt from a file; - is standard input")
        ->type_name("FILE");
    m_tokensOption =
        group->add_option("--tokens", tokenList, "Token ids with commas between them, BOS included")
            ->type_name("1,2,3");
    group->require_option(1);
    app.add_flag("--special", special, "Parse special tokens written in the prompt text");
    app.add_flag("--chat", chat, "Write the prompt into the model's chat template");
    app.add_option("--system", system, "System text of the chat")->type_name("TEXT");
}

Result<void> PromptOptions::read()
{
    const auto refuse = [](const char* option, const char* message, const char* remedy) {
        return makeError(ErrorCode::BadUsage, message, option, remedy);
    };
    if (system && !chat) {
        return refuse("--system", "a raw prompt has no system text", "add --chat");
    }
    if (chat && isTokens()) {
        return refuse("--chat", "token ids cannot be written into a template",
                      "give the user's text with --prompt");
    }
    if (chat && special) {
        return refuse("--special", "a chat parses the template's special tokens and no other",
                      "leave out --special or --chat");
    }
    if (!file.empty()) {
        auto content = readText(file);
        if (!content) {
            return content.error();
        }
        text = std::move(*content);
    }
    if (isTokens()) {
        auto parsed = parseTokens(tokenList);
        if (!parsed) {
            return parsed.error();
        }
        tokens = std::move(*parsed);
    }
    return {};
}

Result<std::vector<std::int32_t>> PromptOptions::encode(const model::Model& model) const
{
    if (chat) {
        const auto written = model::ChatTemplate::of(model.file());
        return written ? written->encode(model.tokenizer(), system, text) : written.error();
    }
    if (!isTokens()) {
        model::EncodeOptions options;
        options.parseSpecial = special;
        return model.tokenizer().encode(text, options);
    }
    for (const std::int32_t token : tokens) {
        if (token >= model.hyper().vocab) {
            return makeError(ErrorCode::BadUsage,
                             "token id " + std::to_string(token) + " is not in the vocabulary",
                             "--tokens",
                             "use ids from 0 to " + std::to_string(model.hyper().vocab - 1));
        }
    }
    return tokens;
}

void SettingOptions::add(CLI::App& app)
{
    app.add_option("--policy", policy, "Order of sums: " + policyNames())
        ->type_name("P")
        ->capture_default_str();
    app.add_option("--op-policy", opPolicies,
                   "Policy of ops that match a name or glob; may be repeated")
        ->type_name("OP=P")
        ->allow_extra_args(false);
    app.add_option("--threads", threads, "Threads; 0 is one for each core")
        ->type_name("T")
        ->capture_default_str();
    app.add_option("--batch", batch, "Sequences decoded together; the first is recorded")
        ->type_name("B")
        ->capture_default_str();
    app.add_option("--prefill-chunk", prefillChunk, "Prompt tokens in one forward pass")
        ->type_name("C")
        ->capture_default_str();
    app.add_option("--reduction-chunk", reductionChunk,
                   "Elements of a partial sum, a multiple of 32; 0: the model's default")
        ->type_name("K")
        ->capture_default_str();
    app.add_option("--isa", isa, "Instruction set: auto, portable, avx2, avx512")
        ->type_name("ISA")
        ->capture_default_str();
    app.add_option("--device", device, "cpu (this build has no other)")
        ->type_name("D")
        ->capture_default_str();
    app.add_option("--activation", activation, "Round every op output to f32, bf16 or f16")
        ->type_name("A")
        ->capture_default_str();
}

Result<RunSettings> SettingOptions::settings() const
{
    RunSettings s;
    const auto parsedPolicy = supportedPolicy(policy);
    if (!parsedPolicy) {
        return named("--policy", parsedPolicy.error());
    }
    s.policy = *parsedPolicy;
    for (const auto& text : opPolicies) {
        auto entry = parseOpPolicy(text);
        if (!entry) {
            return named("--op-policy", entry.error());
        }
        if (const auto known = supportedPolicy(toString(entry->policy)); !known) {
            return named("--op-policy", known.error());
        }
        s.opPolicies.push_back(std::move(*entry));
    }
    const auto parsedIsa = supportedIsa(isa);
    if (!parsedIsa) {
        return named("--isa", parsedIsa.error());
    }
    s.isa = *parsedIsa;
    const auto parsedDevice = supportedDevice(device);
    if (!parsedDevice) {
        return named("--device", parsedDevice.error());
    }
    s.device = *parsedDevice;
    const auto parsedActivation = parsePrecision(activation);
    if (!parsedActivation) {
        return named("--activation", parsedActivation.error());
    }
    s.activation = *parsedActivation;
    s.threads = threads;
    s.batch = batch;
    s.prefillChunk = prefillChunk;
    s.reductionChunk = reductionChunk;
    return s;
}

void addModelOption(CLI::App& app, std::string& model)
{
    app.add_option("--model", model, "Model file (GGUF); without it, the demo model")
        ->type_name("FILE.gguf");
}

} // namespace ulp::cli
