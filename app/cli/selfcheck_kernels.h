// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every kernel of a decoder step on fixed made-up numbers of many shapes, with its readable
// reference, for `selfcheck`. Formats come from the table of formats, so that a new one is checked
// without a word here. Thread-safety: one kernel at a time. Ownership: each case owns its inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/kernels/matmul.h"

namespace ulp::cli {

/// One shape of one kernel.
struct KernelCase {
    std::string shape; // "rows 101, k 1056, tokens 3, chunk 64"
    std::int64_t chunk = 64;
    std::function<void(const kernels::ExecContext&, std::vector<float>& out)> run;
    std::function<void(std::vector<float>& out)> reference;
};

struct KernelCheck {
    std::string op;       // "matmul"
    std::string format;   // "q8_0", or "f32" for kernels without weights
    bool reduces = false; // sums in an order that the policy decides
    std::function<bool(Policy)> serves;
    std::vector<KernelCase> cases; // the first is the one to repeat
};

Result<std::vector<KernelCheck>> kernelChecks();

/// The kernels other than the matrix products. Part of kernelChecks().
Result<void> addOpChecks(std::vector<KernelCheck>& checks);
/// `count` draws from a normal distribution, fixed by the seed.
[[nodiscard]] std::vector<float> madeUpNumbers(std::int64_t count, unsigned seed);

} // namespace ulp::cli
