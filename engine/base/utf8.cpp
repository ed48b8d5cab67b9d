// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"

namespace ulp::utf8 {
namespace {

unsigned byteAt(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

} // namespace

std::size_t codePointLength(std::string_view text, std::size_t at)
{
    if (at >= text.size()) {
        return 0;
    }
    const unsigned lead = byteAt(text, at);
    if (lead < 0x80) {
        return 1;
    }
    // The first continuation byte's range excludes overlong forms and surrogates (RFC 3629, 4).
    std::size_t length = 0;
    unsigned low = 0x80;
    unsigned high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        low = lead == 0xE0 ? 0xA0 : low;
        high = lead == 0xED ? 0x9F : high;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        low = lead == 0xF0 ? 0x90 : low;
        high = lead == 0xF4 ? 0x8F : high;
    } else {
        return 0;
    }
    if (text.size() - at < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = byteAt(text, at + i);
        if (next < low || next > high) {
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

char32_t decode(std::string_view text, std::size_t at, std::size_t length)
{
    const unsigned lead = byteAt(text, at);
    if (length == 1) {
        return lead;
    }
    char32_t value = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        value = (value << 6U) | (byteAt(text, at + i) & 0x3FU);
    }
    return value;
}

void append(std::string& text, char32_t codePoint)
{
    const auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0U | (codePoint >> 6U));
        put(0x80U | (codePoint & 0x3FU));
    } else if (codePoint < 0x10000) {
        put(0xE0U | (codePoint >> 12U));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    } else {
        put(0xF0U | (codePoint >> 18U));
        put(0x80U | ((codePoint >> 12U) & 0x3FU));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    }
}

std::size_t validPrefix(std::string_view text)
{
    std::size_t at = 0;
    while (const std::size_t length = codePointLength(text, at)) {
        at += length;
    }
    return at;
}

bool isValid(std::string_view text)
{
    return validPrefix(text) == text.size();
}

std::size_t invalidPrefix(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size() && codePointLength(text, at) == 0) {
        ++at;
    }
    return at;
}

std::string repaired(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t valid = validPrefix(text);
        result += text.substr(0, valid);
        text.remove_prefix(valid);
        const std::size_t invalid = invalidPrefix(text);
        for (std::size_t i = 0; i < invalid; ++i) {
            append(result, 0xFFFD);
        }
        text.remove_prefix(invalid);
    }
    return result;
}

} // namespace ulp::utf8
