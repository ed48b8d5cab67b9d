// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every kernel of a decoder step on fixed made-up numbers, with its readable reference, for
// `selfcheck`. Thread-safety: one kernel at a time. Ownership: each kernel owns its inputs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/kernels/matmul.h"

namespace ulp::cli {

struct KernelCheck {
    std::string op;     // "matmul"
    std::string format; // "q8_0", or "f32" for kernels without weights
    bool reduces;       // sums in an order that the policy decides
    std::function<void(const kernels::ExecContext&, std::vector<float>& out)> run;
    std::function<void(std::vector<float>& out)> reference;
};

/// The reduction chunk that the references of the kernels use.
inline constexpr std::int64_t kSelfcheckChunk = 64;

Result<std::vector<KernelCheck>> kernelChecks();

} // namespace ulp::cli
