// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf_parser.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/utf8.h"
#include "engine/numeric/weight_type.h"

namespace ulp::model {
namespace {

constexpr std::uint32_t kMagic = 0x46554747; // "GGUF"
constexpr std::uint32_t kDefaultAlignment = 32;
// Below 8, tensors could not be read as the numbers they are.
constexpr std::uint32_t kLeastAlignment = 8;
constexpr std::uint32_t kMostDims = 4;
constexpr std::size_t kMostNameBytes = 1024;
// The least bytes an entry (length, one byte of key, type, one byte of value) and a tensor (length,
// one byte of name, dimension count, one dimension, type, offset) can take: counts are held against
// the bytes that are there before anything is allocated.
constexpr std::uint64_t kLeastEntryBytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t kLeastTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;
constexpr std::uint64_t kLeastStringBytes = 8;

/// Bytes of one value; 0 for strings, arrays and numbers that are no type.
std::uint64_t fixedSize(GgufType type)
{
    switch (type) {
    case GgufType::U8:
    case GgufType::I8:
    case GgufType::Bool:
        return 1;
    case GgufType::U16:
    case GgufType::I16:
        return 2;
    case GgufType::U32:
    case GgufType::I32:
    case GgufType::F32:
        return 4;
    case GgufType::U64:
    case GgufType::I64:
    case GgufType::F64:
        return 8;
    case GgufType::String:
    case GgufType::Array:
        return 0;
    }
    return 0;
}

std::string quoted(std::string_view name)
{
    return "'" + utf8::repaired(name) + "'";
}

} // namespace

Error GgufParser::badAt(std::uint64_t offset, const std::string& message) const
{
    return makeError(ErrorCode::BadInput, message,
                     m_file.m_path + ": byte " + std::to_string(offset),
                     "get the file again, it is damaged or was written by a faulty program");
}

Error GgufParser::endsEarly(std::string_view what) const
{
    return bad("the file ends inside " + std::string(what) + " (" +
               describeBytes(m_reader.remaining()) + " left)");
}

Error GgufParser::unsupported(std::string message, std::string remedy) const
{
    return makeError(ErrorCode::Unsupported, std::move(message), m_file.m_path, std::move(remedy));
}

Result<void> GgufParser::parse()
{
    if (auto done = readHeader(); !done) {
        return done;
    }
    if (auto done = readEntries(); !done) {
        return done;
    }
    if (auto done = readTensors(); !done) {
        return done;
    }
    return locateTensors();
}

Result<void> GgufParser::readHeader()
{
    const auto magic = m_reader.read<std::uint32_t>();
    if (!magic) {
        return endsEarly("the magic number");
    }
    if (*magic != kMagic) {
        return makeError(ErrorCode::BadInput, "this is not a GGUF file (no 'GGUF' at its start)",
                         m_file.m_path + ": byte 0", "name a model in GGUF format");
    }
    const auto version = m_reader.read<std::uint32_t>();
    if (!version) {
        return endsEarly("the version number");
    }
    if (*version == 1) {
        return unsupported("GGUF version 1 is not supported", "convert the model again");
    }
    if (*version != 2 && *version != 3) {
        // A small version number with its bytes reversed is a file of the other byte order.
        if (*version != 0 && (*version & 0xFFFFU) == 0) {
            return unsupported("this is a big-endian GGUF file; only little-endian is supported",
                               "convert the model for little-endian machines");
        }
        return unsupported("GGUF version " + std::to_string(*version) +
                               " is not supported (versions 2 and 3 are)",
                           "convert the model with a current tool, or update this program");
    }
    m_file.m_version = *version;
    const auto tensors = m_reader.read<std::uint64_t>();
    const auto entries = m_reader.read<std::uint64_t>();
    if (!tensors || !entries) {
        return endsEarly("the counts of tensors and metadata entries");
    }
    if (*entries > m_reader.remaining() / kLeastEntryBytes) {
        return badAt(16, "the file claims " + std::to_string(*entries) +
                             " metadata entries, more than its size can hold");
    }
    if (*tensors > m_reader.remaining() / kLeastTensorBytes) {
        return badAt(8, "the file claims " + std::to_string(*tensors) +
                            " tensors, more than its size can hold");
    }
    m_tensorCount = *tensors;
    m_entryCount = *entries;
    return {};
}

Result<void> GgufParser::readEntries()
{
    m_file.m_entries.reserve(m_entryCount);
    for (std::uint64_t i = 0; i < m_entryCount; ++i) {
        const std::uint64_t start = m_reader.offset();
        const auto key = readName("metadata key");
        if (!key) {
            return key.error();
        }
        if (!m_file.m_entryIndex.emplace(*key, m_file.m_entries.size()).second) {
            return badAt(start, "metadata key " + quoted(*key) + " occurs twice");
        }
        const auto type = readType(*key);
        if (!type) {
            return type.error();
        }
        auto value = readValue(*type, *key);
        if (!value) {
            return value.error();
        }
        m_file.m_entries.push_back({*key, *type, *std::move(value)});
    }
    return {};
}

Result<std::string_view> GgufParser::readString(std::string_view what)
{
    const std::uint64_t start = m_reader.offset();
    const auto length = m_reader.read<std::uint64_t>();
    if (!length) {
        return endsEarly("the length of " + std::string(what));
    }
    const auto bytes = m_reader.take(*length);
    if (!bytes) {
        return badAt(start, std::string(what) + " claims a length of " + std::to_string(*length) +
                                " bytes, but only " + std::to_string(m_reader.remaining()) +
                                " follow");
    }
    return asText(*bytes);
}

Result<std::string_view> GgufParser::readName(std::string_view what)
{
    const std::uint64_t start = m_reader.offset();
    auto name = readString("a " + std::string(what));
    if (!name) {
        return name;
    }
    if (name->empty() || name->size() > kMostNameBytes) {
        return badAt(start, "a " + std::string(what) + " has " + std::to_string(name->size()) +
                                " bytes (1 to " + std::to_string(kMostNameBytes) + " are allowed)");
    }
    if (!utf8::isValid(*name) || name->find('\0') != std::string_view::npos) {
        return badAt(start, "a " + std::string(what) + " is not UTF-8 text");
    }
    return name;
}

Result<GgufType> GgufParser::readType(std::string_view key)
{
    const std::uint64_t start = m_reader.offset();
    const auto number = m_reader.read<std::uint32_t>();
    if (!number) {
        return endsEarly("the type of metadata key " + quoted(key));
    }
    if (*number > static_cast<std::uint32_t>(GgufType::F64)) {
        return badAt(start, "metadata key " + quoted(key) + " has type number " +
                                std::to_string(*number) + ", which GGUF does not define");
    }
    return static_cast<GgufType>(*number);
}

Result<GgufValue> GgufParser::readValue(GgufType type, std::string_view key)
{
    if (type == GgufType::Array) {
        return readArray(key);
    }
    if (type == GgufType::String) {
        const auto text = readString("the value of " + quoted(key));
        return text ? Result<GgufValue>(*text) : Result<GgufValue>(text.error());
    }
    return readScalar(type, key);
}

Result<GgufValue> GgufParser::readScalar(GgufType type, std::string_view key)
{
    const std::uint64_t start = m_reader.offset();
    const auto widened = [this]<typename Narrow, typename Wide>(Narrow,
                                                                Wide) -> std::optional<GgufValue> {
        const auto value = m_reader.read<Narrow>();
        return value ? std::optional<GgufValue>(static_cast<Wide>(*value)) : std::nullopt;
    };
    std::optional<GgufValue> value;
    switch (type) {
    case GgufType::U8:
        value = widened(std::uint8_t{}, std::uint64_t{});
        break;
    case GgufType::I8:
        value = widened(std::int8_t{}, std::int64_t{});
        break;
    case GgufType::U16:
        value = widened(std::uint16_t{}, std::uint64_t{});
        break;
    case GgufType::I16:
        value = widened(std::int16_t{}, std::int64_t{});
        break;
    case GgufType::U32:
        value = widened(std::uint32_t{}, std::uint64_t{});
        break;
    case GgufType::I32:
        value = widened(std::int32_t{}, std::int64_t{});
        break;
    case GgufType::U64:
        value = widened(std::uint64_t{}, std::uint64_t{});
        break;
    case GgufType::I64:
        value = widened(std::int64_t{}, std::int64_t{});
        break;
    case GgufType::F32:
        value = widened(float{}, double{});
        break;
    case GgufType::F64:
        value = widened(double{}, double{});
        break;
    case GgufType::Bool: {
        const auto flag = m_reader.read<std::uint8_t>();
        if (flag && *flag > 1) {
            return badAt(start, "metadata key " + quoted(key) + " is a bool with the value " +
                                    std::to_string(*flag));
        }
        value = flag ? std::optional<GgufValue>(*flag == 1) : std::nullopt;
        break;
    }
    case GgufType::String:
    case GgufType::Array:
        break;
    }
    if (!value) {
        return endsEarly("the value of metadata key " + quoted(key));
    }
    return *std::move(value);
}

Result<GgufValue> GgufParser::readArray(std::string_view key)
{
    const auto elementType = readType(key);
    if (!elementType) {
        return elementType.error();
    }
    const std::uint64_t start = m_reader.offset();
    if (*elementType == GgufType::Array) {
        return badAt(start, "metadata key " + quoted(key) +
                                " is an array of arrays, which is not supported");
    }
    const auto count = m_reader.read<std::uint64_t>();
    if (!count) {
        return endsEarly("the length of array " + quoted(key));
    }
    const bool strings = *elementType == GgufType::String;
    const std::uint64_t least = strings ? kLeastStringBytes : fixedSize(*elementType);
    if (*count > m_reader.remaining() / least) {
        return badAt(start, "array " + quoted(key) + " claims " + std::to_string(*count) +
                                " elements, more than the file can hold");
    }
    GgufArray array{*elementType, *count, {}, {}};
    if (!strings) {
        array.data = *m_reader.take(*count * least);
        if (*elementType == GgufType::Bool &&
            std::ranges::any_of(array.data, [](std::byte b) { return b > std::byte{1}; })) {
            return badAt(start, "array " + quoted(key) + " holds a bool that is neither 0 nor 1");
        }
        return GgufValue(std::move(array));
    }
    array.strings.reserve(*count);
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto text = readString("element " + std::to_string(i) + " of " + quoted(key));
        if (!text) {
            return text.error();
        }
        array.strings.push_back(*text);
    }
    return GgufValue(std::move(array));
}

