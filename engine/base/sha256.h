// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SHA-256 of bytes that arrive in pieces: identity of model files, outputs and reports.
// Thread-safety: one thread at a time for each object. Ownership: owns its digest state.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace ulp {

class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void update(const void* data, std::size_t bytes);
    void update(std::string_view text) { update(text.data(), text.size()); }
    /// The digest in lower-case hex; nothing may be added afterwards.
    [[nodiscard]] std::string finish();

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The digest of one piece, in lower-case hex.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

} // namespace ulp
