// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/run_classes.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ulp::compare {
namespace {

using trace::Column;
using trace::RunRecord;

/// What was not recorded is no difference.
bool sameHash(std::uint64_t x, std::uint64_t y)
{
    return x == y || x == trace::kNotRecorded || y == trace::kNotRecorded;
}

bool sameFrom(const RunRecord& a, const RunRecord& b, std::size_t first)
{
    const std::size_t last = std::min(a.columnCount, b.columnCount);
    for (std::size_t c = 0; c < last; ++c) {
        const Column& x = a.columns()[c];
        const Column& y = b.columns()[c];
        if (x.token != y.token || x.chosen != y.chosen || !sameHash(x.logitHash, y.logitHash)) {
            return false;
        }
    }
    if (first >= last) {
        return true;
    }
    const auto left = a.cells().subspan(first * a.opCount, (last - first) * a.opCount);
    const auto right = b.cells().subspan(first * b.opCount, (last - first) * b.opCount);
    if (std::memcmp(left.data(), right.data(), left.size_bytes()) == 0) {
        return true;
    }
    return std::equal(left.begin(), left.end(), right.begin(), sameHash);
}

/// Where the cells of two runs still have to be read, given where each left the reference; -1 when
/// they are known to differ.
std::int64_t unknownFrom(const RunRecord& a, std::int64_t differsA, const RunRecord& b,
                         std::int64_t differsB, std::size_t referenceColumns)
{
    const auto common = static_cast<std::int64_t>(std::min(a.columnCount, b.columnCount));
    const auto known = static_cast<std::int64_t>(referenceColumns);
    const std::int64_t leavesA = differsA < 0 ? known : differsA;
    const std::int64_t leavesB = differsB < 0 ? known : differsB;
    const std::int64_t first = std::min(leavesA, leavesB);
    return leavesA != leavesB && first < common ? -1 : first;
}

/// Longest first, so that a run that was cut short meets the runs it may be a beginning of;
/// `reference` before others of its length. `same(i, j)` takes the longer run first.
template <typename Same>
std::vector<RunClass> group(const trace::Snapshot& snapshot, std::span<const int> runs,
                            int reference, const Same& same)
{
    std::vector<int> order;
    for (const int run : runs) {
        if (snapshot.runs[static_cast<std::size_t>(run)]->columnCount > 0) {
            order.push_back(run);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const std::size_t left = snapshot.runs[static_cast<std::size_t>(a)]->columnCount;
        const std::size_t right = snapshot.runs[static_cast<std::size_t>(b)]->columnCount;
        return left != right ? left > right : a == reference && b != reference;
    });
    std::vector<RunClass> classes;
    for (const int run : order) {
        auto home = classes.end();
        for (auto it = classes.begin(); it != classes.end(); ++it) {
            // A short run may agree with several: the reference's class first, then the largest.
            const bool better =
                home == classes.end() || it->runs.front() == reference ||
                (home->runs.front() != reference && it->runs.size() > home->runs.size());
            if (better && same(it->runs.front(), run)) {
                home = it;
            }
        }
        if (home == classes.end()) {
            classes.push_back({0, {run}});
        } else {
            home->runs.push_back(run);
        }
    }
    return classes;
}

std::uint64_t leadingBits(const std::string& hex)
{
    std::uint64_t value = 0;
    std::from_chars(hex.data(), hex.data() + std::min<std::size_t>(hex.size(), 16), value, 16);
    return value;
}

} // namespace

void sortClasses(std::vector<RunClass>& classes)
{
    for (RunClass& entry : classes) {
        std::sort(entry.runs.begin(), entry.runs.end());
    }
    std::sort(classes.begin(), classes.end(), [](const RunClass& a, const RunClass& b) {
        return a.runs.size() != b.runs.size() ? a.runs.size() > b.runs.size()
                                              : a.runs.front() < b.runs.front();
    });
}

std::vector<RunClass> groupTraces(const trace::Snapshot& snapshot, std::span<const int> runs,
                                  int reference, std::span<const std::int64_t> firstDifferent)
{
    const auto record = [&](int run) -> const RunRecord& {
        return *snapshot.runs[static_cast<std::size_t>(run)];
    };
    const std::size_t referenceColumns = record(reference).columnCount;
    auto classes = group(snapshot, runs, reference, [&](int a, int b) {
        const std::int64_t first =
            unknownFrom(record(a), firstDifferent[static_cast<std::size_t>(a)], record(b),
                        firstDifferent[static_cast<std::size_t>(b)], referenceColumns);
        return first >= 0 && sameFrom(record(a), record(b), static_cast<std::size_t>(first));
    });
    sortClasses(classes);
    for (RunClass& entry : classes) {
        for (const int run : entry.runs) {
            if (entry.hash == 0) {
                entry.hash = leadingBits(record(run).traceHash);
            }
        }
    }
    return classes;
}

bool sameBits(const RunRecord& a, const RunRecord& b)
{
    return sameFrom(a, b, 0);
}

int countOutputs(const trace::Snapshot& snapshot, std::span<const int> runs)
{
    const auto classes = group(snapshot, runs, -1, [&](int a, int b) {
        const auto left = snapshot.runs[static_cast<std::size_t>(a)]->columns();
        const auto right = snapshot.runs[static_cast<std::size_t>(b)]->columns();
        for (std::size_t c = 0; c < std::min(left.size(), right.size()); ++c) {
            if (left[c].chosen != right[c].chosen) {
                return false;
            }
        }
        return true;
    });
    return static_cast<int>(classes.size());
}

} // namespace ulp::compare
