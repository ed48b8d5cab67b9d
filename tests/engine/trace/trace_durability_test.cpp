// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is left when a recording is killed, and that reading never changes a file.
#include "engine/trace/trace_file.h"

#include <algorithm>
#include <random>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/engine/support/snapshot_maker.h"
#include "tests/engine/trace/trace_test_util.h"

namespace ulp::trace {
namespace {

using test::TempFolder;

/// What the recording child says over its pipe after each commit.
struct Progress {
    std::int32_t run = -1;
    std::int32_t columns = 0;
};

/// Records the session without end until it is killed; tells what is committed.
[[noreturn]] void recordForever(const Snapshot& session, const std::string& path, int pipe)
{
    Snapshot head = session;
    head.runs.clear();
    auto writer = TraceWriter::create(path, head, true);
    if (!writer) {
        ::_exit(3);
    }
    for (const auto& run : session.runs) {
        RunRecord growing = *run;
        growing.columnCount = 0;
        bool fine = (*writer)->beginRun(growing).ok();
        while (growing.columnCount < run->columnCount && fine) {
            ++growing.columnCount;
            fine = (*writer)->appendColumns(growing).ok();
            const Progress progress{run->run, static_cast<std::int32_t>(growing.columnCount)};
            fine = fine && ::write(pipe, &progress, sizeof progress) == sizeof progress;
        }
        if (!fine || !(*writer)->finishRun(*run)) {
            ::_exit(4);
        }
    }
    [[maybe_unused]] const auto closed = (*writer)->close();
    ::_exit(0);
}

/// The longest beginning of the session that `opened` may be.
void expectBeginningOf(const Snapshot& session, const Snapshot& opened, const Progress& told)
{
    const auto runs = static_cast<std::int32_t>(opened.runs.size());
    ASSERT_GT(runs, told.run);
    for (std::int32_t i = 0; i < runs; ++i) {
        const RunRecord& whole = *session.runs[static_cast<std::size_t>(i)];
        const RunRecord& found = *opened.runs[static_cast<std::size_t>(i)];
        const std::size_t least = i < told.run    ? whole.columnCount
                                  : i == told.run ? static_cast<std::size_t>(told.columns)
                                                  : 0;
        ASSERT_GE(found.columnCount, least) << "run " << i;
        ASSERT_LE(found.columnCount, whole.columnCount);
        EXPECT_TRUE(std::equal(found.cells().begin(), found.cells().end(), whole.cells().begin()));
        for (std::size_t c = 0; c < found.columnCount; ++c) {
            ASSERT_EQ(found.columns()[c], whole.columns()[c]);
        }
        EXPECT_EQ(found.status == RunStatus::Complete, i < runs - 1 || found.traceHash != "");
    }
}

TEST(TraceDurability, KilledAtAnyMomentEveryCommittedColumnIsThere)
{
    const TempFolder folder;
    const std::string path = folder.file("killed.ulp");
    const SnapshotPtr session = test::makeSession(test::atomicLike(3, 6, 4, 400));
    std::mt19937_64 random(17);
    int partial = 0;
    for (int trial = 0; trial < 12; ++trial) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::close(ends[0]);
            recordForever(*session, path, ends[1]);
        }
        ::close(ends[1]);
        // Kill after a random number of commits, at a random moment of the next one.
        const auto commits = static_cast<std::int64_t>(random() % 900);
        Progress last;
        Progress next;
        std::int64_t seen = 0;
        while (seen < commits && ::read(ends[0], &next, sizeof next) == sizeof next) {
            last = next;
            ++seen;
        }
        ::usleep(static_cast<useconds_t>(random() % 300));
        ::kill(child, SIGKILL);
        while (::read(ends[0], &next, sizeof next) == sizeof next) {
            last = next; // committed and told before the kill arrived
        }
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (last.run < 0) {
            continue; // killed before the first column
        }
        const auto before = test::stateOf(folder.path());
        const auto opened = openTrace(path);
        ASSERT_TRUE(opened) << opened.error().text();
        if (WIFSIGNALED(status)) {
            EXPECT_TRUE((*opened)->incomplete);
            ++partial;
        }
        expectBeginningOf(*session, **opened, last);
        const auto report = verifyTrace(path);
        ASSERT_TRUE(report) << report.error().text();
        EXPECT_TRUE(report->ok) << report->problems[0];
        EXPECT_EQ(test::stateOf(folder.path()), before);
    }
    EXPECT_GT(partial, 3);
}

