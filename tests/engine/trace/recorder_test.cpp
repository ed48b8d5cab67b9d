// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recorder.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <xxhash.h>

namespace ulp::trace {
namespace {

std::vector<float> randomRow(std::size_t count, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal(0.0F, 2.0F);
    std::vector<float> row(count);
    for (float& value : row) {
        value = normal(random);
    }
    return row;
}

std::uint64_t rowHash(std::span<const float> row)
{
    return XXH3_64bits(row.data(), row.size_bytes());
}

/// Three ops, the last with a vocabulary of 5; two sequences.
class RecorderTest : public testing::Test {
  protected:
    RecorderTest() : builder(head()) { run = builder.beginRun(RunSettings{}, 3, 8); }

    static Snapshot head()
    {
        Snapshot snapshot;
        snapshot.ops.resize(3);
        return snapshot;
    }

    /// Shows the recorder one op for tokens of (sequence, position), rows made from a seed.
    void show(Recorder& recorder, int op, std::vector<std::int32_t> sequences,
              std::vector<std::int32_t> positions, std::int64_t width = 5, std::int64_t stride = 7)
    {
        rows = randomRow(sequences.size() * static_cast<std::size_t>(stride),
                         static_cast<std::uint64_t>(op) * 100 +
                             static_cast<std::uint64_t>(positions[0]));
        run::OpOutput output;
        output.op = op;
        output.data = rows.data();
        output.rows = static_cast<std::int64_t>(sequences.size());
        output.width = width;
        output.stride = stride;
        output.sequences = sequences.data();
        output.positions = positions.data();
        recorder.onOp(output);
    }

    SnapshotBuilder builder;
    int run = 0;
    std::vector<float> rows;
};

TEST_F(RecorderTest, PrefillOfSeveralPositionsBecomesColumnsInOrder)
{
    Recorder recorder(builder, run, 3, 2);
    show(recorder, 0, {0, 0, 1, 0}, {0, 1, 0, 2});
    const std::vector<float> first(rows.begin(), rows.begin() + 5);
    const std::vector<float> third(rows.begin() + 3 * 7, rows.begin() + 3 * 7 + 5);
    show(recorder, 1, {0, 0, 1, 0}, {0, 1, 0, 2});
    show(recorder, 2, {1, 0}, {0, 2}); // logits of the last prompt position only
    const std::vector<float> logits(rows.begin() + 7, rows.begin() + 12);
    recorder.completeColumn(0, 10, -1, {});
    recorder.completeColumn(1, 11, -1, {});
    recorder.completeColumn(2, 12, 4, logits);

    const auto record = builder.run(run);
    ASSERT_EQ(record->columnCount, 3U);
    EXPECT_EQ(record->cell(0, 0), rowHash(first));
    EXPECT_EQ(record->cell(2, 0), rowHash(third));
    EXPECT_NE(record->cell(1, 1), kNotRecorded);
    EXPECT_EQ(record->cell(0, 2), kNotRecorded);
    EXPECT_EQ(record->cell(1, 2), kNotRecorded);
    EXPECT_EQ(record->cell(2, 2), rowHash(logits));
    const Column& last = record->columns()[2];
    EXPECT_EQ(last.token, 12);
    EXPECT_EQ(last.chosen, 4);
    EXPECT_EQ(last.logitHash, rowHash(logits));
    ASSERT_EQ(last.top.size(), 2U);
    EXPECT_GE(last.top[0].logit, last.top[1].logit);
    EXPECT_EQ(last.margin, last.top[0].logit - last.top[1].logit);
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit));
    }
    EXPECT_NEAR(last.logSumExp, std::log(sum), 1e-6);
    EXPECT_EQ(record->columns()[0].logitHash, kNotRecorded);
    EXPECT_TRUE(record->columns()[0].top.empty());
    EXPECT_EQ(recorder.columns(), 3);
}

TEST_F(RecorderTest, TheSinkSeesEachRowWithItsHashAndMayAddMagnitudes)
{
    std::vector<std::pair<int, std::int32_t>> seen;
    Recorder* self = nullptr;
    Recorder recorder(
        builder, run, 3, 0,
        [&](int op, std::int32_t position, std::span<const float> row, std::uint64_t hash) {
            seen.emplace_back(op, position);
            EXPECT_EQ(hash, rowHash(row));
            self->addMagnitude(position, {op, 1, 5, 2, 0.5, 0.25});
        });
    self = &recorder;
    show(recorder, 0, {0, 1}, {0, 0});
    show(recorder, 2, {0}, {0});
    recorder.completeColumn(0, 1, 2, std::vector<float>{1.0F, 2.0F});
    EXPECT_EQ(seen, (std::vector<std::pair<int, std::int32_t>>{{0, 0}, {2, 0}}));
    const Column column = builder.run(run)->columns()[0];
    ASSERT_EQ(column.magnitudes.size(), 2U);
    EXPECT_EQ(column.magnitudes[1].op, 2);
    EXPECT_TRUE(column.top.empty()); // none were asked for
}

TEST_F(RecorderTest, NonFiniteRowsAreCounted)
{
    Recorder recorder(builder, run, 3, 1);
    std::vector<float> row{1.0F, std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::infinity(), 4.0F};
    const std::int32_t sequence = 0;
    const std::int32_t position = 0;
    recorder.onOp({1, row.data(), 1, 4, 4, &sequence, &position});
    recorder.completeColumn(0, 1, 2, std::vector<float>{1.0F, 2.0F});
    EXPECT_EQ(builder.run(run)->columns()[0].nonFinite, (std::vector<NonFinite>{{1, 1, 1}}));
}

TEST_F(RecorderTest, RepeatedPositionsAndForeignRowsChangeNothing)
{
    Recorder recorder(builder, run, 3, 1);
    show(recorder, 0, {0}, {0});
    recorder.completeColumn(0, 1, 2, {});
    const std::uint64_t before = builder.run(run)->cell(0, 0);
    show(recorder, 0, {0}, {0});          // a pass done again
    show(recorder, 7, {0}, {1});          // no such op
    show(recorder, -1, {0}, {1});         // nor this
    recorder.completeColumn(0, 1, 2, {}); // told twice
    recorder.addMagnitude(0, {});
    EXPECT_EQ(builder.run(run)->columnCount, 1U);
    EXPECT_EQ(builder.run(run)->cell(0, 0), before);
}

TEST_F(RecorderTest, WithoutOpsTokensAndLogitsAreStillRecorded)
{
    SnapshotBuilder bare{Snapshot{}};
    const int only = bare.beginRun(RunSettings{}, 1, 2);
    Recorder recorder(bare, only, 0, 3);
    const std::vector<float> logits{1.0F, 3.0F, 2.0F};
    recorder.completeColumn(0, 5, 6, logits);
    const Column column = bare.run(only)->columns()[0];
    EXPECT_EQ(column.chosen, 6);
    EXPECT_EQ(column.logitHash, rowHash(logits));
    EXPECT_EQ(column.top[0].token, 1);
}

} // namespace
} // namespace ulp::trace
