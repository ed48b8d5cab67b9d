// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports of a comparison for people and for machines. JSON is the evidence: complete, in a fixed
// order, with a digest of its own bytes; CSV holds every cell; HTML is one file that quotes both.
// Thread-safety: pure functions but for the file they write. Ownership: by value.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/audit/comparison_json.h"
#include "engine/base/result.h"
#include "engine/compare/comparison.h"

namespace ulp::audit {

enum class ReportFormat : std::uint8_t { Json, Csv, Html };
[[nodiscard]] std::string_view toString(ReportFormat format); // "html"
[[nodiscard]] Result<ReportFormat> parseReportFormat(std::string_view name);

/// Writes the report to `path`, whole or not at all; an existing file is replaced.
Result<void> writeReport(const compare::Comparison& comparison, ReportFormat format,
                         const std::string& path);

/// Receives the report piece by piece; a JSON or CSV report may be larger than memory.
using Sink = std::function<void(std::string_view)>;
/// One key on each line and one element of a long list on each line; the last key, `digest`, is the
/// SHA-256 of all lines before it, so that `head -n -2 FILE | sha256sum` prints it.
void writeJson(const compare::Comparison& comparison, const Sink& sink);
/// run, step, position, op, layer, hash, class, origin and magnitude of every recorded cell.
void writeCsv(const compare::Comparison& comparison, const Sink& sink);

/// The JSON report as a value.
[[nodiscard]] JsonValue reportJson(const compare::Comparison& comparison);
/// The whole HTML page: no scripts, nothing fetched from elsewhere, all data escaped.
[[nodiscard]] std::string reportHtml(const compare::Comparison& comparison);

} // namespace ulp::audit