TEST(TraceDurability, KilledWhileItBeginsThereIsATraceOrNone)
{
    const TempFolder folder;
    const SnapshotPtr session = test::makeSession(test::atomicLike(3, 6, 4, 40));
    std::mt19937_64 random(23);
    int some = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const std::string path = folder.file("begun-" + std::to_string(trial) + ".ulp");
        const bool replaces = trial % 2 == 1; // a trace that was there before
        if (replaces) {
            ASSERT_TRUE(saveTrace(*session, path));
        }
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (;;) { // begins again and again, so that most kills fall into a beginning
                static_cast<void>(TraceWriter::create(path, *session, true));
            }
        }
        ::usleep(static_cast<useconds_t>(random() % 20000));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (!std::filesystem::exists(path)) {
            EXPECT_FALSE(replaces);
            continue;
        }
        const auto opened = openTrace(path);
        ASSERT_TRUE(opened) << opened.error().text();
        EXPECT_EQ((*opened)->ops.size(), session->ops.size());
        ++some;
    }
    EXPECT_GT(some, 10);
}

TEST(TraceDurability, ARecordingInProgressKeepsItsFile)
{
    const TempFolder folder;
    const std::string path = folder.file("a.ulp");
    const SnapshotPtr session = test::makeSession(test::atomicLike(3, 6, 4, 40));
    {
        const auto recording = TraceWriter::create(path, *session, false);
        ASSERT_TRUE(recording);
        for (const Error& error : {TraceWriter::create(path, *session, true).error(),
                                   saveTrace(*session, path).error()}) {
            EXPECT_EQ(error.code, ErrorCode::BadUsage);
            EXPECT_NE(error.message.find("being recorded"), std::string::npos) << error.text();
        }
        ASSERT_TRUE((*recording)->close());
    }
    EXPECT_TRUE(TraceWriter::create(path, *session, true)); // free again
    EXPECT_TRUE(saveTrace(*session, path));
}

TEST(TraceDurability, ReadingChangesNothing)
{
    const TempFolder folder;
    const SnapshotPtr session = test::makeSession(test::atomicLike(2, 2, 3, 9));
    ASSERT_TRUE(saveTrace(*session, folder.file("closed.ulp")));
    Snapshot head = *session;
    head.runs.clear();
    // A writer that is still there: its file, log and shared memory lie in the folder.
    auto writer = TraceWriter::create(folder.file("open.ulp"), head, false);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->beginRun(*session->runs[0]));
    ASSERT_TRUE((*writer)->appendColumns(*session->runs[0]));
    const auto before = test::stateOf(folder.path());
    ASSERT_EQ(before.size(), 4U);
    for (const char* name : {"closed.ulp", "open.ulp"}) {
        const auto opened = openTrace(folder.file(name));
        ASSERT_TRUE(opened) << opened.error().text();
        EXPECT_EQ((*opened)->runs[0]->columnCount, session->runs[0]->columnCount);
        EXPECT_TRUE(verifyTrace(folder.file(name))->ok);
    }
    EXPECT_EQ(test::stateOf(folder.path()), before);
    EXPECT_TRUE((*openTrace(folder.file("open.ulp")))->incomplete);

    // A folder that may not be written to is no obstacle.
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read |
                                                    std::filesystem::perms::owner_exec);
    EXPECT_TRUE(openTrace(folder.file("closed.ulp")));
    EXPECT_TRUE(openTrace(folder.file("open.ulp")));
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    EXPECT_EQ(test::stateOf(folder.path()), before);
    // Nor did reading get in the writer's way.
    ASSERT_TRUE((*writer)->finishRun(*session->runs[0]));
    const auto closed = (*writer)->close();
    ASSERT_TRUE(closed) << closed.error().text();
    EXPECT_FALSE((*openTrace(folder.file("open.ulp")))->incomplete);
}

TEST(TraceDurability, WithoutItsLogAKilledRecordingStillOpens)
{
    const TempFolder folder;
    const SnapshotPtr session = test::makeSession(test::atomicLike(2, 2, 3, 9));
    Snapshot head = *session;
    head.runs.clear();
    {
        auto writer = TraceWriter::create(folder.file("a.ulp"), head, false);
        ASSERT_TRUE(writer);
        ASSERT_TRUE((*writer)->beginRun(*session->runs[0]));
        std::filesystem::copy_file(folder.file("a.ulp"), folder.file("alone.ulp"));
    }
    const auto opened = openTrace(folder.file("alone.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_TRUE((*opened)->incomplete);
}

TEST(TraceDurability, SavingOverAKilledRecordingDoesNotInheritItsLog)
{
    const TempFolder folder;
    const std::string path = folder.file("a.ulp");
    const SnapshotPtr session = test::makeSession(test::atomicLike(2, 2, 3, 9));
    Snapshot head = *session;
    head.runs.clear();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        auto writer = TraceWriter::create(path, head, false);
        static_cast<void>((*writer)->beginRun(*session->runs[0]));
        static_cast<void>((*writer)->appendColumns(*session->runs[0]));
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(std::filesystem::exists(path + "-wal"));
    ASSERT_TRUE(saveTrace(*session, path));
    EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
    const auto opened = openTrace(path);
    ASSERT_TRUE(opened);
    test::expectSame(*session, **opened);
    EXPECT_TRUE(verifyTrace(path)->ok);
}

} // namespace
} // namespace ulp::trace
