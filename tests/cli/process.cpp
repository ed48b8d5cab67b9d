// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/process.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ulp::test {
namespace {

std::string uniquePath(const std::string& kind)
{
    static std::atomic<int> counter{0};
    return (std::filesystem::temp_directory_path() /
            ("ulpscope-cli-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
             kind))
        .string();
}

} // namespace

Process::Process(const std::vector<std::string>& arguments)
    : m_out(uniquePath(".out")), m_err(uniquePath(".err"))
{
    const std::string program = std::string(ULP_BIN_DIR) + "/" + arguments.front();
    std::vector<std::string> copy = arguments;
    std::vector<char*> argv;
    for (auto& argument : copy) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, m_out.c_str(), kCreate, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, m_err.c_str(), kCreate, 0600);
    if (posix_spawn(&m_pid, program.c_str(), &actions, nullptr, argv.data(), environ) != 0) {
        m_pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
}

Process::~Process()
{
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove(m_out, ignored);
    std::filesystem::remove(m_err, ignored);
}

void Process::signal(int number) const
{
    if (m_pid > 0) {
        ::kill(m_pid, number);
    }
}

ProcessResult Process::wait()
{
    ProcessResult result;
    if (m_pid > 0) {
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = -1;
        result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    result.out = readFile(m_out);
    result.err = readFile(m_err);
    return result;
}

ProcessResult cli(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "ulpscope-cli");
    return Process(arguments).wait();
}

TemporaryFolder::TemporaryFolder() : m_path(uniquePath(".dir"))
{
    std::filesystem::create_directory(m_path);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

void writeFile(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string readFile(const std::string& path)
{
    std::stringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

} // namespace ulp::test
