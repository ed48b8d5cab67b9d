// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The op outputs of a session's reference run, so that later runs can say exactly how far they are
// from it. Memory up to a limit, then one temporary file that vanishes with the process.
// Thread-safety: one thread. Ownership: owns the memory and the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace ulp::worker {

class ReferenceRows {
  public:
    /// `memoryLimit` bytes stay in memory; what comes after goes to a file in the temporary folder.
    ReferenceRows(std::size_t ops, std::size_t columns, std::size_t memoryLimit);
    ~ReferenceRows();
    ReferenceRows(const ReferenceRows&) = delete;
    ReferenceRows& operator=(const ReferenceRows&) = delete;

    /// Keeps one row. Error: Io when neither memory nor the temporary folder takes it; rows kept
    /// before stay readable.
    Result<void> keep(std::size_t column, std::size_t op, std::span<const float> row);
    /// The row, or empty when it was not kept. Valid until the next call.
    [[nodiscard]] std::span<const float> row(std::size_t column, std::size_t op);
    [[nodiscard]] std::size_t bytesInMemory() const { return m_memory.size() * sizeof(float); }
    [[nodiscard]] std::size_t bytesInFile() const { return m_fileFloats * sizeof(float); }

  private:
    struct Place {
        std::uint64_t offset = 0; // in floats; the file continues where memory ends
        std::uint32_t length = 0; // 0: not kept
    };
    Result<void> openFile();
    Result<void> writeToFile(std::span<const float> row);

    std::size_t m_ops;
    std::size_t m_columns;
    std::size_t m_limitFloats;
    std::vector<Place> m_places; // [columns, ops]
    std::vector<float> m_memory;
    std::vector<float> m_read; // the row last read from the file
    int m_file = -1;
    std::size_t m_fileFloats = 0;
};

/// What "auto" means: a quarter of the memory that is free now, at most 4 GiB.
[[nodiscard]] std::size_t automaticReferenceBytes();

} // namespace ulp::worker
