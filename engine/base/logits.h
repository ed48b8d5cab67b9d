// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Facts about a row of logits that running, scoring and recording share.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ulp {

/// The largest logit; ties go to the lowest id; NaN never wins. -1 when every logit is NaN.
[[nodiscard]] std::int32_t argmax(std::span<const float> logits);

/// The k largest (id, logit), sorted by logit, then id; NaN left out.
[[nodiscard]] std::vector<std::pair<std::int32_t, float>> topLogits(std::span<const float> logits,
                                                                    std::size_t k);

/// log(sum(exp(logits))), exact to about 1e-7. NaN when every logit is NaN.
[[nodiscard]] double logSumExp(std::span<const float> logits);

} // namespace ulp
