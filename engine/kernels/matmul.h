// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Matrix products under every policy: y[t, r] = sum over k of w[r, k] * x[t, k].
// `ordered` is the contract; the other policies share its inner loops and differ only in who takes
// a chunk and how partials merge. Thread-safety: one call at a time for each Team and Activations.
// Ownership: the caller owns all buffers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/settings.h"
#include "engine/kernels/packed_matrix.h"
#include "engine/kernels/team.h"

namespace ulp::kernels {

struct ActivationTiles;
struct TokenTiling;

/// How every kernel of a run executes.
struct ExecContext {
    Team team{1};
    Isa isa = Isa::Portable;  // resolved, never Auto
    std::int64_t chunk = 256; // reduction chunk, a multiple of 32
    Policy policy = Policy::Ordered;
};

/// The best instruction set of this machine that this build has.
[[nodiscard]] Isa bestIsa();
/// Whether this machine and build can execute `isa`.
[[nodiscard]] bool isaAvailable(Isa isa);
/// The instruction sets that can run here, Portable first.
[[nodiscard]] std::vector<Isa> availableIsas();

/// The input rows of one or more matrix products, with their int8 form made once and shared (Q, K
/// and V read the same input). Reused from call to call; grows, never shrinks.
class Activations {
  public:
    /// x: [tokens, k] with row stride `stride`; kept by pointer, must outlive the products.
    /// Makes the int8 blocks if `quantised`: for each 32 elements a scale amax / 127 and rounded
    /// values (see numeric/), with block sums. Parallel over tokens; bits do not depend on team or
    /// isa.
    void set(const float* x, std::int64_t tokens, std::int64_t k, std::int64_t stride,
             bool quantised, const ExecContext& context);

    const float* x = nullptr;
    std::int64_t tokens = 0;
    std::int64_t k = 0;
    std::int64_t stride = 0;
    std::vector<std::int8_t> q;    // [tokens, k]
    std::vector<float> scale;      // [tokens, k / 32]
    std::vector<std::int32_t> sum; // [tokens, k / 32] sum of q over the block
    std::vector<float> scaledSum;  // [tokens, k / 32] rn(scale * float(sum))

    /// The rows as the kernels read them, cut into tiles of at most `width` tokens; made on the
    /// first call for a width and kept until set(). For matmul.
    [[nodiscard]] ActivationTiles floatTiles(std::int64_t width, const ExecContext& context) const;
    /// `type`: of the weights to come, whose levels have an offset (numeric/quant_blocks.h).
    [[nodiscard]] ActivationTiles quantisedTiles(std::int64_t width, numeric::WeightType type,
                                                 const ExecContext& context) const;

  private:
    /// Copies by tile; a single token's rows are a tile as they are.
    struct Tiled {
        std::int64_t floatWidth = 0; // 0: not made yet
        std::int64_t quantisedWidth = 0;
        std::vector<float> x;
        std::vector<std::int8_t> q;
        std::vector<float> scale;
        std::vector<float> scaledSum;
        std::int32_t offset = -1; // of start; -1: not made yet
        std::vector<std::int32_t> sum;
        std::vector<std::int32_t> start; // -offset * sum: what integer sums start from
        std::int32_t halfOffset = -1;    // of halfStart; -1: not made yet
        std::vector<std::int32_t> halfSums;
        std::vector<std::int32_t> halfStart; // see ActivationTiles
    };
    void tileQuantised(std::int64_t width, const ExecContext& context) const;
    void makeStart(std::int32_t offset) const;
    void makeHalves(const TokenTiling& tiling, std::int32_t offset,
                    const ExecContext& context) const;

    mutable Tiled m_tiled;
};

/// Whether matmul() has `policy` for weights of this type on this machine. All have all but
/// `vendor`: OpenBLAS, once it is installed, multiplies float formats only. Errors: Unsupported,
/// with the remedy.
[[nodiscard]] Result<void> policyServes(Policy policy, numeric::WeightType type);

/// out: [tokens, rows] with row stride `outStride`. The policy is context.policy, one that
/// policyServes() w.type(). w.k() == x.k, and x is quantised if w is. A NaN output is the canonical
/// NaN.
void matmul(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
            const ExecContext& context);

struct MatmulTarget {
    const PackedMatrix* weights = nullptr;
    float* out = nullptr; // [tokens, rows]
};
/// matmul() of several matrices with one input. Under `ordered` and with weights of one type the
/// team starts once for all of them; the bits are those of single calls. At least one target.
void matmulTogether(std::span<const MatmulTarget> targets, const Activations& x,
                    const ExecContext& context);

/// The readable scalar definition of the contract (policy `ordered`) over GGUF row-major bytes.
/// Slow; the judge of every other path. w: rows x k; x: [tokens, k]; out: [tokens, rows].
void matmulReference(numeric::WeightType type, const void* w, std::int64_t rows, std::int64_t k,
                     const float* x, std::int64_t tokens, std::int64_t chunk, float* out);

} // namespace ulp::kernels
