// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/snapshot_builder.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "engine/base/sha256.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::trace {
namespace {

Snapshot twoOps()
{
    Snapshot head;
    head.ops.resize(2);
    return head;
}

Column columnAt(std::int32_t position, std::int32_t token, std::int32_t chosen = -1)
{
    Column column;
    column.position = position;
    column.token = token;
    column.chosen = chosen;
    return column;
}

TEST(SnapshotBuilder, OlderSnapshotsSeeOnlyWhatWasThere)
{
    SnapshotBuilder builder(twoOps());
    const int run = builder.beginRun(RunSettings{}, 1, 3);
    const std::vector<std::uint64_t> first{11, 12};
    const std::vector<std::uint64_t> second{21, 22};
    builder.appendColumn(run, columnAt(0, 5), first);
    const SnapshotPtr before = builder.snapshot();
    builder.appendColumn(run, columnAt(1, 6), second);
    builder.finishRun(run, RunStatus::Complete, "steps", "");
    const SnapshotPtr after = builder.snapshot();

    ASSERT_EQ(before->runs[0]->columnCount, 1U);
    EXPECT_EQ(before->runs[0]->cells().size(), 2U);
    EXPECT_EQ(before->runs[0]->status, RunStatus::Running);
    EXPECT_TRUE(before->runs[0]->traceHash.empty());
    ASSERT_EQ(after->runs[0]->columnCount, 2U);
    EXPECT_EQ(after->runs[0]->cell(1, 1), 22U);
    EXPECT_EQ(after->runs[0]->columns()[1].token, 6);
    EXPECT_EQ(after->runs[0]->cellStore, before->runs[0]->cellStore);
    EXPECT_EQ(builder.run(0), after->runs[0]);
}

TEST(SnapshotBuilder, TraceHashIsTheDocumentedDigest)
{
    SnapshotBuilder builder(twoOps());
    const int run = builder.beginRun(RunSettings{}, 1, 1);
    const std::vector<std::uint64_t> cells{0x0102030405060708ULL, 0};
    Column column;
    column.token = 0x11223344;
    column.logitHash = 0xa1a2a3a4a5a6a7a8ULL;
    column.chosen = 0x55667788;
    builder.appendColumn(run, column, cells);
    builder.finishRun(run, RunStatus::Complete, "steps", "");
    const std::string bytes("\x08\x07\x06\x05\x04\x03\x02\x01\0\0\0\0\0\0\0\0\x44\x33\x22\x11"
                            "\xa8\xa7\xa6\xa5\xa4\xa3\xa2\xa1\x88\x77\x66\x55",
                            32);
    EXPECT_EQ(builder.run(run)->traceHash, sha256Hex(bytes));
}

TEST(SnapshotBuilder, TraceHashCoversHashesAndTokensAndNothingElse)
{
    const SnapshotPtr session = test::makeSession();
    const auto content = test::contentOf(*session->runs[0]);
    const std::string hash = traceHash(*session->runs[0]);

    auto other = content;
    other.record.settings.threads = 99;
    other.record.settings.policy = Policy::Kahan;
    other.record.status = RunStatus::Cancelled;
    for (auto& column : other.columns) {
        column.microseconds += 1;
        column.margin += 1;
        column.logSumExp += 1;
        column.top.clear();
        column.magnitudes.clear();
        if (&column != &other.columns.back()) {
            column.chosen = 3; // the next column's input token says the same
        }
    }
    EXPECT_EQ(traceHash(*test::toRecord(other)), hash);

    for (int kind = 0; kind < 5; ++kind) {
        auto changed = content;
        if (kind == 0) {
            changed.cells[7] ^= 1;
        } else if (kind == 1) {
            changed.columns[3].token ^= 1;
        } else if (kind == 2) {
            changed.columns.back().logitHash ^= 1;
        } else if (kind == 3) {
            changed.columns.back().chosen ^= 1; // stands in no other column
        } else {
            std::swap(changed.cells[0], changed.cells[1]);
        }
        EXPECT_NE(traceHash(*test::toRecord(changed)), hash) << kind;
    }
}

TEST(SnapshotBuilder, OutputDigestIsOfTheGeneratedBytes)
{
    Snapshot head = twoOps();
    SnapshotBuilder builder(head);
    const int run = builder.beginRun(RunSettings{}, 2, 3);
    const std::vector<std::uint64_t> cells{1, 2};
    builder.addPiece(7, " a");
    builder.addPiece(8, "\xff!");
    EXPECT_TRUE(builder.hasPiece(7));
    EXPECT_FALSE(builder.hasPiece(9));
    builder.appendColumn(run, columnAt(0, 1, -1), cells);
    builder.appendColumn(run, columnAt(1, 7, 7), cells);
    builder.appendColumn(run, columnAt(2, 7, 8), cells);
    builder.finishRun(run, RunStatus::Complete, "steps", "");
    EXPECT_EQ(builder.run(run)->outputSha256, sha256Hex(" a\xff!"));
}

TEST(SnapshotBuilder, OnlyCompleteRunsHaveDigests)
{
    SnapshotBuilder builder(twoOps());
    const int run = builder.beginRun(RunSettings{}, 1, 1);
    builder.finishRun(run, RunStatus::Failed, "error", "out of memory");
    EXPECT_EQ(builder.run(run)->status, RunStatus::Failed);
    EXPECT_EQ(builder.run(run)->error, "out of memory");
    EXPECT_TRUE(builder.run(run)->traceHash.empty());
    EXPECT_TRUE(builder.run(run)->outputSha256.empty());
}

TEST(SnapshotBuilder, ReadersSeeWholeColumnsWhileTheWriterAppends)
{
    constexpr std::size_t kColumns = 4000;
    SnapshotBuilder builder(twoOps());
    const int run = builder.beginRun(RunSettings{}, 1, kColumns);
    std::atomic<bool> torn = false;
    std::thread reader([&] {
        std::size_t seen = 0;
        while (seen < kColumns) {
            const SnapshotPtr snapshot = builder.snapshot();
            const RunRecord& record = *snapshot->runs[0];
            torn = torn || record.columnCount < seen;
            for (std::size_t c = seen; c < record.columnCount; ++c) {
                torn = torn || record.cell(c, 0) != c + 1 || record.cell(c, 1) != c + 2 ||
                       record.columns()[c].position != static_cast<std::int32_t>(c);
            }
            seen = record.columnCount;
        }
    });
    for (std::size_t c = 0; c < kColumns; ++c) {
        const std::vector<std::uint64_t> cells{c + 1, c + 2};
        builder.appendColumn(run, columnAt(static_cast<std::int32_t>(c), 0), cells);
    }
    reader.join();
    EXPECT_FALSE(torn);
}

TEST(RunStatusNames, RoundTripAndUnknownIsIncomplete)
{
    for (const RunStatus status : {RunStatus::Running, RunStatus::Complete, RunStatus::Cancelled,
                                   RunStatus::Failed, RunStatus::Incomplete}) {
        EXPECT_EQ(parseRunStatus(toString(status)), status);
    }
    EXPECT_EQ(parseRunStatus("finished"), RunStatus::Incomplete);
}

} // namespace
} // namespace ulp::trace