Result<void> GgufParser::readTensors()
{
    m_file.m_tensors.reserve(m_tensorCount);
    for (std::uint64_t i = 0; i < m_tensorCount; ++i) {
        const std::uint64_t start = m_reader.offset();
        auto tensor = readTensor();
        if (!tensor) {
            return tensor.error();
        }
        m_file.m_tensors.push_back(*std::move(tensor));
        // The vector never grows beyond its reservation, so views of the names stay valid.
        const std::string_view name = m_file.m_tensors.back().name;
        if (!m_file.m_tensorIndex.emplace(name, m_file.m_tensors.size() - 1).second) {
            return badAt(start, "tensor " + quoted(name) + " occurs twice");
        }
    }
    return {};
}

Result<GgufTensor> GgufParser::readTensor()
{
    GgufTensor tensor;
    const auto name = readName("tensor name");
    if (!name) {
        return name.error();
    }
    tensor.name = *name;
    const std::uint64_t start = m_reader.offset();
    const auto dims = m_reader.read<std::uint32_t>();
    if (!dims) {
        return endsEarly("tensor " + quoted(*name));
    }
    if (*dims < 1 || *dims > kMostDims) {
        return badAt(start, "tensor " + quoted(*name) + " has " + std::to_string(*dims) +
                                " dimensions (1 to " + std::to_string(kMostDims) + " are allowed)");
    }
    std::uint64_t elements = 1;
    for (std::uint32_t i = 0; i < *dims; ++i) {
        const auto dim = m_reader.read<std::uint64_t>();
        if (!dim) {
            return endsEarly("the dimensions of tensor " + quoted(*name));
        }
        const auto product = checkedMultiply(elements, *dim);
        if (*dim == 0 || !product || *product > std::numeric_limits<std::int64_t>::max()) {
            return badAt(start, "dimension " + std::to_string(i) + " of tensor " + quoted(*name) +
                                    " is " + std::to_string(*dim) +
                                    (*dim == 0 ? "" : ", which is too large"));
        }
        elements = *product;
        tensor.dims.push_back(static_cast<std::int64_t>(*dim));
    }
    tensor.elements = static_cast<std::int64_t>(elements);
    const std::uint64_t typeStart = m_reader.offset();
    const auto type = m_reader.read<std::uint32_t>();
    const auto offset = m_reader.read<std::uint64_t>();
    if (!type || !offset) {
        return endsEarly("tensor " + quoted(*name));
    }
    if (numeric::ggufTypeName(*type).empty()) {
        return badAt(typeStart, "tensor " + quoted(*name) + " has type number " +
                                    std::to_string(*type) + ", which GGUF does not define");
    }
    tensor.type = *type;
    tensor.offset = *offset; // relative to the data section until placeTensor()
    return tensor;
}

