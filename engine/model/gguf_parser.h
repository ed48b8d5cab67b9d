// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The checked walk over a GGUF file's head that fills a GgufFile; private to it.
// Thread-safety: one thread. Ownership: borrows the file it fills.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/model/gguf.h"

namespace ulp::model {

class GgufParser {
  public:
    explicit GgufParser(GgufFile& file) : m_file(file), m_reader(file.m_bytes) {}
    Result<void> parse();

  private:
    Result<void> readHeader();
    Result<void> readEntries();
    Result<void> readTensors();
    Result<void> locateTensors();
    Result<void> placeTensor(GgufTensor& tensor, std::uint64_t dataStart);
    Result<void> checkOverlap();

    Result<std::string_view> readString(std::string_view what);
    Result<std::string_view> readName(std::string_view what);
    Result<GgufType> readType(std::string_view key);
    Result<GgufValue> readValue(GgufType type, std::string_view key);
    Result<GgufValue> readScalar(GgufType type, std::string_view key);
    Result<GgufValue> readArray(std::string_view key);
    Result<GgufTensor> readTensor();

    /// An error at the reader's position (or `offset`).
    [[nodiscard]] Error bad(std::string message) const { return badAt(m_reader.offset(), message); }
    [[nodiscard]] Error badAt(std::uint64_t offset, const std::string& message) const;
    [[nodiscard]] Error endsEarly(std::string_view what) const;
    [[nodiscard]] Error unsupported(std::string message, std::string remedy) const;

    GgufFile& m_file;
    ByteReader m_reader;
    std::uint64_t m_tensorCount = 0;
    std::uint64_t m_entryCount = 0;
};

} // namespace ulp::model
