// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A GGUF model file (versions 2 and 3, little-endian) as typed metadata and tensor views. Nothing
// in the file is trusted: every offset, size, count, string, type and alignment is checked before
// it is used, and what is not understood is refused by name. A tensor of a format this build cannot
// compute with still opens, so that a description can name it.
// A model split into files "NAME-00001-of-0000N.gguf" opens by the name of any of them and is then
// one file with the metadata of the first. Layout of the format: docs/gguf.md of the ggml project.
// Thread-safety: immutable after opening; share it. Ownership: shared_ptr<const GgufFile>; owns the
// mapping (or a copy of the bytes); every view it hands out lives as long as it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"

namespace ulp::model {

/// Values are the type numbers of the format.
enum class GgufType : std::uint32_t {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
};
[[nodiscard]] std::string_view toString(GgufType type); // "u32"; "?" for no such number

/// An array of strings, or of fixed-size elements (never of arrays: those are refused).
struct GgufArray {
    GgufType elementType = GgufType::U8;
    std::uint64_t count = 0;
    std::span<const std::byte> data;       // little-endian elements; empty for strings
    std::vector<std::string_view> strings; // count of them, if elementType is String
};

/// Unsigned, signed and floating-point types of every width meet in their widest.
using GgufValue =
    std::variant<std::uint64_t, std::int64_t, double, bool, std::string_view, GgufArray>;

struct GgufEntry {
    std::string_view key;
    GgufType type = GgufType::U8;
    GgufValue value;
};

struct GgufTensor {
    std::string name;
    std::uint32_t type = 0;          // GGUF type number; see numeric::weightTypeInfo
    std::vector<std::int64_t> dims;  // 1 to 4, dims[0] runs fastest: [k, rows] for a matrix
    std::int64_t elements = 0;       // product of dims
    std::uint64_t offset = 0;        // of the first byte, in the file
    std::span<const std::byte> data; // up to the next tensor if the type's size is not known
    bool supported = false;          // type is one that numeric::weightTypeInfo knows
    [[nodiscard]] std::string shape() const; // "[576, 49152]"
};

class GgufFile : public std::enable_shared_from_this<GgufFile> {
  public:
    /// Errors: BadInput (malformed), Unsupported (versions, byte order, split files), Io.
    static Result<std::shared_ptr<const GgufFile>> open(const std::string& path);
    /// The same reader over a copy of `bytes`; `name` stands for the path in errors.
    static Result<std::shared_ptr<const GgufFile>> fromBytes(std::span<const std::byte> bytes,
                                                             std::string name);
    GgufFile(const GgufFile&) = delete;
    GgufFile& operator=(const GgufFile&) = delete;
    ~GgufFile();

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::uint32_t version() const { return m_version; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; } // of the first part
    /// All bytes: of the file, or of the parts in order.
    [[nodiscard]] std::vector<std::span<const std::byte>> parts() const;
    [[nodiscard]] std::uint64_t totalBytes() const;
    [[nodiscard]] const std::vector<GgufEntry>& entries() const { return m_entries; }
    [[nodiscard]] const std::vector<GgufTensor>& tensors() const { return m_tensors; } // file order

    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    [[nodiscard]] const GgufEntry* find(std::string_view key) const;         // nullptr: none
    [[nodiscard]] const GgufTensor* findTensor(std::string_view name) const; // nullptr: none

    /// The value of `key` as T. Any integer type of the file serves any integer T that can hold the
    /// value; f32 and f64 serve float and double; nothing else converts. T: std::int32_t,
    /// std::uint32_t, std::int64_t, std::uint64_t, float, double, bool, std::string,
    /// std::string_view, or std::vector of std::int32_t, float or std::string_view.
    /// Errors: BadInput, naming file and key, when it is missing, of another type or out of range.
    template <typename T>
    [[nodiscard]] Result<T> get(std::string_view key) const;
    /// The same, but a missing key gives `fallback`.
    template <typename T>
    [[nodiscard]] Result<T> get(std::string_view key, T fallback) const
    {
        return has(key) ? get<T>(key) : Result<T>(std::move(fallback));
    }

    /// The error of a key whose value cannot be used: BadInput, naming file and key.
    [[nodiscard]] Error badKey(std::string_view key, std::string message) const;

    /// Gives the pages of `part` back to the system (see MappedFile::release).
    void release(std::span<const std::byte> part) const;

  private:
    friend class GgufParser;
    GgufFile() = default;
    static Result<std::shared_ptr<GgufFile>> openPart(const std::string& path);
    static Result<void> parse(GgufFile& file);
    static Result<std::shared_ptr<GgufFile>> openParts(const std::string& path,
                                                       std::uint64_t count);
    /// Takes over the tensors of the next part.
    Result<void> append(std::shared_ptr<GgufFile> part);

    std::string m_path;
    MappedFile m_map;
    std::shared_ptr<std::byte> m_copy; // of fromBytes, 64-byte aligned
    std::span<const std::byte> m_bytes;
    std::vector<std::shared_ptr<const GgufFile>> m_furtherParts; // theirs are the tensors' bytes
    std::uint32_t m_version = 0;
    std::vector<GgufEntry> m_entries;
    std::vector<GgufTensor> m_tensors;
    std::unordered_map<std::string_view, std::size_t> m_entryIndex;
    std::unordered_map<std::string_view, std::size_t> m_tensorIndex;
};

} // namespace ulp::model
