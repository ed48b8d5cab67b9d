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
    const std::int32_t* halfSums = nullptr;
    const char* ahead = nullptr;
};

/// Where a chunk's weights begin: at unit `first` of a block of the packed stream.
struct WeightRange {
    const std::byte* block = nullptr;
    std::int64_t first = 0;
    std::int64_t units = 0;
};

/// acc = (fromZero ? +0 : acc) + partial of the range, for one tile. acc: [n, 32]
using ChunkKernel = void (*)(const WeightRange& weights, const TileInput& input, float* acc,
                             bool fromZero);

/// A hint without effect on results, so any address will do.
ULP_HOST_DEVICE void fetchLine(const void* line)
{
    __builtin_prefetch(line, 0, 3);
}

template <typename Format>
ULP_HOST_DEVICE TileInput tileInput(const ActivationTiles& tiles, std::int64_t tile, std::int64_t k)
{
    const std::int64_t at = tiles.tiling.start(tile) * tiles.k + k * tiles.tiling.size(tile);
    TileInput input;
    if constexpr (Format::kQuantised) {
        const std::int64_t group = at / numeric::kGroup;
        input.q = tiles.q + at;
        input.scale = tiles.scale + group;
        input.scaledSum = tiles.scaledSum + group;
        input.start = tiles.start + (Format::kHalves ? 2 * group : group);
        if constexpr (Format::kHalves) {
            input.halfSums = tiles.halfSums + group;
        }
    } else {
        input.x = tiles.x + at;
    }
    return input;
}

/// All tiles of one chunk. Format: kQuantised; kHalves (a factor for each 16 elements); the
/// kBlockElements and kBlockBytes of its stream; and kChunkKernels[n - 1] for tiles of n tokens.
/// While they run, this chunk's share of the task's next weights is fetched.
template <typename Format>
ULP_HOST_DEVICE void runTiles(const PanelTask& task, const WeightRange& weights, std::int64_t k,
                              bool fromZero)
{
    const TokenTiling& tiling = task.input->tiling;
    const std::int64_t firstToken = tiling.start(task.tileBegin);
    const std::int64_t tiles = task.tileEnd - task.tileBegin;
    const std::int64_t nextPerTile = task.nextBytes / tiles + kLineBytes;
    TileInput input = tileInput<Format>(*task.input, task.tileBegin, k);
    for (std::int64_t tile = task.tileBegin; tile < task.tileEnd; ++tile) {
        TileInput following = input;
        input.ahead = Format::kQuantised ? reinterpret_cast<const char*>(input.q)
                                         : reinterpret_cast<const char*>(input.x);
        if (tile + 1 < task.tileEnd) {
            following = tileInput<Format>(*task.input, tile + 1, k);
            if constexpr (Format::kQuantised) {
                input.ahead = reinterpret_cast<const char*>(following.q);
                for (std::int64_t line = 0; line < weights.units * tiling.size(tile); line += 16) {
                    fetchLine(following.scale + line);
                    fetchLine(following.start + (Format::kHalves ? 2 * line : line));
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
        Format::kChunkKernels[tiling.size(tile) - 1](weights, input, acc, fromZero);
        input = following;
    }
}

/// The weights of the chunk that starts at k.
template <typename Format>
ULP_HOST_DEVICE WeightRange chunkWeights(const PanelTask& task, std::int64_t k)
{
    constexpr std::int64_t kUnit = Format::kBlockElements == 1 ? 1 : numeric::kGroup;
    const std::int64_t length = task.kEnd - k < task.chunk ? task.kEnd - k : task.chunk;
    return {task.panel + k / Format::kBlockElements * Format::kBlockBytes,
            k % Format::kBlockElements / kUnit, length / kUnit};
}

/// The whole task with weights widened in registers, for each tile.
template <typename Format>
void runPanel(const PanelTask& task)
{
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        runTiles<Format>(task, chunkWeights<Format>(task, k), k, fromZero);
        fromZero = false;
    }
}

/// The whole task with the weights of a chunk unpacked to scratch first: Unpack::unpack(range,
/// scratch), and a Format that reads what it makes. Unpack has the constants of the packed stream.
template <typename Unpack, typename Format>
void runPanelUnpacked(const PanelTask& task)
{
    bool fromZero = task.fromZero;
    for (std::int64_t k = task.kBegin; k < task.kEnd; k += task.chunk) {
        const WeightRange packed = chunkWeights<Unpack>(task, k);
        Unpack::unpack(packed, task.scratch);
        runTiles<Format>(task, WeightRange{task.scratch, 0, packed.units}, k, fromZero);
        fromZero = false;
    }
}

} // namespace ulp::kernels
