// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_tables.h"

#include <algorithm>
#include <map>

#include "engine/audit/html_table.h"
#include "engine/audit/magnitudes.h"
#include "engine/audit/outputs.h"
#include "engine/audit/settings_text.h"
#include "engine/audit/verdict_text.h"

namespace ulp::audit::html {
namespace {

using compare::Comparison;

constexpr std::int64_t kMaximumRows = 200;

const trace::RunRecord& runAt(const Comparison& comparison, int index)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(index)];
}

const OpInfo& opAt(const Comparison& comparison, int op)
{
    return comparison.snapshot().ops[static_cast<std::size_t>(op)];
}

std::string runList(const Comparison& comparison, const std::vector<int>& indices)
{
    std::vector<int> numbers;
    for (const int index : indices) {
        numbers.push_back(runAt(comparison, index).run);
    }
    return formatRuns(numbers);
}

std::string classOfRun(const Comparison& comparison, int index)
{
    const auto& classes = comparison.runClasses();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (std::find(classes[i].runs.begin(), classes[i].runs.end(), index) !=
            classes[i].runs.end()) {
            return className(i);
        }
    }
    return "";
}

/// "A: 0, 2 / B: 1"
std::string classText(const Comparison& comparison, const std::vector<compare::RunClass>& classes)
{
    std::vector<std::string> items;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        items.push_back(className(i) + ": " + runList(comparison, classes[i].runs));
    }
    return join(items, " / ");
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::vector<std::string> items;
    for (const std::int64_t extent : shape) {
        items.push_back(std::to_string(extent));
    }
    return "[" + join(items, ", ") + "]";
}

std::string pieceText(const Comparison& comparison, std::int32_t token)
{
    return visibleText(comparison.snapshot().pieceOf(token));
}

std::vector<Cell> magnitudeCells(const std::optional<trace::Magnitude>& m)
{
    if (!m) {
        return {"not recorded", "", "", ""};
    }
    return {formatCount(m->differing) + " of " + formatCount(m->of), formatUlp(m->maxUlp),
            formatDifference(m->maxAbs), formatDifference(m->relativeL2)};
}

std::string classTable(const Comparison& comparison, const std::vector<compare::RunClass>& classes)
{
    Table table({"Class", "Runs", "Hash"});
    for (std::size_t i = 0; i < classes.size(); ++i) {
        table.row({className(i), runList(comparison, classes[i].runs),
                   Cell::code(formatHashGrouped(classes[i].hash))});
    }
    return table.html();
}

std::string magnitudeTable(const Comparison& comparison, const compare::Divergence& first)
{
    Table table({"Run", "#Elements", "#Max ULP", "#Max abs", "#Relative L2"});
    const auto& reference = runAt(comparison, comparison.reference());
    for (const int index : comparison.runs()) {
        if (const auto m = comparison.magnitude(index, first.column, first.op)) {
            std::vector<Cell> cells{std::to_string(runAt(comparison, index).run)};
            const auto rest = magnitudeCells(m);
            cells.insert(cells.end(), rest.begin(), rest.end());
            table.row(cells);
        }
    }
    if (table.rows() == 0) {
        return "<p class=\"more\">No magnitude was recorded at this cell.</p>";
    }
    return "<h3>Magnitude against run " + std::to_string(reference.run) + "</h3>" + table.html();
}

/// Top logits of the reference run and of one run of each other token, side by side.
std::string topLogitsTable(const Comparison& comparison, const compare::TokenDivergence& first)
{
    const auto& reference = runAt(comparison, comparison.reference());
    const auto column = static_cast<std::size_t>(first.column);
    if (column >= reference.columnCount || reference.columns()[column].top.empty()) {
        return {};
    }
    int other = -1;
    for (const auto& [token, runs] : first.tokens) {
        if (token != reference.columns()[column].chosen && !runs.empty()) {
            other = runs.front();
            break;
        }
    }
    if (other < 0 || column >= runAt(comparison, other).columnCount) {
        return {};
    }
    const auto& otherTop = runAt(comparison, other).columns()[column].top;
    Table table({"Token", "#Id", "#Reference", "#Other", "#Difference"});
    std::size_t shown = 0;
    for (const auto& entry : reference.columns()[column].top) {
        const auto it =
            std::find_if(otherTop.begin(), otherTop.end(),
                         [&](const trace::TopLogit& logit) { return logit.token == entry.token; });
        const bool both = it != otherTop.end();
        const auto value = static_cast<double>(entry.logit);
        table.row({Cell::code(pieceText(comparison, entry.token)), std::to_string(entry.token),
                   formatExact(value), both ? formatExact(static_cast<double>(it->logit)) : "",
                   both ? formatDifference(static_cast<double>(it->logit) - value) : ""});
        if (++shown == 5) {
            break;
        }
    }
    return "<h3>Largest logits there, run " + std::to_string(reference.run) + " and run " +
           std::to_string(runAt(comparison, other).run) + "</h3>" + table.html();
}

} // namespace