Result<void> GgufParser::locateTensors()
{
    const auto alignment = m_file.get<std::uint32_t>("general.alignment", kDefaultAlignment);
    if (!alignment) {
        return alignment.error();
    }
    if (*alignment < kLeastAlignment || (*alignment & (*alignment - 1)) != 0) {
        return m_file.badKey("general.alignment", "the alignment is " + std::to_string(*alignment) +
                                                      ", not a power of two of at least " +
                                                      std::to_string(kLeastAlignment));
    }
    if (m_file.m_tensors.empty()) {
        return {};
    }
    const std::uint64_t mask = *alignment - 1;
    const auto dataStart = checkedAdd(m_reader.offset(), mask);
    if (!dataStart || (*dataStart & ~mask) > m_file.m_bytes.size()) {
        return endsEarly("the padding before the tensor data");
    }
    for (GgufTensor& tensor : m_file.m_tensors) {
        if ((tensor.offset & mask) != 0) {
            return bad("tensor " + quoted(tensor.name) + " has offset " +
                       std::to_string(tensor.offset) + ", which is not a multiple of " +
                       std::to_string(*alignment));
        }
        if (auto placed = placeTensor(tensor, *dataStart & ~mask); !placed) {
            return placed;
        }
    }
    return checkOverlap();
}

