// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SQLite with Results instead of codes: a connection, prepared statements, typed values. Internal
// to trace. Thread-safety: one thread at a time for each connection. Ownership: a Database owns its
// connection, a Statement its statement; a Statement must not outlive its Database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ulp::trace {

/// What a column of a row holds; views stay valid until the statement steps on.
struct Blob {
    std::string_view bytes;
};
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;

class Statement {
  public:
    Statement() = default;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    Result<void> bind(int index, const SqlValue& value); // 1-based, as in SQL
    /// True: a row is there. False: done.
    Result<bool> step();
    void reset();

    [[nodiscard]] int columns() const;
    [[nodiscard]] SqlValue value(int column) const; // 0-based
    [[nodiscard]] bool isNull(int column) const;
    /// Nothing when the column is of another type.
    [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
    [[nodiscard]] std::optional<double> real(int column) const; // integers too
    [[nodiscard]] std::optional<std::string_view> text(int column) const;
    [[nodiscard]] std::optional<std::string_view> blob(int column) const;

  private:
    friend class Database;
    sqlite3_stmt* m_statement = nullptr;
    const class Database* m_database = nullptr;
};

class Database {
  public:
    enum class Mode { ReadWrite, ReadOnlyImmutable };
    /// `file` is opened; `name` is what errors call it. Foreign content is distrusted: no views, no
    /// triggers, no values longer than `longestValue`.
    static Result<std::unique_ptr<Database>> open(const std::string& file, const std::string& name,
                                                  Mode mode, std::int64_t longestValue);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Result<Statement> prepare(std::string_view sql) const;
    Result<void> execute(const std::string& sql) const;
    /// The first value of the first row, as text.
    Result<std::string> queryText(std::string_view sql) const;
    Result<void> close();
    /// What SQLite said last, told as an error about this file.
    [[nodiscard]] Error lastError() const;
    [[nodiscard]] const std::string& name() const { return m_name; }

  private:
    explicit Database(std::string name) : m_name(std::move(name)) {}
    sqlite3* m_connection = nullptr;
    std::string m_name;
};

} // namespace ulp::trace
