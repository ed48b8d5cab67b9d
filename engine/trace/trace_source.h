// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A trace file opened for reading without touching it. A file in one piece is read where it lies,
// as immutable. What a recording that was cut short left behind (a write-ahead log beside the file)
// needs recovery, which writes: that is done on a copy in the temporary folder. Internal to trace.
// Thread-safety: one thread at a time. Ownership: owns the connection and the copy, which is
// removed with it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/trace/sqlite_db.h"

namespace ulp::trace {

class TraceSource {
  public:
    /// Checks identity, version and tables. Errors: BadInput (missing, not a trace, damaged),
    /// Unsupported (a newer version), Io.
    static Result<std::unique_ptr<TraceSource>> open(const std::string& path);
    ~TraceSource();
    TraceSource(const TraceSource&) = delete;
    TraceSource& operator=(const TraceSource&) = delete;

    [[nodiscard]] const Database& database() const { return *m_database; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Bytes of the file and its log: no honest content is longer.
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }
    /// Whether the file says that a recording was going on (WAL mode).
    [[nodiscard]] bool recording() const { return m_recording; }

  private:
    explicit TraceSource(std::string path) : m_path(std::move(path)) {}
    Result<void> readHeader();
    Result<void> copyAside();
    Result<void> checkTables() const;

    std::string m_path;
    std::string m_folder; // of the copy; empty without one
    std::int64_t m_bytes = 0;
    bool m_recording = false;
    std::unique_ptr<Database> m_database;
};

} // namespace ulp::trace
