// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/base/utf8.h"

namespace ulp::audit {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// Calls f(sequence) for each code point, with the replacement character for each bad byte.
template <typename F>
void forEachCodePoint(std::string_view bytes, F&& f)
{
    while (!bytes.empty()) {
        const std::size_t length = utf8::codePointLength(bytes, 0);
        f(length == 0 ? kReplacement : bytes.substr(0, length));
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
}

} // namespace

std::string formatRate(double perSecond)
{
    if (!(perSecond > 0.0) || perSecond > 1e15) {
        return "-";
    }
    if (perSecond >= 100.0) {
        return formatCount(static_cast<std::int64_t>(perSecond + 0.5));
    }
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), perSecond >= 10.0 ? "%.1f" : "%.2f", perSecond);
    return buffer.data();
}

std::string formatDifference(double value)
{
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "infinity" : "-infinity";
    }
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g", value);
    std::string text = buffer.data();
    // "1e-07" -> "1e-7": the exponent without padding.
    const std::size_t e = text.find('e');
    if (e != std::string::npos) {
        std::size_t digits = e + 2;
        while (digits + 1 < text.size() && text[digits] == '0') {
            text.erase(digits, 1);
        }
        if (text[e + 1] == '+') {
            text.erase(e + 1, 1);
        }
    }
    return text;
}

std::string formatExact(double value)
{
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value > 0 ? "inf" : "-inf";
    }
    std::array<char, 40> buffer{};
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return code == std::errc() ? std::string(buffer.data(), end) : std::string("nan");
}

std::string formatCount(std::int64_t value)
{
    std::string digits = std::to_string(value);
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
        digits.insert(i - 3, ",");
    }
    return digits;
}

std::string formatPlural(std::int64_t count, std::string_view one, std::string_view many)
{
    return formatCount(count) + " " + std::string(count == 1 ? one : many);
}

std::string formatUlp(std::uint32_t value)
{
    const std::string text = std::to_string(value);
    return value == std::numeric_limits<std::uint32_t>::max() ? ">= " + text : text;
}

std::string formatHash(std::uint64_t hash)
{
    std::array<char, 20> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%016llx", static_cast<unsigned long long>(hash));
    return buffer.data();
}

std::string formatHashGrouped(std::uint64_t hash)
{
    std::string text = formatHash(hash);
    for (std::size_t at : {12U, 8U, 4U}) {
        text.insert(at, " ");
    }
    return text;
}

std::string className(std::size_t index)
{
    std::string name;
    for (++index; index > 0; index = (index - 1) / 26) {
        name.insert(name.begin(), static_cast<char>('A' + (index - 1) % 26));
    }
    return name;
}

std::string formatRuns(std::span<const int> runs)
{
    std::vector<std::string> items;
    for (std::size_t i = 0; i < runs.size();) {
        std::size_t end = i + 1;
        while (end < runs.size() && runs[end] == runs[end - 1] + 1) {
            ++end;
        }
        if (end - i >= 3) {
            items.push_back(std::to_string(runs[i]) + "-" + std::to_string(runs[end - 1]));
            i = end;
        } else {
            items.push_back(std::to_string(runs[i++]));
        }
    }
    return join(items, ", ");
}

std::string join(const std::vector<std::string>& items, std::string_view separator)
{
    std::string text;
    for (const auto& item : items) {
        if (&item != &items.front()) {
            text += separator;
        }
        text += item;
    }
    return text;
}

std::size_t codePoints(std::string_view bytes)
{
    std::size_t count = 0;
    forEachCodePoint(bytes, [&](std::string_view) { ++count; });
    return count;
}

std::string visibleText(std::string_view bytes)
{
    std::string text;
    forEachCodePoint(bytes, [&](std::string_view sequence) {
        const auto c = static_cast<unsigned char>(sequence[0]);
        if (c == '\n') {
            text += "\xE2\x86\xB5"; // U+21B5
        } else if (c == '\t') {
            text += "\xE2\x87\xA5"; // U+21E5
        } else if (c < 0x20) {
            text += {'\xE2', '\x90', static_cast<char>(0x80 + c)}; // U+2400 + c
        } else if (c == 0x7F) {
            text += "\xE2\x90\xA1"; // U+2421
        } else {
            text += sequence;
        }
    });
    return text;
}

std::string htmlEscape(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    forEachCodePoint(bytes, [&](std::string_view sequence) {
        const auto c = static_cast<unsigned char>(sequence[0]);
        switch (c) {
        case '&':
            text += "&amp;";
            break;
        case '<':
            text += "&lt;";
            break;
        case '>':
            text += "&gt;";
            break;
        case '"':
            text += "&quot;";
            break;
        case '\'':
            text += "&#39;";
            break;
        default:
            // HTML has no character references for most controls; show their pictures.
            text += (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ? visibleText(sequence)
                                                                      : std::string(sequence);
        }
    });
    return text;
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + '"';
}

} // namespace ulp::audit
