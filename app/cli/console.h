// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every command says to the person or the script: exit codes, errors, JSON, the progress line.
// Thread-safety: one thread at a time. Ownership: none.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/audit/comparison_json.h"
#include "engine/base/result.h"

namespace ulp::cli {

enum class Exit : int {
    Done = 0,          // done, and all compared bits are the same
    Differs = 1,       // done, and runs diverged, or a check failed
    BadInput = 2,      // bad usage or bad input, or the system refused a file
    Internal = 3,      // a broken invariant of ours
    Interrupted = 130, // stopped by Ctrl+C or SIGTERM, as shells report it
};

/// Prints `ulpscope-cli: WHERE: WHAT; REMEDY` to standard error and gives the exit code.
Exit fail(const Error& error);
/// Prints one JSON document and a newline to standard output.
void printJson(const audit::JsonValue& document);
void print(std::string_view text);

/// Words to stand out on a terminal; plain text elsewhere or when NO_COLOR is set.
enum class Tone { Plain, Bold, Good, Warn, Bad };
[[nodiscard]] std::string toned(std::string_view text, Tone tone);

/// One line on standard error that is rewritten in place on a terminal; elsewhere it is silent,
/// unless forced, and then prints a line at most once a second.
class ProgressLine {
  public:
    explicit ProgressLine(bool forced);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text);
    void clear();

  private:
    bool m_terminal;
    bool m_forced;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_last{};
};

} // namespace ulp::cli
