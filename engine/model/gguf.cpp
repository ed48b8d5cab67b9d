// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/model/gguf_parser.h"

namespace ulp::model {
namespace {

constexpr std::size_t kCopyAlignment = 64;

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

Result<std::shared_ptr<const GgufFile>> GgufFile::parse(std::shared_ptr<GgufFile> file)
{
    try {
        if (auto parsed = GgufParser(*file).parse(); !parsed) {
            return parsed.error();
        }
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory for the metadata", file->m_path,
                         "close other programs");
    }
    return std::shared_ptr<const GgufFile>(std::move(file));
}

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::string& path)
{
    auto map = MappedFile::open(path);
    if (!map) {
        return map.error();
    }
    std::shared_ptr<GgufFile> file(new GgufFile);
    file->m_path = path;
    file->m_map = std::move(*map);
    file->m_bytes = file->m_map.bytes();
    return parse(std::move(file));
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
    return parse(std::move(file));
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
