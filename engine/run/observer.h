// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place where running and recording meet: the decoder calls an observer after each op.
// An absent observer costs nothing. Thread-safety: all calls come from the thread that drives the
// decoder. Ownership: the rows belong to the decoder and are valid during the call only.
#pragma once

#include <cstdint>

namespace ulp::run {

/// The output of one op for the tokens of one forward pass.
struct OpOutput {
    int op = 0;                  // index into the op catalogue
    const float* data = nullptr; // [rows, width], row r at data + r * stride
    std::int64_t rows = 0;
    std::int64_t width = 0;
    std::int64_t stride = 0;
    const std::int32_t* sequences = nullptr; // [rows] which sequence each row belongs to
    const std::int32_t* positions = nullptr; // [rows] absolute position in its sequence
};

class Observer {
  public:
    virtual ~Observer() = default;
    /// After each op of each forward pass, in execution order.
    virtual void onOp(const OpOutput& output) = 0;
};

} // namespace ulp::run
