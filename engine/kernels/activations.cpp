// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>

#include "engine/kernels/matmul.h"
#include "engine/kernels/matmul_kernels.h"
#include "engine/numeric/activation_quant.h"
#include "engine/numeric/quant_blocks.h"

namespace ulp::kernels {
namespace {

using numeric::kGroup;

/// Below this many elements a second thread costs more than it saves.
constexpr std::int64_t kParallelElements = 1 << 15;

template <typename T>
T* grown(std::vector<T>& v, std::int64_t size)
{
    if (static_cast<std::int64_t>(v.size()) < size) {
        v.resize(static_cast<std::size_t>(size));
    }
    return v.data();
}

/// f(begin, end) over [0, count), cut among the team if the work is worth it.
template <typename F>
void split(const Team& team, std::int64_t count, std::int64_t elements, F&& f)
{
    if (elements < kParallelElements || team.size() == 1) {
        f(std::int64_t{0}, count);
        return;
    }
    team.run([&](int thread, int threads) {
        f(count * thread / threads, count * (thread + 1) / threads);
    });
}

/// rows: n rows of `units` elements, `stride` apart -> tile: [units, n]
template <typename T>
void interleave(const T* rows, std::int64_t n, std::int64_t units, std::int64_t stride, T* tile)
{
    constexpr std::int64_t kStrip = 64; // lines of the tile that stay in the cache over all rows
    for (std::int64_t begin = 0; begin < units; begin += kStrip) {
        const std::int64_t end = std::min(units, begin + kStrip);
        for (std::int64_t t = 0; t < n; ++t) {
            for (std::int64_t i = begin; i < end; ++i) {
                tile[i * n + t] = rows[t * stride + i];
            }
        }
    }
}

/// As above for units of four bytes, which have no type of their own.
void interleaveWords(const std::int8_t* rows, std::int64_t n, std::int64_t units,
                     std::int64_t stride, std::int8_t* tile)
{
    for (std::int64_t t = 0; t < n; ++t) {
        for (std::int64_t i = 0; i < units; ++i) {
            std::memcpy(tile + (i * n + t) * 4, rows + t * stride + i * 4, 4);
        }
    }
}

} // namespace

void Activations::set(const float* rows, std::int64_t tokenCount, std::int64_t length,
                      std::int64_t rowStride, bool quantised, const ExecContext& context)
{
    x = rows;
    tokens = tokenCount;
    k = length;
    stride = rowStride;
    m_tiled.floatWidth = 0;
    m_tiled.quantisedWidth = 0;
    m_tiled.offset = -1;
    m_tiled.halfOffset = -1;
    if (!quantised) {
        return;
    }
    const std::int64_t groups = k / kGroup;
    std::int8_t* qOut = grown(q, tokens * k);
    float* scaleOut = grown(scale, tokens * groups);
    float* scaledSumOut = grown(scaledSum, tokens * groups);
    std::int32_t* sumOut = grown(sum, tokens * groups);
    const auto quantise = kernelsFor(context.isa).quantiser.run;
    split(context.team, tokens * groups, tokens * k, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            const std::int64_t token = begin / groups;
            const std::int64_t group = begin % groups;
            const std::int64_t count = std::min(end - begin, groups - group);
            quantise(x + token * stride + group * kGroup, count, qOut + begin * kGroup,
                     scaleOut + begin, sumOut + begin);
            for (std::int64_t i = begin; i < begin + count; ++i) {
                scaledSumOut[i] = scaleOut[i] * static_cast<float>(sumOut[i]);
            }
            begin += count;
        }
    });
}

ActivationTiles Activations::floatTiles(std::int64_t width, const ExecContext& context) const
{
    ActivationTiles tiles;
    tiles.tiling = TokenTiling::of(tokens, width);
    tiles.k = k;
    tiles.x = x;
    if (tokens <= 1) {
        return tiles;
    }
    float* copy = grown(m_tiled.x, tokens * k);
    tiles.x = copy;
    if (m_tiled.floatWidth == width) {
        return tiles;
    }
    const TokenTiling& tiling = tiles.tiling;
    split(context.team, tiling.count, tokens * k, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
            const std::int64_t start = tiling.start(tile);
            interleave(x + start * stride, tiling.size(tile), k, stride, copy + start * k);
        }
    });
    m_tiled.floatWidth = width;
    return tiles;
}

