// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/reference_rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>

namespace ulp::worker {

ReferenceRows::ReferenceRows(std::size_t ops, std::size_t columns, std::size_t memoryLimit)
    : m_ops(ops), m_columns(columns), m_limitFloats(memoryLimit / sizeof(float)),
      m_places(ops * columns)
{
}

ReferenceRows::~ReferenceRows()
{
    if (m_file >= 0) {
        close(m_file);
    }
}

Result<void> ReferenceRows::openFile()
{
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
    std::string name = (code ? std::filesystem::path("/tmp") : folder) / "ulpscope-rows-XXXXXX";
    m_file = mkostemp(name.data(), O_CLOEXEC);
    if (m_file < 0) {
        return makeError(ErrorCode::Io, std::strerror(errno), name,
                         "point TMPDIR to a folder with space, or use --keep-reference off");
    }
    // Unlinked at once: the rows hold prompt content and must not outlive the process.
    unlink(name.c_str());
    return {};
}

Result<void> ReferenceRows::writeToFile(std::span<const float> row)
{
    if (m_file < 0) {
        if (auto opened = openFile(); !opened) {
            return opened;
        }
    }
    const auto* bytes = reinterpret_cast<const char*>(row.data());
    std::size_t left = row.size_bytes();
    auto offset = static_cast<off_t>(m_fileFloats * sizeof(float));
    while (left > 0) {
        const ssize_t n = pwrite(m_file, bytes, left, offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return makeError(
                ErrorCode::Io,
                std::string("cannot keep the reference run's rows: ") + std::strerror(errno),
                "temporary folder",
                "free space there, point TMPDIR elsewhere, or use --keep-reference off");
        }
        bytes += n;
        left -= static_cast<std::size_t>(n);
        offset += n;
    }
    m_fileFloats += row.size();
    return {};
}

Result<void> ReferenceRows::keep(std::size_t column, std::size_t op, std::span<const float> row)
{
    if (column >= m_columns || op >= m_ops) {
        return makeError(ErrorCode::Internal, "a reference row lies outside the run");
    }
    Place place{0, static_cast<std::uint32_t>(row.size())};
    // Once the file has begun, everything goes there: memory is then full but for odd ends.
    if (m_fileFloats == 0 && m_memory.size() + row.size() <= m_limitFloats) {
        try {
            place.offset = m_memory.size();
            m_memory.insert(m_memory.end(), row.begin(), row.end());
            m_places[column * m_ops + op] = place;
            return {};
        } catch (const std::bad_alloc&) {
            m_limitFloats = m_memory.size(); // no memory after all: the file takes the rest
        }
    }
    place.offset = m_memory.size() + m_fileFloats;
    m_limitFloats = m_memory.size();
    if (auto written = writeToFile(row); !written) {
        return written;
    }
    m_places[column * m_ops + op] = place;
    return {};
}

std::span<const float> ReferenceRows::row(std::size_t column, std::size_t op)
{
    if (column >= m_columns || op >= m_ops) {
        return {};
    }
    const Place place = m_places[column * m_ops + op];
    if (place.length == 0) {
        return {};
    }
    if (place.offset < m_memory.size()) {
        return {m_memory.data() + place.offset, place.length};
    }
    m_read.resize(place.length);
    auto* bytes = reinterpret_cast<char*>(m_read.data());
    std::size_t left = m_read.size() * sizeof(float);
    auto offset = static_cast<off_t>((place.offset - m_memory.size()) * sizeof(float));
    while (left > 0) {
        const ssize_t n = pread(m_file, bytes, left, offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return {}; // reported as "magnitude not recorded", never as a number
        }
        bytes += n;
        left -= static_cast<std::size_t>(n);
        offset += n;
    }
    return m_read;
}

std::size_t automaticReferenceBytes()
{
    constexpr std::size_t kMost = std::size_t{4} << 30;
    constexpr std::size_t kLeast = std::size_t{64} << 20;
    std::ifstream in("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    std::string unit;
    while (in >> key >> kibibytes >> unit) {
        if (key == "MemAvailable:") {
            return std::clamp(kibibytes * 1024 / 4, kLeast, kMost);
        }
    }
    return kLeast;
}

} // namespace ulp::worker
