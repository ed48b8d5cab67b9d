// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/sqlite_db.h"

#include <algorithm>
#include <utility>

#include <sqlite3.h>

namespace ulp::trace {
namespace {

/// A file name as SQLite's URI wants it.
std::string immutableUri(const std::string& file)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : file) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#') {
            uri += '%';
            uri += kHex[byte >> 4U];
            uri += kHex[byte & 15U];
        } else {
            uri += c;
        }
    }
    return uri + "?immutable=1";
}

/// What to do about a primary result code, and whose fault it is.
std::pair<ErrorCode, std::string> judge(int code)
{
    switch (code) {
    case SQLITE_FULL:
        return {ErrorCode::Io, "free space on that disk, or choose a folder on another one"};
    case SQLITE_IOERR:
        return {ErrorCode::Io, "check that the disk has space and is not failing"};
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {ErrorCode::Io, "choose a folder that you may write to"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::Io, "close the other program that uses the file"};
    case SQLITE_NOMEM:
        return {ErrorCode::Io, "free some memory and try again"};
    default:
        return {ErrorCode::BadInput, "use an undamaged copy of the file"};
    }
}

void distrust(sqlite3* connection, std::int64_t longestValue)
{
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    const auto longest = static_cast<int>(std::clamp<std::int64_t>(longestValue, 100'000, 1 << 30));
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longest);
    sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, 100'000);
    sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, 64);
    sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 32);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
    sqlite3_exec(connection, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

} // namespace

Statement::Statement(Statement&& other) noexcept
    : m_statement(std::exchange(other.m_statement, nullptr)), m_database(other.m_database)
{
}

Statement& Statement::operator=(Statement&& other) noexcept
{
    if (this != &other) {
        sqlite3_finalize(m_statement);
        m_statement = std::exchange(other.m_statement, nullptr);
        m_database = other.m_database;
    }
    return *this;
}

Statement::~Statement()
{
    sqlite3_finalize(m_statement);
}

Result<void> Statement::bind(int index, const SqlValue& value)
{
    int code = SQLITE_OK;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        code = sqlite3_bind_int64(m_statement, index, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
        code = sqlite3_bind_double(m_statement, index, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
        code = sqlite3_bind_text64(m_statement, index, text->empty() ? "" : text->data(),
                                   text->size(), SQLITE_STATIC, SQLITE_UTF8);
    } else if (const auto* blob = std::get_if<Blob>(&value)) {
        code = blob->bytes.empty() ? sqlite3_bind_zeroblob(m_statement, index, 0)
                                   : sqlite3_bind_blob64(m_statement, index, blob->bytes.data(),
                                                         blob->bytes.size(), SQLITE_STATIC);
    } else {
        code = sqlite3_bind_null(m_statement, index);
    }
    return code == SQLITE_OK ? Result<void>() : m_database->lastError();
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        return code == SQLITE_ROW;
    }
    return m_database->lastError();
}

void Statement::reset()
{
    sqlite3_reset(m_statement);
    sqlite3_clear_bindings(m_statement);
}

int Statement::columns() const
{
    return sqlite3_column_count(m_statement);
}

SqlValue Statement::value(int column) const
{
    switch (sqlite3_column_type(m_statement, column)) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(m_statement, column);
    case SQLITE_FLOAT:
        return sqlite3_column_double(m_statement, column);
    case SQLITE_TEXT:
        return *text(column);
    case SQLITE_BLOB:
        return Blob{*blob(column)};
    default:
        return {};
    }
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

std::optional<std::int64_t> Statement::integer(int column) const
{
    if (sqlite3_column_type(m_statement, column) != SQLITE_INTEGER) {
        return std::nullopt;
    }
    return sqlite3_column_int64(m_statement, column);
}

std::optional<double> Statement::real(int column) const
{
    const int type = sqlite3_column_type(m_statement, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) {
        return std::nullopt;
    }
    return sqlite3_column_double(m_statement, column);
}

std::optional<std::string_view> Statement::text(int column) const
{
    if (sqlite3_column_type(m_statement, column) != SQLITE_TEXT) {
        return std::nullopt;
    }
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    const auto count = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, count);
}

std::optional<std::string_view> Statement::blob(int column) const
{
    if (sqlite3_column_type(m_statement, column) != SQLITE_BLOB) {
        return std::nullopt;
    }
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
    const auto count = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, count);
}

Result<std::unique_ptr<Database>> Database::open(const std::string& file, const std::string& name,
                                                 Mode mode, std::int64_t longestValue)
{
    std::unique_ptr<Database> database(new Database(name));
    const bool immutable = mode == Mode::ReadOnlyImmutable;
    // A relative name that begins like a URI would be taken for one.
    const std::string plain = !file.empty() && file[0] == '/' ? file : "./" + file;
    const int flags = immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE;
    const int code = sqlite3_open_v2((immutable ? immutableUri(plain) : plain).c_str(),
                                     &database->m_connection, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) {
        return database->lastError();
    }
    distrust(database->m_connection, longestValue);
    return database;
}

Database::~Database()
{
    sqlite3_close_v2(m_connection);
}

Result<Statement> Database::prepare(std::string_view sql) const
{
    Statement statement;
    statement.m_database = this;
    const int code = sqlite3_prepare_v2(m_connection, sql.data(), static_cast<int>(sql.size()),
                                        &statement.m_statement, nullptr);
    if (code != SQLITE_OK) {
        return lastError();
    }
    return statement;
}

Result<void> Database::execute(const std::string& sql) const
{
    const int code = sqlite3_exec(m_connection, sql.c_str(), nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? Result<void>() : lastError();
}

Result<std::string> Database::queryText(std::string_view sql) const
{
    auto statement = prepare(sql);
    if (!statement) {
        return statement.error();
    }
    auto row = statement->step();
    if (!row) {
        return row.error();
    }
    if (!*row) {
        return std::string();
    }
    const SqlValue value = statement->value(0);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*integer);
    }
    return std::string(statement->text(0).value_or(""));
}

Result<void> Database::close()
{
    const int code = sqlite3_close(m_connection);
    if (code != SQLITE_OK) {
        return lastError();
    }
    m_connection = nullptr;
    return {};
}

Error Database::lastError() const
{
    const int code = m_connection != nullptr ? sqlite3_errcode(m_connection) : SQLITE_NOMEM;
    const auto [kind, remedy] = judge(code & 0xff);
    const std::string said =
        m_connection != nullptr ? sqlite3_errmsg(m_connection) : sqlite3_errstr(code);
    return makeError(kind, "SQLite says: " + said, m_name, remedy);
}

} // namespace ulp::trace
