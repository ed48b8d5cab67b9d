// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/audit/coverage.h"
#include "engine/audit/format.h"
#include "engine/audit/report.h"
#include "engine/audit/settings_text.h"
#include "engine/base/sha256.h"
#include "engine/base/utf8.h"

namespace ulp::audit {
namespace {

using compare::Comparison;
using RowSink = std::function<void(const JsonValue&)>;

JsonValue modelJson(const trace::ModelIdentity& model)
{
    JsonValue tensors = JsonValue::array();
    for (const auto& tensor : model.tensors) {
        tensors.push_back({{"name", jsonText(tensor.name)},
                           {"type", jsonText(tensor.type)},
                           {"shape", tensor.shape},
                           {"xxh3", formatHash(tensor.xxh3)}});
    }
    return {{"path", jsonText(model.path)},
            {"name", jsonText(model.name)},
            {"architecture", jsonText(model.architecture)},
            {"sha256", jsonText(model.sha256)},
            {"parameters", model.parameters},
            {"file_bytes", model.fileBytes},
            {"tensors", std::move(tensors)}};
}

JsonValue opsJson(const std::vector<OpInfo>& ops)
{
    JsonValue list = JsonValue::array();
    for (const auto& op : ops) {
        list.push_back({{"name", jsonText(op.name)},
                        {"kind", jsonText(op.kind)},
                        {"layer", op.layer},
                        {"shape", op.shape},
                        {"inputs", op.inputs},
                        {"history", op.history},
                        {"weight", jsonText(op.weight)}});
    }
    return list;
}

JsonValue variedJson(const Comparison& comparison)
{
    JsonValue varied = JsonValue::object();
    for (const auto& setting : variedSettings(comparison)) {
        JsonValue values = JsonValue::array();
        for (const auto& value : setting.values) {
            values.push_back(jsonText(value));
        }
        varied[setting.name] = std::move(values);
    }
    return varied;
}

JsonValue fingerprintJson(const trace::Fingerprint& fingerprint)
{
    JsonValue facts = JsonValue::object();
    for (const auto& [key, value] : fingerprint) {
        facts[utf8::repaired(key)] = jsonText(value);
    }
    return facts;
}

JsonValue piecesJson(const std::map<std::int32_t, std::string>& pieces)
{
    JsonValue list = JsonValue::array();
    for (const auto& [token, piece] : pieces) {
        list.push_back(JsonValue::array({token, jsonText(piece)}));
    }
    return list;
}

/// Every column whose logits were recorded: margin of the reference run, drift of the others.
void forEachDriftRow(const Comparison& comparison, const RowSink& sink)
{
    if (comparison.runs().empty()) {
        return;
    }
    const auto& snapshot = comparison.snapshot();
    const auto& reference = *snapshot.runs[static_cast<std::size_t>(comparison.reference())];
    for (std::size_t column = 0; column < reference.columnCount; ++column) {
        const auto& cell = reference.columns()[column];
        if (cell.top.empty()) {
            continue;
        }
        JsonValue runs = JsonValue::array();
        for (const int index : comparison.runs()) {
            const auto drift = comparison.drift(index, static_cast<std::int64_t>(column));
            if (index != comparison.reference() && drift.recorded) {
                runs.push_back({{"run", snapshot.runs[static_cast<std::size_t>(index)]->run},
                                {"same_input", drift.sameInput},
                                {"max_abs", jsonNumber(drift.maxAbs)},
                                {"max_ulp", drift.maxUlp},
                                {"kl", jsonNumber(drift.kl)}});
            }
        }
        sink({{"step", reference.stepOf(column)},
              {"token", cell.chosen},
              {"margin", jsonNumber(static_cast<double>(cell.margin))},
              {"runs", std::move(runs)}});
    }
}

JsonValue divergentCellJson(const Comparison& comparison, std::int64_t column, int op)
{
    const auto& snapshot = comparison.snapshot();
    const auto classes = comparison.classesAt(column, op);
    JsonValue hashes = JsonValue::array();
    for (const auto& entry : classes) {
        hashes.push_back(formatHash(entry.hash));
    }
    JsonValue magnitudes = JsonValue::array();
    for (const int index : comparison.runs()) {
        const auto& run = *snapshot.runs[static_cast<std::size_t>(index)];
        if (const auto m = comparison.magnitude(index, column, op)) {
            JsonValue entry{{"run", run.run}};
            entry.update(magnitudeJson(*m));
            magnitudes.push_back(std::move(entry));
        }
    }
    const auto& info = snapshot.ops[static_cast<std::size_t>(op)];
    const bool origin = (comparison.cell(column, op).flags & compare::Origin) != 0;
    return {{"step", comparison.stepOf(column)},
            {"position", column},
            {"op", jsonText(info.name)},
            {"layer", info.layer},
            {"kind", origin ? "origin" : "inherited"},
            {"classes", classesJson(comparison, classes)},
            {"hashes", std::move(hashes)},
            {"magnitudes", std::move(magnitudes)}};
}

void forEachDivergentCell(const Comparison& comparison, const RowSink& sink)
{
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        for (int op = 0; op < comparison.ops(); ++op) {
            if (comparison.cell(column, op).classes > 1) {
                sink(divergentCellJson(comparison, column, op));
            }
        }
    }
}

void forEachNonFinite(const Comparison& comparison, const RowSink& sink)
{
    const auto& snapshot = comparison.snapshot();
    for (const int index : comparison.runs()) {
        const auto& run = *snapshot.runs[static_cast<std::size_t>(index)];
        for (std::size_t column = 0; column < run.columnCount; ++column) {
            for (const auto& entry : run.columns()[column].nonFinite) {
                const auto op = static_cast<std::size_t>(entry.op);
                sink({{"run", run.run},
                      {"step", run.stepOf(column)},
                      {"position", column},
                      {"op", op < snapshot.ops.size() ? jsonText(snapshot.ops[op].name)
                                                      : JsonValue(entry.op)},
                      {"nan", entry.nan},
                      {"infinite", entry.infinite}});
            }
        }
    }
}

/// Everything but the long lists, in the order of the report.
JsonValue headJson(const Comparison& comparison)
{
    const auto& snapshot = comparison.snapshot();
    JsonValue head{{"format", "ulpscope-report"}, {"version", 1}};
    head.update(comparisonJson(comparison));
    head["created"] = jsonText(snapshot.created);
    head["incomplete"] = snapshot.incomplete;
    head["contract"] = snapshot.contract;
    head["prompt"] = jsonText(snapshot.prompt);
    head["model"] = modelJson(snapshot.model);
    head["fingerprint"] = fingerprintJson(snapshot.fingerprint);
    head["varied"] = variedJson(comparison);
    head["not_checked"] = notChecked(comparison);
    head["pieces"] = piecesJson(snapshot.pieces);
    head["op_catalogue"] = opsJson(snapshot.ops);
    return head;
}

struct LongList {
    const char* key;
    void (*forEach)(const Comparison&, const RowSink&);
};
constexpr LongList kLongLists[] = {
    {"drift", forEachDriftRow},
    {"nonfinite", forEachNonFinite},
    {"divergent", forEachDivergentCell},
};

} // namespace

void writeJson(const Comparison& comparison, const Sink& sink)
{
    Sha256 digest;
    const Sink digested = [&](std::string_view bytes) {
        digest.update(bytes);
        sink(bytes);
    };
    const JsonValue head = headJson(comparison);
    digested("{\n");
    for (const auto& [key, value] : head.items()) {
        digested(JsonValue(key).dump() + ": " + layoutValue(value) + ",\n");
    }
    for (const auto& list : kLongLists) {
        digested(JsonValue(list.key).dump() + ": [");
        bool first = true;
        list.forEach(comparison, [&](const JsonValue& row) {
            digested((first ? "\n" : ",\n") + row.dump());
            first = false;
        });
        digested(first ? "],\n" : "\n],\n");
    }
    sink("\"digest\": \"" + digest.finish() + "\"\n}\n");
}

JsonValue reportJson(const Comparison& comparison)
{
    std::string text;
    writeJson(comparison, [&](std::string_view bytes) { text += bytes; });
    return JsonValue::parse(text);
}

} // namespace ulp::audit
