// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Result<T>: a value or an Error, the only way failures cross a function inside the engine.
// No exceptions leave the engine. Thread-safety: plain values, as safe as T. Ownership: by value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace ulp {

enum class ErrorCode : std::uint8_t {
    BadUsage,    // the request makes no sense: a setting, a flag, a combination
    BadInput,    // a file or its content is malformed or missing
    Unsupported, // well-formed, but this build or device cannot do it
    Cancelled,   // stopped on request; not a failure
    Io,          // the operating system refused: disk full, permission, ...
    Internal,    // a broken invariant of ours
};

/// What went wrong, where, and what to do. `where` names the file and, inside it, the byte offset,
/// line or field; `remedy` is one imperative sentence. Either may be empty.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string where;
    std::string remedy;

    /// `WHERE: MESSAGE; REMEDY`, leaving out what is empty.
    [[nodiscard]] std::string text() const
    {
        std::string s;
        if (!where.empty()) {
            s += where + ": ";
        }
        s += message;
        if (!remedy.empty()) {
            s += "; " + remedy;
        }
        return s;
    }
};

[[nodiscard]] inline Error makeError(ErrorCode code, std::string message, std::string where = {},
                                     std::string remedy = {})
{
    return Error{code, std::move(message), std::move(where), std::move(remedy)};
}

template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() & { return std::get<0>(m_state); }
    [[nodiscard]] const T& value() const& { return std::get<0>(m_state); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const { return std::get<1>(m_state); }

  private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    [[nodiscard]] bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    [[nodiscard]] const Error& error() const { return m_error; }

  private:
    Error m_error;
    bool m_ok = true;
};

} // namespace ulp
