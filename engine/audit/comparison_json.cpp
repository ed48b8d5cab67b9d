// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/comparison_json.h"

#include <algorithm>
#include <cmath>

#include "engine/audit/format.h"
#include "engine/audit/outputs.h"
#include "engine/audit/verdict_text.h"
#include "engine/base/utf8.h"

namespace ulp::audit {
namespace {

using compare::Comparison;

const trace::RunRecord& runAt(const Comparison& comparison, int index)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(index)];
}

JsonValue runNumbers(const Comparison& comparison, const std::vector<int>& indices)
{
    JsonValue numbers = JsonValue::array();
    for (const int index : indices) {
        numbers.push_back(runAt(comparison, index).run);
    }
    return numbers;
}

JsonValue firstJson(const Comparison& comparison)
{
    if (!comparison.first()) {
        return nullptr;
    }
    const auto& first = *comparison.first();
    const auto& op = comparison.snapshot().ops[static_cast<std::size_t>(first.op)];
    return {{"step", first.step},
            {"position", first.position},
            {"op", jsonText(op.name)},
            {"layer", op.layer},
            {"classes", classesJson(comparison, first.classes)},
            {"kind", first.origin ? "origin" : "inherited"},
            {"magnitude", first.magnitude ? magnitudeJson(*first.magnitude) : JsonValue(nullptr)}};
}

JsonValue firstTokenJson(const Comparison& comparison)
{
    if (!comparison.firstToken()) {
        return nullptr;
    }
    const auto& first = *comparison.firstToken();
    JsonValue tokens = JsonValue::array();
    for (const auto& [token, runs] : first.tokens) {
        tokens.push_back(JsonValue::array({token, runNumbers(comparison, runs)}));
    }
    return {{"step", first.step},
            {"tokens", std::move(tokens)},
            {"margin", jsonNumber(static_cast<double>(first.margin))}};
}

JsonValue opPoliciesJson(const RunSettings& settings)
{
    JsonValue list = JsonValue::array();
    for (const auto& entry : settings.opPolicies) {
        list.push_back({{"op", jsonText(entry.pattern)}, {"policy", toString(entry.policy)}});
    }
    return list;
}

JsonValue perturbationJson(const std::optional<Perturbation>& perturb)
{
    if (!perturb) {
        return nullptr;
    }
    return {{"op", jsonText(perturb->op)},
            {"position", perturb->position},
            {"element", perturb->element},
            {"ulps", perturb->ulps}};
}

} // namespace

JsonValue jsonNumber(double value)
{
    return std::isfinite(value) ? JsonValue(value) : JsonValue(formatExact(value));
}

JsonValue jsonText(std::string_view bytes)
{
    return utf8::repaired(bytes);
}

JsonValue jsonOptional(const std::string& text)
{
    return text.empty() ? JsonValue(nullptr) : jsonText(text);
}

JsonValue samplerJson(const SamplerSettings& s)
{
    JsonValue biases = JsonValue::array();
    for (const LogitBias& entry : s.logitBias) {
        biases.push_back(
            {{"token", entry.token}, {"bias", jsonNumber(static_cast<double>(entry.bias))}});
    }
    return {{"top_k", s.topK},
            {"top_p", jsonNumber(static_cast<double>(s.topP))},
            {"min_p", jsonNumber(static_cast<double>(s.minP))},
            {"repeat_penalty", jsonNumber(static_cast<double>(s.repeatPenalty))},
            {"repeat_last_n", s.repeatLastN},
            {"logit_bias", std::move(biases)}};
}

JsonValue chatJson(const std::optional<ChatSettings>& chat)
{
    if (!chat) {
        return nullptr;
    }
    return {{"template", jsonText(chat->family)},
            {"system", chat->system ? jsonText(*chat->system) : JsonValue(nullptr)}};
}

