// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/cli/session_options.h"
#include "app/cli/text_table.h"
#include "app/worker/sweep_runner.h"
#include "engine/audit/format.h"
#include "engine/audit/sweep_json.h"

namespace ulp::cli {
namespace {

using compare::SweepCell;
using compare::SweepMap;

constexpr std::size_t kWidestMap = 20; // values side by side
constexpr std::size_t kShownLines = 40;

struct SweepCommand {
    std::string model;
    PromptOptions prompt;
    SettingOptions settings;
    GenerationOptions generation;
    RecordingOptions recording;
    OutputOptions output;
    std::vector<std::string> axes;
    int runs = 1;
    int extraRuns = 64;
    bool noHash = false;

    void add(CLI::App& app);
    Exit execute();

  private:
    Result<worker::SweepRequest> request();
    Result<worker::SweepResult> sweep(worker::SweepRunner& runner, Interrupt& interrupt) const;
    Exit show(const worker::SweepResult& result, const std::vector<std::string>& warnings) const;
};

void SweepCommand::add(CLI::App& app)
{
    std::vector<std::string> names;
    for (const AxisKind& kind : axisKinds()) {
        names.emplace_back(kind.name);
    }
    addModelOption(app, model);
    prompt.add(app);
    app.add_option("--axis", axes,
                   "Values of a setting; ranges are A..B or A..B:STEP; may be repeated. Names: " +
                       audit::join(names, ", "))
        ->type_name("NAME=V1,V2,...")
        ->required()
        ->allow_extra_args(false);
    app.add_option("--runs", runs, "How many times to run each cell")
        ->type_name("R")
        ->check(CLI::Range(1, 10000).description(""))
        ->capture_default_str();
    app.add_option("--extra-runs", extraRuns,
                   "Most runs to spend on finding where the class changes; 0 is none")
        ->type_name("N")
        ->check(CLI::Range(0, 10000).description(""))
        ->capture_default_str();
    settings.add(app);
    generation.add(app);
    app.add_flag("--no-hash", noHash, "Hash no ops: cells are compared by tokens and logits");
    recording.add(app);
    output.add(app, true);
}

/// Everything that can be checked before a model is loaded.
Result<worker::SweepRequest> SweepCommand::request()
{
    if (auto read = prompt.read(); !read) {
        return read.error();
    }
    worker::SweepRequest request;
    for (const std::string& text : axes) {
        auto axis = parseAxis(text);
        if (!axis) {
            Error error = axis.error();
            error.where = "--axis";
            return error;
        }
        request.axes.push_back(std::move(*axis));
    }
    auto base = settings.settings();
    if (!base) {
        return base.error();
    }
    if (auto applied = generation.apply(*base); !applied) {
        return applied.error();
    }
    base->hash = !noHash;
    request.base = std::move(*base);
    request.runsPerCell = runs;
    request.extraRuns = extraRuns;
    applyPrompt(prompt, request.session);
    if (auto grid = expandGrid(request.base, request.axes, runs); !grid) {
        return grid.error();
    }
    if (auto applied = recording.apply(request.session); !applied) {
        return applied.error();
    }
    return request;
}

/// A map of one or two axes as people draw it: the second axis along the top.
std::string mapText(const SweepMap& map)
{
    std::vector<std::string> headings{map.axes[0].name};
    if (map.axes.size() == 1) {
        headings.emplace_back("class");
    } else {
        headings[0] += " \\ " + map.axes[1].name;
        headings.insert(headings.end(), map.axes[1].values.begin(), map.axes[1].values.end());
    }
    TextTable table(headings);
    const std::size_t columns = headings.size() - 1;
    for (std::size_t row = 0; row < map.axes[0].values.size(); ++row) {
        std::vector<std::string> line{map.axes[0].values[row]};
        for (std::size_t column = 0; column < columns; ++column) {
            line.push_back(audit::cellClassText(map.cells[row * columns + column]));
        }
        table.row(std::move(line));
    }
    return table.text();
}

/// A row for each cell.
std::string listText(const SweepMap& map)
{
    std::vector<std::string> headings;
    for (const Axis& axis : map.axes) {
        headings.push_back((axis.kind().integer ? "#" : "") + axis.name);
    }
    headings.emplace_back("class");
    TextTable table(headings);
    for (const SweepCell& cell : map.cells) {
        std::vector<std::string> line;
        for (std::size_t axis = 0; axis < map.axes.size(); ++axis) {
            line.push_back(map.axes[axis].values[static_cast<std::size_t>(cell.values[axis])]);
        }
        line.push_back(audit::cellClassText(cell));
        table.row(std::move(line));
    }
    return table.text();
}

std::string classesText(const trace::Snapshot& snapshot, const SweepMap& map)
{
    TextTable table({"class", "#runs", "trace hash", "first run"});
    for (std::size_t i = 0; i < map.classes.size(); ++i) {
        if (i == kShownLines) {
            return table.text() + "and " +
                   audit::formatCount(static_cast<std::int64_t>(map.classes.size() - i)) +
                   " more (all with --json)\n";
        }
        const auto& runs = map.classes[i].runs;
        const auto hashed = std::find_if(runs.begin(), runs.end(), [&](int run) {
            return snapshot.runs[static_cast<std::size_t>(run)]->settings.hash;
        });
        const bool none = hashed == runs.end();
        const auto& record = *snapshot.runs[static_cast<std::size_t>(none ? runs[0] : *hashed)];
        table.row({audit::className(i), std::to_string(runs.size()),
                   none ? "(ops not hashed)" : record.traceHash.substr(0, 16),
                   std::to_string(runs.front())});
    }
    return table.text();
}

std::string switchesText(const SweepMap& map)
{
    std::string text;
    for (std::size_t i = 0; i < map.switches.size(); ++i) {
        if (i == kShownLines) {
            text += "  and " +
                    audit::formatCount(static_cast<std::int64_t>(map.switches.size() - i)) +
                    " more (all with --json)\n";
            break;
        }
        text += "  " + audit::switchText(map, map.switches[i]) + "\n";
    }
    return text;
}

/// How far it came, and what cannot be told.
std::string statusText(const worker::SweepResult& result)
{
    const auto count = [&](auto predicate) {
        return std::count_if(result.map.cells.begin(), result.map.cells.end(), predicate);
    };
    const auto cells = static_cast<std::int64_t>(result.map.cells.size());
    const auto done = count([](const SweepCell& cell) { return !cell.runs.empty(); });
    std::string text;
    if (done < cells) {
        text += audit::formatCount(cells - done) + " of " +
                audit::formatPlural(cells, "cell", "cells") + " have no complete run\n";
    }
    const auto& runs = result.snapshot->runs;
    if (std::any_of(runs.begin(), runs.end(),
                    [](const auto& run) { return !run->settings.hash; })) {
        text += "Runs without hashed ops are compared by their tokens and logits alone.\n";
    }
    return text;
}

int failedRuns(const trace::Snapshot& snapshot)
{
    return static_cast<int>(
        std::count_if(snapshot.runs.begin(), snapshot.runs.end(),
                      [](const auto& run) { return run->status == trace::RunStatus::Failed; }));
}

std::string verdictText(const SweepMap& map, int failed)
{
    const auto cells =
        audit::formatPlural(static_cast<std::int64_t>(map.cells.size()), "cell", "cells");
    std::string text;
    if (map.classes.empty()) {
        text = toned("Nothing to tell: no run is complete", Tone::Warn);
    } else if (map.classes.size() == 1) {
        text = toned("One class", Tone::Good) + ": the bits are the same in " + cells;
    } else {
        text = toned(audit::formatPlural(map.gridClasses, "class", "classes"), Tone::Bad) +
               " among " + cells;
    }
    if (failed > 0) {
        text += "; " + toned(audit::formatPlural(failed, "run", "runs") + " failed", Tone::Bad);
    }
    return text + "\n";
}

Exit SweepCommand::show(const worker::SweepResult& result,
                        const std::vector<std::string>& warnings) const
{
    const SweepMap& map = result.map;
    const int failed = failedRuns(*result.snapshot);
    if (output.json) {
        auto document = audit::sweepJson(*result.snapshot, map);
        document["failed_runs"] = failed;
        document["cancelled"] = result.cancelled;
        document["trace"] = audit::jsonOptional(recording.out);
        document["warnings"] = warnings;
        printJson(document);
    } else {
        const bool drawn = map.axes.size() == 1 ||
                           (map.axes.size() == 2 && map.axes[1].values.size() <= kWidestMap);
        std::string text = (drawn ? mapText(map) : listText(map)) + "\n";
        text += verdictText(map, failed) + statusText(result) + "\n";
        text += classesText(*result.snapshot, map) + "\n";
        for (const auto& effect : map.effects) {
            text += audit::effectText(map, effect) + "\n";
        }
        text += switchesText(map);
        print(text);
        if (!recording.out.empty()) {
            print("\ntrace: " + recording.out + "\n");
        }
    }
    if (result.cancelled) {
        return Exit::Interrupted;
    }
    return map.classes.size() > 1 || failed > 0 ? Exit::Differs : Exit::Done;
}

Result<worker::SweepResult> SweepCommand::sweep(worker::SweepRunner& runner,
                                                Interrupt& interrupt) const
{
    if (auto checked = runner.check(); !checked) {
        return checked.error();
    }
    interrupt.onSignal([&runner] { runner.cancel(); });
    ProgressLine line(output.progress);
    auto result = runner.run([&](const worker::SweepProgress& progress) {
        line.show((progress.bisecting ? "bisecting: " : "") + progressText(progress.run));
    });
    interrupt.onSignal({}); // the runner goes away
    return result;
}

Exit SweepCommand::execute()
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
    prepared->session.model = std::move(*loaded);
    auto runner = worker::SweepRunner::create(std::move(*prepared));
    if (!runner) {
        return fail(runner.error());
    }
    const auto result = sweep(**runner, interrupt);
    if (!result) {
        return fail(result.error());
    }
    printWarnings((*runner)->warnings());
    return show(*result, (*runner)->warnings());
}

} // namespace

Action configureSweep(CLI::App& app)
{
    auto command = std::make_shared<SweepCommand>();
    command->add(app);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
