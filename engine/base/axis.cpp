// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/axis.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace ulp {
namespace {

template <typename T>
bool parseWhole(std::string_view text, T& out)
{
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

Error badValue(const AxisKind& kind, std::string_view value, const std::string& what = {})
{
    return makeError(ErrorCode::BadUsage,
                     "'" + std::string(value) + "' is not a value of " + std::string(kind.name) +
                         (what.empty() ? "" : " (" + what + ")"),
                     {}, "use " + std::string(kind.values));
}

const AxisKind* findKind(std::string_view name)
{
    const auto& kinds = axisKinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const AxisKind& kind) { return kind.name == name; });
    return found == kinds.end() ? nullptr : &*found;
}

template <typename T>
Result<void> setNumber(const AxisKind& kind, std::string_view value, T& out)
{
    if (!parseWhole(value, out)) {
        return badValue(kind, value);
    }
    return {};
}

template <typename E>
Result<void> setName(const AxisKind& kind, std::string_view value, E& out,
                     Result<E> (*parse)(std::string_view))
{
    auto parsed = parse(value);
    if (!parsed) {
        Error error = parsed.error();
        error.where = kind.name;
        return error;
    }
    out = *parsed;
    return {};
}

Result<void> setOpPolicy(std::string_view value, RunSettings& settings)
{
    if (value == "none") {
        settings.opPolicies.clear();
        return {};
    }
    auto entry = parseOpPolicy(value);
    if (!entry) {
        return entry.error();
    }
    settings.opPolicies = {std::move(*entry)};
    return {};
}

Result<void> setPerturbation(std::string_view value, RunSettings& settings)
{
    settings.perturb.reset();
    if (value == "none") {
        return {};
    }
    auto fault = parsePerturbation(value);
    if (!fault) {
        return fault.error();
    }
    settings.perturb = std::move(*fault);
    return {};
}

Result<void> setHash(const AxisKind& kind, std::string_view value, RunSettings& settings)
{
    if (value != "on" && value != "off") {
        return badValue(kind, value);
    }
    settings.hash = value == "on";
    return {};
}

/// Appends A..B or A..B:STEP. Refuses what would make the axis longer than a sweep may be.
Result<void> appendRange(const AxisKind& kind, std::string_view text, std::size_t dots,
                         std::vector<std::string>& values)
{
    const std::size_t colon = text.find(':', dots);
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t step = std::max<std::int64_t>(1, kind.unit);
    const std::string_view end =
        text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2);
    const bool stepRead =
        colon == std::string_view::npos || parseWhole(text.substr(colon + 1), step);
    if (!kind.integer || !parseWhole(text.substr(0, dots), first) || !parseWhole(end, last) ||
        !stepRead || step < 1 || first > last || first < 0) {
        return badValue(kind, text, "a range is A..B or A..B:STEP, ascending, of integers");
    }
    // first and last are not negative, so that their difference cannot overflow.
    const auto room = kMaxSweepRuns - static_cast<std::int64_t>(values.size());
    if ((last - first) / step >= room) {
        return makeError(ErrorCode::BadUsage,
                         "the range " + std::string(text) + " has more than " +
                             std::to_string(kMaxSweepRuns) + " values",
                         std::string(kind.name),
                         "write a shorter one, or a wider step as A..B:STEP");
    }
    for (std::int64_t i = 0; i <= (last - first) / step; ++i) {
        values.push_back(std::to_string(first + i * step));
    }
    return {};
}

Result<void> appendValue(const AxisKind& kind, std::string_view text,
                         std::vector<std::string>& values)
{
    const std::size_t dots = text.find("..");
    if (kind.integer && dots != std::string_view::npos) {
        return appendRange(kind, text, dots, values);
    }
    std::string value(text);
    std::int64_t number = 0;
    if (kind.integer) {
        if (!parseWhole(text, number)) {
            return badValue(kind, text);
        }
        value = std::to_string(number);
    }
    values.push_back(std::move(value));
    return {};
}

} // namespace

const std::vector<AxisKind>& axisKinds()
{
    static const std::vector<AxisKind> kinds{
        {"threads", "1, 2, ...", 1, true},
        {"batch", "1, 2, ...", 1, true},
        {"companions", "steady, joining"},
        {"prefill-chunk", "1, 2, ...", 1, true},
        {"cache", "cold, reused"},
        {"reduction-chunk", "32, 64, ... (multiples of 32)", 32, true},
        {"policy", "the names that --policy takes"},
        {"op-policy", "none or OP=POLICY, for example ffn_out-*=atomic"},
        {"activation", "f32, bf16, f16"},
        {"isa", "auto, portable, avx2, avx512"},
        {"device", "cpu"},
        {"hash", "on, off"},
        {"steps", "1, 2, ...", 0, true},
        {"seed", "0, 1, ...", 0, true},
        {"temperature", "0 or above"},
        {"perturb", "none or OP@POSITION[:ELEMENT[:ULPS]]"},
    };
    return kinds;
}

