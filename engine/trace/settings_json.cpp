// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/settings_json.h"

#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace ulp::trace {
namespace {

using Json = nlohmann::ordered_json;

Error badField(const std::string& key, const std::string& what)
{
    return makeError(ErrorCode::BadInput, what, "settings." + key, "use an undamaged trace");
}

/// Takes fields out of one object; the first failure is kept and the rest is passed over.
class Fields {
  public:
    explicit Fields(const Json& object) : m_object(object) {}

    template <typename Int>
    void integer(const char* key, Int& out)
    {
        const Json* field = find(key);
        if (field == nullptr) {
            return;
        }
        bool fits = false;
        if (field->is_number_unsigned()) {
            const auto value = field->get<std::uint64_t>();
            fits = std::in_range<Int>(value);
            out = fits ? static_cast<Int>(value) : out;
        } else if (field->is_number_integer()) {
            const auto value = field->get<std::int64_t>();
            fits = std::in_range<Int>(value);
            out = fits ? static_cast<Int>(value) : out;
        }
        fail(fits, key, "is not an integer of the expected range");
    }

    void number(const char* key, float& out)
    {
        if (const Json* field = find(key)) {
            fail(field->is_number(), key, "is not a number");
            out = field->is_number() ? static_cast<float>(field->get<double>()) : out;
        }
    }

    void boolean(const char* key, bool& out)
    {
        if (const Json* field = find(key)) {
            fail(field->is_boolean(), key, "is not true or false");
            out = field->is_boolean() ? field->get<bool>() : out;
        }
    }

    void text(const char* key, std::string& out)
    {
        if (const Json* field = find(key)) {
            fail(field->is_string(), key, "is not a string");
            out = field->is_string() ? field->get<std::string>() : out;
        }
    }

    template <typename E>
    void name(const char* key, E& out, Result<E> (*parse)(std::string_view))
    {
        std::string word;
        text(key, word);
        if (!m_result || find(key) == nullptr) {
            return;
        }
        auto parsed = parse(word);
        fail(parsed.ok(), key, "is '" + word + "', which this version does not know");
        out = parsed ? *parsed : out;
    }

    [[nodiscard]] const Json* find(const char* key) const
    {
        const auto it = m_object.find(key);
        return it == m_object.end() || it->is_null() ? nullptr : &*it;
    }

    void fail(bool fine, const char* key, const std::string& what)
    {
        if (!fine && m_result) {
            m_result = badField(key, what);
        }
    }

    [[nodiscard]] const Result<void>& result() const { return m_result; }

  private:
    const Json& m_object;
    Result<void> m_result;
};

Json samplerJson(const SamplerSettings& s)
{
    Json json = {{"top_k", s.topK},
                 {"top_p", static_cast<double>(s.topP)},
                 {"min_p", static_cast<double>(s.minP)},
                 {"repeat_penalty", static_cast<double>(s.repeatPenalty)},
                 {"repeat_last_n", s.repeatLastN}};
    if (!s.logitBias.empty()) {
        Json list = Json::array();
        for (const LogitBias& entry : s.logitBias) {
            // JSON has no -infinity: null forbids.
            list.push_back(
                {{"token", entry.token},
                 {"bias",
                  std::isinf(entry.bias) ? Json(nullptr) : Json(static_cast<double>(entry.bias))}});
        }
        json["logit_bias"] = std::move(list);
    }
    return json;
}

Result<void> readLogitBias(const Json& list, std::vector<LogitBias>& out)
{
    if (!list.is_array()) {
        return badField("sampler.logit_bias", "is not a list");
    }
    for (const Json& entry : list) {
        if (!entry.is_object()) {
            return badField("sampler.logit_bias", "holds something that is not an object");
        }
        Fields fields(entry);
        LogitBias bias;
        bias.bias = -std::numeric_limits<float>::infinity();
        fields.integer("token", bias.token);
        fields.number("bias", bias.bias);
        if (!fields.result()) {
            return fields.result();
        }
        out.push_back(bias);
    }
    return {};
}

Result<void> readSampler(const Json& object, SamplerSettings& out)
{
    if (!object.is_object()) {
        return badField("sampler", "is not an object");
    }
    Fields fields(object);
    fields.integer("top_k", out.topK);
    fields.number("top_p", out.topP);
    fields.number("min_p", out.minP);
    fields.number("repeat_penalty", out.repeatPenalty);
    fields.integer("repeat_last_n", out.repeatLastN);
    if (const Json* list = fields.find("logit_bias"); list != nullptr && fields.result()) {
        return readLogitBias(*list, out.logitBias);
    }
    return fields.result();
}

Result<void> readChat(const Json& object, std::optional<ChatSettings>& out)
{
    if (!object.is_object()) {
        return badField("chat", "is not an object");
    }
    Fields fields(object);
    ChatSettings chat;
    fields.text("template", chat.family);
    if (fields.find("system") != nullptr) {
        fields.text("system", chat.system.emplace());
    }
    out = std::move(chat);
    return fields.result();
}

Result<void> readOpPolicies(const Json& list, std::vector<OpPolicy>& out)
{
    if (!list.is_array()) {
        return badField("op_policies", "is not a list");
    }
    for (const Json& entry : list) {
        if (!entry.is_object()) {
            return badField("op_policies", "holds something that is not an object");
        }
        Fields fields(entry);
        OpPolicy policy;
        fields.text("op", policy.pattern);
        fields.name("policy", policy.policy, parsePolicy);
        if (!fields.result()) {
            return fields.result();
        }
        out.push_back(std::move(policy));
    }
    return {};
}

Result<void> readPerturbation(const Json& object, std::optional<Perturbation>& out)
{
    if (!object.is_object()) {
        return badField("perturb", "is not an object");
    }
    Fields fields(object);
    Perturbation perturb;
    fields.text("op", perturb.op);
    fields.integer("position", perturb.position);
    fields.integer("element", perturb.element);
    fields.integer("ulps", perturb.ulps);
    out = std::move(perturb);
    return fields.result();
}

} // namespace

