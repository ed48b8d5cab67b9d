// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/trace/row_writer.h"
#include "engine/trace/trace_file.h"

namespace ulp::trace {
namespace {

std::string folderOf(const std::string& path)
{
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

Error cannotWrite(const std::string& path, int code)
{
    const std::string why = std::strerror(code);
    if (code == ENOSPC || code == EDQUOT) {
        return makeError(ErrorCode::Io, "cannot be written: " + why, path,
                         "free space on that disk, or choose a folder on another one");
    }
    if (code == ENOENT || code == ENOTDIR) {
        return makeError(ErrorCode::Io, "cannot be written: " + why, path,
                         "create the folder " + folderOf(path) + " or choose another one");
    }
    return makeError(ErrorCode::Io, "cannot be written: " + why, path,
                     "choose a folder that you may write to");
}

/// What SQLite keeps beside a file while it is written; stale ones would be taken for the new
/// file's.
void removeCompanions(const std::string& path)
{
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        ::unlink((path + suffix).c_str());
    }
}

/// Only a trace (or an empty file) is ever replaced: a mistyped name must not cost a model.
bool mayBeReplaced(const std::string& path)
{
    constexpr std::size_t kApplicationId = 68; // its offset in SQLite's file header
    std::array<char, kApplicationId + 4> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    const auto count = static_cast<std::size_t>(file.gcount());
    const std::string_view bytes(head.data(), count);
    return bytes.empty() ? !file.bad()
                         : bytes.starts_with("SQLite format 3") &&
                               bytes.substr(std::min(count, kApplicationId)) == "ULPS";
}

Error existsAlready(const std::string& path)
{
    return makeError(ErrorCode::BadUsage, "exists already", path,
                     "choose another name or remove it first");
}

/// A recording in progress is held by its lock: its rows must not lose their file.
Result<void> checkNobodyRecords(const std::string& path)
{
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0) {
        return {}; // nothing there, or nothing that we could have recorded
    }
    const bool held = ::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(handle);
    return held ? Result<void>(makeError(ErrorCode::BadUsage, "is being recorded by another run",
                                         path, "choose another name, or wait until it has ended"))
                : Result<void>();
}

/// Whether a recording may take this name.
Result<void> checkTarget(const std::string& path, bool overwrite)
{
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return errno == ENOENT ? Result<void>() : cannotWrite(path, errno);
    }
    if (!overwrite) {
        return existsAlready(path);
    }
    if (!S_ISREG(status.st_mode)) {
        return makeError(ErrorCode::BadUsage, "is not a regular file and will not be replaced",
                         path, "choose another name");
    }
    if (!mayBeReplaced(path)) {
        return makeError(ErrorCode::BadUsage, "is not a trace and will not be replaced", path,
                         "choose another name");
    }
    return checkNobodyRecords(path);
}

/// rename() that fails with EEXIST rather than replace.
int renameToNew(const char* from, const char* to)
{
    if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    // A file system without that flag.
    return ::link(from, to) == 0 ? ::unlink(from) : -1;
}

/// A temporary file that is gone unless it was given its name. Only its owner may read it: prompts
/// and outputs are private.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& target) : m_path(target + ".XXXXXX")
    {
        m_handle = ::mkostemp(m_path.data(), O_CLOEXEC); // mode 0600
    }
    ~TemporaryFile()
    {
        if (m_handle >= 0) {
            ::close(m_handle);
        }
        if (m_handle >= 0 && !m_named) {
            ::unlink(m_path.c_str());
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] bool valid() const { return m_handle >= 0; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Until this object goes, nobody else may record over the file.
    void lock() { static_cast<void>(::flock(m_handle, LOCK_EX | LOCK_NB)); }

    Result<void> moveTo(const std::string& target, bool replace)
    {
        if (::fsync(m_handle) != 0) {
            return cannotWrite(target, errno);
        }
        const int moved = replace ? ::rename(m_path.c_str(), target.c_str())
                                  : renameToNew(m_path.c_str(), target.c_str());
        if (moved != 0) {
            return errno == EEXIST ? existsAlready(target) : cannotWrite(target, errno);
        }
        m_named = true;
        removeCompanions(target);
        // The new name survives a power cut only once the folder is on the disk too.
        const int folder = ::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            ::fsync(folder);
            ::close(folder);
        }
        return {};
    }

  private:
    std::string m_path;
    int m_handle = -1;
    bool m_named = false;
};

