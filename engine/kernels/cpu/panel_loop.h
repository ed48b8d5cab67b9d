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

/// The input of one tile from some element on; see ActivationTiles. `ahead` is the input of the
/// tile that follows, which a kernel may fetch into the cache as it goes.
struct TileInput {
    const float* x = nullptr;
    const std::int8_t* q = nullptr;
    const float* scale = nullptr;
    const float* scaledSum = nullptr;
    const std::int32_t* start = nullptr;
    const char* ahead = nullptr;
};

/// acc = (fromZero ? +0 : acc) + partial of `units` units, for one tile. acc: [n, 32]
using ChunkKernel = void (*)(const std::byte* weights, const TileInput& input, std::int64_t units,
                             float* acc, bool fromZero);

/// A hint without effect on results, so any address will do.
ULP_HOST_DEVICE void fetchLine(const void* line)
{
    __builtin_prefetch(line, 0, 3);
}

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
        input.start = tiles.start + group;
    } else {
        input.x = tiles.x + at;
    }
    return input;
}

/// All tiles of one chunk. Format: kQuantised, kUnitBytes of the weights, and kChunkKernels[n - 1]
/// for tiles of n tokens. While they run, this chunk's share of the task's next weights is fetched.
template <typename Format>
ULP_HOST_DEVICE void runTiles(const PanelTask& task, const std::byte* weights, std::int64_t k,
                              std::int64_t units, bool fromZero)
{
    const TokenTiling& tiling = task.input->tiling;
    const std::int64_t firstToken = tiling.start(task.tileBegin);
    const std::int64_t tiles = task.tileEnd - task.tileBegin;
    const std::int64_t nextPerTile = task.nextBytes / tiles + kLineBytes;
    TileInput input = tileInput<Format::kQuantised>(*task.input, task.tileBegin, k);
    for (std::int64_t tile = task.tileBegin; tile < task.tileEnd; ++tile) {
        TileInput following = input;
        input.ahead = Format::kQuantised ? reinterpret_cast<const char*>(input.q)
                                         : reinterpret_cast<const char*>(input.x);
        if (tile + 1 < task.tileEnd) {
            following = tileInput<Format::kQuantised>(*task.input, tile + 1, k);
            if constexpr (Format::kQuantised) {
                input.ahead = reinterpret_cast<const char*>(following.q);
                for (std::int64_t line = 0; line < units * tiling.size(tile); line += 16) {
                    fetchLine(following.scale + line);
                    fetchLine(following.start + line);
                    fetchLine(following.scaledSum + line);
                }
            } else {
                input.ahead = reinterpret_cast<const char*>(following.x);
            }
        }
        if (task.nextBytes != 0) {
            const std::int64_t from = (tile - task.tileBegin) * nextPerTile;
            for (std::int64_t at = from; at < from + nextPerTile; at += kLineBytes) {
                __builtin_prefetch(task.next + at, 0, 2);
            }
        }
        float* acc = task.acc + (tiling.start(tile) - firstToken) * kPanelRows;
        Format::kChunkKernels[tiling.size(tile) - 1](weights, input, units, acc, fromZero);
        input = following;
    }
}

/// The whole task with weights widened in registers, for each tile.
template <typename Format>
void runPanel(const PanelTask& task)
{
    constexpr std::int64_t kUnit = Format::kQuantised ? numeric::kGroup : 1;
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        const std::int64_t length = task.kEnd - k < task.chunk ? task.kEnd - k : task.chunk;
        runTiles<Format>(task, task.panel + k / kUnit * Format::kUnitBytes, k, length / kUnit,
                         fromZero);
        fromZero = false;
    }
}

/// The whole task with the weights of a chunk unpacked to scratch first: Unpack::unpack(packed,
/// units, scratch), and a Format that reads what it makes.
template <typename Unpack, typename Format>
void runPanelUnpacked(const PanelTask& task)
{
    constexpr std::int64_t kUnit = Format::kQuantised ? numeric::kGroup : 1;
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        const std::int64_t length = task.kEnd - k < task.chunk ? task.kEnd - k : task.chunk;
        Unpack::unpack(task.panel + k / kUnit * Unpack::kUnitBytes, length / kUnit, task.scratch);
        runTiles<Format>(task, task.scratch, k, length / kUnit, fromZero);
        fromZero = false;
    }
}

} // namespace ulp::kernels
