// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <thread>

#include "app/worker/demo_model.h"

namespace ulp::cli {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const
    {
        if (file != stdin) {
            std::fclose(file);
        }
    }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

Result<FilePtr> openFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return makeError(ErrorCode::BadInput, "is a folder", path, "name a file");
    }
    FilePtr file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        return makeError(errno == ENOENT ? ErrorCode::BadInput : ErrorCode::Io,
                         std::string("cannot open: ") + std::strerror(errno), path,
                         "check the path and its permissions");
    }
    return file;
}

} // namespace

Result<std::string> readText(const std::string& path)
{
    constexpr std::size_t kMaximum = 64U << 20U; // far beyond any context
    FilePtr file(stdin);
    if (path != "-") {
        auto opened = openFile(path);
        if (!opened) {
            return opened.error();
        }
        file = std::move(*opened);
    }
    std::string text;
    std::array<char, 65536> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
        text.append(buffer.data(), count);
        if (text.size() > kMaximum) {
            return makeError(ErrorCode::BadInput, "is larger than 64 MiB", path,
                             "give a text that fits the model's context");
        }
    }
    if (std::ferror(file.get()) != 0) {
        return makeError(ErrorCode::Io, std::string("cannot read: ") + std::strerror(errno), path,
                         "check the file and its medium");
    }
    return text;
}

Result<std::vector<std::int32_t>> parseTokens(std::string_view text)
{
    std::vector<std::int32_t> tokens;
    const char* at = text.data();
    const char* end = at + text.size();
    for (;;) {
        std::int32_t token = 0;
        const auto [next, code] = std::from_chars(at, end, token);
        if (code != std::errc() || token < 0 || (next != end && *next != ',')) {
            return makeError(ErrorCode::BadUsage,
                             "'" + std::string(text) + "' is not a list of token ids", "--tokens",
                             "write ids with commas between them, for example 1,450,7254");
        }
        tokens.push_back(token);
        if (next == end) {
            return tokens;
        }
        at = next + 1;
    }
}

Result<std::int64_t> parseSize(std::string_view text)
{
    std::int64_t value = 0;
    const auto [next, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view suffix(next, static_cast<std::size_t>(text.data() + text.size() - next));
    constexpr std::string_view kSuffixes = "KMGT";
    int shift = 0;
    if (suffix.size() == 1 && kSuffixes.find(suffix[0]) != std::string_view::npos) {
        shift = 10 * (static_cast<int>(kSuffixes.find(suffix[0])) + 1);
        suffix.remove_prefix(1);
    }
    if (code != std::errc() || value < 0 || !suffix.empty() ||
        value > (std::numeric_limits<std::int64_t>::max() >> shift)) {
        return makeError(ErrorCode::BadUsage, "'" + std::string(text) + "' is not a size", {},
                         "write a number of bytes, with K, M, G or T for powers of 1024");
    }
    return value << shift;
}

Result<FileKind> fileKind(const std::string& path)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status)) { // reading a pipe could wait forever
        return makeError(ErrorCode::BadInput, "is not a regular file", path,
                         "name a file on a disk");
    }
    auto file = openFile(path);
    if (!file) {
        return file.error();
    }
    std::array<char, 16> head{};
    const std::size_t count = std::fread(head.data(), 1, head.size(), file->get());
    const std::string_view bytes(head.data(), count);
    if (bytes.starts_with("GGUF")) {
        return FileKind::Model;
    }
    return bytes.starts_with("SQLite format 3") ? FileKind::Trace : FileKind::Other;
}

std::string outputNameProblem(const std::string& name)
{
    return name.empty() || name == "-" ? "'" + name + "' is not a file name" : std::string();
}

Result<void> checkOutput(const std::string& path, bool mustBeNew)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return {};
    }
    if (mustBeNew) {
        return makeError(ErrorCode::BadUsage, "exists already", path,
                         "choose another name or add --overwrite");
    }
    const auto kind = fileKind(path);
    if (!kind) {
        return kind.error();
    }
    if (*kind != FileKind::Other) {
        return makeError(ErrorCode::BadUsage,
                         *kind == FileKind::Model ? "is a model" : "is a trace", path,
                         "choose another name; it would be lost");
    }
    return {};
}

std::string modelPath(const std::string& given)
{
    return given.empty() ? worker::demoModelPath() : given;
}

Result<std::shared_ptr<const model::Model>> loadModel(const std::string& given, int threads,
                                                      bool digests, bool progress,
                                                      const Interrupt& interrupt)
{
    ProgressLine line(progress);
    model::LoadOptions options;
    // Settings are checked once there is a model; until then no number of threads is to be trusted.
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    options.threads = threads > 0 ? std::min(threads, cores) : cores;
    options.digests = digests;
    options.progress = [&](double fraction) {
        line.show("loading the model: " + std::to_string(static_cast<int>(fraction * 100)) + " %");
        return !interrupt.received();
    };
    return model::Model::load(modelPath(given), options);
}

} // namespace ulp::cli
