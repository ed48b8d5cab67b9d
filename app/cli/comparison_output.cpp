// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparison_output.h"

#include <array>
#include <cstdio>
#include <vector>

#include "app/cli/text_table.h"
#include "engine/audit/comparison_json.h"
#include "engine/audit/format.h"
#include "engine/audit/outputs.h"
#include "engine/audit/verdict_text.h"
#include "engine/base/utf8.h"

namespace ulp::cli {
namespace {

using compare::Comparison;

constexpr std::size_t kShownTexts = 4;

const trace::RunRecord& runAt(const Comparison& comparison, int index)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(index)];
}

std::string classOf(const Comparison& comparison, int index)
{
    const auto& classes = comparison.runClasses();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (std::count(classes[i].runs.begin(), classes[i].runs.end(), index) > 0) {
            return audit::className(i);
        }
    }
    return "-";
}

std::string rate(double value)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
    return buffer.data();
}

std::string runTable(const Comparison& comparison)
{
    TextTable table({"#run", "class", "status", "policy", "#threads", "#batch", "#cut", "isa",
                     "#tokens", "trace hash", "#non-finite", "#prefill tok/s", "#decode tok/s"});
    for (const int index : comparison.runs()) {
        const auto& run = runAt(comparison, index);
        const auto& s = run.settings;
        const std::string hash = run.traceHash.empty() ? "-" : run.traceHash.substr(0, 16);
        table.row({std::to_string(run.run), classOf(comparison, index),
                   std::string(trace::toString(run.status)), std::string(toString(s.policy)),
                   std::to_string(s.threads), std::to_string(s.batch),
                   std::to_string(s.prefillChunk), std::string(toString(s.isa)),
                   std::to_string(audit::generatedTokens(run).size()), hash,
                   std::to_string(comparison.nonFiniteCells(index)),
                   rate(run.prefillTokensPerSecond), rate(run.decodeTokensPerSecond)});
    }
    return table.text();
}

Tone toneOf(audit::VerdictStatus status)
{
    switch (status) {
    case audit::VerdictStatus::SameBits:
        return Tone::Good;
    case audit::VerdictStatus::SameTokensDifferentBits:
    case audit::VerdictStatus::Incomplete:
        return Tone::Warn;
    case audit::VerdictStatus::Diverged:
    case audit::VerdictStatus::Failed:
    case audit::VerdictStatus::Incomparable:
        return Tone::Bad;
    case audit::VerdictStatus::Empty:
        break;
    }
    return Tone::Bold;
}

std::string verdictText(const Comparison& comparison)
{
    const auto parts = audit::verdictParts(comparison);
    std::string out = toned(parts.front().text, toneOf(audit::verdictStatus(comparison))) + "\n";
    for (std::size_t i = 1; i < parts.size(); ++i) {
        out += "  " + parts[i].text + "\n";
    }
    if (comparison.divergentCells() + comparison.divergentPrefillCells() > 0) {
        out += "  " + audit::formatPlural(comparison.divergentCells(), "cell", "cells") + " of " +
               audit::formatCount(audit::stepCount(comparison) * comparison.ops()) +
               " differ, and " + audit::formatCount(comparison.divergentPrefillCells()) +
               " in the prompt; " +
               audit::formatPlural(comparison.originCells(), "origin", "origins") + "\n";
    }
    return out;
}

/// Each distinct output once, with the runs that wrote it.
std::string outputTexts(const Comparison& comparison)
{
    const auto outputs = audit::distinctOutputs(comparison);
    std::string out;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (i == kShownTexts) {
            out += "\n" +
                   audit::formatPlural(static_cast<std::int64_t>(outputs.size() - i), "more output",
                                       "more outputs") +
                   " (all with --json)\n";
            break;
        }
        const auto& runs = outputs[i].runs;
        out += "\n" +
               toned((runs.size() == 1 ? "run " : "runs ") + audit::formatRuns(runs) + " wrote:",
                     Tone::Bold) +
               "\n" + utf8::repaired(audit::textOf(comparison.snapshot(), outputs[i].tokens)) +
               "\n";
    }
    return out;
}

} // namespace

std::string comparisonText(const Comparison& comparison)
{
    return runTable(comparison) + "\n" + verdictText(comparison) + outputTexts(comparison);
}

Exit exitOf(const Comparison& comparison)
{
    switch (comparison.verdict()) {
    case compare::Verdict::Incomparable:
        return Exit::BadInput;
    case compare::Verdict::Failed:
    case compare::Verdict::Diverged:
    case compare::Verdict::SameTokensDifferentBits:
        return Exit::Differs;
    case compare::Verdict::Empty:
    case compare::Verdict::SameBits:
        break;
    }
    return Exit::Done;
}

} // namespace ulp::cli
