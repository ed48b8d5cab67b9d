// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/trace_file.h"

#include <cmath>
#include <limits>
#include <memory>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "engine/trace/settings_json.h"
#include "tests/engine/support/snapshot_maker.h"
#include "tests/engine/trace/trace_test_util.h"

namespace ulp::trace {
namespace {

using test::readFile;
using test::TempFolder;

SnapshotPtr richSession()
{
    test::SessionOptions options = test::atomicLike(4, 2, 3, 9);
    options.nonFinite = {{2, 4, "ffn_out-1"}};
    return test::makeSession(options);
}

TEST(TraceFile, ASavedSessionComesBackAsItWas)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    ASSERT_TRUE(saveTrace(*session, folder.file("a.ulp")));
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    test::expectSame(*session, **opened);
    EXPECT_TRUE((*opened)->readOnly);
    EXPECT_EQ((*opened)->source, folder.file("a.ulp"));
    EXPECT_FALSE((*opened)->incomplete);
}

TEST(TraceFile, StrangeValuesComeBackAsTheyWere)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    auto strange = std::make_shared<Snapshot>(*session);
    strange->prompt = std::string("a\0b\xff\xfe\n", 6);
    strange->pieces[7] = std::string("\0\x80", 2);
    strange->pieces[8] = "";
    strange->model.name = "\xc3\x28 not UTF-8";
    strange->model.tensors.push_back({"t", "F32", {}, ~0ULL});
    strange->fingerprint[""] = "";
    auto content = test::contentOf(*session->runs[1]);
    content.cells[0] = ~0ULL;
    content.cells[1] = 1ULL << 63U;
    Column& column = content.columns[5];
    column.logitHash = ~0ULL;
    column.margin = std::numeric_limits<float>::infinity();
    column.logSumExp = -std::numeric_limits<double>::max();
    column.microseconds = std::numeric_limits<std::int64_t>::max();
    column.top = {{-1, -std::numeric_limits<float>::infinity()}, {1 << 30, 5e-45F}};
    column.magnitudes = {{0, 0, 0, 0, 0.0, 0.0},
                         {3, 0xffffffffLL, 0xffffffffLL, 0xffffffffU,
                          std::numeric_limits<double>::infinity(), 1e-300}};
    content.record.settings.seed = ~0ULL;
    content.record.settings.temperature = 0.7F;
    content.record.settings.ignoreEos = true;
    content.record.settings.opPolicies = {{"ffn_*", Policy::Kahan}, {"\"?\\", Policy::Atomic}};
    content.record.settings.perturb = Perturbation{"ffn_out-1", 1LL << 40, 3, -7};
    content.record.status = RunStatus::Failed;
    content.record.error = "all logits are NaN \xe2\x80\xa6";
    const SnapshotPtr expected = test::withRun(*strange, 1, content);
    ASSERT_TRUE(saveTrace(*expected, folder.file("a.ulp")));
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    test::expectSame(*expected, **opened);
}

TEST(TraceFile, NanIsKeptAsNan)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    auto content = test::contentOf(*session->runs[0]);
    content.columns[4].logSumExp = std::numeric_limits<double>::quiet_NaN();
    content.columns[4].margin = std::numeric_limits<float>::quiet_NaN();
    ASSERT_TRUE(saveTrace(*test::withRun(*session, 0, content), folder.file("a.ulp")));
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened);
    EXPECT_TRUE(std::isnan((*opened)->runs[0]->columns()[4].logSumExp));
    EXPECT_TRUE(std::isnan((*opened)->runs[0]->columns()[4].margin));
    EXPECT_TRUE(verifyTrace(folder.file("a.ulp"))->ok);
}

TEST(TraceFile, WholeLogitsAreKeptWhenAskedFor)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    auto content = test::contentOf(*session->runs[1]);
    for (std::size_t c = 3; c < content.columns.size(); c += 2) {
        std::vector<float> logits(511, static_cast<float>(c));
        logits[c] = -0.0F;
        content.columns[c].logits = std::make_shared<const std::vector<float>>(logits);
    }
    const SnapshotPtr expected = test::withRun(*session, 1, content);
    ASSERT_TRUE(saveTrace(*expected, folder.file("a.ulp")));
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    test::expectSame(*expected, **opened);
    EXPECT_TRUE(verifyTrace(folder.file("a.ulp"))->ok);
}

TEST(TraceFile, AnEmptySessionAndOneWithoutOpsAreFilesToo)
{
    const TempFolder folder;
    ASSERT_TRUE(saveTrace(Snapshot{}, folder.file("a.ulp")));
    const auto empty = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(empty) << empty.error().text();
    EXPECT_TRUE((*empty)->runs.empty());

    SnapshotBuilder builder{Snapshot{}};
    const int run = builder.beginRun(RunSettings{}, 1, 2);
    Column column;
    column.chosen = 5;
    builder.appendColumn(run, column, {});
    builder.finishRun(run, RunStatus::Complete, "steps", "");
    ASSERT_TRUE(saveTrace(*builder.snapshot(), folder.file("b.ulp")));
    const auto bare = openTrace(folder.file("b.ulp"));
    ASSERT_TRUE(bare) << bare.error().text();
    test::expectSame(*builder.snapshot(), **bare);
    EXPECT_TRUE(verifyTrace(folder.file("b.ulp"))->ok);
}

