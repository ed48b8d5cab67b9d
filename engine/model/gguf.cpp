// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/model/gguf_parser.h"

namespace ulp::model {
namespace {

constexpr std::size_t kCopyAlignment = 64;
constexpr std::string_view kSplitCount = "split.count";
constexpr std::string_view kSplitNumber = "split.no"; // from 0

/// "NAME-00002-of-00003.gguf" without its number.
struct SplitName {
    std::string before; // "NAME-"
    std::string after;  // "-of-00003.gguf"

    static std::string digits(std::uint64_t number)
    {
        const std::string text = std::to_string(number);
        return text.size() < 5 ? std::string(5 - text.size(), '0') + text : text;
    }
    /// Nothing if `path` is not the name of one of `count` parts.
    static std::optional<SplitName> parse(const std::string& path, std::uint64_t count)
    {
        SplitName name;
        name.after = "-of-" + digits(count) + ".gguf";
        constexpr std::size_t kNumber = 5;
        if (path.size() < name.after.size() + kNumber + 1 || !path.ends_with(name.after)) {
            return std::nullopt;
        }
        name.before = path.substr(0, path.size() - name.after.size() - kNumber);
        return name.before.ends_with('-') ? std::optional(name) : std::nullopt;
    }
    [[nodiscard]] std::string of(std::uint64_t number) const
    {
        return before + digits(number) + after;
    }
};

} // namespace

std::string_view toString(GgufType type)
{
    switch (type) {
    case GgufType::U8:
        return "u8";
    case GgufType::I8:
        return "i8";
    case GgufType::U16:
        return "u16";
    case GgufType::I16:
        return "i16";
    case GgufType::U32:
        return "u32";
    case GgufType::I32:
        return "i32";
    case GgufType::F32:
        return "f32";
    case GgufType::Bool:
        return "bool";
    case GgufType::String:
        return "string";
    case GgufType::Array:
        return "array";
    case GgufType::U64:
        return "u64";
    case GgufType::I64:
        return "i64";
    case GgufType::F64:
        return "f64";
    }
    return "?";
}

std::string GgufTensor::shape() const
{
    std::string text = "[";
    for (const std::int64_t dim : dims) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
    }
    return text + "]";
}

GgufFile::~GgufFile() = default;

Result<void> GgufFile::parse(GgufFile& file)
{
    try {
        return GgufParser(file).parse();
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory for the metadata", file.m_path,
                         "close other programs");
    }
}

Result<std::shared_ptr<GgufFile>> GgufFile::openPart(const std::string& path)
{
    auto map = MappedFile::open(path);
    if (!map) {
        return map.error();
    }
    std::shared_ptr<GgufFile> file(new GgufFile);
    file->m_path = path;
    file->m_map = std::move(*map);
    file->m_bytes = file->m_map.bytes();
    if (auto done = parse(*file); !done) {
        return done.error();
    }
    return file;
}

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::string& path)
{
    auto file = openPart(path);
    if (!file) {
        return file.error();
    }
    const auto count = (*file)->get<std::uint64_t>(kSplitCount, 1);
    if (!count) {
        return count.error();
    }
    if (*count > 1) {
        file = openParts(path, *count);
        if (!file) {
            return file.error();
        }
    }
    return std::shared_ptr<const GgufFile>(*std::move(file));
}

Result<std::shared_ptr<GgufFile>> GgufFile::openParts(const std::string& path, std::uint64_t count)
{
    const auto parts = SplitName::parse(path, count);
    if (!parts) {
        return makeError(ErrorCode::BadInput,
                         "this is one of " + std::to_string(count) +
                             " parts of a split model, and its name does not end in "
                             "-00001-of-0000N.gguf with that number",
                         path, "give the parts the names they had, in one folder");
    }
    std::shared_ptr<GgufFile> whole;
    for (std::uint64_t number = 1; number <= count; ++number) {
        auto part = openPart(parts->of(number));
        if (!part) {
            Error error = part.error();
            error.message = "part " + std::to_string(number) + " of " + std::to_string(count) +
                            ": " + error.message;
            return error;
        }
        const auto claimed = (*part)->get<std::uint64_t>(kSplitNumber);
        const auto ofHow = (*part)->get<std::uint64_t>(kSplitCount);
        if (!claimed || !ofHow) {
            return (claimed ? ofHow : claimed).error();
        }
        if (*claimed != number - 1 || *ofHow != count) {
            return (*part)->badKey(kSplitNumber,
                                   "the file says that it is part " + std::to_string(*claimed + 1) +
                                       " of " + std::to_string(*ofHow) + ", its name says " +
                                       std::to_string(number) + " of " + std::to_string(count));
        }
        if (whole == nullptr) {
            whole = *std::move(part);
        } else if (auto done = whole->append(*std::move(part)); !done) {
            return done.error();
        }
    }
    const auto tensors = whole->get<std::uint64_t>("split.tensors.count", whole->m_tensors.size());
    if (!tensors) {
        return tensors.error();
    }
    if (*tensors != whole->m_tensors.size()) {
        return whole->badKey("split.tensors.count",
                             "is " + std::to_string(*tensors) + ", but the parts hold " +
                                 std::to_string(whole->m_tensors.size()) + " tensors");
    }
    return whole;
}

