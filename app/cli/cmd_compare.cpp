// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command.h"
#include "app/cli/comparison_output.h"
#include "app/cli/run_options.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"
#include "engine/compare/merge.h"
#include "engine/trace/trace_file.h"

namespace ulp::cli {
namespace {

struct CompareCommand {
    std::vector<std::string> paths;
    OutputOptions output;

    Exit execute() const;

  private:
    void show(const compare::Comparison& comparison,
              const std::vector<trace::SnapshotPtr>& traces) const;
};

/// [{"trace": "a.ulp", "runs": [0, 1]}, ...]: which run came from which file.
audit::JsonValue sourcesJson(const std::vector<trace::SnapshotPtr>& traces)
{
    audit::JsonValue list = audit::JsonValue::array();
    int next = 0;
    for (const auto& one : traces) {
        audit::JsonValue runs = audit::JsonValue::array();
        for (std::size_t i = 0; i < one->runs.size(); ++i) {
            runs.push_back(next++);
        }
        list.push_back({{"trace", audit::jsonText(one->source)}, {"runs", std::move(runs)}});
    }
    return list;
}

void CompareCommand::show(const compare::Comparison& comparison,
                          const std::vector<trace::SnapshotPtr>& traces) const
{
    if (output.json) {
        auto document = audit::comparisonJson(comparison);
        document["traces"] = sourcesJson(traces);
        printJson(document);
        return;
    }
    TextTable sources({});
    std::size_t next = 0;
    for (const auto& one : traces) {
        const std::size_t count = one->runs.size();
        const std::string last = count > 1 ? "-" + std::to_string(next + count - 1) : "";
        sources.row({count == 1 ? "run" : "runs", std::to_string(next) + last,
                     audit::visibleText(one->source),
                     one->incomplete ? "incomplete recording" : ""});
        next += count;
    }
    print(sources.text() + "\n" + comparisonText(comparison));
}

Exit CompareCommand::execute() const
{
    std::vector<trace::SnapshotPtr> traces;
    for (const auto& path : paths) {
        auto opened = trace::openTrace(path);
        if (!opened) {
            return fail(opened.error());
        }
        traces.push_back(std::move(*opened));
    }
    const auto merged = compare::mergeSnapshots(traces);
    if (!merged) {
        return fail(merged.error());
    }
    const auto comparison = compare::Comparison::compute(*merged);
    if (comparison->verdict() == compare::Verdict::Incomparable) {
        return fail(makeError(ErrorCode::BadInput, "cannot be compared: " + comparison->reason(),
                              paths.front(), "compare runs of one prompt on one model"));
    }
    show(*comparison, traces);
    return exitOf(*comparison);
}

} // namespace

Action configureCompare(CLI::App& app)
{
    auto command = std::make_shared<CompareCommand>();
    app.add_option("TRACE", command->paths, "Trace files of one model and prompt")
        ->type_name("FILE.ulp")
        ->required();
    command->output.add(app, false);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
