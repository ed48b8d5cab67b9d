// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/merge_traces.h"

#include <algorithm>

namespace ulp::cli {
namespace {

using trace::RunRecord;
using trace::Snapshot;

Result<void> checkComparable(const Snapshot& first, const Snapshot& other)
{
    std::string difference;
    if (first.contract != other.contract) {
        difference = "contract version (" + std::to_string(other.contract) + ", not " +
                     std::to_string(first.contract) + ")";
    } else if (first.model.sha256 != other.model.sha256) {
        difference = "model (" + other.model.name + " " + other.model.sha256.substr(0, 12) +
                     ", not " + first.model.name + " " + first.model.sha256.substr(0, 12) + ")";
    } else if (first.ops != other.ops) {
        difference = "list of ops";
    } else {
        return {};
    }
    return makeError(ErrorCode::BadInput, "was recorded with another " + difference, other.source,
                     "compare traces of one model with " + first.source);
}

const RunRecord* referenceOf(const Snapshot& snapshot)
{
    const auto index = static_cast<std::size_t>(snapshot.referenceRun);
    return snapshot.referenceRun >= 0 && index < snapshot.runs.size() ? snapshot.runs[index].get()
                                                                      : nullptr;
}

bool sameCell(const RunRecord* a, const RunRecord* b, std::size_t column, std::int32_t op)
{
    const auto index = static_cast<std::size_t>(op);
    return a != nullptr && b != nullptr && op >= 0 && index < a->opCount && index < b->opCount &&
           column < a->columnCount && column < b->columnCount &&
           a->cell(column, index) == b->cell(column, index);
}

/// The run under a new number, without the magnitudes that refer to other numbers.
std::shared_ptr<const RunRecord> adopt(const RunRecord& run, int number, const RunRecord* own,
                                       const RunRecord* merged)
{
    auto copy = std::make_shared<RunRecord>(run);
    copy->run = number;
    if (own == merged || run.columnCount == 0) {
        return copy;
    }
    auto columns = std::make_shared<trace::AppendOnly<trace::Column>>(run.columnCount);
    for (std::size_t i = 0; i < run.columnCount; ++i) {
        trace::Column& column = *columns->at(i);
        column = run.columns()[i];
        std::erase_if(column.magnitudes,
                      [&](const trace::Magnitude& m) { return !sameCell(own, merged, i, m.op); });
    }
    copy->columnStore = std::move(columns);
    return copy;
}

} // namespace

Result<trace::SnapshotPtr> mergeTraces(const std::vector<trace::SnapshotPtr>& traces)
{
    if (traces.size() == 1) {
        return traces.front();
    }
    const Snapshot& first = *traces.front();
    const RunRecord* merged = referenceOf(first);
    auto result = std::make_shared<Snapshot>(first);
    result->runs.clear();
    for (const auto& one : traces) {
        if (const auto comparable = checkComparable(first, *one); !comparable) {
            return comparable.error();
        }
        result->incomplete |= one->incomplete;
        result->pieces.insert(one->pieces.begin(), one->pieces.end());
        for (const auto& run : one->runs) {
            result->runs.push_back(
                adopt(*run, static_cast<int>(result->runs.size()), referenceOf(*one), merged));
        }
    }
    return trace::SnapshotPtr(result);
}

} // namespace ulp::cli
