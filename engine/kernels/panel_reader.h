// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The numbers of a packed matrix back again, exactly, a panel of 32 rows at a time, for the
// policies that need the weights themselves instead of a kernel's partials. Thread-safety: pure
// functions. Ownership: the caller owns all buffers.
#pragma once

#include <array>
#include <cstdint>

#include "engine/kernels/packed_layout.h"
#include "engine/kernels/packed_matrix.h"
#include "engine/numeric/quant_blocks.h"

namespace ulp::kernels {

/// One group of 32 elements of 32 rows: weight (row, i) = scale[row] * level[i][row] +
/// minimum[row] * minimumFactor[i / 16][row]. Levels include the factor of their 16 elements.
struct PanelGroup {
    std::array<std::array<std::int16_t, kPanelRows>, numeric::kGroup> level;
    std::array<float, kPanelRows> scale;
    std::array<float, kPanelRows> minimum;
    std::array<std::array<std::int16_t, kPanelRows>, 2> minimumFactor;
};

/// Elements [begin, end) of a panel of a float format. out: [end - begin, 32]; rows beyond the
/// matrix are 0.
void readFloats(const PackedMatrix& w, std::int64_t panel, std::int64_t begin, std::int64_t end,
                float* out);

/// A group of a panel of a quantised format.
void readGroup(const PackedMatrix& w, std::int64_t panel, std::int64_t group, PanelGroup& out);

/// Whether a format has minimums at all.
[[nodiscard]] bool hasMinimum(numeric::WeightType type);

} // namespace ulp::kernels
