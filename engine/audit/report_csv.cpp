// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "engine/audit/format.h"
#include "engine/audit/report.h"

namespace ulp::audit {
namespace {

using compare::Comparison;

/// The class letter of each run at one cell, by index into snapshot.runs.
std::vector<std::string> classLetters(const Comparison& comparison, std::int64_t column, int op)
{
    std::vector<std::string> letters(comparison.snapshot().runs.size());
    const auto classes = comparison.classesAt(column, op);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        for (const int run : classes[i].runs) {
            letters[static_cast<std::size_t>(run)] = className(i);
        }
    }
    return letters;
}

std::string magnitudeFields(const std::optional<trace::Magnitude>& m)
{
    if (!m) {
        return ",,,,";
    }
    return std::to_string(m->differing) + "," + std::to_string(m->of) + "," +
           std::to_string(m->maxUlp) + "," + formatExact(m->maxAbs) + "," +
           formatExact(m->relativeL2);
}

void writeCell(const Comparison& comparison, std::int64_t column, int op, const Sink& sink)
{
    const auto& snapshot = comparison.snapshot();
    const auto state = comparison.cell(column, op);
    const bool differs = state.classes > 1;
    std::vector<std::string> letters;
    if (differs) {
        letters = classLetters(comparison, column, op);
    }
    const auto& info = snapshot.ops[static_cast<std::size_t>(op)];
    const std::string name = csvField(info.name);
    for (const int index : comparison.runs()) {
        const auto& run = *snapshot.runs[static_cast<std::size_t>(index)];
        if (column >= static_cast<std::int64_t>(run.columnCount)) {
            continue;
        }
        const std::uint64_t hash =
            run.cell(static_cast<std::size_t>(column), static_cast<std::size_t>(op));
        if (hash == trace::kNotRecorded) {
            continue;
        }
        sink(std::to_string(run.run) + "," + std::to_string(comparison.stepOf(column)) + "," +
             std::to_string(run.columns()[static_cast<std::size_t>(column)].position) + "," + name +
             "," + std::to_string(info.layer) + "," + formatHash(hash) + "," +
             (differs ? letters[static_cast<std::size_t>(index)] : std::string("A")) + "," +
             ((state.flags & compare::Origin) != 0 ? "1" : "0") + "," +
             magnitudeFields(differs ? comparison.magnitude(index, column, op) : std::nullopt) +
             "\r\n");
    }
}

} // namespace

void writeCsv(const Comparison& comparison, const Sink& sink)
{
    sink("run,step,position,op,layer,hash,class,origin,differing,of,max_ulp,max_abs,relative_l2"
         "\r\n");
    if (comparison.verdict() == compare::Verdict::Incomparable) {
        return;
    }
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        for (int op = 0; op < comparison.ops(); ++op) {
            writeCell(comparison, column, op, sink);
        }
    }
}

} // namespace ulp::audit
