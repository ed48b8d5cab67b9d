// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole file as read-only memory. Pages come in when they are touched and can be given back.
// The file must not shrink while it is mapped: the operating system then kills the reader.
// Thread-safety: read it from any thread. Ownership: owns the mapping; spans into it live as long
// as it does.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace ulp {

class MappedFile {
  public:
    MappedFile() = default;
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    /// Errors: BadInput (missing, a folder, a device, empty), Io (permission, ...).
    static Result<MappedFile> open(const std::string& path);

    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    /// Gives the pages that lie wholly inside `part` back; they are read again when touched.
    void release(std::span<const std::byte> part) const;

  private:
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace ulp
