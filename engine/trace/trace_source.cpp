// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/trace_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/trace/trace_schema.h"

namespace ulp::trace {
namespace {

namespace fs = std::filesystem;

// Fields of SQLite's file header (sqlite.org/fileformat2.html, 1.3).
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kWriteVersionAt = 18; // 1 rollback journal, 2 write-ahead log
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};

std::uint32_t bigEndian(const char* bytes)
{
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

/// Size and time of last change of the files that make up a trace; to see whether someone is
/// writing.
struct Footprint {
    std::array<std::int64_t, 3> size{-1, -1, -1};
    std::array<std::int64_t, 3> changed{};
    bool operator==(const Footprint&) const = default;
};

constexpr std::array<const char*, 3> kParts{"", "-wal", "-journal"};

Footprint footprint(const std::string& path)
{
    Footprint result;
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        struct stat status {};
        if (::stat((path + kParts[i]).c_str(), &status) == 0) {
            result.size[i] = status.st_size;
            result.changed[i] = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
        }
    }
    return result;
}

Error notATrace(const std::string& path, const std::string& why)
{
    return makeError(ErrorCode::BadInput, "is not an Ulpscope trace: " + why, path,
                     "choose a .ulp file that Ulpscope wrote");
}

} // namespace

TraceSource::~TraceSource()
{
    m_database.reset();
    if (!m_folder.empty()) {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
}

Result<std::unique_ptr<TraceSource>> TraceSource::open(const std::string& path)
{
    std::unique_ptr<TraceSource> source(new TraceSource(path));
    auto outcome = source->readHeader();
    const Footprint found = footprint(path);
    const bool hasLog = source->m_recording && found.size[1] > 0;
    const bool hasJournal = found.size[2] > 0;
    std::string file = path;
    auto mode = Database::Mode::ReadOnlyImmutable;
    if (outcome && (hasLog || hasJournal)) {
        outcome = source->copyAside();
        file = source->m_folder + "/trace";
        mode = Database::Mode::ReadWrite;
    }
    if (!outcome) {
        return outcome.error();
    }
    for (const std::int64_t size : found.size) {
        source->m_bytes += std::max<std::int64_t>(size, 0);
    }
    auto database = Database::open(file, path, mode, source->m_bytes);
    if (!database) {
        return database.error();
    }
    source->m_database = std::move(*database);
    outcome = source->checkTables();
    return outcome ? Result<std::unique_ptr<TraceSource>>(std::move(source)) : outcome.error();
}

/// Everything that can be refused before SQLite sees a byte.
Result<void> TraceSource::readHeader()
{
    struct stat status {};
    if (::stat(m_path.c_str(), &status) != 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return makeError(missing ? ErrorCode::BadInput : ErrorCode::Io,
                         std::string("cannot be opened: ") + std::strerror(errno), m_path,
                         missing ? "check the name" : "check its permissions");
    }
    if (!S_ISREG(status.st_mode)) {
        return notATrace(m_path, "it is no regular file");
    }
    std::ifstream stream(m_path, std::ios::binary);
    if (!stream) {
        return makeError(ErrorCode::Io, "cannot be read", m_path, "check its permissions");
    }
    std::array<char, kHeaderBytes> header{};
    stream.read(header.data(), header.size());
    if (stream.gcount() < static_cast<std::streamsize>(header.size())) {
        return notATrace(m_path, "it ends after " + std::to_string(stream.gcount()) + " bytes");
    }
    if (std::string_view(header.data(), kMagic.size()) != kMagic) {
        return notATrace(m_path, "it does not begin like an SQLite 3 file (offset 0)");
    }
    if (bigEndian(header.data() + kApplicationIdAt) != kApplicationId) {
        return notATrace(m_path, "its application id is not ULPS (offset 68)");
    }
    const std::uint32_t version = bigEndian(header.data() + kUserVersionAt);
    if (version == 0 || version > kFormatVersion) {
        return makeError(ErrorCode::Unsupported,
                         "has trace format version " + std::to_string(version) +
                             ", this program reads version " + std::to_string(kFormatVersion),
                         m_path + ": offset 60", "open it with a newer version of Ulpscope");
    }
    m_recording = header[kWriteVersionAt] == 2 && header[kWriteVersionAt + 1] == 2;
    return {};
}

Result<void> TraceSource::copyAside()
{
    std::error_code code;
    const fs::path root = fs::temp_directory_path(code);
    std::string folder = (code ? fs::path("/tmp") : root).string() + "/ulpscope-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) {
        return makeError(ErrorCode::Io,
                         std::string("no temporary folder can be made: ") + std::strerror(errno),
                         folder, "set TMPDIR to a folder that you may write to");
    }
    m_folder = folder;
    constexpr int kAttempts = 5; // a recording in progress may write between two copies
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const Footprint before = footprint(m_path);
        for (std::size_t i = 0; i < kParts.size(); ++i) {
            const std::string to = m_folder + "/trace" + kParts[i];
            fs::remove(to, code);
            if (before.size[i] < 0) {
                continue;
            }
            fs::copy_file(m_path + kParts[i], to, code);
            if (code) {
                return makeError(ErrorCode::Io, "cannot be copied for reading: " + code.message(),
                                 m_path + kParts[i],
                                 "free space in " + m_folder + " or set TMPDIR to another folder");
            }
        }
        if (footprint(m_path) == before) {
            return {};
        }
    }
    return makeError(ErrorCode::Io, "is being written by another program", m_path,
                     "open it when that recording has stopped");
}

/// Only tables that this version knows are ever read, and only if they are exactly those: no view,
/// trigger or generated column can take part.
Result<void> TraceSource::checkTables() const
{
    std::map<std::string, std::string> found;
    auto statement = m_database->prepare("SELECT type, name, sql FROM sqlite_schema");
    if (!statement) {
        return statement.error();
    }
    for (;;) {
        auto row = statement->step();
        if (!row) {
            return row.error();
        }
        if (!*row) {
            break;
        }
        const std::string type(statement->text(0).value_or(""));
        const std::string name(statement->text(1).value_or(""));
        if (type != "table" && type != "index") {
            return makeError(ErrorCode::BadInput, "holds a " + type + " named " + name,
                             m_path + ": sqlite_schema", "use a trace that Ulpscope wrote");
        }
        found[name] = std::string(statement->text(2).value_or(""));
    }
    const auto check = [&](const TableInfo& table) -> Result<void> {
        const auto it = found.find(std::string(table.name));
        if (it != found.end() && it->second == table.create) {
            return {};
        }
        return makeError(ErrorCode::BadInput,
                         "table " + std::string(table.name) +
                             (it == found.end() ? " is missing" : " has another layout"),
                         m_path + ": sqlite_schema", "use an undamaged copy of the file");
    };
    Result<void> outcome;
    for (const TableInfo& table : tables()) {
        outcome = outcome ? check(table) : outcome;
    }
    for (const TableInfo& table : bookkeepingTables()) {
        outcome = outcome ? check(table) : outcome;
    }
    return outcome;
}

} // namespace ulp::trace
