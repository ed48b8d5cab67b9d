// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/settings_text.h"

#include <algorithm>

#include "engine/audit/format.h"

namespace ulp::audit {
namespace {

std::string opPoliciesText(const RunSettings& settings)
{
    std::vector<std::string> items;
    for (const auto& entry : settings.opPolicies) {
        items.push_back(entry.pattern + "=" + std::string(toString(entry.policy)));
    }
    return items.empty() ? "none" : join(items, " ");
}

std::string perturbationText(const std::optional<Perturbation>& perturb)
{
    if (!perturb) {
        return "none";
    }
    return perturb->op + "@" + std::to_string(perturb->position) + ":" +
           std::to_string(perturb->element) + ":" + std::to_string(perturb->ulps);
}

std::string samplingText(const RunSettings& s)
{
    const auto number = [](float value) { return formatDifference(static_cast<double>(value)); };
    std::string text = s.temperature <= 0.0F ? "greedy" : "temperature " + number(s.temperature);
    const SamplerSettings& chain = s.sampler;
    text += chain.topK > 0 ? ", top-k " + std::to_string(chain.topK) : "";
    text += chain.topP < 1.0F ? ", top-p " + number(chain.topP) : "";
    text += chain.minP > 0.0F ? ", min-p " + number(chain.minP) : "";
    if (chain.repeatPenalty != 1.0F) {
        text += ", repeat penalty " + number(chain.repeatPenalty) + " over " +
                (chain.repeatLastN < 0 ? "all" : std::to_string(chain.repeatLastN)) + " tokens";
    }
    for (const LogitBias& bias : chain.logitBias) {
        text += ", logit bias " + std::to_string(bias.token) + "=" + number(bias.bias);
    }
    return text;
}

std::string chatText(const std::optional<ChatSettings>& chat)
{
    if (!chat) {
        return "none";
    }
    return chat->family + (chat->system ? ", system text \"" + *chat->system + "\"" : "");
}

} // namespace

std::vector<SettingText> settingTexts(const RunSettings& s)
{
    return {
        {"policy", std::string(toString(s.policy))},
        {"op policies", opPoliciesText(s)},
        {"threads", std::to_string(s.threads)},
        {"batch", std::to_string(s.batch)},
        {"prefill chunk", std::to_string(s.prefillChunk)},
        {"reduction chunk", std::to_string(s.reductionChunk)},
        {"instruction set", std::string(toString(s.isa))},
        {"device", std::string(toString(s.device))},
        {"activations", std::string(toString(s.activation))},
        {"steps", std::to_string(s.steps)},
        {"sampling", samplingText(s)},
        {"chat template", chatText(s.chat)},
        {"seed", std::to_string(s.seed)},
        {"ignore EOS", s.ignoreEos ? "yes" : "no"},
        {"companions", std::string(toString(s.companions))},
        {"prompt cache", std::string(toString(s.cache))},
        {"hashing", s.hash ? "every op" : "logits"},
        {"planted fault", perturbationText(s.perturb)},
    };
}

std::vector<SettingValues> valuesOfSettings(const compare::Comparison& comparison)
{
    std::vector<SettingValues> all;
    for (const int index : comparison.runs()) {
        const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(index)];
        const auto texts = settingTexts(run.settings);
        all.resize(texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            auto& values = all[i].values;
            all[i].name = texts[i].name;
            if (std::find(values.begin(), values.end(), texts[i].value) == values.end()) {
                values.push_back(texts[i].value);
            }
        }
    }
    return all;
}

std::vector<SettingValues> variedSettings(const compare::Comparison& comparison)
{
    auto varied = valuesOfSettings(comparison);
    std::erase_if(varied, [](const SettingValues& setting) { return setting.values.size() < 2; });
    return varied;
}

std::string variedText(const compare::Comparison& comparison)
{
    std::vector<std::string> items;
    for (const auto& setting : variedSettings(comparison)) {
        items.push_back(setting.name + " " + join(setting.values, ", "));
    }
    return join(items, "; ");
}

} // namespace ulp::audit
