// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/coverage.h"

#include <algorithm>
#include <set>

#include "engine/audit/format.h"
#include "engine/audit/settings_text.h"

namespace ulp::audit {
namespace {

using compare::Comparison;

/// Facts about the compared runs that decide which sentences are needed.
struct Seen {
    bool cells = false;
    bool batched = false;
    bool sampled = false;
    bool planted = false;
    bool gpu = false;
    bool incomplete = false;
    std::size_t topLogits = 0;
};

Seen look(const Comparison& comparison)
{
    Seen seen;
    for (const int index : comparison.runs()) {
        const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(index)];
        seen.batched |= run.settings.batch > 1;
        seen.sampled |= run.settings.temperature > 0.0F;
        seen.planted |= run.settings.perturb.has_value();
        seen.gpu |= run.settings.device != Device::Cpu;
        seen.incomplete |= run.status != trace::RunStatus::Complete;
        const auto cells = run.cells();
        seen.cells |= std::any_of(cells.begin(), cells.end(),
                                  [](std::uint64_t hash) { return hash != trace::kNotRecorded; });
        for (const auto& column : run.columns()) {
            seen.topLogits = std::max(seen.topLogits, column.top.size());
        }
    }
    return seen;
}

/// "Threads other than 1, 2; batch other than 1": the settings that could have been varied.
std::string otherSettings(const Comparison& comparison)
{
    static const std::set<std::string> axes{"policy",        "threads",         "batch",
                                            "prefill chunk", "reduction chunk", "instruction set",
                                            "device",        "activations"};
    std::vector<std::string> items;
    for (const auto& setting : valuesOfSettings(comparison)) {
        if (axes.contains(setting.name)) {
            items.push_back(setting.name + " other than " + join(setting.values, ", "));
        }
    }
    return join(items, "; ");
}

} // namespace

std::vector<std::string> notChecked(const Comparison& comparison)
{
    const Seen seen = look(comparison);
    std::vector<std::string> list;
    if (!seen.cells) {
        list.emplace_back("No op output was hashed: only tokens were recorded, so bits that differ "
                          "without changing a token cannot be seen here.");
    }
    if (seen.incomplete || comparison.snapshot().incomplete) {
        list.emplace_back("At least one run did not come to its end; nothing is known about the "
                          "steps it did not reach.");
    }
    if (seen.planted) {
        list.emplace_back("A fault was planted on purpose in at least one run; this trace tests "
                          "the instrument, not the model.");
    }
    if (seen.batched) {
        list.emplace_back("Only the first sequence of each batch was recorded; the others were "
                          "computed and thrown away.");
    }
    const auto runs = static_cast<std::int64_t>(comparison.runs().size());
    list.push_back("Settings that no run used: " + otherSettings(comparison) + ".");
    list.push_back("Chance had " + formatPlural(runs, "run", "runs") +
                   " to show itself; a rarer order of merging may exist.");
    list.emplace_back("Other prompts, other models, and steps after the last one recorded.");
    if (!seen.gpu) {
        list.emplace_back("No GPU took part.");
    }
    list.emplace_back("Machines, compilers and libraries other than those of the fingerprint.");
    list.emplace_back("Values inside an op (partial sums, attention scores) were not recorded: a "
                      "cell is the output row of one op for one token.");
    list.emplace_back("Cells are compared by their XXH3-64 hash: different hashes prove different "
                      "bits, equal hashes mean equal bits up to a chance of about 2^-64 per cell.");
    if (seen.topLogits > 0) {
        list.push_back("KL divergence is computed over the reference run's " +
                       formatPlural(static_cast<std::int64_t>(seen.topLogits), "largest logit",
                                    "largest logits") +
                       " at each step, not over the whole vocabulary.");
    }
    if (seen.sampled) {
        list.emplace_back("Sampling drew from a counter-based generator with the same key in every "
                          "run; other seeds were not tried.");
    }
    return list;
}

} // namespace ulp::audit
