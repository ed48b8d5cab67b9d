// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A weight matrix [rows, k] laid out for the fast path: rows interleaved so that vector lanes are
// different outputs and never pieces of one sum. One layout serves every instruction set.
// Thread-safety: immutable after pack(). Ownership: its packed storage, whose pages it may share
// with matrices packed next to it; the source bytes may go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/base/result.h"
#include "engine/kernels/team.h"
#include "engine/numeric/weight_type.h"

namespace ulp::kernels {

class PackedMatrix {
  public:
    PackedMatrix() = default;

    /// `data`: rows x k in GGUF row-major order. Float formats take any k >= 1 (a checkpoint with
    /// an FFN width of 172 is in our tests: the last chunk is just short); quantised formats need a
    /// multiple of 32. rows may be anything >= 1. Errors: BadInput (sizes), Unsupported, Internal.
    static Result<PackedMatrix> pack(numeric::WeightType type, std::span<const std::byte> data,
                                     std::int64_t rows, std::int64_t k, const Team& team);

    [[nodiscard]] numeric::WeightType type() const { return m_type; }
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t k() const { return m_k; }
    [[nodiscard]] const std::byte* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

  private:
    numeric::WeightType m_type = numeric::WeightType::F32;
    std::int64_t m_rows = 0;
    std::int64_t m_k = 0;
    std::size_t m_bytes = 0;
    std::shared_ptr<const std::byte> m_data; // 64-byte aligned
};

} // namespace ulp::kernels
