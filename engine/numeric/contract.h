// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contract, version 1 (kContractVersion): every formula on the path to a hash, with its order.
// rn(...) is one rounding to nearest, ties to even, in float32; fma has one rounding. Anything not
// written here is free: who computes what, where, in which tile. A change of any line below changes
// bits and needs a new version number.
//
// Numbers     float32 with subnormals; no contraction, no reassociation. Weights of float formats
//             convert exactly. An op output that is NaN is stored as the quiet NaN 0x7fc00000:
//             which payload survives differs between machines. Max means a > b ? a : b with the
//             running value as b, so a NaN never becomes the max (it still reaches the output
//             through the sums). The sign of a zero max has no effect.
//
// Chunks      The reduction axis is cut into chunks at multiples of the run's chunk size (itself a
//             multiple of 32), the last one shorter. One partial for each chunk.
//
// Linear      y[t, r] = fold over chunks, ascending: y = partial 0, then y = rn(y + partial c).
//             Float weights: partial from +0, p = fma(w[r, k], x[t, k], p), k ascending.
//             Block formats: groups of 32 elements with int8 activations (below); from +0, groups
//             ascending,
//               dot = exact integer sum of qw * qx
//               s = rn(dw * dx); p = fma(float(dot), s, p)
//               with a minimum, then p = fma(mw, rn(dx * float(sum qx)), p)
//             where dw, mw are the group's scale and minimum in float32 and qw the stored integer
//             less the format's offset (Q8_0: 0, Q4_0: 8, Q5_0: 16, Q4_1, Q5_1: 0), or the code
//             book's integer (IQ4_NL, IQ4_XS; MXFP4 with doubled values and dw = 2^(e - 128)).
//             Formats with a factor for each group: dw = d * factor, mw = -(dmin * factor), both
//             exact in float32 (Q4_K, Q5_K, IQ4_XS).
//             Formats with a factor for each 16 elements (Q6_K, Q3_K, Q2_K): dw = d and
//               dot = factor 0 * dot 0 + factor 1 * dot 1, an exact integer below 2^24;
//             Q2_K's minimum is the same form: mw = -dmin, and in place of sum qx stands the exact
//               integer minimum factor 0 * sum 0 + minimum factor 1 * sum 1.
//
// Activations int8 for each 32: numeric/activation_quant.h, quantiseBlock.
//
// RMSNorm     Chunk partial: 16 strided lanes, lane = fma(x, x, lane), lanes folded by the tree of
//             numeric/lanes.h. sum = fold of partials, ascending (first partial, then rn(+)).
//             factor = rn(1 / rn(sqrt(rn(rn(sum / n) + eps))))
//             y = rn(rn(x * factor) * weight)
//             Of a query or key head: the same over the head's dimensions, chunks from its start.
//
// LayerNorm   sum as above with lane = rn(lane + x); mean = rn(sum / n); d = rn(x - mean); then
//             RMSNorm of d, and y = rn(y + bias).
//
// RoPE        The table is float64, rounded once. For pair i of d / 2:
//               f = pow(base, -(2i / d)); f = f / frequencyFactor[i] where given
//               llama3: wavelength = 2 pi / f; below context / highFreq unchanged, above context /
//               lowFreq f / factor, between: s = (context / wavelength - lowFreq) / (highFreq -
//               lowFreq), f = fma(s, f, (1 - s) * (f / factor))
//               yarn: pair(t) = d * ln(context / (2 pi t)) / (2 ln base); low = max(0, floor
//               pair(betaFast)); high = min(d - 1, ceil pair(betaSlow)); k = 1 - clamp((i - low) /
//               max(0.001, high - low), 0, 1); f = fma(k, f, (1 - k) * (f / factor))
//               angle = position * (f * linearScale); cos, sin of numeric/math.h, rounded to
//               float32 after a multiplication by the magnitude (1, or the attention factor of
//               yarn and longrope)
//             longrope: the short factors if the run's positions (prompt and steps) fit the
//             original context, else the long ones.
//             Rotation: y0 = fma(x0, cos, -rn(x1 * sin)); y1 = fma(x1, cos, rn(x0 * sin))
//
// Attention   KV chunks of 64 positions, at absolute multiples of 64. For one query row and head
// and
//             one chunk, over its positions up to the row's own:
//               dot = fma chain over the head's dimensions, ascending, from +0: fma(q, k, dot)
//               score = rn(dot * scale); with a cap, score = rn(tanh(rn(score * rn(1 / cap))) *
//               cap) m = max of scores, from -inf w = exp(rn(score - m0)), where m0 is m, or 0 if m
//               is -inf l = 16 strided lanes over the chunk's positions, plain sums from +0, tree
//               a[i] = fma chain over positions, ascending, from +0: fma(w, v[i], a[i])
//             The first chunk's (m, l, a) is the state; each later one merges into it, ascending:
//               M = max(m', m) with the state's m as running value; M0 is M, or 0 if M is -inf
//               f = exp(rn(m - M0)); g = exp(rn(m' - M0))
//               l = fma(l', g, rn(l * f)); a[i] = fma(a'[i], g, rn(a[i] * f)); m = M
//             y[i] = rn(a[i] / l)
//             With a window a row sees its last `window` positions: hidden ones of the first chunk
//             it sees take no part (their lanes add +0 to l), chunks before it none at all.
//
// Bias        y = rn(y + bias), after the fold of a product.
// Scale       y = rn(x * factor), factor = rn(sqrt(width)): Gemma's embedding.
// Cap         y = rn(tanh(rn(x * rn(1 / cap))) * cap): of the logits.
// GELU        u = rn(rn(1.5957691 * x) * fma(0.044715, rn(x * x), 1)); y = rn(x / rn(1 +
//             exp(-u)))
// GeGLU       y = rn(gelu(gate) * up)
// Experts     p = softmax of the router's logits: m = max; w = exp(rn(x - m)); sum by lanes and
//             chunks as in RMSNorm; p = rn(w / sum). Chosen: the largest p, ties to the lowest
//             expert, in that order. s = their sum in that order, at least 2^-14; v = rn(p / s).
//             y[i] = rn(v_0 * e_0[i]), then y[i] = fma(v_r, e_r[i], y[i]).
//
// SwiGLU      e = exp(-gate); s = rn(gate / rn(1 + e)); y = rn(s * up)
// Add         y = rn(a + b)
// Rounding    Activation precision bf16 or f16: numeric/float_format.h, after the op.
// exp         numeric/math.h, expFloat.
// Sampling    Ties go to the lowest token id; draws come from numeric/random.h.
//
// CUDA must be compiled with -fmad=false, and without -ftz and fast-math.
// Thread-safety: constants.
#pragma once

#include <cstdint>

namespace ulp::numeric {

/// Positions in a KV chunk of attention.
inline constexpr std::int64_t kKvChunk = 64;

} // namespace ulp::numeric