JsonValue settingsJson(const RunSettings& s)
{
    return {{"policy", toString(s.policy)},
            {"op_policies", opPoliciesJson(s)},
            {"threads", s.threads},
            {"batch", s.batch},
            {"prefill_chunk", s.prefillChunk},
            {"reduction_chunk", s.reductionChunk},
            {"isa", toString(s.isa)},
            {"device", toString(s.device)},
            {"activation", toString(s.activation)},
            {"steps", s.steps},
            {"seed", s.seed},
            {"temperature", jsonNumber(static_cast<double>(s.temperature))},
            {"sampler", samplerJson(s.sampler)},
            {"chat", chatJson(s.chat)},
            {"ignore_eos", s.ignoreEos},
            {"companions", toString(s.companions)},
            {"cache", toString(s.cache)},
            {"hash", s.hash},
            {"perturb", perturbationJson(s.perturb)}};
}

JsonValue runJson(const Comparison& comparison, int index)
{
    const auto& run = runAt(comparison, index);
    const auto tokens = generatedTokens(run);
    return {{"run", run.run},
            {"status", trace::toString(run.status)},
            {"stop_reason", jsonOptional(run.stopReason)},
            {"error", jsonOptional(run.error)},
            {"policy", toString(run.settings.policy)},
            {"threads", run.settings.threads},
            {"batch", run.settings.batch},
            {"prefill_chunk", run.settings.prefillChunk},
            {"isa", toString(run.settings.isa)},
            {"device", toString(run.settings.device)},
            {"settings", settingsJson(run.settings)},
            {"prompt_tokens", promptTokens(run)},
            {"tokens", tokens},
            {"text", jsonText(textOf(comparison.snapshot(), tokens))},
            {"output_sha256", jsonOptional(run.outputSha256)},
            {"trace_hash", jsonOptional(run.traceHash)},
            {"nonfinite_cells", comparison.nonFiniteCells(index)},
            {"prefill_tokens_per_second", jsonNumber(run.prefillTokensPerSecond)},
            {"decode_tokens_per_second", jsonNumber(run.decodeTokensPerSecond)}};
}

JsonValue magnitudeJson(const trace::Magnitude& m)
{
    return {{"differing", m.differing},
            {"of", m.of},
            {"max_ulp", m.maxUlp},
            {"max_abs", jsonNumber(m.maxAbs)},
            {"relative_l2", jsonNumber(m.relativeL2)}};
}

JsonValue classesJson(const Comparison& comparison, const std::vector<compare::RunClass>& classes)
{
    JsonValue list = JsonValue::array();
    for (const auto& entry : classes) {
        list.push_back(runNumbers(comparison, entry.runs));
    }
    return list;
}

std::string layoutValue(const JsonValue& value)
{
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
        return value.dump();
    }
    std::string text = "[";
    for (const auto& element : value) {
        text += (text.size() == 1 ? "\n" : ",\n") + element.dump();
    }
    return text + "\n]";
}

std::string layoutJson(const JsonValue& document)
{
    std::string text = "{";
    for (const auto& [key, value] : document.items()) {
        text +=
            (text.size() == 1 ? "\n" : ",\n") + JsonValue(key).dump() + ": " + layoutValue(value);
    }
    return text + "\n}\n";
}

std::int64_t stepCount(const Comparison& comparison)
{
    return std::max<std::int64_t>(0, comparison.stepOf(comparison.columns()));
}

JsonValue comparisonJson(const Comparison& comparison)
{
    JsonValue runs = JsonValue::array();
    for (const int index : comparison.runs()) {
        runs.push_back(runJson(comparison, index));
    }
    const std::int64_t steps = stepCount(comparison);
    return {{"trace", jsonOptional(comparison.snapshot().source)},
            {"verdict", toString(verdictStatus(comparison))},
            {"verdict_text", jsonText(verdictSentence(comparison))},
            {"runs", std::move(runs)},
            {"reference_run", comparison.runs().empty()
                                  ? JsonValue(nullptr)
                                  : JsonValue(runAt(comparison, comparison.reference()).run)},
            {"steps", steps},
            {"ops", comparison.ops()},
            {"cells", steps * comparison.ops()},
            {"unique_outputs", comparison.uniqueOutputs()},
            {"unique_traces", comparison.uniqueTraces()},
            {"classes", classesJson(comparison, comparison.runClasses())},
            {"divergent_cells", comparison.divergentCells()},
            {"divergent_prefill_cells", comparison.divergentPrefillCells()},
            {"origin_cells", comparison.originCells()},
            {"first_divergence", firstJson(comparison)},
            {"first_token_divergence", firstTokenJson(comparison)}};
}

} // namespace ulp::audit