std::string runTable(const Comparison& comparison)
{
    Table table({"#Run", "Class", "Status", "Policy", "#Threads", "#Batch", "#Prefill cut", "ISA",
                 "#Tokens", "Trace hash", "#Non-finite", "#Prefill tok/s", "#Decode tok/s"});
    for (const int index : comparison.runs()) {
        const auto& run = runAt(comparison, index);
        std::string status(trace::toString(run.status));
        if (!run.stopReason.empty()) {
            status += " (" + run.stopReason + ")";
        }
        const auto tokens = static_cast<std::int64_t>(generatedTokens(run).size());
        table.row({std::to_string(run.run), classOfRun(comparison, index),
                   status + (run.error.empty() ? "" : ": " + run.error),
                   std::string(ulp::toString(run.settings.policy)),
                   std::to_string(run.settings.threads), std::to_string(run.settings.batch),
                   std::to_string(run.settings.prefillChunk),
                   std::string(ulp::toString(run.settings.isa)), tokens,
                   Cell::code(run.traceHash.empty() ? "-" : run.traceHash.substr(0, 16)),
                   comparison.nonFiniteCells(index), formatRate(run.prefillTokensPerSecond),
                   formatRate(run.decodeTokensPerSecond)});
    }
    return table.html();
}

std::string firstDivergenceTables(const Comparison& comparison)
{
    if (!comparison.first()) {
        return {};
    }
    const auto& first = *comparison.first();
    const auto& op = opAt(comparison, first.op);
    std::vector<std::string> inputs;
    for (const int input : op.inputs) {
        if (input >= 0 && input < comparison.ops()) {
            inputs.push_back(opAt(comparison, input).name);
        }
    }
    Table facts({"!Cell", "~"});
    facts.row({"op", Cell::code(op.name)});
    const std::string place = placeText(comparison, first.column);
    facts.row(
        {"at", first.step < 0 ? place : place + ", position " + std::to_string(first.position)});
    facts.row({"kind", first.origin
                           ? "origin: its output differs, all its recorded inputs are equal"
                           : "inherited: an input differs already"});
    facts.row({"shape", op.kind + " " + shapeText(op.shape)});
    facts.row({"reads", inputs.empty() ? std::string("the token") : join(inputs, ", ")});
    if (!op.weight.empty()) {
        facts.row({"weight", Cell::code(op.weight)});
    }
    return "<div class=\"two-up\"><div>" + facts.html() + "</div><div>" +
           classTable(comparison, first.classes) + magnitudeTable(comparison, first) +
           "</div></div>";
}

std::string tokenDivergenceTable(const Comparison& comparison)
{
    if (!comparison.firstToken()) {
        return {};
    }
    const auto& first = *comparison.firstToken();
    Table table({"Token", "#Id", "Runs"});
    for (const auto& [token, runs] : first.tokens) {
        table.row({Cell::code(pieceText(comparison, token)), std::to_string(token),
                   runList(comparison, runs)});
    }
    return "<div class=\"two-up\"><div>" + table.html() + "</div><div>" +
           topLogitsTable(comparison, first) + "</div></div>";
}

std::string originTable(const Comparison& comparison)
{
    struct Tally {
        std::int64_t count = 0;
        std::int64_t firstColumn = 0;
        std::optional<trace::Magnitude> largest;
    };
    std::map<int, Tally> tallies;
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        for (int op = 0; op < comparison.ops(); ++op) {
            if ((comparison.cell(column, op).flags & compare::Origin) == 0) {
                continue;
            }
            Tally& tally = tallies[op];
            tally.firstColumn = tally.count++ == 0 ? column : tally.firstColumn;
            const auto m = largestMagnitude(comparison, column, op);
            if (m && isLarger(*m, tally.largest)) {
                tally.largest = m;
            }
        }
    }
    std::vector<std::pair<int, Tally>> sorted(tallies.begin(), tallies.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
    Table table({"Op", "#Times an origin", "First at", "#Elements", "#Max ULP", "#Max abs",
                 "#Relative L2"});
    constexpr std::int64_t kTop = 15;
    for (const auto& [op, tally] : sorted) {
        if (table.rows() == kTop) {
            break;
        }
        std::vector<Cell> cells{Cell::code(opAt(comparison, op).name), tally.count,
                                placeText(comparison, tally.firstColumn)};
        const auto rest = magnitudeCells(tally.largest);
        cells.insert(cells.end(), rest.begin(), rest.end());
        table.row(cells);
    }
    return table.rows() == 0
               ? std::string()
               : table.html() + cappedNote(table.rows(), static_cast<std::int64_t>(sorted.size()));
}

