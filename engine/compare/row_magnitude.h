// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far one row of an op's output is from the reference run's row: exact, over all elements.
// Thread-safety: pure function. Ownership: none.
#pragma once

#include <cstdint>

#include "engine/trace/snapshot.h"

namespace ulp::compare {

/// x, reference: [n]. Elements that differ in bits are counted; ULP, absolute and relative distance
/// are over those. A NaN against anything of other bits counts as UINT32_MAX ULP and infinite
/// distance. Sums run in float64, ascending.
[[nodiscard]] trace::Magnitude rowMagnitude(int op, const float* x, const float* reference,
                                            std::int64_t n);

} // namespace ulp::compare
