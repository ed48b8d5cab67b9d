// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file with given bytes that goes away with its object, for tests of what reads paths.
// Thread-safety: one thread for each object. Ownership: owns the file on disk.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include <unistd.h>

namespace ulp::test {

class TemporaryFile {
  public:
    explicit TemporaryFile(std::span<const std::byte> bytes = {}, const std::string& suffix = "")
    {
        static std::atomic<int> counter{0};
        m_path = (std::filesystem::temp_directory_path() /
                  ("ulpscope-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
                   suffix))
                     .string();
        std::ofstream file(m_path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::remove(m_path.c_str()); }

    [[nodiscard]] const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

} // namespace ulp::test
