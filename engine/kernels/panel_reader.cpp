// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/panel_reader.h"

#include <cstring>

#include "engine/kernels/packed_group.h"

namespace ulp::kernels {
namespace {

using numeric::kGroup;
using numeric::WeightType;

std::uint16_t halfAt(const std::byte* line, std::int64_t index)
{
    std::uint16_t half = 0;
    std::memcpy(&half, line + index * 2, sizeof half);
    return half;
}

template <WeightType T>
void readRows(const PackedGroup<T>& group, PanelGroup& out)
{
    using Traits = numeric::BlockTraits<T>;
    for (std::int64_t row = 0; row < kPanelRows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        out.scale[r] = group.scale(row);
        out.minimum[r] = group.minimum(row);
        for (int half = 0; half < 2; ++half) {
            out.minimumFactor[static_cast<std::size_t>(half)][r] =
                static_cast<std::int16_t>(group.halfMinimumFactor(half, row));
        }
        for (int i = 0; i < kGroup; ++i) {
            const std::uint32_t word = group.levelWord(i / 4, row);
            const int level = static_cast<int>(word >> (i % 4 * 8) & 255U);
            const int integer = PackedGroup<T>::unsignedValue(level) - Traits::kOffset;
            out.level[static_cast<std::size_t>(i)][r] =
                static_cast<std::int16_t>(group.halfFactor(i / 16, row) * integer);
        }
    }
}

} // namespace

void readFloats(const PackedMatrix& w, std::int64_t panel, std::int64_t begin, std::int64_t end,
                float* out)
{
    const std::int64_t unit = packedBlockBytes(w.type());
    const std::byte* from = w.data() + (panel * w.k() + begin) * unit;
    const std::int64_t count = (end - begin) * kPanelRows;
    switch (w.type()) {
    case WeightType::F32:
        std::memcpy(out, from, static_cast<std::size_t>(count) * sizeof(float));
        return;
    case WeightType::F16:
        for (std::int64_t i = 0; i < count; ++i) {
            out[i] = numeric::f16ToFloat(halfAt(from, i));
        }
        return;
    default: // BF16: rows j and 16 + j share a word
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t row = i % kPanelRows;
            const std::int64_t slot = row % kHalfRows * 2 + row / kHalfRows;
            out[i] = numeric::bf16ToFloat(halfAt(from, i - row + slot));
        }
        return;
    }
}

void readGroup(const PackedMatrix& w, std::int64_t panel, std::int64_t group, PanelGroup& out)
{
    const std::byte* rows =
        w.data() + panel * (w.k() / packedBlockElements(w.type())) * packedBlockBytes(w.type());
    numeric::visitQuantised(
        w.type(), [&]<WeightType T>() { readRows<T>(PackedGroup<T>::of(rows, group), out); });
}

bool hasMinimum(WeightType type)
{
    bool has = false;
    numeric::visitQuantised(type,
                            [&]<WeightType T>() { has = numeric::BlockTraits<T>::kHasMinimum; });
    return has;
}

} // namespace ulp::kernels
