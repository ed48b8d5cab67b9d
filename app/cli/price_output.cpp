// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstdio>

#include "app/cli/console.h"
#include "app/cli/price.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"

namespace ulp::cli {
namespace {

std::string fixed(double value, int decimals)
{
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return buffer.data();
}

std::string percent(double part)
{
    return fixed(100.0 * part, 1) + " %";
}

std::string nameOf(Policy policy)
{
    return std::string(toString(policy));
}

double shareOf(const PricePhase& phase, const PriceRow& op)
{
    const double whole = phase.whole.median(0);
    return whole > 0.0 ? op.median(0) / whole : 0.0;
}

double priceOf(const Price& price, const PriceRow& row)
{
    return row.speedup(price.fastest(row)) - 1.0;
}

std::string priceText(const Price& price, const PriceRow& row)
{
    return (priceOf(price, row) >= 0.0 ? "+" : "") + percent(priceOf(price, row)) + " to " +
           nameOf(price.policies[price.fastest(row)]);
}

audit::JsonValue speedups(const Price& price, const PriceRow& row)
{
    audit::JsonValue all = audit::JsonValue::object();
    for (std::size_t i = 1; i < price.policies.size(); ++i) {
        all[nameOf(price.policies[i])] = audit::jsonNumber(row.speedup(i));
    }
    return all;
}

audit::JsonValue phaseJson(const Price& price, const PricePhase& phase)
{
    audit::JsonValue policies = audit::JsonValue::array();
    for (std::size_t i = 0; i < price.policies.size(); ++i) {
        policies.push_back(
            {{"policy", nameOf(price.policies[i])},
             {"tokens_per_second", audit::jsonNumber(phase.tokens / phase.whole.median(i))},
             {"speedup", audit::jsonNumber(phase.whole.speedup(i))}});
    }
    audit::JsonValue ops = audit::JsonValue::array();
    for (const PriceRow& op : phase.ops) {
        ops.push_back({{"op", op.op},
                       {"kind", op.kind},
                       {"share", audit::jsonNumber(shareOf(phase, op))},
                       {"fastest", nameOf(price.policies[price.fastest(op)])},
                       {"price", audit::jsonNumber(priceOf(price, op))},
                       {"speedups", speedups(price, op)}});
    }
    return {{"phase", phase.name},
            {"tokens", phase.tokens},
            {"policies", std::move(policies)},
            {"fastest", nameOf(price.policies[price.fastest(phase.whole)])},
            {"price", audit::jsonNumber(priceOf(price, phase.whole))},
            {"ops", std::move(ops)}};
}

void printJsonPrice(const PriceRequest& request, const Price& price)
{
    audit::JsonValue phases = audit::JsonValue::array();
    for (const PricePhase& phase : price.phases) {
        phases.push_back(phaseJson(price, phase));
    }
    audit::JsonValue leftOut = audit::JsonValue::array();
    for (const std::string& why : price.leftOut) {
        leftOut.push_back(audit::jsonText(why));
    }
    printJson({{"model", audit::jsonText(request.model->hyper().name)},
               {"path", audit::jsonText(request.model->path())},
               {"threads", request.settings.threads},
               {"isa", toString(request.settings.isa)},
               {"repetitions", request.repetitions},
               {"phases", std::move(phases)},
               {"left_out", std::move(leftOut)}});
}

/// A row for each policy: its speed, and how many times that of `ordered`.
std::string wholeTable(const Price& price)
{
    TextTable table({"policy", "#prefill tok/s", "#x ordered", "#decode tok/s", "#x ordered"});
    for (std::size_t i = 0; i < price.policies.size(); ++i) {
        std::vector<std::string> cells{nameOf(price.policies[i])};
        for (const PricePhase& phase : price.phases) {
            cells.push_back(fixed(phase.tokens / phase.whole.median(i), 1));
            cells.push_back(i == 0 ? "" : fixed(phase.whole.speedup(i), 3));
        }
        table.row(std::move(cells));
    }
    return table.text();
}

/// A row for each op: its share of the time under `ordered`, and its price.
std::string opTable(const Price& price)
{
    TextTable table({"op", "kind", "#prefill share", "#price", "#decode share", "#price"});
    for (std::size_t op = 0; op < price.phases.front().ops.size(); ++op) {
        const PriceRow& first = price.phases.front().ops[op];
        std::vector<std::string> cells{first.op, first.kind};
        for (const PricePhase& phase : price.phases) {
            cells.push_back(percent(shareOf(phase, phase.ops[op])));
            cells.push_back(priceText(price, phase.ops[op]));
        }
        table.row(std::move(cells));
    }
    return table.text();
}

} // namespace

void showPrice(const PriceRequest& request, const Price& price, bool json)
{
    if (json) {
        printJsonPrice(request, price);
        return;
    }
    print(audit::visibleText(request.model->hyper().name) + ", " +
          audit::formatPlural(request.settings.threads, "thread", "threads") + ", " +
          std::string(toString(request.settings.isa)) + ", prefill of " +
          std::to_string(price.phases[0].tokens) + ", decode of " +
          std::to_string(price.phases[1].tokens) + "; " +
          audit::formatPlural(request.repetitions, "repetition", "repetitions") +
          " of all policies in turn, medians" +
          (request.settings.threads == 1 ? " of processor time" : "") + "\n\n");
    print(wholeTable(price) + "\n" + opTable(price) + "\n");
    for (const std::string& why : price.leftOut) {
        print("left out: " + why + "\n");
    }
    print(toned("Price of determinism", Tone::Bold) + ": prefill " +
          priceText(price, price.phases[0].whole) + ", decode " +
          priceText(price, price.phases[1].whole) +
          ".\nWhat `ordered` takes more than the fastest of our policies that promise less.\n");
}

} // namespace ulp::cli
