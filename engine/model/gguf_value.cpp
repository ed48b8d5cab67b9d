// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// GgufFile::get: metadata values as the types that the program wants, range-checked.
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/model/gguf.h"

namespace ulp::model {
namespace {

template <typename T>
struct IsVector : std::false_type {
};
template <typename E>
struct IsVector<std::vector<E>> : std::true_type {
};

/// What a value of the file is called in an error: "u32", "array of f32".
std::string typeName(const GgufEntry& entry)
{
    if (const auto* array = std::get_if<GgufArray>(&entry.value)) {
        return "array of " + std::string(toString(array->elementType));
    }
    return std::string(toString(entry.type));
}

template <typename T>
constexpr std::string_view wantedName()
{
    if constexpr (std::is_same_v<T, bool>) {
        return "a bool";
    } else if constexpr (std::is_integral_v<T>) {
        return "an integer";
    } else if constexpr (std::is_floating_point_v<T>) {
        return "a floating-point number";
    } else if constexpr (std::is_same_v<T, std::vector<float>>) {
        return "an array of f32";
    } else if constexpr (std::is_same_v<T, std::vector<std::int32_t>>) {
        return "an array of i32";
    } else if constexpr (IsVector<T>::value) {
        return "an array of strings";
    } else {
        return "a string";
    }
}

enum class Fit : std::uint8_t { Good, WrongType, OutOfRange };

template <typename T>
Fit integerFrom(const GgufValue& value, T& out)
{
    const auto take = [&out](auto wide) {
        out = static_cast<T>(wide);
        return std::in_range<T>(wide) ? Fit::Good : Fit::OutOfRange;
    };
    if (const auto* u = std::get_if<std::uint64_t>(&value)) {
        return take(*u);
    }
    if (const auto* i = std::get_if<std::int64_t>(&value)) {
        return take(*i);
    }
    return Fit::WrongType;
}

template <typename E>
Fit arrayFrom(const GgufValue& value, GgufType elementType, std::vector<E>& out)
{
    const auto* array = std::get_if<GgufArray>(&value);
    if (array == nullptr || array->elementType != elementType) {
        return Fit::WrongType;
    }
    if constexpr (std::is_same_v<E, std::string_view>) {
        out = array->strings;
    } else {
        out.resize(array->count);
        if (!out.empty()) {
            std::memcpy(out.data(), array->data.data(), array->data.size());
        }
    }
    return Fit::Good;
}

template <typename T>
Fit convert(const GgufValue& value, T& out)
{
    if constexpr (std::is_same_v<T, bool>) {
        const auto* flag = std::get_if<bool>(&value);
        out = flag != nullptr && *flag;
        return flag != nullptr ? Fit::Good : Fit::WrongType;
    } else if constexpr (std::is_integral_v<T>) {
        return integerFrom(value, out);
    } else if constexpr (std::is_floating_point_v<T>) {
        const auto* number = std::get_if<double>(&value);
        out = number != nullptr ? static_cast<T>(*number) : T{};
        return number != nullptr ? Fit::Good : Fit::WrongType;
    } else if constexpr (std::is_same_v<T, std::vector<float>>) {
        return arrayFrom(value, GgufType::F32, out);
    } else if constexpr (std::is_same_v<T, std::vector<std::int32_t>>) {
        return arrayFrom(value, GgufType::I32, out);
    } else if constexpr (IsVector<T>::value) {
        return arrayFrom(value, GgufType::String, out);
    } else {
        const auto* text = std::get_if<std::string_view>(&value);
        out = text != nullptr ? T(*text) : T();
        return text != nullptr ? Fit::Good : Fit::WrongType;
    }
}

} // namespace

Error GgufFile::badKey(std::string_view key, std::string message) const
{
    return makeError(ErrorCode::BadInput, std::move(message), m_path + ": " + std::string(key),
                     "convert the model again with a current tool");
}

template <typename T>
Result<T> GgufFile::get(std::string_view key) const
{
    const GgufEntry* entry = find(key);
    if (entry == nullptr) {
        return badKey(key, "the metadata has no such key");
    }
    T value{};
    switch (convert(entry->value, value)) {
    case Fit::WrongType:
        return badKey(key,
                      "is " + typeName(*entry) + ", but must be " + std::string(wantedName<T>()));
    case Fit::OutOfRange:
        return badKey(key, "is an integer out of range");
    case Fit::Good:
        break;
    }
    return value;
}

template Result<std::int32_t> GgufFile::get(std::string_view) const;
template Result<std::uint32_t> GgufFile::get(std::string_view) const;
template Result<std::int64_t> GgufFile::get(std::string_view) const;
template Result<std::uint64_t> GgufFile::get(std::string_view) const;
template Result<float> GgufFile::get(std::string_view) const;
template Result<double> GgufFile::get(std::string_view) const;
template Result<bool> GgufFile::get(std::string_view) const;
template Result<std::string> GgufFile::get(std::string_view) const;
template Result<std::string_view> GgufFile::get(std::string_view) const;
template Result<std::vector<std::int32_t>> GgufFile::get(std::string_view) const;
template Result<std::vector<float>> GgufFile::get(std::string_view) const;
template Result<std::vector<std::string_view>> GgufFile::get(std::string_view) const;

} // namespace ulp::model
