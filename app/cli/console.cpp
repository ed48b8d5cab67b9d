// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "engine/audit/format.h"
#include "engine/audit/report.h"

namespace ulp::cli {
namespace {

bool colours()
{
    static const bool enabled =
        ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; // no-color.org
    return enabled;
}

const char* escapeOf(Tone tone)
{
    switch (tone) {
    case Tone::Bold:
        return "\x1b[1m";
    case Tone::Good:
        return "\x1b[1;32m";
    case Tone::Warn:
        return "\x1b[1;33m";
    case Tone::Bad:
        return "\x1b[1;31m";
    case Tone::Plain:
        break;
    }
    return "";
}

/// One line that a terminal takes: a hostile file must not write escapes to it, nor pages.
std::string errorLine(const Error& error)
{
    constexpr std::size_t kHead = 900;
    constexpr std::size_t kTail = 300;
    const std::string text = audit::visibleText(error.text());
    if (text.size() <= kHead + kTail) {
        return text;
    }
    const auto startsHere = [&text](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U; // no continuation byte
    };
    std::size_t head = kHead;
    std::size_t tail = text.size() - kTail;
    while (!startsHere(head)) {
        --head;
    }
    while (!startsHere(tail)) {
        ++tail;
    }
    return text.substr(0, head) + " [... " + std::to_string(tail - head) + " bytes ...] " +
           text.substr(tail);
}

} // namespace

Exit fail(const Error& error)
{
    std::fflush(stdout);
    std::fprintf(stderr, "ulpscope-cli: %s\n", errorLine(error).c_str());
    switch (error.code) {
    case ErrorCode::Cancelled:
        return Exit::Interrupted;
    case ErrorCode::Internal:
        return Exit::Internal;
    case ErrorCode::BadUsage:
    case ErrorCode::BadInput:
    case ErrorCode::Unsupported:
    case ErrorCode::Io:
        break;
    }
    return Exit::BadInput;
}

void printJson(const audit::JsonValue& document)
{
    print(audit::layoutJson(document));
}

void print(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string toned(std::string_view text, Tone tone)
{
    if (!colours() || tone == Tone::Plain) {
        return std::string(text);
    }
    return escapeOf(tone) + std::string(text) + "\x1b[0m";
}

ProgressLine::ProgressLine(bool forced) : m_terminal(::isatty(STDERR_FILENO) == 1), m_forced(forced)
{
}

void ProgressLine::show(const std::string& text)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_terminal) {
        std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
        m_shown = true;
    } else if (m_forced && now - m_last >= std::chrono::seconds(1)) {
        std::fprintf(stderr, "%s\n", text.c_str());
        m_last = now;
    }
}

void ProgressLine::clear()
{
    if (m_shown) {
        std::fprintf(stderr, "\r\x1b[K");
        m_shown = false;
    }
}

} // namespace ulp::cli
