// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged and malicious trace files: an error or a problem named, never a crash, never silence.
#include "engine/trace/trace_file.h"
#include "engine/trace/trace_schema.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/engine/support/snapshot_maker.h"
#include "tests/engine/trace/trace_test_util.h"

namespace ulp::trace {
namespace {

using test::readFile;
using test::runSql;
using test::TempFolder;
using test::writeFile;

SnapshotPtr smallSession()
{
    test::SessionOptions options = test::atomicLike(2, 1, 2, 3);
    auto snapshot = std::make_shared<Snapshot>(*test::makeSession(options));
    snapshot->pieces = {{1, "a"}, {2, "b"}};
    for (auto& run : snapshot->runs) { // digests of a text that these pieces do not give
        auto content = test::contentOf(*run);
        content.record.outputSha256 = outputSha256(content.record, snapshot->pieces);
        run = test::toRecord(content);
    }
    return snapshot;
}

class TraceHostile : public testing::Test {
  protected:
    TraceHostile()
    {
        EXPECT_TRUE(saveTrace(*smallSession(), good));
        bytes = readFile(good);
    }

    /// The problems of a file with these bytes, or why it does not open; empty when it is fine.
    std::string trouble(const std::string& content)
    {
        writeFile(bad, content);
        return troubleOf(bad);
    }

    static std::string troubleOf(const std::string& path)
    {
        const auto report = verifyTrace(path);
        if (!report) {
            return report.error().text();
        }
        EXPECT_EQ(report->ok, report->problems.empty());
        std::string all;
        for (const std::string& problem : report->problems) {
            all += problem + "\n";
        }
        return all;
    }

    /// The error of opening a copy that was changed with SQL, and verify must find it too.
    std::string openAfter(const std::string& sql)
    {
        std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
        runSql(bad, sql);
        EXPECT_NE(troubleOf(bad), "") << sql;
        const auto opened = openTrace(bad);
        return opened ? std::string() : opened.error().text();
    }

    TempFolder folder;
    std::string good = folder.file("good.ulp");
    std::string bad = folder.file("bad.ulp");
    std::string bytes;
};

TEST_F(TraceHostile, TheGoodFileIsGood)
{
    EXPECT_EQ(trouble(bytes), "");
    const auto report = verifyTrace(good);
    EXPECT_TRUE(report->sealed);
    EXPECT_GT(report->rows, 40);
    EXPECT_EQ(report->chainHead.size(), 64U);
}

TEST_F(TraceHostile, AnyChangedByteIsFound)
{
    // Every byte of the head, and a stride that meets every page.
    writeFile(bad, bytes);
    std::fstream file(bad, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&file](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte).flush();
    };
    for (std::size_t at = 0; at < bytes.size(); at += at < 256 ? 1 : 127) {
        for (const int bit : {0, 7}) {
            put(at, static_cast<char>(bytes[at] ^ (1 << bit)));
            ASSERT_NE(troubleOf(bad), "") << "offset " << at << " bit " << bit;
            [[maybe_unused]] const auto opened = openTrace(bad); // whatever it is, no crash
        }
        put(at, bytes[at]);
    }
    EXPECT_EQ(troubleOf(bad), "");
}

TEST_F(TraceHostile, AClosingThatWasCutShortIsNoDamage)
{
    // The moment between leaving WAL mode and stamping the digest.
    std::string unstamped = bytes;
    const std::size_t at = unstamped.find("ulpscope-seal-1:");
    ASSERT_NE(at, std::string::npos);
    unstamped.replace(at + 16 + 32 + 1, 64, std::string(64, '0'));
    EXPECT_EQ(trouble(unstamped), "");
    EXPECT_FALSE(verifyTrace(bad)->sealed);
    EXPECT_TRUE((*openTrace(bad))->incomplete);
    // Its rows are still watched.
    runSql(bad, "UPDATE step SET token = token + 1 WHERE id = 2");
    EXPECT_NE(troubleOf(bad).find("table step, run 0, position 2: was changed"), std::string::npos);
}

TEST_F(TraceHostile, AnyTruncationIsFound)
{
    for (std::size_t length = 0; length < bytes.size(); length += length < 200 ? 1 : 501) {
        ASSERT_NE(trouble(bytes.substr(0, length)), "") << length;
        const auto opened = openTrace(bad);
        if (length < 100) {
            ASSERT_FALSE(opened);
            EXPECT_NE(opened.error().text().find("bad.ulp"), std::string::npos);
        }
    }
    EXPECT_NE(trouble(bytes + "x"), "");
    EXPECT_NE(trouble(bytes + bytes), "");
}

TEST_F(TraceHostile, RandomDamageNeverCrashes)
{
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 300; ++trial) {
        std::string changed = bytes;
        const std::size_t count = 1 + random() % 40;
        for (std::size_t i = 0; i < count; ++i) {
            // Mostly structure: the heads of pages.
            const std::size_t page = random() % (changed.size() / 8192) * 8192;
            const std::size_t within = random() % 3 == 0 ? random() % 8192 : random() % 64;
            changed[page + within] = static_cast<char>(random());
        }
        // The identity stays, so that the damage is looked at.
        changed.replace(0, 24, bytes.substr(0, 24));
        changed.replace(56, 16, bytes.substr(56, 16));
        ASSERT_NE(trouble(changed), "");
        [[maybe_unused]] const auto opened = openTrace(bad);
    }
}