Result<void> GgufParser::placeTensor(GgufTensor& tensor, std::uint64_t dataStart)
{
    const auto start = checkedAdd(dataStart, tensor.offset);
    if (!start || *start >= m_file.m_bytes.size()) {
        return bad("tensor " + quoted(tensor.name) + " has offset " +
                   std::to_string(tensor.offset) + ", which lies behind the end of the file");
    }
    tensor.offset = *start;
    const auto info = numeric::weightTypeInfo(tensor.type);
    if (!info) {
        return {}; // checkOverlap() ends it at its neighbour
    }
    tensor.supported = true;
    if (tensor.dims[0] % info->blockElements != 0) {
        return bad("tensor " + quoted(tensor.name) + " of type " + std::string(info->name) +
                   " has rows of " + std::to_string(tensor.dims[0]) +
                   " elements, not a multiple of its block of " +
                   std::to_string(info->blockElements));
    }
    const auto blocks = static_cast<std::uint64_t>(tensor.elements / info->blockElements);
    const auto size = checkedMultiply(blocks, static_cast<std::uint64_t>(info->blockBytes));
    if (!size || *size > m_file.m_bytes.size() - *start) {
        return bad("tensor " + quoted(tensor.name) + " of shape " + tensor.shape() + " and type " +
                   std::string(info->name) + " reaches behind the end of the file (" +
                   std::to_string(m_file.m_bytes.size() - *start) + " bytes from its start)");
    }
    tensor.data = m_file.m_bytes.subspan(*start, *size);
    return {};
}

Result<void> GgufParser::checkOverlap()
{
    std::vector<std::size_t> order(m_file.m_tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [this](std::size_t i) { return m_file.m_tensors[i].offset; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        GgufTensor& tensor = m_file.m_tensors[order[i]];
        const bool last = i + 1 == order.size();
        const std::uint64_t limit =
            last ? m_file.m_bytes.size() : m_file.m_tensors[order[i + 1]].offset;
        if (!tensor.supported) {
            tensor.data = m_file.m_bytes.subspan(tensor.offset, limit - tensor.offset);
        }
        if (tensor.data.empty() || tensor.data.size() > limit - tensor.offset) {
            return badAt(tensor.offset, "tensors " + quoted(tensor.name) + " and " +
                                            quoted(m_file.m_tensors[order[i + 1]].name) +
                                            " overlap");
        }
    }
    return {};
}

} // namespace ulp::model
