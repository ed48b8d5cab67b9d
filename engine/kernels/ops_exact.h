// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attention under policy `exact`. Thread-safety: one call at a time for each Team. Ownership: the
// caller owns all buffers.
#pragma once

#include "engine/kernels/ops.h"

namespace ulp::kernels {

/// For each query row and head, over all positions it sees at once:
///   score = rn(rn(sum of q * k) * scale); M = max of scores, M0 is M or 0 if M is -inf
///   w = exp(rn(score - M0)); y[i] = rn(rn(sum of w * v[i]) / rn(sum of w))
/// where each sum is exact. No chunks, no rescaling, no order.
void attentionExact(const AttentionArgs& args, const ExecContext& context);

} // namespace ulp::kernels
