// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What determinism costs on this machine: the same forward passes under `ordered` and under every
// policy that gives up some of its promise, taken in turn, so that what the machine does meanwhile
// meets all of them. Thread-safety: one thread at a time; the cancel flag from any. Ownership:
// shares the model, owns a decoder for each policy while it measures.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/settings.h"
#include "engine/model/model.h"

namespace ulp::cli {

struct PriceRequest {
    std::shared_ptr<const model::Model> model;
    RunSettings settings; // of all policies but for the policy
    std::vector<std::int32_t> prompt;
    int genTokens = 0;
    int repetitions = 0;
};

/// Seconds under each policy in one phase, for the whole pass or for one op of all layers.
class PriceRow {
  public:
    std::string op;                           // "ffn_out"; empty for the whole
    std::string kind;                         // "matmul", "norm", "attention"
    std::vector<std::vector<double>> seconds; // [policy][repetition]

    [[nodiscard]] double median(std::size_t policy) const;
    /// Median over repetitions of the time under `ordered` over the time under the policy: above 1
    /// where the policy is faster.
    [[nodiscard]] double speedup(std::size_t policy) const;
};

struct PricePhase {
    std::string name; // "prefill", "decode"
    int tokens = 0;
    PriceRow whole;
    std::vector<PriceRow> ops; // in execution order; those with sums, which a policy can change
};

struct Price {
    std::vector<Policy> policies;     // `ordered` first
    std::vector<std::string> leftOut; // why a policy is not among them
    std::vector<PricePhase> phases;

    /// The policy with the largest speedup among ours that promise less than `ordered`; `vendor`,
    /// which is not ours, does not count.
    [[nodiscard]] std::size_t fastest(const PriceRow& row) const;
};

/// Errors: what resolveSettings() and Decoder say of `ordered`; Cancelled.
Result<Price> measurePrice(const PriceRequest& request, const std::atomic<bool>& cancel,
                           const std::function<void(int repetition)>& progress);

/// The measurement as a table for a terminal, and as JSON: {"phases": [{"phase", "tokens",
/// "policies": [{"policy", "tokens_per_second", "speedup"}], "fastest", "price", "ops": [{"op",
/// "kind", "share", "fastest", "price", "speedups": {policy: number}}]}]}; a price of 0.03 says
/// that `ordered` takes 3 % more time than the fastest of the others.
void showPrice(const PriceRequest& request, const Price& price, bool json);

} // namespace ulp::cli