/// Records a session through a TraceWriter, column by column.
Result<void> record(const Snapshot& session, const std::string& path, bool close = true)
{
    Snapshot head = session;
    head.runs.clear();
    auto writer = TraceWriter::create(path, head, false);
    if (!writer) {
        return writer.error();
    }
    Result<void> outcome;
    for (const auto& run : session.runs) {
        RunRecord growing = *run;
        growing.columnCount = 0;
        growing.status = RunStatus::Running;
        outcome = outcome ? (*writer)->beginRun(growing) : outcome;
        while (growing.columnCount < run->columnCount && outcome) {
            growing.columnCount += growing.columnCount % 3 == 0 ? 1 : 2;
            growing.columnCount = std::min(growing.columnCount, run->columnCount);
            outcome = (*writer)->appendColumns(growing);
        }
        outcome = outcome ? (*writer)->finishRun(*run) : outcome;
    }
    outcome = outcome ? (*writer)->addPieces({{100000, "late"}, {0, "again"}}) : outcome;
    return outcome && close ? (*writer)->close() : outcome;
}

TEST(TraceFile, ARecordedSessionIsTheSameAsASavedOne)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    const auto recorded = record(*session, folder.file("a.ulp"));
    ASSERT_TRUE(recorded) << recorded.error().text();
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    Snapshot expected = *session;
    expected.pieces.emplace(100000, "late"); // and piece 0 stays what it was first
    test::expectSame(expected, **opened);
    EXPECT_TRUE(verifyTrace(folder.file("a.ulp"))->ok);
    EXPECT_EQ(test::stateOf(folder.path()).size(), 1U); // one file when closed
}

TEST(TraceFile, FilesAreTheOwnersAlone)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    const mode_t before = ::umask(0);
    ASSERT_TRUE(saveTrace(*session, folder.file("a.ulp")));
    ASSERT_TRUE(record(*session, folder.file("b.ulp"), false));
    ::umask(before);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        EXPECT_EQ(entry.status().permissions() & std::filesystem::perms::all,
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
            << entry.path();
    }
}

TEST(TraceFile, AnExistingFileIsReplacedOnlyOnRequestAndNeverAFolder)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    test::writeFile(folder.file("a.ulp"), "something else");
    const auto refused = TraceWriter::create(folder.file("a.ulp"), *session, false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadUsage);
    EXPECT_NE(refused.error().text().find("exists already"), std::string::npos);
    const auto noTrace = TraceWriter::create(folder.file("a.ulp"), *session, true);
    ASSERT_FALSE(noTrace); // a mistyped name must not cost somebody's file
    EXPECT_NE(noTrace.error().text().find("not a trace"), std::string::npos);
    EXPECT_EQ(readFile(folder.file("a.ulp")), "something else");

    test::writeFile(folder.file("a.ulp"), "");
    ASSERT_TRUE(saveTrace(*session, folder.file("a.ulp")));
    const auto replaced = TraceWriter::create(folder.file("a.ulp"), *session, true);
    ASSERT_TRUE(replaced) << replaced.error().text();
    ASSERT_TRUE((*replaced)->close());
    EXPECT_TRUE(openTrace(folder.file("a.ulp")));

    std::filesystem::create_directory(folder.file("d"));
    EXPECT_FALSE(TraceWriter::create(folder.file("d"), *session, true));
    EXPECT_FALSE(saveTrace(*session, folder.file("d")));
    EXPECT_TRUE(std::filesystem::is_directory(folder.file("d")));
}

TEST(TraceFile, WhereNothingCanBeWrittenTheErrorNamesThePath)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    const std::string missing = folder.file("no/such/a.ulp");
    const auto saved = saveTrace(*session, missing);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_EQ(saved.error().where, missing);
    EXPECT_NE(saved.error().remedy.find(folder.file("no/such")), std::string::npos);
    EXPECT_FALSE(TraceWriter::create(missing, *session, false));

    if (::geteuid() == 0) {
        return; // root may write anywhere
    }
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read |
                                                    std::filesystem::perms::owner_exec);
    const auto denied = saveTrace(*session, folder.file("a.ulp"));
    ASSERT_FALSE(denied);
    EXPECT_EQ(denied.error().remedy, "choose a folder that you may write to");
}

