// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The loops around a chunk kernel that are the same for every instruction set: chunks of a task,
// tiles of a chunk, and unpacking a panel once for all tiles. Everything here is a template over a
// type that each including file defines in its anonymous namespace, so no code compiled for one
// instruction set can be linked into another. Thread-safety: touches its task alone.
#pragma once

#include "engine/kernels/matmul_kernels.h"
#include "engine/kernels/packed_layout.h"

namespace ulp::kernels {

/// The input of one tile from some element on; see ActivationTiles.
struct TileInput {
    const float* x = nullptr;
    const std::int8_t* q = nullptr;
    const float* scale = nullptr;
    const float* scaledSum = nullptr;
    const std::int32_t* sum = nullptr;
};

/// acc = (fromZero ? +0 : acc) + partial of `units` units, for one tile. acc: [n, 32]
using ChunkKernel = void (*)(const std::byte* weights, const TileInput& input, std::int64_t units,
                             float* acc, bool fromZero);

template <bool quantised>
ULP_HOST_DEVICE TileInput tileInput(const ActivationTiles& tiles, std::int64_t tile, std::int64_t k)
{
    const std::int64_t at = tiles.tiling.start(tile) * tiles.k + k * tiles.tiling.size(tile);
    TileInput input;
    if constexpr (quantised) {
        const std::int64_t group = at / numeric::kGroup;
        input.q = tiles.q + at;
        input.scale = tiles.scale + group;
        input.scaledSum = tiles.scaledSum + group;
        input.sum = tiles.sum + group;
    } else {
        input.x = tiles.x + at;
    }
    return input;
}

/// Format: kQuantised, kUnitBytes of a packed panel, and kChunkKernels[n - 1] for tiles of n
/// tokens.
template <typename Format>
void runPanel(const PanelTask& task)
{
    constexpr std::int64_t kUnit = Format::kQuantised ? numeric::kGroup : 1;
    const TokenTiling& tiling = task.input->tiling;
    const std::int64_t firstToken = tiling.start(task.tileBegin);
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        const std::int64_t length = task.kEnd - k < task.chunk ? task.kEnd - k : task.chunk;
        const std::byte* weights = task.panel + k / kUnit * Format::kUnitBytes;
        for (std::int64_t tile = task.tileBegin; tile < task.tileEnd; ++tile) {
            float* acc = task.acc + (tiling.start(tile) - firstToken) * kPanelRows;
            Format::kChunkKernels[tiling.size(tile) - 1](
                weights, tileInput<Format::kQuantised>(*task.input, tile, k), length / kUnit, acc,
                fromZero);
        }
        fromZero = false;
    }
}

/// The same with the weights of a chunk unpacked to scratch first. Format as above, but reading
/// unpacked weights; Unpack::unpack(packed, units, scratch) makes them.
template <typename Unpack, typename Format>
void runPanelUnpacked(const PanelTask& task)
{
    constexpr std::int64_t kUnit = Format::kQuantised ? numeric::kGroup : 1;
    const TokenTiling& tiling = task.input->tiling;
    const std::int64_t firstToken = tiling.start(task.tileBegin);
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        const std::int64_t length = task.kEnd - k < task.chunk ? task.kEnd - k : task.chunk;
        const std::int64_t units = length / kUnit;
        Unpack::unpack(task.panel + k / kUnit * Unpack::kUnitBytes, units, task.scratch);
        auto* start = reinterpret_cast<std::int32_t*>(task.scratch + units * Format::kUnitBytes);
        for (std::int64_t tile = task.tileBegin; tile < task.tileEnd; ++tile) {
            TileInput input = tileInput<Format::kQuantised>(*task.input, tile, k);
            const std::int64_t n = tiling.size(tile);
            if constexpr (Format::kQuantised) {
                // What the integer sums start from: the correction for unsigned levels.
                for (std::int64_t i = 0; i < units * n; ++i) {
                    start[i] = -Unpack::kOffset * input.sum[i];
                }
                input.sum = start;
            }
            Format::kChunkKernels[n - 1](task.scratch, input, units,
                                         task.acc + (tiling.start(tile) - firstToken) * kPanelRows,
                                         fromZero);
        }
        fromZero = false;
    }
}

} // namespace ulp::kernels
