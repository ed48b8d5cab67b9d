// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far the logits of two runs are apart at one column, from what a trace keeps of them: a hash,
// the top logits, log-sum-exp and, where it was recorded, the exact magnitude.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include "engine/compare/comparison.h"

namespace ulp::compare {

/// `magnitude`: of the run's logits against the reference's, or null.
[[nodiscard]] Drift logitDrift(const trace::Column& reference, const trace::Column& run,
                               const trace::Magnitude* magnitude);

/// KL(reference || run) in nats with the tokens that are not in both tops merged into one, so that
/// the value is never above the true one (chain rule: the part left out is not negative). 0 when
/// the tops share no token.
[[nodiscard]] double topLogitKl(const trace::Column& reference, const trace::Column& run);

} // namespace ulp::compare
