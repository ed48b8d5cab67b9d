// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/trace_codec.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include <zstd.h>

#include "engine/base/bytes.h"

namespace ulp::trace {
namespace {

constexpr std::size_t kTopBytes = 8;
constexpr std::size_t kMagnitudeBytes = 32;
constexpr std::size_t kNonFiniteBytes = 20;
constexpr int kZstdLevel = 1;

template <typename T>
void append(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Reads values that are known to be there.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : m_at(bytes.data()) {}
    template <typename T>
    T take()
    {
        T value;
        std::memcpy(&value, m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }

  private:
    const char* m_at;
};

/// Whether `op` may follow `previous` in a sparse list.
bool ascends(std::int64_t previous, std::uint32_t op, std::size_t ops)
{
    return op<ops&& static_cast<std::int64_t>(op)> previous;
}

template <typename Int>
std::string joined(std::span<const Int> list)
{
    std::string text = "[";
    for (const Int value : list) {
        text += text.size() > 1 ? "," : "";
        text += std::to_string(value);
    }
    return text + "]";
}

} // namespace

std::string packTop(std::span<const TopLogit> top)
{
    std::string bytes;
    bytes.reserve(top.size() * kTopBytes);
    for (const TopLogit& entry : top) {
        append(bytes, entry.token);
        append(bytes, entry.logit);
    }
    return bytes;
}

std::optional<std::string> packMagnitudes(std::span<const Magnitude> magnitudes)
{
    std::string bytes;
    bytes.reserve(magnitudes.size() * kMagnitudeBytes);
    for (const Magnitude& entry : magnitudes) {
        if (entry.op < 0 || !std::in_range<std::uint32_t>(entry.differing) ||
            !std::in_range<std::uint32_t>(entry.of)) {
            return std::nullopt;
        }
        append(bytes, static_cast<std::uint32_t>(entry.op));
        append(bytes, static_cast<std::uint32_t>(entry.differing));
        append(bytes, static_cast<std::uint32_t>(entry.of));
        append(bytes, entry.maxUlp);
        append(bytes, entry.maxAbs);
        append(bytes, entry.relativeL2);
    }
    return bytes;
}

std::string packNonFinite(std::span<const NonFinite> counts)
{
    std::string bytes;
    bytes.reserve(counts.size() * kNonFiniteBytes);
    for (const NonFinite& entry : counts) {
        append(bytes, static_cast<std::uint32_t>(entry.op));
        append(bytes, entry.nan);
        append(bytes, entry.infinite);
    }
    return bytes;
}

std::optional<std::string> packTensor(std::span<const float> row)
{
    std::string bytes(ZSTD_compressBound(row.size_bytes()), '\0');
    const std::size_t size =
        ZSTD_compress(bytes.data(), bytes.size(), row.data(), row.size_bytes(), kZstdLevel);
    if (ZSTD_isError(size) != 0U) {
        return std::nullopt;
    }
    bytes.resize(size);
    return bytes;
}

std::optional<std::vector<TopLogit>> unpackTop(std::string_view bytes)
{
    if (bytes.size() % kTopBytes != 0) {
        return std::nullopt;
    }
    std::vector<TopLogit> top(bytes.size() / kTopBytes);
    Unpacker from(bytes);
    for (TopLogit& entry : top) {
        entry.token = from.take<std::int32_t>();
        entry.logit = from.take<float>();
    }
    return top;
}

std::optional<std::vector<Magnitude>> unpackMagnitudes(std::string_view bytes, std::size_t ops)
{
    if (bytes.size() % kMagnitudeBytes != 0) {
        return std::nullopt;
    }
    std::vector<Magnitude> magnitudes(bytes.size() / kMagnitudeBytes);
    Unpacker from(bytes);
    std::int64_t previous = -1;
    for (Magnitude& entry : magnitudes) {
        const auto op = from.take<std::uint32_t>();
        if (!ascends(previous, op, ops)) {
            return std::nullopt;
        }
        previous = op;
        entry.op = static_cast<std::int32_t>(op);
        entry.differing = from.take<std::uint32_t>();
        entry.of = from.take<std::uint32_t>();
        entry.maxUlp = from.take<std::uint32_t>();
        entry.maxAbs = from.take<double>();
        entry.relativeL2 = from.take<double>();
    }
    return magnitudes;
}

std::optional<std::vector<NonFinite>> unpackNonFinite(std::string_view bytes, std::size_t ops)
{
    if (bytes.size() % kNonFiniteBytes != 0) {
        return std::nullopt;
    }
    std::vector<NonFinite> counts(bytes.size() / kNonFiniteBytes);
    Unpacker from(bytes);
    std::int64_t previous = -1;
    for (NonFinite& entry : counts) {
        const auto op = from.take<std::uint32_t>();
        if (!ascends(previous, op, ops)) {
            return std::nullopt;
        }
        previous = op;
        entry.op = static_cast<std::int32_t>(op);
        entry.nan = from.take<std::int64_t>();
        entry.infinite = from.take<std::int64_t>();
        if (entry.nan < 0 || entry.infinite < 0) {
            return std::nullopt;
        }
    }
    return counts;
}

std::optional<std::vector<float>> unpackTensor(std::string_view bytes, std::size_t count)
{
    const unsigned long long told = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (told != static_cast<unsigned long long>(count) * sizeof(float)) {
        return std::nullopt; // also "unknown" and "error", which are not below 2^64 - 2
    }
    std::vector<float> row(count);
    const std::size_t size =
        ZSTD_decompress(row.data(), count * sizeof(float), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0U || size != count * sizeof(float)) {
        return std::nullopt;
    }
    return row;
}

std::string listToText(std::span<const std::int64_t> list)
{
    return joined(list);
}

std::string listToText(std::span<const int> list)
{
    return joined(list);
}

std::optional<std::vector<std::int64_t>> listFromText(std::string_view text)
{
    std::vector<std::int64_t> list;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
        return std::nullopt;
    }
    const char* at = text.data() + 1;
    const char* const end = text.data() + text.size() - 1;
    while (at < end) {
        std::int64_t value = 0;
        const auto [next, code] = std::from_chars(at, end, value);
        if (code != std::errc() || (next != end && *next != ',') || next + 1 == end) {
            return std::nullopt;
        }
        list.push_back(value);
        at = next == end ? end : next + 1;
    }
    return list;
}

} // namespace ulp::trace