TEST_F(TraceHostile, AChangedRowIsNamed)
{
    const std::pair<const char*, const char*> changes[] = {
        {"UPDATE meta SET value = 'x' WHERE key = 'created'", "table meta, row 0: was changed"},
        {"UPDATE model SET name = 'other'", "table model, row 0: was changed"},
        {"UPDATE tensor_digest SET xxh3 = 5 WHERE id = 1", "table tensor_digest, row 1"},
        {"UPDATE fingerprint SET value = 'x' WHERE id = 0", "table fingerprint, row 0"},
        {"UPDATE op SET kind = 'add' WHERE id = 3", "table op, row 3: was changed"},
        {"UPDATE piece SET bytes = x'00' WHERE id = 2", "table piece, row 2: was changed"},
        {"UPDATE run SET settings = '{}' WHERE id = 1", "table run, row 1: was changed"},
        {"UPDATE run_end SET decode_rate = 7 WHERE id = 0", "table run_end, row 0: was changed"},
        {"UPDATE step SET margin = margin + 1 WHERE id = 1",
         "table step, run 0, position 1: was changed"},
        {"UPDATE step SET top = zeroblob(8) WHERE id = 2",
         "table step, run 0, position 2: was changed"},
        {"DELETE FROM step WHERE id = 3", "table step, run 0, position 3: is missing"},
        {"DELETE FROM run_end WHERE id = 1", "table run_end, row 1: is missing"},
        {"INSERT INTO piece VALUES(9, x'41')", "table piece, row 9: is not in the chain"},
        {"UPDATE seal SET head = digest FROM chain WHERE chain.id = 1", "another last digest"},
        {"UPDATE chain SET digest = (SELECT digest FROM chain WHERE id = 1) WHERE id = 5",
         "was changed"},
        {"DELETE FROM chain WHERE id = (SELECT max(id) FROM chain)", "another number of rows"},
        {"DELETE FROM chain WHERE id = 7", "out of order"},
        {"UPDATE chain SET row = 0, tbl = 'op' WHERE id = 30", "that an earlier link names"},
        {"DELETE FROM seal", "although the file was closed"},
        {"INSERT INTO seal VALUES(1, 0, '', '')", "more than its one row"},
        {"VACUUM", "not those that were sealed"},
        {"CREATE TABLE extra(x)", "not those that were sealed"},
    };
    for (const auto& [sql, expected] : changes) {
        std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
        runSql(bad, sql);
        const std::string found = troubleOf(bad);
        EXPECT_NE(found.find(expected), std::string::npos) << sql << "\n" << found;
    }
}

