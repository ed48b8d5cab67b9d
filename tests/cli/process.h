// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs ulpscope-cli as a user does: arguments in; exit code, standard output and standard error
// out. Thread-safety: from one thread at a time. Ownership: by value.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace ulp::test {

struct ProcessResult {
    int exitCode = -1; // 128 + signal when it was killed
    std::string out;
    std::string err;
};

/// A program that is still running, with its output going to files.
class Process {
  public:
    /// The first argument is looked for in the build's bin folder.
    explicit Process(const std::vector<std::string>& arguments);
    ~Process(); // kills what still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void signal(int number) const;
    [[nodiscard]] ProcessResult wait();

  private:
    pid_t m_pid = -1;
    std::string m_out;
    std::string m_err;
};

/// `ulpscope-cli` with these arguments.
[[nodiscard]] ProcessResult cli(std::vector<std::string> arguments);

/// A folder of its own for a test, removed with its content.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return m_path + "/" + name; }
    [[nodiscard]] const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

void writeFile(const std::string& path, const std::string& bytes);
[[nodiscard]] std::string readFile(const std::string& path);

} // namespace ulp::test
