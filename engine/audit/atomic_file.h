// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that appears whole or not at all: written to a temporary name in the same folder, renamed
// on commit, removed otherwise. Thread-safety: one thread at a time. Ownership: owns the temporary
// file until commit.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace ulp::audit {

class AtomicFile {
  public:
    /// Errors: Io, with the folder and the system's reason.
    static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Failures are kept and reported by commit().
    void write(std::string_view bytes);
    /// Flushes to the disk and gives the file its name. Errors: Io.
    Result<void> commit();

  private:
    AtomicFile(std::string path, std::string temporary, std::FILE* file);

    std::string m_path;
    std::string m_temporary;
    std::FILE* m_file = nullptr;
    int m_errno = 0;
};

} // namespace ulp::audit
