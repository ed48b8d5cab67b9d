// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files and comparisons for the tests of trace files. Thread-safety: one thread. Ownership: a
// TempFolder removes itself.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "engine/base/sha256.h"
#include "engine/trace/snapshot.h"

namespace ulp::test {

namespace fs = std::filesystem;

class TempFolder {
  public:
    TempFolder()
    {
        std::string name = (fs::temp_directory_path() / "ulp-trace-XXXXXX").string();
        m_path = ::mkdtemp(name.data());
    }
    ~TempFolder()
    {
        std::error_code ignored;
        fs::permissions(m_path, fs::perms::owner_all, ignored);
        fs::remove_all(m_path, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const
    {
        return (fs::path(m_path) / name).string();
    }
    [[nodiscard]] const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

inline std::string readFile(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeFile(const std::string& path, const std::string& bytes)
{
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Name, size, time of change and digest of every file of a folder.
inline std::map<std::string, std::string> stateOf(const std::string& folder)
{
    std::map<std::string, std::string> state;
    for (const auto& entry : fs::directory_iterator(folder)) {
        state[entry.path().filename()] =
            std::to_string(entry.last_write_time().time_since_epoch().count()) + " " +
            (entry.is_regular_file() ? sha256Hex(readFile(entry.path())) : "");
    }
    return state;
}

/// Changes a closed trace with SQL, as a stock tool would.
inline void runSql(const std::string& path, const std::string& sql)
{
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << sql << ": " << (message != nullptr ? message : "");
    sqlite3_free(message);
    sqlite3_close(connection);
}

inline void expectSameRun(const trace::RunRecord& a, const trace::RunRecord& b)
{
    EXPECT_EQ(a.run, b.run);
    EXPECT_EQ(a.settings, b.settings);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.error, b.error);
    EXPECT_EQ(a.stopReason, b.stopReason);
    EXPECT_EQ(a.promptTokens, b.promptTokens);
    EXPECT_EQ(a.prefillTokensPerSecond, b.prefillTokensPerSecond);
    EXPECT_EQ(a.decodeTokensPerSecond, b.decodeTokensPerSecond);
    EXPECT_EQ(a.traceHash, b.traceHash);
    EXPECT_EQ(a.outputSha256, b.outputSha256);
    EXPECT_EQ(a.opCount, b.opCount);
    ASSERT_EQ(a.columnCount, b.columnCount);
    EXPECT_TRUE(std::equal(a.cells().begin(), a.cells().end(), b.cells().begin(), b.cells().end()));
    for (std::size_t c = 0; c < a.columnCount; ++c) {
        trace::Column x = a.columns()[c];
        trace::Column y = b.columns()[c];
        ASSERT_EQ(x.logits == nullptr, y.logits == nullptr) << c;
        if (x.logits) {
            EXPECT_EQ(*x.logits, *y.logits) << c;
        }
        x.logits = y.logits;
        EXPECT_EQ(x, y) << c;
    }
}

/// Everything but source and readOnly, which say where a snapshot came from.
inline void expectSame(const trace::Snapshot& a, const trace::Snapshot& b)
{
    EXPECT_EQ(a.incomplete, b.incomplete);
    EXPECT_EQ(a.created, b.created);
    EXPECT_EQ(a.prompt, b.prompt);
    EXPECT_EQ(a.contract, b.contract);
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.fingerprint, b.fingerprint);
    EXPECT_EQ(a.ops, b.ops);
    EXPECT_EQ(a.pieces, b.pieces);
    EXPECT_EQ(a.referenceRun, b.referenceRun);
    ASSERT_EQ(a.runs.size(), b.runs.size());
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        expectSameRun(*a.runs[i], *b.runs[i]);
    }
}

} // namespace ulp::test
