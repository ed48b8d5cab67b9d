// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading little-endian values from untrusted bytes with every bound checked, overflow-checked
// integer arithmetic, and sizes for people.
// Thread-safety: pure functions; a ByteReader belongs to one thread.
// Ownership: a ByteReader borrows its bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ulp {

static_assert(std::endian::native == std::endian::little, "file formats here are little-endian");

/// A cursor over bytes that never reads past their end.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    [[nodiscard]] std::uint64_t offset() const { return m_offset; }
    [[nodiscard]] std::uint64_t remaining() const { return m_bytes.size() - m_offset; }

    /// The next value, or nothing (and no movement) when the bytes end before it does.
    template <typename T>
    [[nodiscard]] std::optional<T> read()
    {
        static_assert(std::is_arithmetic_v<T>);
        if (remaining() < sizeof(T)) {
            return std::nullopt;
        }
        T value;
        std::memcpy(&value, m_bytes.data() + m_offset, sizeof(T));
        m_offset += sizeof(T);
        return value;
    }

    /// The next `count` bytes, or nothing when fewer remain.
    [[nodiscard]] std::optional<std::span<const std::byte>> take(std::uint64_t count)
    {
        if (remaining() < count) {
            return std::nullopt;
        }
        const auto taken = m_bytes.subspan(m_offset, count);
        m_offset += count;
        return taken;
    }

  private:
    std::span<const std::byte> m_bytes;
    std::uint64_t m_offset = 0;
};

[[nodiscard]] inline std::optional<std::uint64_t> checkedMultiply(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

[[nodiscard]] inline std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// The bytes of a text, and the text of bytes; neither copies.
[[nodiscard]] std::span<const std::byte> asBytes(std::string_view text);
[[nodiscard]] std::string_view asText(std::span<const std::byte> bytes);

/// "17 bytes", "4.2 KB", "98.2 MB", "1.3 GB": powers of 1000, for people.
[[nodiscard]] std::string describeBytes(std::uint64_t count);

} // namespace ulp