std::string divergentCellTable(const Comparison& comparison)
{
    Table table(
        {"At", "Op", "Kind", "Classes", "#Elements", "#Max ULP", "#Max abs", "#Relative L2"});
    const std::int64_t total = comparison.divergentCells() + comparison.divergentPrefillCells();
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        for (int op = 0; op < comparison.ops() && table.rows() < kMaximumRows; ++op) {
            const auto state = comparison.cell(column, op);
            if (state.classes < 2) {
                continue;
            }
            std::vector<Cell> cells{placeText(comparison, column),
                                    Cell::code(opAt(comparison, op).name),
                                    (state.flags & compare::Origin) != 0 ? "origin" : "inherited",
                                    classText(comparison, comparison.classesAt(column, op))};
            const auto rest = magnitudeCells(largestMagnitude(comparison, column, op));
            cells.insert(cells.end(), rest.begin(), rest.end());
            table.row(cells);
        }
    }
    return table.rows() == 0 ? std::string() : table.html() + cappedNote(table.rows(), total);
}

std::string nonFiniteTable(const Comparison& comparison)
{
    Table table({"#Run", "At", "Op", "#NaN", "#Infinite"});
    std::int64_t total = 0;
    for (const int index : comparison.runs()) {
        const auto& run = runAt(comparison, index);
        for (std::size_t column = 0; column < run.columnCount; ++column) {
            for (const auto& entry : run.columns()[column].nonFinite) {
                if (++total > kMaximumRows) {
                    continue;
                }
                const bool known = entry.op >= 0 && entry.op < comparison.ops();
                table.row(
                    {std::to_string(run.run),
                     placeText(comparison, static_cast<std::int64_t>(column)),
                     Cell::code(known ? opAt(comparison, entry.op).name : std::to_string(entry.op)),
                     entry.nan, entry.infinite});
            }
        }
    }
    return total == 0 ? std::string() : table.html() + cappedNote(table.rows(), total);
}

std::string settingsTable(const Comparison& comparison)
{
    Table table({"!Setting", "~Value"});
    for (const auto& setting : valuesOfSettings(comparison)) {
        const bool varied = setting.values.size() > 1;
        table.row({setting.name, join(setting.values, ", ") + (varied ? " (varied)" : "")},
                  varied ? "varied" : "");
    }
    return table.html();
}

std::string modelTable(const Comparison& comparison)
{
    const auto& model = comparison.snapshot().model;
    Table table({"!Model", "~"});
    table.row({"name", model.name});
    table.row({"file", model.path});
    table.row({"architecture", model.architecture});
    table.row({"parameters", model.parameters});
    table.row({"bytes", model.fileBytes});
    table.row({"SHA-256", Cell::code(model.sha256)});
    table.row({"contract", "version " + std::to_string(comparison.snapshot().contract)});
    return table.html();
}

std::string tensorTable(const Comparison& comparison)
{
    const auto& tensors = comparison.snapshot().model.tensors;
    Table table({"Tensor", "Type", "Shape", "XXH3-64 of its bytes"});
    for (const auto& tensor : tensors) {
        if (table.rows() == kMaximumRows) {
            break;
        }
        table.row({Cell::code(tensor.name), tensor.type, shapeText(tensor.shape),
                   Cell::code(formatHashGrouped(tensor.xxh3))});
    }
    return table.rows() == 0
               ? std::string()
               : table.html() + cappedNote(table.rows(), static_cast<std::int64_t>(tensors.size()));
}

std::string fingerprintTable(const Comparison& comparison)
{
    Table table({"!Fact", "~Value"});
    for (const auto& [key, value] : comparison.snapshot().fingerprint) {
        table.row({key, value});
    }
    return table.rows() == 0 ? "<p class=\"more\">None was recorded.</p>" : table.html();
}

} // namespace ulp::audit::html