void Activations::makeStart(std::int32_t offset) const
{
    const std::int64_t count = tokens * (k / kGroup);
    std::int32_t* start = grown(m_tiled.start, count);
    const std::int32_t* from = tokens > 1 ? m_tiled.sum.data() : sum.data();
    if (m_tiled.offset != offset) {
        for (std::int64_t i = 0; i < count; ++i) {
            start[i] = -offset * from[i];
        }
        m_tiled.offset = offset;
    }
}

void Activations::makeHalves(const TokenTiling& tiling, std::int32_t offset,
                             const ExecContext& context) const
{
    if (m_tiled.halfOffset == offset) {
        return;
    }
    const std::int64_t groups = k / kGroup;
    std::int32_t* sums = grown(m_tiled.halfSums, tokens * groups);
    std::int32_t* start = grown(m_tiled.halfStart, 2 * tokens * groups);
    split(context.team, tiling.count, tokens * k, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
            const std::int64_t first = tiling.start(tile);
            const std::int64_t n = tiling.size(tile);
            for (std::int64_t t = 0; t < n; ++t) {
                const std::int8_t* row = q.data() + (first + t) * k;
                for (std::int64_t g = 0; g < groups; ++g) {
                    std::int32_t half[2] = {};
                    for (std::int64_t i = 0; i < kGroup / 2; ++i) {
                        half[0] += row[g * kGroup + i];
                        half[1] += row[g * kGroup + kGroup / 2 + i];
                    }
                    const std::int64_t at = first * groups + g * n + t;
                    sums[at] = (half[0] & 0xffff) | (half[1] << 16);
                    start[2 * first * groups + 2 * g * n + t] = -offset * half[0];
                    start[2 * first * groups + (2 * g + 1) * n + t] = -offset * half[1];
                }
            }
        }
    });
    m_tiled.halfOffset = offset;
}

ActivationTiles Activations::quantisedTiles(std::int64_t width, numeric::WeightType type,
                                            const ExecContext& context) const
{
    if (tokens > 1 && m_tiled.quantisedWidth != width) {
        tileQuantised(width, context);
    }
    const bool tiled = tokens > 1;
    ActivationTiles tiles;
    tiles.tiling = TokenTiling::of(tokens, width);
    tiles.k = k;
    tiles.q = tiled ? m_tiled.q.data() : q.data();
    tiles.scale = tiled ? m_tiled.scale.data() : scale.data();
    tiles.scaledSum = tiled ? m_tiled.scaledSum.data() : scaledSum.data();
    numeric::visitQuantised(type, [&]<numeric::WeightType T>() {
        using Traits = numeric::BlockTraits<T>;
        if (Traits::kSubScales == numeric::SubScales::Halves) {
            makeHalves(tiles.tiling, Traits::kOffset, context);
            tiles.start = m_tiled.halfStart.data();
            tiles.halfSums = m_tiled.halfSums.data();
        } else {
            makeStart(Traits::kOffset);
            tiles.start = m_tiled.start.data();
        }
    });
    return tiles;
}

void Activations::tileQuantised(std::int64_t width, const ExecContext& context) const
{
    const std::int64_t groups = k / kGroup;
    std::int8_t* qCopy = grown(m_tiled.q, tokens * k);
    float* scaleCopy = grown(m_tiled.scale, tokens * groups);
    float* scaledSumCopy = grown(m_tiled.scaledSum, tokens * groups);
    std::int32_t* sumCopy = grown(m_tiled.sum, tokens * groups);
    const TokenTiling tiling = TokenTiling::of(tokens, width);
    split(context.team, tiling.count, tokens * k, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
            const std::int64_t first = tiling.start(tile);
            const std::int64_t n = tiling.size(tile);
            const std::int64_t at = first * groups;
            interleaveWords(q.data() + first * k, n, k / 4, k, qCopy + first * k);
            interleave(scale.data() + at, n, groups, groups, scaleCopy + at);
            interleave(scaledSum.data() + at, n, groups, groups, scaledSumCopy + at);
            interleave(sum.data() + at, n, groups, groups, sumCopy + at);
        }
    });
    m_tiled.quantisedWidth = width;
    m_tiled.offset = -1;
    m_tiled.halfOffset = -1;
}

} // namespace ulp::kernels
