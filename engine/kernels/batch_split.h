// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rule of policy `batch-split`: into how many pieces a reduction axis is cut follows from the
// number of rows in the pass and from nothing else. It is the habit of split-K products and of
// flash-decoding: few rows leave a wide machine idle, so the axis is shared out; many rows fill it
// by themselves. Threads and timing have no say, so a run repeats at one batch size; another batch
// size or prefill cut gives other bits. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ulp::kernels {

/// Pieces of a reduction axis in a pass of `rows` rows. Changes between 1 and 2, 2 and 3, 4 and 5,
/// 8 and 9 rows.
constexpr std::int64_t batchSplitPieces(std::int64_t rows)
{
    // Not powers of two: with those a piece is often as long as a chunk of `ordered`, and two batch
    // sizes agree by coincidence.
    if (rows <= 1) {
        return 12;
    }
    if (rows <= 2) {
        return 6;
    }
    if (rows <= 4) {
        return 3;
    }
    return rows <= 8 ? 2 : 1;
}

/// Elements in a piece of a matrix product's axis of k elements: a multiple of 32, and no more than
/// a panel of weights can be unpacked for at once.
constexpr std::int64_t batchSplitLength(std::int64_t k, std::int64_t rows)
{
    constexpr std::int64_t kStep = 32;
    constexpr std::int64_t kLongest = 1024;
    const std::int64_t pieces = batchSplitPieces(rows);
    const std::int64_t length = (k + pieces - 1) / pieces;
    return std::min(kLongest, (length + kStep - 1) / kStep * kStep);
}

} // namespace ulp::kernels
