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

} // namespace

std::vector<SettingText> settingTexts(const RunSettings& s)
{
    const bool greedy = s.temperature <= 0.0F;
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
        {"sampling", greedy
                         ? std::string("greedy")
                         : "temperature " + formatDifference(static_cast<double>(s.temperature))},
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
