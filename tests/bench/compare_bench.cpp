// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times what a large session costs: comparing it, pooling it, saving and opening its trace.
// All times are processor time of the one thread that works.
// Usage: compare_bench [RUNS [COLUMNS [OPS [FOLDER]]]]; without FOLDER nothing is written.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>

#include "engine/compare/comparison.h"
#include "engine/trace/trace_file.h"
#include "tests/engine/support/snapshot_maker.h"

namespace {

using namespace ulp;

struct Sizes {
    int runs = 8;
    std::int64_t columns = 10'000;
    std::int64_t ops = 333;
};

enum class Kind { Equal, OneCell, TwoClasses, AllDifferent };

std::uint64_t cellValue(Kind kind, int run, std::int64_t column, std::int64_t op,
                        const Sizes& sizes)
{
    const auto base = static_cast<std::uint64_t>(column * sizes.ops + op) * 0x9e3779b97f4a7c15ULL;
    std::uint64_t variant = 0;
    if (kind == Kind::OneCell) {
        variant = run == 1 && column == sizes.columns / 2 && op == sizes.ops / 2 ? 1 : 0;
    } else if (column * 100 >= sizes.columns && kind == Kind::TwoClasses) {
        variant = static_cast<std::uint64_t>(run % 2);
    } else if (column * 100 >= sizes.columns && kind == Kind::AllDifferent) {
        variant = static_cast<std::uint64_t>(run);
    }
    return (base ^ variant) | 1ULL << 63U;
}

trace::SnapshotPtr makeLarge(Kind kind, const Sizes& sizes, bool magnitudes)
{
    auto snapshot = std::make_shared<trace::Snapshot>();
    snapshot->ops = test::makeOps(static_cast<int>((sizes.ops - 3) / 15));
    while (static_cast<std::int64_t>(snapshot->ops.size()) < sizes.ops) {
        snapshot->ops.push_back(snapshot->ops.back());
        snapshot->ops.back().inputs = {static_cast<int>(snapshot->ops.size()) - 2};
    }
    snapshot->ops.resize(static_cast<std::size_t>(sizes.ops));
    const auto columns = static_cast<std::size_t>(sizes.columns);
    for (int run = 0; run < sizes.runs; ++run) {
        auto record = std::make_shared<trace::RunRecord>();
        auto cells = std::make_shared<trace::AppendOnly<std::uint64_t>>(
            columns * static_cast<std::size_t>(sizes.ops));
        auto data = std::make_shared<trace::AppendOnly<trace::Column>>(columns);
        for (std::int64_t c = 0; c < sizes.columns; ++c) {
            trace::Column& column = *data->at(static_cast<std::size_t>(c));
            column.position = static_cast<std::int32_t>(c);
            column.token = column.chosen = static_cast<std::int32_t>(c % 1000);
            column.top.resize(10);
            for (std::int64_t op = 0; op < sizes.ops; ++op) {
                const std::uint64_t value = cellValue(kind, run, c, op, sizes);
                *cells->at(static_cast<std::size_t>(c * sizes.ops + op)) = value;
                if (magnitudes && value != cellValue(kind, 0, c, op, sizes)) {
                    column.magnitudes.push_back(
                        {static_cast<std::int32_t>(op), 5, 576, 3, 1e-6, 1e-7});
                }
            }
            column.logitHash = *cells->at(static_cast<std::size_t>((c + 1) * sizes.ops - 1));
        }
        record->run = run;
        record->promptTokens = 1;
        record->status = trace::RunStatus::Complete;
        record->opCount = static_cast<std::size_t>(sizes.ops);
        record->columnCount = columns;
        record->cellStore = std::move(cells);
        record->columnStore = std::move(data);
        snapshot->runs.push_back(std::move(record));
    }
    return snapshot;
}

double seconds(const std::function<void()>& work)
{
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void compareAll(const char* name, Kind kind, const Sizes& sizes)
{
    const trace::SnapshotPtr snapshot = makeLarge(kind, sizes, false);
    compare::ComparisonPtr comparison;
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        comparison.reset();
        best =
            std::min(best, seconds([&] { comparison = compare::Comparison::compute(snapshot); }));
    }
    compare::PyramidLevels<compare::CellState> pyramid(comparison->ops());
    const double pooling =
        seconds([&] { pyramid.update(comparison->cells(), 0, comparison->columns()); });
    std::printf("%-14s compare %.3f s (%.3f s a run), %lld divergent, %d classes; pyramid %.3f s\n",
                name, best, best / sizes.runs, static_cast<long long>(comparison->divergentCells()),
                comparison->uniqueTraces(), pooling);
}

void fileTimes(const Sizes& sizes, const std::string& folder)
{
    const trace::SnapshotPtr snapshot = makeLarge(Kind::AllDifferent, sizes, true);
    const std::string saved = folder + "/compare_bench_saved.ulp";
    const std::string recorded = folder + "/compare_bench_recorded.ulp";
    std::printf("save %.2f s", seconds([&] { (void)trace::saveTrace(*snapshot, saved).ok(); }));
    std::printf(" (%.0f MB), ", static_cast<double>(std::filesystem::file_size(saved)) * 1e-6);
    std::printf("open %.2f s, ", seconds([&] { (void)trace::openTrace(saved).ok(); }));
    std::printf("verify %.2f s, ", seconds([&] { (void)trace::verifyTrace(saved).ok(); }));
    trace::Snapshot head = *snapshot;
    head.runs.clear();
    const double writing = seconds([&] {
        auto writer = trace::TraceWriter::create(recorded, head, true);
        for (const auto& run : snapshot->runs) {
            trace::RunRecord growing = *run;
            growing.columnCount = 0;
            (void)(*writer)->beginRun(growing).ok();
            while (growing.columnCount < run->columnCount) {
                ++growing.columnCount;
                (void)(*writer)->appendColumns(growing).ok();
            }
            (void)(*writer)->finishRun(*run).ok();
        }
        std::printf("close %.2f s, ", seconds([&] { (void)(*writer)->close().ok(); }));
    });
    std::printf("record %.2f s: %.0f us a column, each its own commit\n", writing,
                writing * 1e6 / static_cast<double>(sizes.runs * sizes.columns));
    std::filesystem::remove(saved);
    std::filesystem::remove(recorded);
}

} // namespace

int main(int argc, char** argv)
{
    Sizes sizes;
    sizes.runs = argc > 1 ? std::atoi(argv[1]) : sizes.runs;
    sizes.columns = argc > 2 ? std::atoll(argv[2]) : sizes.columns;
    sizes.ops = argc > 3 ? std::atoll(argv[3]) : sizes.ops;
    std::printf("%d runs x %lld columns x %lld ops: %.1f million cells a run\n", sizes.runs,
                static_cast<long long>(sizes.columns), static_cast<long long>(sizes.ops),
                static_cast<double>(sizes.columns * sizes.ops) * 1e-6);
    compareAll("equal", Kind::Equal, sizes);
    compareAll("one cell", Kind::OneCell, sizes);
    compareAll("two classes", Kind::TwoClasses, sizes);
    compareAll("all different", Kind::AllDifferent, sizes);
    if (argc > 4) {
        fileTimes(sizes, argv[4]);
    }
    return 0;
}
