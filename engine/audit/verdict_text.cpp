// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/verdict_text.h"

#include <algorithm>

#include "engine/audit/format.h"
#include "engine/audit/settings_text.h"

namespace ulp::audit {
namespace {

using compare::Comparison;
using compare::Verdict;
using trace::RunStatus;

const trace::RunRecord& runAt(const Comparison& comparison, int index)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(index)];
}

bool allComplete(const Comparison& comparison)
{
    return std::all_of(comparison.runs().begin(), comparison.runs().end(), [&](int index) {
        return runAt(comparison, index).status == RunStatus::Complete;
    });
}

std::string statusText(const Comparison& comparison)
{
    const std::string& reason = comparison.reason();
    const std::string suffix = reason.empty() ? "" : ": " + reason;
    switch (verdictStatus(comparison)) {
    case VerdictStatus::Empty:
        return comparison.runs().size() == 1 ? "One run, nothing to compare it with"
                                             : "Nothing to compare yet";
    case VerdictStatus::Incomplete:
        return "Incomplete: same bits so far";
    case VerdictStatus::SameBits:
        return "Same bits";
    case VerdictStatus::SameTokensDifferentBits:
        return "Same tokens, different bits";
    case VerdictStatus::Diverged:
        return "Diverged";
    case VerdictStatus::Failed:
        return "Failed" + suffix;
    case VerdictStatus::Incomparable:
        return "Not comparable" + suffix;
    }
    return "";
}

VerdictPart classesPart(const Comparison& comparison)
{
    const auto runs = static_cast<std::int64_t>(comparison.runs().size());
    return {VerdictPart::Kind::Classes,
            formatPlural(comparison.uniqueTraces(), "class", "classes") + " in " +
                formatPlural(runs, "run", "runs"),
            std::nullopt, std::nullopt};
}

VerdictPart firstPart(const Comparison& comparison, const compare::Divergence& first)
{
    const auto& op = comparison.snapshot().ops[static_cast<std::size_t>(first.op)];
    std::string text =
        "bits part first at " + placeText(comparison, first.column) + " in " + op.name;
    if (first.magnitude) {
        const auto& m = *first.magnitude;
        text += " (" + formatCount(m.differing) + " of " +
                formatPlural(m.of, "element", "elements") + ", " + formatUlp(m.maxUlp) + " ULP)";
    }
    return {VerdictPart::Kind::FirstDivergence, std::move(text), first.column, first.op};
}

VerdictPart tokenPart(const Comparison& comparison, const compare::TokenDivergence& first)
{
    return {VerdictPart::Kind::TokenDivergence,
            "tokens part at " + placeText(comparison, first.column) + " (margin " +
                formatDifference(static_cast<double>(first.margin)) + ")",
            first.column, std::nullopt};
}

/// The first cell of a run that holds NaN or infinity, as a place to go to.
VerdictPart nonFiniteNote(const Comparison& comparison, int index)
{
    const auto& run = runAt(comparison, index);
    VerdictPart note{VerdictPart::Kind::Note,
                     "run " + std::to_string(run.run) + " has NaN or infinity in " +
                         formatPlural(comparison.nonFiniteCells(index), "cell", "cells"),
                     std::nullopt, std::nullopt};
    for (std::size_t column = 0; column < run.columnCount && !note.column; ++column) {
        const auto& cells = run.columns()[column].nonFinite;
        if (!cells.empty()) {
            note.column = static_cast<std::int64_t>(column);
            note.op = cells.front().op;
        }
    }
    return note;
}

/// One note for each compared run that holds non-finite values or did not come to its end.
void addNotes(const Comparison& comparison, std::vector<VerdictPart>& parts)
{
    for (const int index : comparison.runs()) {
        const auto& run = runAt(comparison, index);
        if (comparison.nonFiniteCells(index) > 0) {
            parts.push_back(nonFiniteNote(comparison, index));
        }
        if (run.status == RunStatus::Complete) {
            continue;
        }
        VerdictPart note{VerdictPart::Kind::Note, "run " + std::to_string(run.run), std::nullopt,
                         std::nullopt};
        switch (run.status) {
        case RunStatus::Running:
            note.text += " is running";
            break;
        case RunStatus::Cancelled:
            note.text += " was cancelled";
            break;
        case RunStatus::Failed:
            note.text += " failed";
            break;
        default:
            note.text += " was cut short";
        }
        if (run.columnCount > 0) {
            const auto last = static_cast<std::int64_t>(run.columnCount) - 1;
            note.text += run.status == RunStatus::Running ? ", at " : " at ";
            note.text += placeText(comparison, last);
            note.column = last;
        }
        if (run.status == RunStatus::Failed && !run.error.empty()) {
            note.text += ": " + run.error;
        }
        parts.push_back(std::move(note));
    }
}

} // namespace

std::string_view toString(VerdictStatus status)
{
    switch (status) {
    case VerdictStatus::Empty:
        return "empty";
    case VerdictStatus::Incomplete:
        return "incomplete";
    case VerdictStatus::SameBits:
        return "same-bits";
    case VerdictStatus::SameTokensDifferentBits:
        return "same-tokens-different-bits";
    case VerdictStatus::Diverged:
        return "diverged";
    case VerdictStatus::Failed:
        return "failed";
    case VerdictStatus::Incomparable:
        return "incomparable";
    }
    return "";
}

VerdictStatus verdictStatus(const Comparison& comparison)
{
    switch (comparison.verdict()) {
    case Verdict::Empty:
        return VerdictStatus::Empty;
    case Verdict::SameBits:
        return allComplete(comparison) ? VerdictStatus::SameBits : VerdictStatus::Incomplete;
    case Verdict::SameTokensDifferentBits:
        return VerdictStatus::SameTokensDifferentBits;
    case Verdict::Diverged:
        return VerdictStatus::Diverged;
    case Verdict::Failed:
        return VerdictStatus::Failed;
    case Verdict::Incomparable:
        return VerdictStatus::Incomparable;
    }
    return VerdictStatus::Empty;
}

std::string placeText(const Comparison& comparison, std::int64_t column)
{
    const std::int64_t step = comparison.stepOf(column);
    return step >= 0 ? "step " + std::to_string(step) : "prompt position " + std::to_string(column);
}

std::vector<VerdictPart> verdictParts(const Comparison& comparison)
{
    std::vector<VerdictPart> parts{
        {VerdictPart::Kind::Status, statusText(comparison), std::nullopt, std::nullopt}};
    const VerdictStatus status = verdictStatus(comparison);
    if (status != VerdictStatus::Empty && status != VerdictStatus::Incomparable) {
        parts.push_back(classesPart(comparison));
        const std::string varied = variedText(comparison);
        if (comparison.runs().size() > 1) {
            parts.push_back({VerdictPart::Kind::Varied,
                             varied.empty() ? "same settings repeated" : "varied: " + varied,
                             std::nullopt, std::nullopt});
        }
        if (comparison.first()) {
            parts.push_back(firstPart(comparison, *comparison.first()));
        }
        if (comparison.firstToken()) {
            parts.push_back(tokenPart(comparison, *comparison.firstToken()));
        }
    }
    addNotes(comparison, parts);
    return parts;
}

std::string verdictSentence(const Comparison& comparison)
{
    const auto parts = verdictParts(comparison);
    std::string text = parts.front().text;
    std::string separator = text.find(':') == std::string::npos ? ": " : "; ";
    for (std::size_t i = 1; i < parts.size(); ++i) {
        text += separator + parts[i].text;
        separator = "; ";
    }
    return text + ".";
}

} // namespace ulp::audit
