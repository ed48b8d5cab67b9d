// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/sweep_json.h"

#include <algorithm>
#include <charconv>

#include "engine/audit/format.h"
#include "engine/base/sha256.h"

namespace ulp::audit {
namespace {

using compare::SweepCell;
using compare::SweepMap;

std::string keyOf(const Axis& axis)
{
    std::string key = axis.name;
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

JsonValue valueJson(const Axis& axis, const std::string& value)
{
    std::uint64_t number = 0; // integer axes hold decimal digits: parseAxis saw to it
    if (axis.kind().integer) {
        std::from_chars(value.data(), value.data() + value.size(), number);
        return number;
    }
    return jsonText(value);
}

const trace::RunRecord& runAt(const trace::Snapshot& snapshot, int run)
{
    return *snapshot.runs[static_cast<std::size_t>(run)];
}

JsonValue classJson(int index)
{
    return index < 0 ? JsonValue(nullptr) : JsonValue(className(static_cast<std::size_t>(index)));
}

JsonValue cellJson(const trace::Snapshot& snapshot, const SweepMap& map, const SweepCell& cell)
{
    JsonValue entry = JsonValue::object();
    for (std::size_t axis = 0; axis < map.axes.size(); ++axis) {
        const auto value = static_cast<std::size_t>(cell.values[axis]);
        entry[keyOf(map.axes[axis])] = valueJson(map.axes[axis], map.axes[axis].values[value]);
    }
    entry["class"] =
        cell.runs.empty() ? JsonValue(nullptr) : classJson(map.classOf(cell.runs.front()));
    JsonValue classes = JsonValue::array();
    for (const int index : cell.classes) {
        classes.push_back(classJson(index));
    }
    entry["classes"] = std::move(classes);
    if (cell.runs.empty()) {
        entry["trace_hash"] = nullptr;
        entry["output_hash"] = nullptr;
    } else {
        const auto& run = runAt(snapshot, cell.runs.front());
        // Without hashed ops there is no hash of the trace, only of what came out.
        entry["trace_hash"] = run.settings.hash ? jsonOptional(run.traceHash) : nullptr;
        entry["output_hash"] = outputHash(run);
    }
    entry["runs"] = cell.runs;
    return entry;
}

JsonValue effectJson(const SweepMap& map, const compare::AxisEffect& effect)
{
    return {{"axis", keyOf(map.axes[static_cast<std::size_t>(effect.axis)])},
            {"changes_class", effect.differing > 0},
            {"lines", effect.lines},
            {"differing", effect.differing},
            {"chance", effect.untold}};
}

JsonValue switchJson(const SweepMap& map, const compare::SwitchPoint& point)
{
    const auto axis = static_cast<std::size_t>(point.axis);
    JsonValue at = JsonValue::object();
    for (std::size_t i = 0; i < map.axes.size(); ++i) {
        if (i != axis) {
            const auto value = static_cast<std::size_t>(point.cell[i]);
            at[keyOf(map.axes[i])] = valueJson(map.axes[i], map.axes[i].values[value]);
        }
    }
    return {{"axis", keyOf(map.axes[axis])},
            {"below", point.below},
            {"above", point.above},
            {"exact", point.exact},
            {"at", std::move(at)},
            {"classes",
             {classJson(map.classOf(point.runBelow)), classJson(map.classOf(point.runAbove))}},
            {"runs", {point.runBelow, point.runAbove}}};
}

} // namespace

JsonValue sweepJson(const trace::Snapshot& snapshot, const SweepMap& map)
{
    JsonValue axes = JsonValue::object();
    for (const Axis& axis : map.axes) {
        JsonValue values = JsonValue::array();
        for (const std::string& value : axis.values) {
            values.push_back(valueJson(axis, value));
        }
        axes[keyOf(axis)] = std::move(values);
    }
    JsonValue cells = JsonValue::array();
    for (const SweepCell& cell : map.cells) {
        cells.push_back(cellJson(snapshot, map, cell));
    }
    JsonValue effects = JsonValue::array();
    for (const auto& effect : map.effects) {
        effects.push_back(effectJson(map, effect));
    }
    JsonValue switches = JsonValue::array();
    for (const auto& point : map.switches) {
        switches.push_back(switchJson(map, point));
    }
    return {{"axes", std::move(axes)},
            {"cells", std::move(cells)},
            {"classes", map.gridClasses},
            {"axis_effects", std::move(effects)},
            {"switch_points", std::move(switches)},
            {"extra_runs", map.extraRuns}};
}

std::string cellClassText(const SweepCell& cell)
{
    constexpr std::size_t kShown = 3;
    std::vector<std::string> names;
    for (const int index : cell.classes) {
        names.push_back(className(static_cast<std::size_t>(index)));
    }
    if (names.size() > kShown) {
        return names[0] + ", ... (" + std::to_string(names.size()) + ")";
    }
    return names.empty() ? "-" : join(names, ", ");
}

std::string effectText(const SweepMap& map, const compare::AxisEffect& effect)
{
    const std::string& name = map.axes[static_cast<std::size_t>(effect.axis)].name;
    const auto lines = formatPlural(effect.lines, "line", "lines");
    std::string text;
    if (effect.lines == 0) {
        return name + ": nothing to compare";
    }
    if (effect.differing > 0) {
        text = name + ": changes the class on " + formatCount(effect.differing) + " of " + lines;
    } else if (effect.untold == 0) {
        text = name + ": never changes the class (" + lines + ")";
    }
    if (effect.untold > 0) {
        text += (text.empty() ? name + ": " : "; ") +
                std::string("cannot be told from chance on ") + formatCount(effect.untold) +
                " of " + lines;
    }
    return text;
}

std::string switchText(const SweepMap& map, const compare::SwitchPoint& point)
{
    const auto axis = static_cast<std::size_t>(point.axis);
    const auto name = [&](int run) {
        const int index = map.classOf(run);
        return index < 0 ? std::string("-") : className(static_cast<std::size_t>(index));
    };
    std::vector<std::string> at;
    for (std::size_t i = 0; i < map.axes.size(); ++i) {
        if (i != axis) {
            at.push_back(map.axes[i].name + " " +
                         map.axes[i].values[static_cast<std::size_t>(point.cell[i])]);
        }
    }
    return std::string("class changes ") + (point.exact ? "" : "somewhere ") + "between " +
           map.axes[axis].name + " " + std::to_string(point.below) + " and " +
           std::to_string(point.above) + " (" + name(point.runBelow) + ", " + name(point.runAbove) +
           ")" + (at.empty() ? "" : " at " + join(at, ", "));
}

std::string outputHash(const trace::RunRecord& run)
{
    Sha256 digest;
    for (const trace::Column& column : run.columns()) {
        digest.update(&column.token, sizeof column.token);
        digest.update(&column.chosen, sizeof column.chosen);
        digest.update(&column.logitHash, sizeof column.logitHash);
    }
    return digest.finish();
}

} // namespace ulp::audit