std::string settingsToJson(const RunSettings& settings)
{
    Json json;
    json["policy"] = std::string(toString(settings.policy));
    json["threads"] = settings.threads;
    json["batch"] = settings.batch;
    json["prefill_chunk"] = settings.prefillChunk;
    json["reduction_chunk"] = settings.reductionChunk;
    json["isa"] = std::string(toString(settings.isa));
    json["device"] = std::string(toString(settings.device));
    json["activation"] = std::string(toString(settings.activation));
    json["steps"] = settings.steps;
    json["seed"] = settings.seed;
    json["temperature"] = static_cast<double>(settings.temperature);
    json["ignore_eos"] = settings.ignoreEos;
    json["companions"] = std::string(toString(settings.companions));
    json["cache"] = std::string(toString(settings.cache));
    json["hash"] = settings.hash;
    if (!settings.opPolicies.empty()) {
        Json list = Json::array();
        for (const OpPolicy& entry : settings.opPolicies) {
            list.push_back(
                {{"op", entry.pattern}, {"policy", std::string(toString(entry.policy))}});
        }
        json["op_policies"] = std::move(list);
    }
    if (settings.sampler != SamplerSettings{}) {
        json["sampler"] = samplerJson(settings.sampler);
    }
    if (settings.chat) {
        json["chat"] = {
            {"template", settings.chat->family},
            {"system", settings.chat->system ? Json(*settings.chat->system) : Json(nullptr)}};
    }
    if (settings.perturb) {
        json["perturb"] = {{"op", settings.perturb->op},
                           {"position", settings.perturb->position},
                           {"element", settings.perturb->element},
                           {"ulps", settings.perturb->ulps}};
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<RunSettings> settingsFromJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        return makeError(ErrorCode::BadInput, "is not a JSON object", "settings",
                         "use an undamaged trace");
    }
    RunSettings settings;
    Fields fields(json);
    fields.name("policy", settings.policy, parsePolicy);
    fields.integer("threads", settings.threads);
    fields.integer("batch", settings.batch);
    fields.integer("prefill_chunk", settings.prefillChunk);
    fields.integer("reduction_chunk", settings.reductionChunk);
    fields.name("isa", settings.isa, parseIsa);
    fields.name("device", settings.device, parseDevice);
    fields.name("activation", settings.activation, parsePrecision);
    fields.integer("steps", settings.steps);
    fields.integer("seed", settings.seed);
    fields.number("temperature", settings.temperature);
    fields.boolean("ignore_eos", settings.ignoreEos);
    fields.name("companions", settings.companions, parseCompanions);
    fields.name("cache", settings.cache, parsePromptCache);
    fields.boolean("hash", settings.hash);
    Result<void> outcome = fields.result();
    if (const Json* list = fields.find("op_policies"); list != nullptr && outcome) {
        outcome = readOpPolicies(*list, settings.opPolicies);
    }
    if (const Json* perturb = fields.find("perturb"); perturb != nullptr && outcome) {
        outcome = readPerturbation(*perturb, settings.perturb);
    }
    if (const Json* sampler = fields.find("sampler"); sampler != nullptr && outcome) {
        outcome = readSampler(*sampler, settings.sampler);
    }
    if (const Json* chat = fields.find("chat"); chat != nullptr && outcome) {
        outcome = readChat(*chat, settings.chat);
    }
    return outcome ? Result<RunSettings>(std::move(settings)) : outcome.error();
}

} // namespace ulp::trace
