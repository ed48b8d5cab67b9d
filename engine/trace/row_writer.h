// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the rows of a trace file and their digest chain. Internal to trace: TraceWriter and
// saveTrace stand on it. Thread-safety: one thread at a time. Ownership: owns its connection.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/trace/snapshot.h"
#include "engine/trace/sqlite_db.h"
#include "engine/trace/trace_schema.h"

namespace ulp::trace {

class RowWriter {
  public:
    /// `file` must exist and be empty; `name` is what errors call it. Writes fast and without a
    /// journal, for a file that nobody sees before it is whole.
    static Result<std::unique_ptr<RowWriter>> create(const std::string& file,
                                                     const std::string& name);
    /// Lets go of the file, so that it can be given another name.
    Result<void> detach();
    /// Goes on in `file`, the one let go of: from now on every commit survives a kill (WAL).
    Result<void> record(const std::string& file);

    Result<void> begin();
    Result<void> commit();

    Result<void> writeHead(const Snapshot& head);
    Result<void> writeRun(const RunRecord& run);
    Result<void> writeColumn(const RunRecord& run, std::size_t column);
    Result<void> writeRunEnd(const RunRecord& run);
    Result<void> writePieces(const std::map<std::int32_t, std::string>& pieces);

    /// Seals the file and closes it: one file, whole and checkable.
    Result<void> finish();

  private:
    RowWriter(std::string file, std::string name) : m_file(std::move(file)), m_name(name) {}
    Result<void> prepareInserts();
    void releaseInserts();
    Result<void> insert(Table table, std::initializer_list<SqlValue> row);
    Result<void> writeModel(const ModelIdentity& model);
    Result<void> writeOp(std::int64_t id, const OpInfo& op);
    Result<void> writeSeal(const std::string& seal);
    Result<void> writeLogits(const RunRecord& run, const Column& column);

    std::string m_file;
    std::string m_name;
    std::unique_ptr<Database> m_database; // outlives the statements
    std::array<Statement, kTableCount> m_insert;
    Statement m_insertChain;
    std::string m_digest;    // of the last row written
    std::int64_t m_rows = 0; // written
    std::int64_t m_tensors = 0;
    std::set<std::int32_t> m_pieces; // already written
};

} // namespace ulp::trace
