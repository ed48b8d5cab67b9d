// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/audit/coverage.h"
#include "engine/audit/format.h"
#include "engine/audit/html_drift.h"
#include "engine/audit/html_heatmap.h"
#include "engine/audit/html_tables.h"
#include "engine/audit/html_tokens.h"
#include "engine/audit/report.h"
#include "engine/audit/report_style.h"
#include "engine/audit/verdict_text.h"

namespace ulp::audit {
namespace {

using compare::Comparison;

const char* badgeClass(VerdictStatus status)
{
    switch (status) {
    case VerdictStatus::SameBits:
        return "good";
    case VerdictStatus::SameTokensDifferentBits:
        return "warn";
    case VerdictStatus::Diverged:
        return "bad";
    case VerdictStatus::Failed:
    case VerdictStatus::Incomparable:
        return "fail";
    case VerdictStatus::Empty:
    case VerdictStatus::Incomplete:
        break;
    }
    return "idle";
}

std::string verdictHtml(const Comparison& comparison)
{
    std::string out = "<div class=\"verdict\">";
    for (const auto& part : verdictParts(comparison)) {
        const std::string cssClass =
            part.kind == VerdictPart::Kind::Status
                ? std::string("badge ") + badgeClass(verdictStatus(comparison))
                : std::string("part");
        out += "<span class=\"" + cssClass + "\">" + htmlEscape(part.text) + "</span>";
    }
    return out + "</div>";
}

std::string fact(const std::string& name, const std::string& value, const std::string& note = {})
{
    return "<div><dt>" + htmlEscape(name) + "</dt><dd>" + htmlEscape(value) +
           (note.empty() ? std::string() : " <small>" + htmlEscape(note) + "</small>") +
           "</dd></div>";
}

std::string factsHtml(const Comparison& comparison)
{
    const std::int64_t steps = stepCount(comparison);
    return "<dl class=\"facts\">" +
           fact("runs", formatCount(static_cast<std::int64_t>(comparison.runs().size()))) +
           fact("trace classes", formatCount(comparison.uniqueTraces())) +
           fact("distinct outputs", formatCount(comparison.uniqueOutputs())) +
           fact("divergent cells", formatCount(comparison.divergentCells()),
                "of " + formatCount(steps * comparison.ops())) +
           fact("in the prompt", formatCount(comparison.divergentPrefillCells())) +
           fact("origins", formatCount(comparison.originCells())) + "</dl>";
}

std::string section(const std::string& title, const std::string& lead, const std::string& body)
{
    if (body.empty()) {
        return {};
    }
    return "<section><h2>" + htmlEscape(title) + "</h2>" +
           (lead.empty() ? std::string() : "<p class=\"lead\">" + htmlEscape(lead) + "</p>") +
           body + "</section>\n";
}

std::string folded(const std::string& summary, const std::string& body)
{
    return body.empty()
               ? body
               : "<details><summary>" + htmlEscape(summary) + "</summary>" + body + "</details>";
}

std::string mapSection(const Comparison& comparison)
{
    if (comparison.ops() == 0 || comparison.columns() == 0) {
        return {};
    }
    constexpr std::int64_t kUnfolded = 130; // ops that fit on a screen, one row each
    const bool small = comparison.ops() <= kUnfolded;
    const std::string map =
        small ? html::heatmapByOp(comparison) : html::heatmapByLayer(comparison);
    return section("Where the bits part",
                   "Ops down in execution order, steps across. A row or block that stands for "
                   "several cells shows the worst of them, never an average.",
                   map + html::heatmapLegend(comparison) +
                       (small ? std::string()
                              : folded("Every op on its own row", html::heatmapByOp(comparison))));
}

std::string listHtml(const std::vector<std::string>& items)
{
    std::string out = "<ul class=\"plain\">";
    for (const auto& item : items) {
        out += "<li>" + htmlEscape(item) + "</li>";
    }
    return out + "</ul>";
}

std::string verifySection(const Comparison& comparison)
{
    const auto& source = comparison.snapshot().source;
    const std::string trace = htmlEscape(source.empty() ? "TRACE.ulp" : source);
    return section(
        "How to verify", {},
        "<p>This page quotes a trace. The trace says whether it was changed since it was "
        "recorded, and gives the complete evidence as JSON, whose last line is the SHA-256 of all "
        "lines before it:</p><pre>ulpscope-cli verify " +
            trace + "\nulpscope-cli compare " + trace + "\nulpscope-cli report " + trace +
            " --format json --out report.json\nhead -n -2 report.json | sha256sum</pre>"
            "<p>To record it again, give <code>ulpscope-cli run</code> the model, prompt and "
            "settings above. Under policy <code>ordered</code> the trace hash must come out the "
            "same, on any machine.</p>");
}

std::string title(const Comparison& comparison)
{
    const auto& model = comparison.snapshot().model;
    return model.name.empty() ? std::string("Unnamed model") : model.name;
}

std::string header(const Comparison& comparison)
{
    const auto& snapshot = comparison.snapshot();
    const auto version = snapshot.fingerprint.find("program.version");
    std::string brand = "Ulpscope report";
    if (version != snapshot.fingerprint.end()) {
        brand += ", program " + version->second;
    }
    if (!snapshot.created.empty()) {
        brand += ", recorded " + snapshot.created;
    }
    if (snapshot.incomplete) {
        brand += ", recording cut short";
    }
    return "<header><div class=\"brand\">" + htmlEscape(brand) + "</div><h1>" +
           htmlEscape(title(comparison)) + "</h1>" + verdictHtml(comparison) +
           factsHtml(comparison) + "</header>\n";
}

std::string promptSection(const Comparison& comparison)
{
    const auto& prompt = comparison.snapshot().prompt;
    return section("Prompt",
                   formatPlural(comparison.promptTokens(), "token", "tokens") +
                       (prompt.empty() ? ", given as token ids (see the JSON report)." : "."),
                   prompt.empty() ? " " : "<pre>" + htmlEscape(prompt) + "</pre>");
}

} // namespace

std::string reportHtml(const Comparison& comparison)
{
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>Ulpscope: " +
        htmlEscape(title(comparison)) + "</title>\n<style>" + kReportStyle +
        "</style></head><body><main>\n";
    out += header(comparison);
    out += mapSection(comparison);
    out += section("First divergent cell", {}, html::firstDivergenceTables(comparison));
    out += section("Margin and drift",
                   "How far the winning logit was ahead, and how far the logits of other classes "
                   "were from the reference run's (largest absolute difference). Where drift "
                   "exceeds margin, a token can flip.",
                   html::driftChart(comparison));
    out += section("Tokens",
                   "Outlined: first differing token. Dotted: near-tie (margin within twice the "
                   "largest drift seen). Grey: after a flip.",
                   html::tokenLines(comparison));
    out += section("Where the tokens part", {}, html::tokenDivergenceTable(comparison));
    out += section("Non-finite values", "Cells that hold NaN or infinity.",
                   html::nonFiniteTable(comparison));
    out += section("Runs", {}, html::runTable(comparison));
    out += section("Ops where divergence begins",
                   "Origins: the output differs although every recorded input is equal. Largest "
                   "magnitude over all runs.",
                   html::originTable(comparison));
    out += section("Divergent cells", "In execution order.", html::divergentCellTable(comparison));
    out += promptSection(comparison);
    out += section("Settings", {}, html::settingsTable(comparison));
    out += section("Model", {},
                   html::modelTable(comparison) +
                       folded("Digest of every tensor", html::tensorTable(comparison)));
    out += section("Fingerprint", "The program and the machine that made the recording.",
                   html::fingerprintTable(comparison));
    out += section("What was not checked", {}, listHtml(notChecked(comparison)));
    out += verifySection(comparison);
    out += "<footer>Numbers are quoted from the trace; nothing on this page is fetched from "
           "elsewhere, and it runs no scripts.</footer>\n</main></body></html>\n";
    return out;
}

} // namespace ulp::audit