/// In a child whose files may not grow beyond `limit` bytes, as on a full disk. Exit code 0: the
/// check held.
template <typename Check>
int withFileLimit(rlim_t limit, const Check& check)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{limit, limit};
        ::setrlimit(RLIMIT_FSIZE, &small);
        ::_exit(check() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TraceFile, ADiskThatIsFullLeavesNothingHalfSaved)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    ASSERT_TRUE(saveTrace(*session, folder.file("a.ulp")));
    const auto before = test::stateOf(folder.path());
    const auto size = static_cast<rlim_t>(std::filesystem::file_size(folder.file("a.ulp")));
    for (const rlim_t limit : {rlim_t{4096}, size / 2, size - 8192}) {
        EXPECT_EQ(withFileLimit(limit,
                                [&] {
                                    const auto saved = saveTrace(*session, folder.file("a.ulp"));
                                    return !saved && saved.error().code == ErrorCode::Io &&
                                           saved.error().where == folder.file("a.ulp") &&
                                           !saved.error().remedy.empty();
                                }),
                  0)
            << limit;
        EXPECT_EQ(test::stateOf(folder.path()), before) << limit; // the old one, nothing beside it
    }
    EXPECT_EQ(withFileLimit(2 * size + 100000,
                            [&] { return saveTrace(*session, folder.file("a.ulp")).ok(); }),
              0);
}

TEST(TraceFile, ADiskThatFillsUpDuringARecordingKeepsWhatWasCommitted)
{
    const TempFolder folder;
    const SnapshotPtr session = test::makeSession(test::atomicLike(3, 4, 3, 60));
    EXPECT_EQ(withFileLimit(400'000, [&] { return !record(*session, folder.file("a.ulp")).ok(); }),
              0);
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_TRUE((*opened)->incomplete);
    ASSERT_FALSE((*opened)->runs.empty());
    EXPECT_GT((*opened)->runs[0]->columnCount, 5U);
    const auto report = verifyTrace(folder.file("a.ulp"));
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->ok) << report->problems[0];
    EXPECT_FALSE(report->sealed);
}

TEST(TraceFile, ARunStillGoingIsSavedAsIncomplete)
{
    const TempFolder folder;
    test::SessionOptions options;
    options.lastRunColumns = 4;
    options.lastRunStatus = RunStatus::Complete; // never finished: see makeSession
    const SnapshotPtr session = test::makeSession(options);
    ASSERT_EQ(session->runs[3]->status, RunStatus::Running);
    ASSERT_TRUE(saveTrace(*session, folder.file("a.ulp")));
    const auto opened = openTrace(folder.file("a.ulp"));
    ASSERT_TRUE(opened);
    EXPECT_TRUE((*opened)->incomplete);
    EXPECT_EQ((*opened)->runs[3]->status, RunStatus::Incomplete);
    EXPECT_EQ((*opened)->runs[3]->columnCount, 4U);
    EXPECT_TRUE(verifyTrace(folder.file("a.ulp"))->ok);
    // Saved again, it is still incomplete.
    ASSERT_TRUE(saveTrace(**opened, folder.file("b.ulp")));
    EXPECT_TRUE((*openTrace(folder.file("b.ulp")))->incomplete);
}

TEST(TraceFile, NamesWithOddCharactersWork)
{
    const TempFolder folder;
    const SnapshotPtr session = richSession();
    for (const char* name : {"a b?c#d%e.ulp", "file:x.ulp", "\xe8\xaf\x95.ulp", "50%25.ulp"}) {
        ASSERT_TRUE(saveTrace(*session, folder.file(name))) << name;
        EXPECT_TRUE(openTrace(folder.file(name))) << name;
        EXPECT_TRUE(verifyTrace(folder.file(name))->ok) << name;
    }
}

TEST(SettingsJson, RoundTripsAndSaysWhatIsWrong)
{
    RunSettings settings;
    settings.policy = Policy::ThreadSplit;
    settings.activation = Precision::Bf16;
    settings.device = Device::Cuda;
    settings.isa = Isa::Avx512;
    settings.temperature = 0.1F;
    const auto back = settingsFromJson(settingsToJson(settings));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, settings);
    EXPECT_EQ(*settingsFromJson("{\"future\": [1]}"), RunSettings{});
    for (const char* broken :
         {"", "[]", "{", "{\"threads\": 1.5}", "{\"threads\": 99999999999}", "{\"threads\": \"2\"}",
          "{\"policy\": \"random\"}", "{\"policy\": 3}", "{\"seed\": -1}", "{\"ignore_eos\": 1}",
          "{\"op_policies\": {}}", "{\"op_policies\": [3]}",
          "{\"op_policies\": [{\"op\": \"x\", \"policy\": \"y\"}]}", "{\"perturb\": []}",
          "{\"perturb\": {\"ulps\": 5000000000}}"}) {
        EXPECT_FALSE(settingsFromJson(broken)) << broken;
    }
    EXPECT_NE(settingsFromJson("{\"threads\": 1.5}").error().text().find("settings.threads"),
              std::string::npos);
    const std::string deep(200000, '[');
    EXPECT_FALSE(settingsFromJson("{\"x\":" + deep));
    EXPECT_TRUE(settingsFromJson("{\"x\":" + deep + std::string(200000, ']') + "}"));
}

} // namespace
} // namespace ulp::trace