Result<void> GgufFile::append(std::shared_ptr<GgufFile> part)
{
    for (GgufTensor& tensor : part->m_tensors) {
        if (m_tensorIndex.contains(tensor.name)) {
            return makeError(ErrorCode::BadInput,
                             "tensor '" + utf8::repaired(tensor.name) +
                                 "' is in an earlier part too",
                             part->m_path, "get the files again, they do not belong together");
        }
        m_tensors.push_back(std::move(tensor));
    }
    part->m_tensors.clear();
    part->m_tensorIndex.clear();
    m_furtherParts.push_back(std::move(part));
    // The names have moved with their tensors.
    m_tensorIndex.clear();
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        m_tensorIndex.emplace(m_tensors[i].name, i);
    }
    return {};
}

std::vector<std::span<const std::byte>> GgufFile::parts() const
{
    std::vector<std::span<const std::byte>> all{m_bytes};
    for (const auto& part : m_furtherParts) {
        all.push_back(part->m_bytes);
    }
    return all;
}

std::uint64_t GgufFile::totalBytes() const
{
    std::uint64_t total = 0;
    for (const auto part : parts()) {
        total += part.size();
    }
    return total;
}

void GgufFile::release(std::span<const std::byte> part) const
{
    const auto within = [part](std::span<const std::byte> all) {
        return std::less_equal<>()(all.data(), part.data()) &&
               std::less<>()(part.data(), all.data() + all.size());
    };
    if (within(m_bytes)) {
        m_map.release(part);
        return;
    }
    for (const auto& file : m_furtherParts) {
        if (within(file->m_bytes)) {
            file->m_map.release(part);
        }
    }
}

Result<std::shared_ptr<const GgufFile>> GgufFile::fromBytes(std::span<const std::byte> bytes,
                                                            std::string name)
{
    std::shared_ptr<GgufFile> file(new GgufFile);
    file->m_path = std::move(name);
    const std::size_t capacity = (std::max<std::size_t>(bytes.size(), 1) + kCopyAlignment - 1) /
                                 kCopyAlignment * kCopyAlignment;
    auto* copy = static_cast<std::byte*>(
        ::operator new(capacity, std::align_val_t(kCopyAlignment), std::nothrow));
    if (copy == nullptr) {
        return makeError(ErrorCode::Internal, "not enough memory for a copy of the file",
                         file->m_path, "close other programs");
    }
    file->m_copy = {copy,
                    [](std::byte* p) { ::operator delete(p, std::align_val_t(kCopyAlignment)); }};
    if (!bytes.empty()) {
        std::memcpy(copy, bytes.data(), bytes.size());
    }
    file->m_bytes = {copy, bytes.size()};
    if (auto done = parse(*file); !done) {
        return done.error();
    }
    const auto count = file->get<std::uint64_t>(kSplitCount, 1);
    if (!count) {
        return count.error();
    }
    if (*count > 1) {
        return makeError(ErrorCode::Unsupported,
                         "this is one of " + std::to_string(*count) +
                             " parts of a split model; in memory there can be no others",
                         file->m_path, "open the parts as files");
    }
    return std::shared_ptr<const GgufFile>(std::move(file));
}

const GgufEntry* GgufFile::find(std::string_view key) const
{
    const auto found = m_entryIndex.find(key);
    return found == m_entryIndex.end() ? nullptr : &m_entries[found->second];
}

const GgufTensor* GgufFile::findTensor(std::string_view name) const
{
    const auto found = m_tensorIndex.find(name);
    return found == m_tensorIndex.end() ? nullptr : &m_tensors[found->second];
}

} // namespace ulp::model