const AxisKind& Axis::kind() const
{
    static const AxisKind unknown{"?", "nothing"};
    const AxisKind* found = findKind(name);
    return found == nullptr ? unknown : *found;
}

Result<void> setByName(RunSettings& s, std::string_view name, std::string_view value)
{
    const AxisKind* found = findKind(name);
    if (found == nullptr) {
        std::string known;
        for (const AxisKind& kind : axisKinds()) {
            known += (known.empty() ? "" : ", ") + std::string(kind.name);
        }
        return makeError(ErrorCode::BadUsage, "there is no axis '" + std::string(name) + "'", {},
                         "use one of " + known);
    }
    const AxisKind& kind = *found;
    if (name == "threads") {
        return setNumber(kind, value, s.threads);
    }
    if (name == "batch") {
        return setNumber(kind, value, s.batch);
    }
    if (name == "companions") {
        return setName(kind, value, s.companions, parseCompanions);
    }
    if (name == "prefill-chunk") {
        return setNumber(kind, value, s.prefillChunk);
    }
    if (name == "cache") {
        return setName(kind, value, s.cache, parsePromptCache);
    }
    if (name == "reduction-chunk") {
        return setNumber(kind, value, s.reductionChunk);
    }
    if (name == "policy") {
        return setName(kind, value, s.policy, parsePolicy);
    }
    if (name == "op-policy") {
        return setOpPolicy(value, s);
    }
    if (name == "activation") {
        return setName(kind, value, s.activation, parsePrecision);
    }
    if (name == "isa") {
        return setName(kind, value, s.isa, parseIsa);
    }
    if (name == "device") {
        return setName(kind, value, s.device, parseDevice);
    }
    if (name == "hash") {
        return setHash(kind, value, s);
    }
    if (name == "steps") {
        return setNumber(kind, value, s.steps);
    }
    if (name == "seed") {
        return setNumber(kind, value, s.seed);
    }
    if (name == "temperature") {
        return setNumber(kind, value, s.temperature);
    }
    return setPerturbation(value, s);
}

Result<Axis> parseAxis(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        return makeError(ErrorCode::BadUsage, "'" + std::string(text) + "' is not NAME=V1,V2,...",
                         {}, "write for example threads=1,2,4 or prefill-chunk=1..64");
    }
    Axis axis;
    axis.name = std::string(text.substr(0, equals));
    std::replace(axis.name.begin(), axis.name.end(), '_', '-'); // as the JSON keys write them
    for (std::string_view rest = text.substr(equals + 1);;) {
        const std::size_t comma = rest.find(',');
        if (auto added = appendValue(axis.kind(), rest.substr(0, comma), axis.values); !added) {
            return added.error();
        }
        if (comma == std::string_view::npos) {
            break;
        }
        rest = rest.substr(comma + 1);
    }
    std::set<std::string_view> seen;
    for (const std::string& value : axis.values) {
        RunSettings scratch;
        if (auto taken = setByName(scratch, axis.name, value); !taken) {
            return taken.error();
        }
        if (!seen.insert(value).second) {
            return makeError(ErrorCode::BadUsage, "the value " + value + " comes twice", axis.name,
                             "give each value once; --runs repeats every cell");
        }
    }
    return axis;
}

Result<std::vector<RunSettings>> expandGrid(const RunSettings& base, const std::vector<Axis>& axes,
                                            int runs)
{
    std::int64_t cells = 1;
    std::set<std::string_view> names;
    for (const Axis& axis : axes) {
        if (!names.insert(axis.name).second) {
            return makeError(ErrorCode::BadUsage, "the axis comes twice", axis.name,
                             "give all values of an axis at once");
        }
        // Each factor is at most kMaxSweepRuns, and so is the product so far: no overflow.
        cells *= static_cast<std::int64_t>(axis.values.size());
        if (cells > kMaxSweepRuns || cells * runs > kMaxSweepRuns) {
            return makeError(ErrorCode::BadUsage,
                             "the grid has " + std::to_string(cells) + " cells or more, and " +
                                 std::to_string(runs) + (runs == 1 ? " run" : " runs") +
                                 " of each are more than " + std::to_string(kMaxSweepRuns),
                             {}, "use fewer values, or several smaller sweeps");
        }
    }
    std::vector<RunSettings> grid{base};
    for (const Axis& axis : axes) {
        std::vector<RunSettings> wider;
        for (const RunSettings& cell : grid) {
            for (const std::string& value : axis.values) {
                RunSettings one = cell;
                if (auto taken = setByName(one, axis.name, value); !taken) {
                    return taken.error();
                }
                wider.push_back(std::move(one));
            }
        }
        grid = std::move(wider);
    }
    return grid;
}

std::optional<std::int64_t> valueBetween(const AxisKind& kind, std::int64_t low, std::int64_t high)
{
    const std::int64_t units = (high - low) / std::max<std::int64_t>(1, kind.unit);
    if (units < 2) {
        return std::nullopt;
    }
    return low + units / 2 * kind.unit;
}

} // namespace ulp
