// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far one row of an op's output is from the reference run's row, exactly, over all elements.
// Thread-safety: pure function. Ownership: rows are borrowed.
#pragma once

#include <cstdint>

#include "engine/trace/snapshot.h"

namespace ulp::compare {

/// Elements count as differing when their bits do. Against NaN the largest ULP distance is
/// UINT32_MAX and the differences are infinite; -0 against +0 differs by 0 ULP. Sums are float64
/// over 8 strided lanes, folded ascending, so that the result is one and the same everywhere.
/// relativeL2 is infinite where the reference row is all zeros.
[[nodiscard]] trace::Magnitude rowMagnitude(int op, const float* row, const float* reference,
                                            std::int64_t count);

} // namespace ulp::compare
