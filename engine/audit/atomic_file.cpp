// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace ulp::audit {
namespace {

Error systemError(const std::string& path, int code)
{
    return makeError(ErrorCode::Io, std::string("cannot write: ") + std::strerror(code), path,
                     "choose a folder that exists, may be written to and has space");
}

/// The file that will be replaced: a link's target, for a link keeps pointing. Errors: BadUsage,
/// for what a rename would destroy without replacing (devices, pipes, folders).
Result<std::string> replaceable(const std::string& path)
{
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    const bool isNew = status.type() == std::filesystem::file_type::not_found;
    if (path.empty() || (!isNew && status.type() != std::filesystem::file_type::regular)) {
        return makeError(ErrorCode::BadUsage, "is not a regular file and will not be replaced",
                         path.empty() ? "the output's name" : path, "name a new file");
    }
    if (isNew && std::filesystem::is_symlink(path, code)) {
        return makeError(ErrorCode::BadUsage, "is a link to nothing", path, "name a new file");
    }
    return isNew ? path : std::filesystem::canonical(path, code).string();
}

} // namespace

AtomicFile::AtomicFile(std::string path, std::string temporary, std::FILE* file)
    : m_path(std::move(path)), m_temporary(std::move(temporary)), m_file(file)
{
}

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& given)
{
    const auto target = replaceable(given);
    if (!target) {
        return target.error();
    }
    const std::string& path = *target;
    std::string temporary = path + ".part-" + std::to_string(::getpid());
    // O_EXCL: never follow or reuse something that lies there already.
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return systemError(path, errno);
    }
    std::FILE* file = ::fdopen(fd, "wb");
    if (file == nullptr) {
        const int code = errno;
        ::close(fd);
        ::unlink(temporary.c_str());
        return systemError(path, code);
    }
    return std::unique_ptr<AtomicFile>(new AtomicFile(path, std::move(temporary), file));
}

AtomicFile::~AtomicFile()
{
    if (m_file != nullptr) {
        std::fclose(m_file);
        ::unlink(m_temporary.c_str());
    }
}

void AtomicFile::write(std::string_view bytes)
{
    if (m_errno == 0 && std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size()) {
        m_errno = errno == 0 ? EIO : errno;
    }
}

Result<void> AtomicFile::commit()
{
    const auto attempt = [this](int result) {
        if (m_errno == 0 && result != 0) {
            m_errno = errno;
        }
    };
    attempt(std::fflush(m_file));
    attempt(::fsync(::fileno(m_file)));
    attempt(std::fclose(m_file));
    m_file = nullptr;
    if (m_errno == 0) {
        attempt(::rename(m_temporary.c_str(), m_path.c_str()));
    }
    if (m_errno != 0) {
        ::unlink(m_temporary.c_str());
        return systemError(m_path, m_errno);
    }
    return {};
}

} // namespace ulp::audit
