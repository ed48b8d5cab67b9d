// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The border between the policies (who takes which range of k, how partials merge; matmul_*.cpp)
// and the inner loops of each instruction set (cpu/*/matmul_*.cpp), which compute the partials of
// one panel of 32 rows for some tiles of tokens. Included by files that are compiled for AVX2 and
// AVX-512, so it holds plain data and forced-inline functions only.
// Thread-safety: kernels touch their task alone. Ownership: tasks are views.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/settings.h"
#include "engine/numeric/host_device.h"
#include "engine/numeric/weight_type.h"

namespace ulp::kernels {

/// `tokens` cut into tiles of at most `width`, as even as can be, the larger ones first.
struct TokenTiling {
    std::int64_t tokens = 0;
    std::int64_t count = 0;  // of tiles
    std::int64_t base = 0;   // tokens in a smaller tile
    std::int64_t larger = 0; // this many tiles have base + 1

    [[nodiscard]] ULP_HOST_DEVICE static TokenTiling of(std::int64_t tokens, std::int64_t width)
    {
        TokenTiling tiling;
        tiling.tokens = tokens;
        tiling.count = (tokens + width - 1) / width;
        tiling.base = tiling.count == 0 ? 0 : tokens / tiling.count;
        tiling.larger = tokens - tiling.base * tiling.count;
        return tiling;
    }
    [[nodiscard]] ULP_HOST_DEVICE std::int64_t start(std::int64_t tile) const
    {
        return tile * base + (tile < larger ? tile : larger);
    }
    [[nodiscard]] ULP_HOST_DEVICE std::int64_t size(std::int64_t tile) const
    {
        return base + (tile < larger ? 1 : 0);
    }
};

/// Input rows by tile: within a tile of n tokens the tokens of one element (or group) are adjacent.
/// A tile that starts at token t begins at t * k (x, q), t * k / 32 (the others) or t * k / 16
/// (start for halves).
struct ActivationTiles {
    TokenTiling tiling;
    std::int64_t k = 0;
    const float* x = nullptr;         // tile: [k, n]
    const std::int8_t* q = nullptr;   // tile: [k / 4, n, 4]
    const float* scale = nullptr;     // tile: [k / 32, n]
    const float* scaledSum = nullptr; // tile: [k / 32, n]
    /// Where integer sums start. tile: [k / 32, n]: -offset * sum of q; for formats with a factor
    /// for each 16 elements [k / 32, 2, n]: the same for each half.
    const std::int32_t* start = nullptr;
    /// For those formats, tile: [k / 32, n]: sums of q over the halves, 16 bits each, first low.
    const std::int32_t* halfSums = nullptr;
};

/// Adds the partials of [kBegin, kEnd), cut every `chunk` elements from kBegin, to acc, ascending.
struct PanelTask {
    const std::byte* panel = nullptr; // packed, from k = 0
    const ActivationTiles* input = nullptr;
    std::int64_t tileBegin = 0;
    std::int64_t tileEnd = 0;
    std::int64_t kBegin = 0; // a multiple of 32
    std::int64_t kEnd = 0;
    std::int64_t chunk = 0;
    bool fromZero = true;            // start from +0 instead of what acc holds
    float* acc = nullptr;            // [tokens of the tiles, 32], 64-byte aligned
    const std::byte* next = nullptr; // weights that will be wanted after this task, and how many
    std::int64_t nextBytes = 0;      // bytes; fetched meanwhile
    std::byte* scratch = nullptr;    // as WeightKernel says for one chunk, 64-byte aligned
};

using PanelKernel = void (*)(const PanelTask& task);

/// An inner loop and the scratch it wants for one chunk: kernels that serve several tiles unpack
/// the weights once for all of them. A unit is an element (float formats) or a group of 32.
struct WeightKernel {
    PanelKernel run = nullptr;
    std::int64_t scratchPerUnit = 0; // bytes
};

struct BlockQuantiser {
    /// `count` blocks of 32: x: [count, 32] -> q: [count, 32]; scale, sum: [count]. The definition
    /// is numeric::quantiseBlock.
    void (*run)(const float* x, std::int64_t count, std::int8_t* q, float* scale,
                std::int32_t* sum) = nullptr;
};

struct IsaKernels {
    std::int64_t floatTile = 1;     // most tokens in a tile
    std::int64_t quantisedTile = 1; // most tokens in a tile
    /// Up to this many tokens are one tile, whose kernel unpacks weights in registers.
    std::int64_t quantisedBatch = 1;
    BlockQuantiser quantiser;
    /// Finished sums of one token to the output; a NaN becomes the canonical NaN. acc: `panels`
    /// times 32 sums, `stride` apart; out: [panels * 32]
    void (*store)(const float* acc, std::int64_t stride, std::int64_t panels, float* out) = nullptr;
    /// The kernel for this many tiles of tokens at once.
    WeightKernel (*select)(numeric::WeightType type, std::int64_t tiles) = nullptr;
};

[[nodiscard]] const IsaKernels& portableKernels();
[[nodiscard]] const IsaKernels& avx2Kernels();
[[nodiscard]] const IsaKernels& avx512Kernels();
[[nodiscard]] const IsaKernels& kernelsFor(Isa isa);

} // namespace ulp::kernels
