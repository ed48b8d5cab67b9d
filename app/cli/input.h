// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What commands read: text files, token lists, sizes, models. Thread-safety: pure functions but for
// the files they read. Ownership: by value or shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "engine/base/result.h"
#include "engine/model/model.h"

namespace ulp::cli {

/// The bytes of a file, or of standard input for "-". Errors: BadInput, Io.
Result<std::string> readText(const std::string& path);
/// "1,2,3". Errors: BadUsage.
Result<std::vector<std::int32_t>> parseTokens(std::string_view text);
/// "4096", "512K", "64M", "2G": powers of 1024. Errors: BadUsage.
Result<std::int64_t> parseSize(std::string_view text);

enum class FileKind { Model, Trace, Other };
/// By the first bytes. Errors: BadInput (missing, a folder), Io.
Result<FileKind> fileKind(const std::string& path);
/// What is wrong with the name of a file to write, or nothing; "-" would look like standard output.
[[nodiscard]] std::string outputNameProblem(const std::string& name);
/// Refuses an output path that lies over a model or a trace, and with `mustBeNew` any file.
Result<void> checkOutput(const std::string& path, bool mustBeNew);

/// The path given, or the demo model's.
[[nodiscard]] std::string modelPath(const std::string& given);
/// Loads with a progress line; an interrupt cancels. `threads`: 0 means all cores.
Result<std::shared_ptr<const model::Model>> loadModel(const std::string& given, int threads,
                                                      bool digests, bool progress,
                                                      const Interrupt& interrupt);

} // namespace ulp::cli
