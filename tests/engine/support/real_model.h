// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where tests find models that are too large for the repository: the folder that
// packaging/get-smollm2 fills. Thread-safety: pure. Ownership: by value.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ulp::test {

/// The path at which a model of this file name would lie; it may not be there.
inline std::filesystem::path realModelPath(const std::string& fileName)
{
    if (const char* folder = std::getenv("ULPSCOPE_MODELS")) {
        return std::filesystem::path(folder) / fileName;
    }
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home != nullptr ? home : "") / ".cache" / "ulpscope-models" /
           fileName;
}

inline std::filesystem::path smollm2Path()
{
    return realModelPath("SmolLM2-135M-Instruct.Q4_1.gguf");
}

inline std::filesystem::path gemma3Path()
{
    return realModelPath("gemma-3-270m-q4_k_m.gguf");
}

} // namespace ulp::test
