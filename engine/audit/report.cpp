// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/report.h"

#include <new>

#include "engine/audit/atomic_file.h"

namespace ulp::audit {

std::string_view toString(ReportFormat format)
{
    switch (format) {
    case ReportFormat::Json:
        return "json";
    case ReportFormat::Csv:
        return "csv";
    case ReportFormat::Html:
        return "html";
    }
    return "";
}

Result<ReportFormat> parseReportFormat(std::string_view name)
{
    for (const auto format : {ReportFormat::Json, ReportFormat::Csv, ReportFormat::Html}) {
        if (toString(format) == name) {
            return format;
        }
    }
    return makeError(ErrorCode::BadUsage, "unknown report format '" + std::string(name) + "'", {},
                     name == "pdf" ? "the inspector writes it: ulpscope --export-pdf TRACE OUT"
                                   : "use one of html, json, csv");
}

Result<void> writeReport(const compare::Comparison& comparison, ReportFormat format,
                         const std::string& path)
{
    try {
        auto file = AtomicFile::create(path);
        if (!file) {
            return file.error();
        }
        const Sink sink = [&](std::string_view bytes) { (*file)->write(bytes); };
        switch (format) {
        case ReportFormat::Json:
            writeJson(comparison, sink);
            break;
        case ReportFormat::Csv:
            writeCsv(comparison, sink);
            break;
        case ReportFormat::Html:
            sink(reportHtml(comparison));
            break;
        }
        return (*file)->commit();
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Io, "not enough memory for the report", path,
                         "write the CSV report, which needs none");
    }
}

} // namespace ulp::audit
