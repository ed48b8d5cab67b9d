// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/demo_model.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ulp::worker {

std::string dataFolder()
{
    if (const char* folder = std::getenv("ULPSCOPE_DATA")) {
        return folder;
    }
    std::error_code code;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", code);
    if (code) {
        return "share/ulpscope";
    }
    return (program.parent_path().parent_path() / "share" / "ulpscope").string();
}

std::string demoModelPath()
{
    return (std::filesystem::path(dataFolder()) / "ulpscope-stories.gguf").string();
}

} // namespace ulp::worker
