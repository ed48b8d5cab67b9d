// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command.h"
#include "app/cli/comparison_output.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/cli/session_options.h"
#include "app/worker/session_runner.h"
#include "engine/audit/format.h"

namespace ulp::cli {
namespace {

struct RunCommand {
    std::string model;
    PromptOptions prompt;
    SettingOptions settings;
    OutputOptions output;
    GenerationOptions generation;
    RecordingOptions recording;
    int runs = 1;
    bool noHash = false;
    std::string perturb;

    void add(CLI::App& app);
    Exit execute();

  private:
    Result<worker::SessionRequest> request();
    Result<trace::SnapshotPtr> session(worker::SessionRequest request, Interrupt& interrupt);
    Exit show(const trace::SnapshotPtr& snapshot, const Interrupt& interrupt) const;

    std::vector<std::string> m_warnings;
};

void RunCommand::add(CLI::App& app)
{
    addModelOption(app, model);
    prompt.add(app);
    app.add_option("--runs", runs, "How many times to run; run 0 is the reference")
        ->type_name("R")
        ->check(CLI::Range(1, 10000).description(""))
        ->capture_default_str();
    settings.add(app);
    generation.add(app);
    app.add_flag("--no-hash", noHash, "Record tokens only, no hashes");
    app.add_option("--perturb", perturb,
                   "Plant a fault in every run but the first, for example ffn_out-2@12:0:1")
        ->type_name("OP@POS[:ELEMENT[:ULPS]]");
    recording.add(app);
    output.add(app, true);
}

/// Everything that can be checked before a model is loaded.
Result<worker::SessionRequest> RunCommand::request()
{
    if (auto read = prompt.read(); !read) {
        return read.error();
    }
    auto base = settings.settings();
    if (!base) {
        return base.error();
    }
    if (auto applied = generation.apply(*base); !applied) {
        return applied.error();
    }
    worker::SessionRequest request;
    applyPrompt(prompt, request);
    request.runs.assign(static_cast<std::size_t>(runs), *base);
    request.hash = !noHash;
    if (auto applied = recording.apply(request); !applied) {
        return applied.error();
    }
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
    printWarnings(m_warnings);
    return snapshot;
}

Exit RunCommand::show(const trace::SnapshotPtr& snapshot, const Interrupt& interrupt) const
{
    const auto comparison = compare::Comparison::compute(snapshot);
    if (output.json) {
        auto document = audit::comparisonJson(*comparison);
        document["trace"] = audit::jsonOptional(recording.out);
        document["warnings"] = m_warnings;
        printJson(document);
    } else {
        const auto& identity = snapshot->model;
        print(audit::visibleText(identity.name) + ", " + audit::formatCount(identity.parameters) +
              " parameters; " +
              audit::formatPlural(comparison->promptTokens(), "prompt token", "prompt tokens") +
              "\n\n" + comparisonText(*comparison));
        if (!recording.out.empty()) {
            print("\ntrace: " + recording.out + "\n");
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
