// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ulp {
namespace {

Error systemError(const std::string& path, const char* what, int number)
{
    const bool missing = number == ENOENT || number == ENOTDIR;
    return makeError(missing ? ErrorCode::BadInput : ErrorCode::Io,
                     std::string(what) + ": " + std::generic_category().message(number), path,
                     missing ? "check the path" : "check its permissions and the disk");
}

struct Descriptor {
    int number = -1;
    explicit Descriptor(int n) : number(n) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number >= 0) {
            ::close(number);
        }
    }
};

} // namespace

MappedFile::~MappedFile()
{
    if (m_data != nullptr) {
        ::munmap(const_cast<std::byte*>(m_data), m_size);
    }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0))
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

Result<MappedFile> MappedFile::open(const std::string& path)
{
    // O_NONBLOCK: a named pipe must not hang the caller before fstat can refuse it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0) {
        return systemError(path, "cannot open the file", errno);
    }
    struct stat status {};
    if (::fstat(file.number, &status) != 0) {
        return systemError(path, "cannot read the file's size", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return makeError(ErrorCode::BadInput, "is not a regular file", path, "name a file");
    }
    if (status.st_size <= 0) {
        return makeError(ErrorCode::BadInput, "the file is empty", path,
                         "get the file again, it may be a broken download");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (data == MAP_FAILED) {
        return systemError(path, "cannot map the file into memory", errno);
    }
    MappedFile mapped;
    mapped.m_data = static_cast<const std::byte*>(data);
    mapped.m_size = size;
    return mapped;
}

void MappedFile::release(std::span<const std::byte> part) const
{
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t first = (address + page - 1) / page * page;
    const std::uintptr_t last = (address + part.size()) / page * page;
    if (last > first) {
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
    }
}

} // namespace ulp
