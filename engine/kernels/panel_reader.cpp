// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/panel_reader.h"

#include <cstring>

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

/// The stored level of one element of one row.
template <WeightType T>
int levelAt(const std::byte* record, std::int64_t row, std::int64_t element)
{
    using Record = PackedRecord<T>;
    static_assert(Record::Traits::kLevelBits == 8 || Record::Traits::kLevelBits == 4);
    const std::byte* half = record + Record::kLevels + row / kHalfRows * Record::kHalfBytes;
    const std::int64_t lane = row % kHalfRows * 4 + element % 4;
    const std::int64_t word = element / 4;
    if constexpr (Record::Traits::kLevelBits == 8) {
        return std::to_integer<int>(half[word * kLineBytes + lane]);
    } else {
        const int pair = std::to_integer<int>(half[word % 4 * kLineBytes + lane]);
        return word < 4 ? pair & 15 : pair >> 4;
    }
}

template <WeightType T>
void readRecord(const std::byte* record, PanelGroup& out)
{
    using Record = PackedRecord<T>;
    for (std::int64_t row = 0; row < kPanelRows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        out.scale[r] = numeric::f16ToFloat(halfAt(record + Record::kScales, row));
        out.minimum[r] = 0.0F;
        if constexpr (Record::Traits::kHasMinimum) {
            out.minimum[r] = numeric::f16ToFloat(halfAt(record + Record::kMinimums, row));
        }
    }
    for (std::int64_t i = 0; i < kGroup; ++i) {
        for (std::int64_t row = 0; row < kPanelRows; ++row) {
            out.level[static_cast<std::size_t>(i)][static_cast<std::size_t>(row)] =
                static_cast<std::int16_t>(levelAt<T>(record, row, i) - Record::Traits::kOffset);
        }
    }
}

} // namespace

void readFloats(const PackedMatrix& w, std::int64_t panel, std::int64_t begin, std::int64_t end,
                float* out)
{
    const std::int64_t unit = packedUnitBytes(w.type());
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
    const std::byte* record =
        w.data() + (panel * (w.k() / kGroup) + group) * packedUnitBytes(w.type());
    numeric::visitQuantised(w.type(), [&]<WeightType T>() { readRecord<T>(record, out); });
}

bool hasMinimum(WeightType type)
{
    bool has = false;
    numeric::visitQuantised(type,
                            [&]<WeightType T>() { has = numeric::BlockTraits<T>::kHasMinimum; });
    return has;
}

} // namespace ulp::kernels
