// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything of a decoder step besides matrix products: norms, RoPE, attention, activation,
// residual adds, rounding. Each has a readable reference and fast paths that give the same bits.
// Thread-safety: one call at a time for each Team. Ownership: the caller owns all buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/settings.h"
#include "engine/kernels/kv_cache.h"
#include "engine/kernels/matmul.h"

namespace ulp::kernels {

/// out[r, i] = x[r, i] / sqrt(mean(x[r]^2) + eps) * weight[i]. x, out: [rows, n]; weight: [n].
/// The sum of squares follows context.policy and context.chunk. out may be x.
void rmsNorm(const float* x, const float* weight, float eps, std::int64_t rows, std::int64_t n,
             float* out, const ExecContext& context);
void rmsNormReference(const float* x, const float* weight, float eps, std::int64_t rows,
                      std::int64_t n, std::int64_t chunk, float* out);

/// out[r, i] = (x[r, i] - mean) / sqrt(variance + eps) * weight[i] + bias[i], with two reductions
/// that follow context.policy and context.chunk. x, out: [rows, n]; weight, bias: [n]. out may be
/// x.
void layerNorm(const float* x, const float* weight, const float* bias, float eps, std::int64_t rows,
               std::int64_t n, float* out, const ExecContext& context);
void layerNormReference(const float* x, const float* weight, const float* bias, float eps,
                        std::int64_t rows, std::int64_t n, std::int64_t chunk, float* out);

enum class RopePairing : std::uint8_t {
    Interleaved, // (0,1) (2,3) ...: GGUF `llama`
    Halves,      // (0,d/2) (1,d/2+1) ...: "neox"
};

struct RopeSpec {
    RopePairing pairing = RopePairing::Interleaved;
    std::int64_t dims = 0; // rotated dimensions of a head, even, <= headDim
    float base = 10000.0F;
    float linearScale = 1.0F; // position multiplier: 1 / factor for linear scaling
    // llama3 frequency scaling; factor 0: off
    float llama3Factor = 0.0F;
    float llama3LowFreq = 1.0F;
    float llama3HighFreq = 4.0F;
    float llama3OriginalContext = 8192.0F;
    // YaRN: long waves are slowed by `factor`, short ones are not, between the two a ramp; factor
    // 0: off
    float yarnFactor = 0.0F;
    float yarnBetaFast = 32.0F;
    float yarnBetaSlow = 1.0F;
    float yarnOriginalContext = 0.0F;
    float magnitude = 1.0F; // of the rotated pairs (attention factor of YaRN and LongRoPE)
    std::vector<float> frequencyFactors; // [dims / 2] divisors (GGUF rope_freqs.weight), or empty
};

/// Angles by position, made once for a run with the engine's own sin and cos.
class RopeTable {
  public:
    RopeTable() = default;
    RopeTable(const RopeSpec& spec, std::int64_t positions);
    [[nodiscard]] const RopeSpec& spec() const { return m_spec; }
    /// [dims / 2] each
    [[nodiscard]] const float* cosOf(std::int64_t position) const
    {
        return m_cos.data() + position * (m_spec.dims / 2);
    }
    [[nodiscard]] const float* sinOf(std::int64_t position) const
    {
        return m_sin.data() + position * (m_spec.dims / 2);
    }

  private:
    RopeSpec m_spec;
    std::vector<float> m_cos; // [positions, dims / 2]
    std::vector<float> m_sin; // [positions, dims / 2]
};

/// Rotates x: [rows, heads, headDim] into out (may be x). positions: [rows].
void rope(const float* x, const std::int32_t* positions, std::int64_t rows, std::int64_t heads,
          std::int64_t headDim, const RopeTable& table, float* out, const ExecContext& context);
void ropeReference(const float* x, const std::int32_t* positions, std::int64_t rows,
                   std::int64_t heads, std::int64_t headDim, const RopeTable& table, float* out);

struct AttentionArgs {
    const float* q = nullptr; // [rows, heads, headDim]
    float* out = nullptr;     // [rows, heads, headDim]
    std::int64_t rows = 0;
    std::int64_t heads = 0;
    std::int64_t headDim = 0;
    const KvCache* cache = nullptr;
    int layer = 0;
    const std::int32_t* sequences = nullptr; // [rows]
    const std::int32_t* positions = nullptr; // [rows]; row r attends to positions 0..positions[r]
    float scale = 1.0F;
    std::int64_t window = 0; // positions a row sees, its own included; 0: all
    float softCap = 0.0F;    // scaled scores s become cap * tanh(s / cap); 0: off
};
/// Causal attention with grouped queries over the cache, KV chunks at absolute positions,
/// ascending. Under other policies KV chunks are partials like any other and merge as the policy
/// says.
void attention(const AttentionArgs& args, const ExecContext& context);
void attentionReference(const AttentionArgs& args);

/// out = silu(gate) * up, elementwise. [n]
void swiglu(const float* gate, const float* up, std::int64_t n, float* out,
            const ExecContext& context);
void swigluReference(const float* gate, const float* up, std::int64_t n, float* out);
/// out = gelu(gate) * up, elementwise, gelu by its tanh formula. [n]
void geglu(const float* gate, const float* up, std::int64_t n, float* out,
           const ExecContext& context);
void gegluReference(const float* gate, const float* up, std::int64_t n, float* out);
/// out = gelu(x), elementwise. [n]
void gelu(const float* x, std::int64_t n, float* out, const ExecContext& context);
void geluReference(const float* x, std::int64_t n, float* out);
/// Softmax of each row, its sum by chunks of context.chunk in contract order under every policy.
/// x, out: [rows, n]
void softmax(const float* x, std::int64_t rows, std::int64_t n, float* out,
             const ExecContext& context);
/// The `used` largest of each row, largest first, ties to the lowest index. probabilities: [rows,
/// n]; ids: [rows, used]
void chooseExperts(const float* probabilities, std::int64_t rows, std::int64_t n, std::int64_t used,
                   std::int32_t* ids);
/// The probabilities of the chosen, divided by their sum. out: [rows, used]
void expertWeights(const float* probabilities, const std::int32_t* ids, std::int64_t rows,
                   std::int64_t n, std::int64_t used, float* out);
/// The weighted sum of what the chosen experts gave, in their order. experts: [rows, used, n];
/// weights: [rows, used]; out: [rows, n]
void mixExperts(const float* experts, const float* weights, std::int64_t rows, std::int64_t used,
                std::int64_t n, float* out, const ExecContext& context);
/// out = x * factor, elementwise. [n]
void scale(const float* x, float factor, std::int64_t n, float* out, const ExecContext& context);
/// x = cap * tanh(x / cap), in place. [n]
void softCap(float* x, float cap, std::int64_t n, const ExecContext& context);
void softCapReference(float* x, float cap, std::int64_t n);
/// x[r, i] += bias[i], in place. x: [rows, n]
void addBias(float* x, const float* bias, std::int64_t rows, std::int64_t n,
             const ExecContext& context);
/// out = a + b, elementwise. [n]
void add(const float* a, const float* b, std::int64_t n, float* out, const ExecContext& context);
void addReference(const float* a, const float* b, std::int64_t n, float* out);
/// Rounds in place to bf16 or f16 (to nearest, ties to even) and back; F32 does nothing. [n]
void roundTo(Precision precision, float* x, std::int64_t n, const ExecContext& context);
void roundToReference(Precision precision, float* x, std::int64_t n);

} // namespace ulp::kernels
