// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the parts of the decoder (decoder*.cpp) share and nobody else sees: the rows of the pass in
// progress. Thread-safety: one thread. Ownership: by value; tokens are the caller's.
#pragma once

#include "engine/run/decoder.h"

namespace ulp::run {

/// The tokens of one pass, as the kernels and the observer want them.
struct Decoder::Rows {
    std::span<const InputToken> tokens;
    std::vector<std::int32_t> sequences; // [rows]
    std::vector<std::int32_t> positions; // [rows]
    Observer* observer = nullptr;
    const std::atomic<bool>* cancel = nullptr;

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(tokens.size()); }
};

} // namespace ulp::run
