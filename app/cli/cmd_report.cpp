// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "engine/audit/report.h"
#include "engine/audit/verdict_text.h"
#include "engine/trace/trace_file.h"

namespace ulp::cli {
namespace {

struct ReportCommand {
    std::string trace;
    std::string format;
    std::string out;
    OutputOptions output;

    Exit execute() const;
};

Exit ReportCommand::execute() const
{
    const auto parsed = audit::parseReportFormat(format);
    if (!parsed) {
        Error error = parsed.error();
        error.where = "--format";
        return fail(error);
    }
    if (const auto free = checkOutput(out, false); !free) {
        return fail(free.error());
    }
    const auto opened = trace::openTrace(trace);
    if (!opened) {
        return fail(opened.error());
    }
    const auto comparison = compare::Comparison::compute(*opened);
    if (const auto written = audit::writeReport(*comparison, *parsed, out); !written) {
        return fail(written.error());
    }
    if (output.json) {
        std::error_code ignored;
        const auto bytes = std::filesystem::file_size(out, ignored);
        printJson({{"trace", audit::jsonText(trace)},
                   {"format", audit::toString(*parsed)},
                   {"out", audit::jsonText(out)},
                   {"bytes", bytes},
                   {"verdict", audit::toString(audit::verdictStatus(*comparison))}});
    } else {
        print(audit::verdictSentence(*comparison) + "\nreport: " + out + "\n");
    }
    return Exit::Done;
}

} // namespace

Action configureReport(CLI::App& app)
{
    auto command = std::make_shared<ReportCommand>();
    app.add_option("TRACE", command->trace, "Trace file")->type_name("FILE.ulp")->required();
    app.add_option("--format", command->format, "html, json or csv")
        ->type_name("FORMAT")
        ->required();
    app.add_option("--out", command->out, "Report file; replaced if it exists")
        ->type_name("FILE")
        ->required()
        ->check(CLI::Validator(outputNameProblem, ""));
    command->output.add(app, false);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
