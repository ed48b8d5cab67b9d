// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstdio>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/comparison_output.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/worker/session_runner.h"
#include "engine/audit/format.h"

namespace ulp::cli {
namespace {

struct RunCommand {
    std::string model;
    PromptOptions prompt;
    SettingOptions settings;
    OutputOptions output;
    int steps = 64;
    int runs = 1;
    std::uint64_t seed = 0;
    float temperature = 0.0F;
    bool noHash = false;
    bool keepLogits = false;
    bool ignoreEos = false;
    std::string keepReference = "auto";
    std::string perturb;
    std::string out;
    bool overwrite = false;

    void add(CLI::App& app);
    Exit execute();

  private:
    Result<RunSettings> runSettings() const;
    Result<std::int64_t> referenceBytes() const;
    Result<worker::SessionRequest> request();
    Result<trace::SnapshotPtr> session(worker::SessionRequest request, Interrupt& interrupt);
    Exit show(const trace::SnapshotPtr& snapshot, const Interrupt& interrupt) const;

    std::vector<std::string> m_warnings;
};

void RunCommand::add(CLI::App& app)
{
    addModelOption(app, model);
    prompt.add(app);
    app.add_option("--steps", steps, "Tokens to generate")->type_name("N")->capture_default_str();
    app.add_option("--runs", runs, "How many times to run; run 0 is the reference")
        ->type_name("R")
        ->check(CLI::Range(1, 10000).description(""))
        ->capture_default_str();
    settings.add(app);
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
    app.add_flag("--ignore-eos", ignoreEos, "Go on after an end-of-text token");
    app.add_flag("--no-hash", noHash, "Record tokens only, no hashes");
    app.add_flag("--keep-logits", keepLogits, "Keep all logits of every step in the trace");
    app.add_option("--keep-reference", keepReference,
                   "Memory for run 0's outputs (auto, off, 512M): others are measured by them")
        ->type_name("SIZE")
        ->capture_default_str();
    app.add_option("--perturb", perturb,
                   "Plant a fault in every run but the first, for example ffn_out-2@12:0:1")
        ->type_name("OP@POS[:ELEMENT[:ULPS]]");
    app.add_option("--out", out, "Write the trace to this file while running")
        ->type_name("FILE.ulp");
    app.add_flag("--overwrite", overwrite, "Replace an existing trace file");
    output.add(app, true);
}

Result<RunSettings> RunCommand::runSettings() const
{
    auto s = settings.settings();
    if (!s) {
        return s;
    }
    s->steps = steps;
    s->seed = seed;
    s->temperature = temperature;
    s->ignoreEos = ignoreEos;
    return s;
}

Result<std::int64_t> RunCommand::referenceBytes() const
{
    if (keepReference == "auto") {
        return std::int64_t{-1};
    }
    if (keepReference == "off") {
        return std::int64_t{0};
    }
    auto size = parseSize(keepReference);
    if (!size) {
        Error error = size.error();
        error.where = "--keep-reference";
        error.remedy = "write auto, off, or a size such as 512M";
        return error;
    }
    return size;
}

/// Everything that can be checked before a model is loaded.
Result<worker::SessionRequest> RunCommand::request()
{
    if (auto read = prompt.read(); !read) {
        return read.error();
    }
    if (keepLogits && out.empty()) {
        return makeError(ErrorCode::BadUsage, "full logits are kept in the trace only",
                         "--keep-logits", "add --out FILE.ulp");
    }
    const auto base = runSettings();
    if (!base) {
        return base.error();
    }
    const auto reference = referenceBytes();
    if (!reference) {
        return reference.error();
    }
    if (!out.empty() && !overwrite) { // what may be overwritten, the writer knows
        if (auto free = checkOutput(out, true); !free) {
            return free.error();
        }
    }
    worker::SessionRequest request;
    request.prompt = prompt.text;
    request.tokens = prompt.tokens;
    request.parseSpecial = prompt.special;
    request.runs.assign(static_cast<std::size_t>(runs), *base);
    request.hash = !noHash;
    request.referenceBytes = *reference;
    request.keepLogits = keepLogits;
    request.out = out;
    request.overwrite = overwrite;
    if (!perturb.empty()) {
        auto fault = parsePerturbation(perturb);
        if (!fault) {
            Error error = fault.error();
            error.where = "--perturb";
            return error;
        }
        // A single run is perturbed itself: it is then compared with another trace.
        for (std::size_t i = runs > 1 ? 1 : 0; i < request.runs.size(); ++i) {
            request.runs[i].perturb = *fault;
        }
    }
    return request;
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

Result<trace::SnapshotPtr> RunCommand::session(worker::SessionRequest request, Interrupt& interrupt)
{
    worker::SessionRunner runner(std::move(request));
    if (auto checked = runner.check(); !checked) {
        return checked.error();
    }
    interrupt.onSignal([&runner] { runner.cancel(); });
    ProgressLine line(output.progress);
    auto snapshot =
        runner.run([&](const worker::Progress& progress) { line.show(progressText(progress)); });
    interrupt.onSignal({}); // the runner goes away
    line.clear();
    m_warnings = runner.warnings();
    for (const auto& warning : m_warnings) {
        std::fprintf(stderr, "ulpscope-cli: warning: %s\n", warning.c_str());
    }
    return snapshot;
}

Exit RunCommand::show(const trace::SnapshotPtr& snapshot, const Interrupt& interrupt) const
{
    const auto comparison = compare::Comparison::compute(snapshot);
    if (output.json) {
        auto document = audit::comparisonJson(*comparison);
        document["trace"] = audit::jsonOptional(out);
        document["warnings"] = m_warnings;
        printJson(document);
    } else {
        const auto& identity = snapshot->model;
        print(identity.name + ", " + audit::formatCount(identity.parameters) + " parameters; " +
              audit::formatPlural(comparison->promptTokens(), "prompt token", "prompt tokens") +
              "\n\n" + comparisonText(*comparison));
        if (!out.empty()) {
            print("\ntrace: " + out + "\n");
        }
    }
    return interrupt.received() ? Exit::Interrupted : exitOf(*comparison);
}

Exit RunCommand::execute()
{
    auto prepared = request();
    if (!prepared) {
        return fail(prepared.error());
    }
    Interrupt interrupt;
    auto loaded = loadModel(model, settings.threads, true, output.progress, interrupt);
    if (!loaded) {
        return fail(loaded.error());
    }
    prepared->model = std::move(*loaded);
    const auto snapshot = session(std::move(*prepared), interrupt);
    return snapshot ? show(*snapshot, interrupt) : fail(snapshot.error());
}

} // namespace

Action configureRun(CLI::App& app)
{
    auto command = std::make_shared<RunCommand>();
    command->add(app);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
