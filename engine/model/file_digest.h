// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The SHA-256 of a mapped model file, made on a thread of its own while the weights are packed.
// Thread-safety: the owner starts, watches and finishes it; other threads may read the file.
// Ownership: borrows the file, which must outlive it; the thread is joined in the destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "engine/base/sha256.h"
#include "engine/model/gguf.h"

namespace ulp::model {

class FileDigest {
  public:
    explicit FileDigest(const GgufFile& file);
    ~FileDigest();
    FileDigest(const FileDigest&) = delete;
    FileDigest& operator=(const FileDigest&) = delete;

    [[nodiscard]] std::uint64_t bytesDone() const { return m_done.load(); }
    /// Whether finish() returns at once.
    [[nodiscard]] bool ready() const { return m_done.load() == m_file.totalBytes(); }
    /// Waits for the thread; 64 hexadecimal digits.
    [[nodiscard]] std::string finish();

  private:
    void work();

    const GgufFile& m_file;
    Sha256 m_sha256;
    std::atomic<std::uint64_t> m_done{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread; // last: it uses the members above
};

} // namespace ulp::model
