// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/kernels/ops.h"
#include "engine/numeric/float_format.h"
#include "engine/numeric/math.h"

namespace ulp::kernels {
namespace {

// Elements below which waking the team costs more than the work.
constexpr std::int64_t kHeavyGrain = 8192;  // an exp and a division each
constexpr std::int64_t kLightGrain = 65536; // a few operations each

/// f(begin, end) over [0, n), in parallel if each thread gets at least about `grain` elements.
template <typename F>
void split(std::int64_t n, std::int64_t grain, const Team& team, F f)
{
    if (team.size() == 1 || n < 2 * grain) {
        f(std::int64_t{0}, n);
        return;
    }
    const std::int64_t vectors = (n + 15) / 16;
    team.run([&](int thread) {
        const std::int64_t begin = vectors * thread / team.size() * 16;
        const std::int64_t end = vectors * (thread + 1) / team.size() * 16;
        f(begin, end < n ? end : n);
    });
}

} // namespace

const OpsKernels& opsKernels(Isa isa)
{
    switch (isa) {
    case Isa::Avx512:
        return opsAvx512();
    case Isa::Avx2:
        return opsAvx2();
    default:
        return opsPortable();
    }
}

void swiglu(const float* gate, const float* up, std::int64_t n, float* out,
            const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kHeavyGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.swiglu(gate + begin, up + begin, end - begin, out + begin);
    });
}

void swigluReference(const float* gate, const float* up, std::int64_t n, float* out)
{
    for (std::int64_t i = 0; i < n; ++i) {
        out[i] = numeric::canonicalNan(numeric::siluFloat(gate[i]) * up[i]);
    }
}

void geglu(const float* gate, const float* up, std::int64_t n, float* out,
           const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kHeavyGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.geglu(gate + begin, up + begin, end - begin, out + begin);
    });
}

void gegluReference(const float* gate, const float* up, std::int64_t n, float* out)
{
    for (std::int64_t i = 0; i < n; ++i) {
        out[i] = numeric::canonicalNan(numeric::geluFloat(gate[i]) * up[i]);
    }
}

void gelu(const float* x, std::int64_t n, float* out, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kHeavyGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.gelu(x + begin, end - begin, out + begin);
    });
}

void geluReference(const float* x, std::int64_t n, float* out)
{
    for (std::int64_t i = 0; i < n; ++i) {
        out[i] = numeric::canonicalNan(numeric::geluFloat(x[i]));
    }
}

void scale(const float* x, float factor, std::int64_t n, float* out, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kLightGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.scale(x + begin, factor, end - begin, out + begin);
    });
}

void softCap(float* x, float cap, std::int64_t n, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kHeavyGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.softCap(x + begin, cap, end - begin);
    });
}

void softCapReference(float* x, float cap, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i) {
        x[i] = numeric::canonicalNan(numeric::softCapFloat(x[i], cap, 1.0F / cap));
    }
}

void addBias(float* x, const float* bias, std::int64_t rows, std::int64_t n,
             const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    const std::int64_t grain = kLightGrain / n + 1;
    split(rows, grain, context.team, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            kernels.add(x + r * n, bias, n, x + r * n);
        }
    });
}

void add(const float* a, const float* b, std::int64_t n, float* out, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kLightGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.add(a + begin, b + begin, end - begin, out + begin);
    });
}

void addReference(const float* a, const float* b, std::int64_t n, float* out)
{
    for (std::int64_t i = 0; i < n; ++i) {
        out[i] = numeric::canonicalNan(a[i] + b[i]);
    }
}

void roundTo(Precision precision, float* x, std::int64_t n, const ExecContext& context)
{
    if (precision == Precision::F32) {
        return;
    }
    const OpsKernels& kernels = opsKernels(context.isa);
    split(n, kLightGrain, context.team, [&](std::int64_t begin, std::int64_t end) {
        kernels.roundTo(precision, x + begin, end - begin);
    });
}

void roundToReference(Precision precision, float* x, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i) {
        if (precision == Precision::Bf16) {
            x[i] = numeric::roundToBf16(x[i]);
        } else if (precision == Precision::F16) {
            x[i] = numeric::roundToF16(x[i]);
        }
    }
}

} // namespace ulp::kernels