TEST_F(TraceHostile, TheChainSpeaksEvenWhereTheSealIsRenewed)
{
    // A forger who seals again but does not rebuild the chain: rows and head still disagree.
    std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
    runSql(bad, "UPDATE step SET chosen = 5 WHERE id = 1");
    const std::string found = troubleOf(bad);
    EXPECT_NE(found.find("table step, run 0, position 1: was changed"), std::string::npos);
    EXPECT_NE(found.find("seal: "), std::string::npos);
}

TEST_F(TraceHostile, DigestsOfRunsAreRecomputed)
{
    const SnapshotPtr session = smallSession();
    auto content = test::contentOf(*session->runs[0]);
    content.record.traceHash[0] = content.record.traceHash[0] == 'a' ? 'b' : 'a';
    content.record.outputSha256 = std::string(64, '0');
    ASSERT_TRUE(saveTrace(*test::withRun(*session, 0, content), bad));
    const std::string found = troubleOf(bad);
    EXPECT_NE(found.find("run 0: its trace hash is not that of its cells"), std::string::npos);
    EXPECT_NE(found.find("run 0: its output digest is not that of its text"), std::string::npos);
}

TEST_F(TraceHostile, ForeignFilesAreRefusedByName)
{
    EXPECT_NE(trouble("").find("ends after 0 bytes"), std::string::npos);
    EXPECT_NE(trouble(std::string(5000, 'G')).find("not begin like an SQLite"), std::string::npos);
    EXPECT_NE(openTrace(folder.path()).error().text().find("no regular file"), std::string::npos);
    const auto missing = openTrace(folder.file("missing.ulp"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::BadInput);
    std::filesystem::remove(bad);
    runSql(bad, "CREATE TABLE x(y)");
    EXPECT_NE(troubleOf(bad).find("application id is not ULPS"), std::string::npos);
    EXPECT_NE(openTrace("/dev/zero").error().text().find("no regular file"), std::string::npos);
}

TEST_F(TraceHostile, NewerVersionsAreRefusedClearly)
{
    for (const int version : {0, 2, 99}) {
        std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
        runSql(bad, "PRAGMA user_version=" + std::to_string(version));
        const auto opened = openTrace(bad);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::Unsupported);
        EXPECT_NE(opened.error().text().find("version " + std::to_string(version)),
                  std::string::npos);
    }
}