class FileTraceWriter : public TraceWriter {
  public:
    FileTraceWriter(std::unique_ptr<RowWriter> rows, std::unique_ptr<TemporaryFile> file)
        : m_file(std::move(file)), m_rows(std::move(rows))
    {
    }

    Result<void> beginRun(const RunRecord& run) override
    {
        return inOneCommit([&] {
            m_written[run.run] = 0;
            return m_rows->writeRun(run);
        });
    }

    Result<void> appendColumns(const RunRecord& run) override
    {
        if (m_written[run.run] >= run.columnCount) {
            return m_failure;
        }
        return inOneCommit([&] { return writeNewColumns(run); });
    }

    Result<void> finishRun(const RunRecord& run) override
    {
        return inOneCommit([&] {
            auto outcome = writeNewColumns(run);
            return outcome ? m_rows->writeRunEnd(run) : outcome;
        });
    }

    Result<void> addPieces(const std::map<std::int32_t, std::string>& pieces) override
    {
        return inOneCommit([&] { return m_rows->writePieces(pieces); });
    }

    Result<void> close() override
    {
        if (m_failure) {
            m_failure = m_rows->finish();
        }
        return m_failure;
    }

  private:
    /// After a failure nothing more is written: what was committed before stays as it is.
    Result<void> inOneCommit(const std::function<Result<void>()>& write)
    {
        if (m_failure) {
            m_failure = m_rows->begin();
        }
        if (m_failure) {
            m_failure = write();
        }
        if (m_failure) {
            m_failure = m_rows->commit();
        }
        return m_failure;
    }

    Result<void> writeNewColumns(const RunRecord& run)
    {
        std::size_t& written = m_written[run.run];
        for (; written < run.columnCount; ++written) {
            if (auto done = m_rows->writeColumn(run, written); !done) {
                return done;
            }
        }
        return {};
    }

    std::unique_ptr<TemporaryFile> m_file; // holds the lock; goes after the rows, whose connection
                                           // would lose its own locks with it
    std::unique_ptr<RowWriter> m_rows;
    std::map<int, std::size_t> m_written; // columns by run
    Result<void> m_failure;
};

Result<void> writeAll(RowWriter& rows, const Snapshot& snapshot)
{
    auto outcome = rows.begin();
    outcome = outcome ? rows.writeHead(snapshot) : outcome;
    for (std::size_t i = 0; i < snapshot.runs.size() && outcome; ++i) {
        RunRecord run = *snapshot.runs[i];
        run.run = static_cast<int>(i);
        outcome = rows.writeRun(run);
        for (std::size_t c = 0; c < run.columnCount && outcome; ++c) {
            outcome = rows.writeColumn(run, c);
        }
        if (outcome && run.status != RunStatus::Running) {
            outcome = rows.writeRunEnd(run);
        }
    }
    outcome = outcome ? rows.commit() : outcome;
    return outcome ? rows.finish() : outcome;
}

} // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::string& path,
                                                         const Snapshot& head, bool overwrite)
{
    if (auto free = checkTarget(path, overwrite); !free) {
        return free.error();
    }
    // The name is taken by a file that opens: a kill leaves the old one or a whole new one.
    auto temporary = std::make_unique<TemporaryFile>(path);
    if (!temporary->valid()) {
        return cannotWrite(path, errno);
    }
    temporary->lock();
    auto rows = RowWriter::create(temporary->path(), path);
    if (!rows) {
        return rows.error();
    }
    auto outcome = (*rows)->begin();
    outcome = outcome ? (*rows)->writeHead(head) : outcome;
    outcome = outcome ? (*rows)->commit() : outcome;
    outcome = outcome ? (*rows)->detach() : outcome;
    outcome = outcome ? temporary->moveTo(path, overwrite) : outcome;
    outcome = outcome ? (*rows)->record(path) : outcome;
    if (!outcome) {
        return outcome.error();
    }
    return std::unique_ptr<TraceWriter>(
        std::make_unique<FileTraceWriter>(std::move(*rows), std::move(temporary)));
}

Result<void> saveTrace(const Snapshot& snapshot, const std::string& path)
{
    if (auto free = checkNobodyRecords(path); !free) {
        return free;
    }
    TemporaryFile temporary(path);
    if (!temporary.valid()) {
        return cannotWrite(path, errno);
    }
    auto rows = RowWriter::create(temporary.path(), path);
    if (!rows) {
        return rows.error();
    }
    auto outcome = writeAll(**rows, snapshot);
    rows->reset(); // nothing may hold the file open when it gets its name
    return outcome ? temporary.moveTo(path, true) : outcome;
}

} // namespace ulp::trace
