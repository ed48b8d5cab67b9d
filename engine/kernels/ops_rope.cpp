// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/kernels/ops.h"
#include "engine/numeric/math.h"

namespace ulp::kernels {
namespace {

/// Llama 3's scaling by wavelength: long waves by `factor`, short ones not at all, a linear blend
/// between (Meta's reference code for Llama 3.1, apply_scaling).
double llama3Frequency(const RopeSpec& spec, double frequency)
{
    const double context = spec.llama3OriginalContext;
    const double low = spec.llama3LowFreq;
    const double high = spec.llama3HighFreq;
    const double waves = context / (2.0 * 3.14159265358979323846 / frequency);
    const double slowed = frequency / static_cast<double>(spec.llama3Factor);
    if (waves > high) {
        return frequency;
    }
    if (waves < low) {
        return slowed;
    }
    const double blend = (waves - low) / (high - low);
    return numeric::fusedMultiplyAdd(blend, frequency, (1.0 - blend) * slowed);
}

/// YaRN's interpolation by parts (Peng et al. 2023, section 3.2): pairs below the ramp turn so
/// often within the original context that they stay as they are, pairs above it are slowed.
double yarnFrequency(const RopeSpec& spec, std::int64_t pair, double frequency)
{
    const auto pairOf = [&](double turns) {
        const double waves =
            static_cast<double>(spec.yarnOriginalContext) / (turns * 2.0 * 3.14159265358979323846);
        return static_cast<double>(spec.dims) * numeric::logDouble(waves) /
               (2.0 * numeric::logDouble(static_cast<double>(spec.base)));
    };
    const double low = std::max(0.0, std::floor(pairOf(static_cast<double>(spec.yarnBetaFast))));
    const double high = std::min(static_cast<double>(spec.dims - 1),
                                 std::ceil(pairOf(static_cast<double>(spec.yarnBetaSlow))));
    const double along = (static_cast<double>(pair) - low) / std::max(0.001, high - low);
    const double kept = 1.0 - std::min(1.0, std::max(0.0, along));
    const double slowed = frequency / static_cast<double>(spec.yarnFactor);
    return numeric::fusedMultiplyAdd(kept, frequency, (1.0 - kept) * slowed);
}

double pairFrequency(const RopeSpec& spec, std::int64_t pair)
{
    const double exponent = -(2.0 * static_cast<double>(pair)) / static_cast<double>(spec.dims);
    double frequency = numeric::powDouble(static_cast<double>(spec.base), exponent);
    if (!spec.frequencyFactors.empty()) {
        frequency =
            frequency / static_cast<double>(spec.frequencyFactors[static_cast<std::size_t>(pair)]);
    }
    if (spec.llama3Factor > 0.0F) {
        frequency = llama3Frequency(spec, frequency);
    }
    if (spec.yarnFactor > 0.0F) {
        frequency = yarnFrequency(spec, pair, frequency);
    }
    return frequency * static_cast<double>(spec.linearScale);
}

} // namespace

RopeTable::RopeTable(const RopeSpec& spec, std::int64_t positions)
    : m_spec(spec), m_cos(static_cast<std::size_t>(positions * (spec.dims / 2))),
      m_sin(static_cast<std::size_t>(positions * (spec.dims / 2)))
{
    const std::int64_t pairs = spec.dims / 2;
    const double magnitude = spec.magnitude;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const double frequency = pairFrequency(spec, i);
        for (std::int64_t p = 0; p < positions; ++p) {
            const numeric::SinCos both = numeric::sinCos(static_cast<double>(p) * frequency);
            m_cos[static_cast<std::size_t>(p * pairs + i)] =
                static_cast<float>(magnitude * both.cos);
            m_sin[static_cast<std::size_t>(p * pairs + i)] =
                static_cast<float>(magnitude * both.sin);
        }
    }
}

void rope(const float* x, const std::int32_t* positions, std::int64_t rows, std::int64_t heads,
          std::int64_t headDim, const RopeTable& table, float* out, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    const auto rotate = table.spec().pairing == RopePairing::Interleaved ? kernels.rotateInterleaved
                                                                         : kernels.rotateHalves;
    const std::int64_t width = heads * headDim;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            rotate(x + r * width, table.cosOf(positions[r]), table.sinOf(positions[r]), heads,
                   headDim, table.spec().dims, out + r * width);
        }
    };
    if (context.team.size() == 1 || rows * width < 65536) {
        some(0, rows);
        return;
    }
    context.team.run([&](int thread) {
        some(rows * thread / context.team.size(), rows * (thread + 1) / context.team.size());
    });
}

void ropeReference(const float* x, const std::int32_t* positions, std::int64_t rows,
                   std::int64_t heads, std::int64_t headDim, const RopeTable& table, float* out)
{
    const std::int64_t pairs = table.spec().dims / 2;
    const bool interleaved = table.spec().pairing == RopePairing::Interleaved;
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* cos = table.cosOf(positions[r]);
        const float* sin = table.sinOf(positions[r]);
        for (std::int64_t h = 0; h < heads; ++h) {
            const float* in = x + (r * heads + h) * headDim;
            float* to = out + (r * heads + h) * headDim;
            for (std::int64_t i = 0; i < pairs; ++i) {
                const std::int64_t a = interleaved ? 2 * i : i;
                const std::int64_t b = interleaved ? 2 * i + 1 : i + pairs;
                const float x0 = in[a];
                const float x1 = in[b];
                to[a] =
                    numeric::canonicalNan(numeric::fusedMultiplyAdd(x0, cos[i], -(x1 * sin[i])));
                to[b] = numeric::canonicalNan(numeric::fusedMultiplyAdd(x1, cos[i], x0 * sin[i]));
            }
            for (std::int64_t i = 2 * pairs; i < headDim; ++i) {
                to[i] = numeric::canonicalNan(in[i]);
            }
        }
    }
}

} // namespace ulp::kernels