TEST_F(TraceHostile, NonsenseInRowsIsRefusedWithItsPlace)
{
    const std::pair<const char*, const char*> changes[] = {
        {"DROP TABLE step", "table step is missing"},
        {"DROP TABLE seal", "table seal is missing"},
        {"CREATE TRIGGER t AFTER INSERT ON step BEGIN SELECT 1; END", "holds a trigger"},
        {"ALTER TABLE step RENAME TO real_step; CREATE VIEW step AS SELECT * FROM real_step",
         "holds a view"},
        {"ALTER TABLE step ADD COLUMN extra", "table step has another layout"},
        {"UPDATE step SET cells = zeroblob(3) WHERE id = 1", "one hash for each op"},
        {"UPDATE step SET cells = NULL WHERE id = 1", "one hash for each op"},
        {"UPDATE step SET cells = 'text' WHERE id = 1", "one hash for each op"},
        {"UPDATE step SET top = x'010203' WHERE id = 1", "packed list"},
        {"UPDATE step SET magnitudes = zeroblob(64) WHERE id = 1", "packed list"},
        {"UPDATE step SET magnitudes = randomblob(32) WHERE id = 1", "packed list"},
        {"UPDATE step SET non_finite = randomblob(20) WHERE id = 1", "packed list"},
        {"UPDATE step SET token = 'x' WHERE id = 1", "wrong type"},
        {"UPDATE step SET token = 1 << 40 WHERE id = 1", "wrong type"},
        {"UPDATE step SET run = -1 WHERE id = 1", "belongs to no run"},
        {"UPDATE step SET run = 77 WHERE id = 1", "belongs to no run"},
        {"UPDATE step SET position = 2 WHERE id = 1", "out of order"},
        {"DELETE FROM step WHERE id = 1", "out of order"},
        {"UPDATE step SET id = 4294967295 WHERE id = 3", "more columns than the file has bytes"},
        {"UPDATE op SET inputs = '[5]' WHERE id = 3", "does not come before it"},
        {"UPDATE op SET history = '[-1]' WHERE id = 3", "does not come before it"},
        {"UPDATE op SET shape = '[1,' WHERE id = 3", "malformed"},
        {"UPDATE op SET shape = '[99999999999999999999]' WHERE id = 3", "malformed"},
        {"DELETE FROM op WHERE id = 3", "malformed"},
        {"INSERT INTO op SELECT 18, name, base, kind, layer, shape, inputs, history, 0, '' FROM op "
         "WHERE id = 17",
         "does not have the ops of its session"},
        {"UPDATE run SET ops = 1000000000 WHERE id = 0", "does not have the ops"},
        {"UPDATE run SET prompt_tokens = -3 WHERE id = 0", "malformed"},
        {"UPDATE run SET settings = '{\"threads\":' WHERE id = 0", "not a JSON object"},
        {"UPDATE run SET settings = '{\"policy\":\"dice\"}' WHERE id = 0", "settings.policy"},
        {"UPDATE run_end SET id = 9 WHERE id = 1", "belongs to no run"},
        {"UPDATE piece SET id = 1 << 40 WHERE id = 1", "malformed"},
        {"UPDATE meta SET value = -1 WHERE key = 'reference_run'", "reference_run is no count"},
        {"UPDATE tensor_digest SET shape = '{}'", "malformed"},
        {"INSERT INTO tensor VALUES(0, 0, 1, 17, 'f32', 'exact', 1 << 40, x'00')", "absurd size"},
        {"INSERT INTO tensor VALUES(0, 0, 1, 17, 'f32', 'exact', 200000000, x'00')",
         "more than its file can mean"},
        {"INSERT INTO tensor VALUES(0, 0, 1, 17, 'f32', 'exact', 100, x'28B52FFD')",
         "does not unfold"},
        {"INSERT INTO tensor VALUES(0, 5, 1, 17, 'f32', 'exact', 1, x'00')", "no column"},
        {"INSERT INTO tensor VALUES(0, 0, 99, 17, 'f32', 'exact', 1, x'00')", "no column"},
    };
    for (const auto& [sql, expected] : changes) {
        const std::string error = openAfter(sql);
        EXPECT_NE(error.find(expected), std::string::npos) << sql << "\n" << error;
    }
}

TEST_F(TraceHostile, AKilledRecordingWithADamagedRowIsFoundToo)
{
    const std::string path = folder.file("killed.ulp");
    const SnapshotPtr session = smallSession();
    Snapshot head = *session;
    head.runs.clear();
    {
        auto writer = TraceWriter::create(path, head, false);
        ASSERT_TRUE(writer);
        ASSERT_TRUE((*writer)->beginRun(*session->runs[0]));
        ASSERT_TRUE((*writer)->appendColumns(*session->runs[0]));
    } // its connection folds the log into the file; the seal is missing
    EXPECT_EQ(troubleOf(path), "");
    runSql(path, "UPDATE step SET token = token + 1 WHERE id = 2");
    EXPECT_NE(troubleOf(path).find("table step, run 0, position 2: was changed"),
              std::string::npos);
}

TEST(TraceChain, EveryPartOfARowCounts)
{
    const auto of = [](std::string_view table, std::initializer_list<SqlValue> row) {
        return chainDigest("before", table, std::span(row.begin(), row.size()));
    };
    const std::string digest = of("op", {std::string_view("ab"), std::string_view("c")});
    EXPECT_NE(of("run", {std::string_view("ab"), std::string_view("c")}), digest);
    EXPECT_NE(of("op", {std::string_view("a"), std::string_view("bc")}), digest);
    EXPECT_NE(of("op", {std::string_view("abc")}), digest);
    EXPECT_NE(of("op", {Blob{"ab"}, std::string_view("c")}), digest);
    EXPECT_NE(of("op", {std::int64_t{1}}), of("op", {1.0}));
}

} // namespace
} // namespace ulp::trace
