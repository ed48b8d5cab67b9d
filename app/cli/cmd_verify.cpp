// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command.h"
#include "app/cli/run_options.h"
#include "engine/audit/format.h"
#include "engine/trace/trace_file.h"

namespace ulp::cli {
namespace {

struct VerifyCommand {
    std::string trace;
    OutputOptions output;

    Exit execute() const;
};

Exit VerifyCommand::execute() const
{
    const auto report = trace::verifyTrace(trace);
    if (!report) {
        return fail(report.error());
    }
    if (output.json) {
        audit::JsonValue problems = audit::JsonValue::array();
        for (const auto& problem : report->problems) {
            problems.push_back(audit::jsonText(problem));
        }
        printJson({{"trace", audit::jsonText(trace)},
                   {"ok", report->ok},
                   {"rows", report->rows},
                   {"chain_head", report->chainHead},
                   {"problems", std::move(problems)}});
    } else if (report->ok) {
        print(toned("Intact", Tone::Good) + ": " +
              audit::formatPlural(report->rows, "row", "rows") + ", chain head " +
              report->chainHead + "\n");
    } else {
        print(toned("Not intact", Tone::Bad) + ": " + trace + "\n");
        for (const auto& problem : report->problems) {
            print("  " + audit::visibleText(problem) + "\n");
        }
    }
    return report->ok ? Exit::Done : Exit::Differs;
}

} // namespace

Action configureVerify(CLI::App& app)
{
    auto command = std::make_shared<VerifyCommand>();
    app.add_option("TRACE", command->trace, "Trace file")->type_name("FILE.ulp")->required();
    command->output.add(app, false);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
