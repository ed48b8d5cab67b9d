// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/merge.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace ulp::compare {
namespace {

using trace::Column;
using trace::RunRecord;
using trace::Snapshot;
using trace::SnapshotPtr;

std::string nameOf(const Snapshot& snapshot, std::size_t index)
{
    return snapshot.source.empty() ? "session " + std::to_string(index + 1) : snapshot.source;
}

/// The run whose prompt speaks for the session: the one with most of it recorded.
const RunRecord* longest(const Snapshot& snapshot)
{
    const RunRecord* best = nullptr;
    for (const auto& run : snapshot.runs) {
        if (best == nullptr || run->columnCount > best->columnCount) {
            best = run.get();
        }
    }
    return best;
}

/// What makes two sessions incomparable, or empty.
std::string difference(const Snapshot& a, const Snapshot& b)
{
    if (a.contract != b.contract) {
        return "they follow different versions of the contract (" + std::to_string(a.contract) +
               " and " + std::to_string(b.contract) + ")";
    }
    if (a.model.sha256 != b.model.sha256) {
        return "they were recorded with different models (SHA-256 " + a.model.sha256 + " and " +
               b.model.sha256 + ")";
    }
    if (a.ops != b.ops) {
        const auto at = std::mismatch(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end()).first;
        return "their op lists differ" +
               (at == a.ops.end() ? std::string() : ", first at " + at->name);
    }
    const RunRecord* left = longest(a);
    const RunRecord* right = longest(b);
    if (left == nullptr || right == nullptr) {
        return {};
    }
    if (left->promptTokens != right->promptTokens) {
        return "their prompts have different lengths (" + std::to_string(left->promptTokens) +
               " and " + std::to_string(right->promptTokens) + " tokens)";
    }
    const std::size_t common =
        std::min({left->columnCount, right->columnCount,
                  static_cast<std::size_t>(std::max(left->promptTokens, 0))});
    for (std::size_t c = 0; c < common; ++c) {
        if (left->columns()[c].token != right->columns()[c].token) {
            return "their prompts differ from position " + std::to_string(c) + " on";
        }
    }
    return {};
}

const RunRecord* referenceOf(const Snapshot& snapshot)
{
    const auto index = static_cast<std::size_t>(std::max(snapshot.referenceRun, 0));
    return index < snapshot.runs.size() ? snapshot.runs[index].get() : nullptr;
}

bool sameBits(const RunRecord& a, const RunRecord& b)
{
    return a.columnCount == b.columnCount && a.opCount == b.opCount &&
           std::equal(a.cells().begin(), a.cells().end(), b.cells().begin());
}

bool hasMagnitudes(const RunRecord& run)
{
    return std::any_of(run.columns().begin(), run.columns().end(),
                       [](const Column& column) { return !column.magnitudes.empty(); });
}

/// A copy of the run's columns without the magnitudes that are not exact against `to`.
std::shared_ptr<const trace::AppendOnly<Column>>
rebasedColumns(const RunRecord& run, const RunRecord& from, const RunRecord& to)
{
    auto store = std::make_shared<trace::AppendOnly<Column>>(run.columnCount);
    for (std::size_t c = 0; c < run.columnCount; ++c) {
        Column& column = *store->at(c);
        column = run.columns()[c];
        const bool both = c < from.columnCount && c < to.columnCount && from.opCount == to.opCount;
        std::erase_if(column.magnitudes, [&](const trace::Magnitude& magnitude) {
            const auto op = static_cast<std::size_t>(magnitude.op);
            return !both || magnitude.op < 0 || op >= from.opCount ||
                   from.cell(c, op) != to.cell(c, op);
        });
    }
    return store;
}

void appendRuns(Snapshot& result, const Snapshot& other)
{
    const RunRecord* to = referenceOf(result);
    const RunRecord* from = referenceOf(other);
    const bool exact = to != nullptr && from != nullptr && sameBits(*from, *to);
    for (const auto& run : other.runs) {
        auto copy = std::make_shared<RunRecord>(*run);
        copy->run = static_cast<int>(result.runs.size());
        if (!exact && to != nullptr && from != nullptr && hasMagnitudes(*run)) {
            copy->columnStore = rebasedColumns(*run, *from, *to);
        }
        result.runs.push_back(std::move(copy));
    }
}

void appendFacts(Snapshot& result, const Snapshot& other, std::size_t index)
{
    const std::string prefix = "trace" + std::to_string(index + 1) + ".";
    for (const auto& [key, value] : other.fingerprint) {
        const auto known = result.fingerprint.find(key);
        if (known == result.fingerprint.end() || known->second != value) {
            result.fingerprint.emplace(prefix + key, value);
        }
    }
    result.pieces.insert(other.pieces.begin(), other.pieces.end());
    result.incomplete = result.incomplete || other.incomplete;
    result.source += " + " + nameOf(other, index);
}

} // namespace

Result<SnapshotPtr> mergeSnapshots(const std::vector<SnapshotPtr>& snapshots)
{
    if (snapshots.empty()) {
        return makeError(ErrorCode::BadUsage, "there is nothing to compare", {},
                         "name at least one trace");
    }
    if (snapshots.size() == 1) {
        return snapshots.front();
    }
    auto result = std::make_shared<Snapshot>(*snapshots.front());
    result->source = nameOf(*snapshots.front(), 0);
    result->readOnly = true;
    for (std::size_t i = 1; i < snapshots.size(); ++i) {
        const std::string why = difference(*snapshots.front(), *snapshots[i]);
        if (!why.empty()) {
            return makeError(ErrorCode::BadInput,
                             nameOf(*snapshots.front(), 0) + " and " + nameOf(*snapshots[i], i) +
                                 " cannot be compared: " + why,
                             {}, "compare traces of one prompt on one model");
        }
        appendRuns(*result, *snapshots[i]);
        appendFacts(*result, *snapshots[i], i);
    }
    return SnapshotPtr(std::move(result));
}

} // namespace ulp::compare
