// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single-threaded inner loops of the ops, one table for each instruction set. The drivers
// (kernels/ops_*.cpp) decide who calls them on which piece and how partials merge.
// Thread-safety: pure functions over the caller's buffers. Ownership: the caller owns all buffers.
#pragma once

#include <cstdint>

#include "engine/base/settings.h"

namespace ulp::kernels {

/// Query vectors that share a sequence and a KV head: the unit of work of attention.
struct AttentionBlock {
    const float* q = nullptr;              // [vectors, headDim]
    const std::int64_t* lengths = nullptr; // [vectors] positions that each vector sees
    std::int64_t vectors = 0;
    std::int64_t headDim = 0;
    std::int64_t paddedDim = 0; // headDim up to a multiple of 16
    float scale = 1.0F;
    const std::int64_t* firsts = nullptr; // [vectors] first position each sees; null: all from 0
    float softCap = 0.0F;                 // 0: off
};

/// Softmax state of the vectors of a block: of one KV chunk (a partial) or of several (merged).
/// The error terms exist under `kahan` only (else null).
struct AttentionState {
    bool* filled = nullptr;       // [vectors] false: has seen no position yet
    float* max = nullptr;         // [vectors]
    float* sum = nullptr;         // [vectors]
    float* values = nullptr;      // [vectors, paddedDim], not yet divided by the sum
    float* sumError = nullptr;    // [vectors]
    float* valueErrors = nullptr; // [vectors, paddedDim]
};

/// One KV chunk of a cache: 64 positions of one KV head.
struct KvBlock {
    const float* keys = nullptr;   // [headDim, 64]: lanes are positions
    const float* values = nullptr; // [64, paddedDim]: lanes are dimensions
    std::int64_t start = 0;        // absolute position of the first
};

struct OpsKernels {
    /// Contract partial of RMSNorm. x: [n], one chunk.
    float (*sumOfSquares)(const float* x, std::int64_t n);
    /// Contract partial of a plain sum. x: [n], one chunk.
    float (*sum)(const float* x, std::int64_t n);
    /// out = x - value. [n]
    void (*subtract)(const float* x, float value, std::int64_t n, float* out);
    /// out = (x * factor) * weight. [n]
    void (*normalise)(const float* x, const float* weight, float factor, std::int64_t n,
                      float* out);
    /// One row: x, out [heads, headDim]; cos, sin [dims / 2]. out may be x.
    void (*rotateInterleaved)(const float* x, const float* cos, const float* sin,
                              std::int64_t heads, std::int64_t headDim, std::int64_t dims,
                              float* out);
    void (*rotateHalves)(const float* x, const float* cos, const float* sin, std::int64_t heads,
                         std::int64_t headDim, std::int64_t dims, float* out);
    void (*swiglu)(const float* gate, const float* up, std::int64_t n, float* out);
    void (*geglu)(const float* gate, const float* up, std::int64_t n, float* out);
    void (*gelu)(const float* x, std::int64_t n, float* out);
    void (*scale)(const float* x, float factor, std::int64_t n, float* out);
    /// sum = x * factor + sum, fused. [n]
    void (*addScaled)(const float* x, float factor, std::int64_t n, float* sum);
    /// out = e^(x - shift), for x <= shift. [n]
    void (*expShifted)(const float* x, float shift, std::int64_t n, float* out);
    void (*softCap)(float* x, float cap, std::int64_t n);
    void (*add)(const float* a, const float* b, std::int64_t n, float* out);
    void (*roundTo)(Precision precision, float* x, std::int64_t n);
    /// The partial of one KV chunk for all vectors of the block.
    void (*attentionPartial)(const AttentionBlock& block, const KvBlock& kv,
                             const AttentionState& partial);
    /// Merges `from` into `into`, for all vectors; compensated if `into` has error terms.
    void (*attentionMerge)(const AttentionBlock& block, const AttentionState& into,
                           const AttentionState& from);
    /// out[i] = values[i] / sum. [n]
    void (*divideBy)(const float* values, float sum, std::int64_t n, float* out);
};

[[nodiscard]] const OpsKernels& opsPortable();
[[nodiscard]] const OpsKernels& opsAvx2();
[[nodiscard]] const OpsKernels& opsAvx512();
/// The table of a resolved instruction set.
[[nodiscard]] const OpsKernels& opsKernels(Isa isa);

} // namespace ulp::kernels
