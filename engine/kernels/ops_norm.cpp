// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/kernels/exact_sums.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/ops_policy.h"
#include "engine/numeric/lanes.h"

namespace ulp::kernels {
namespace {

float normFactor(float sumOfSquares, std::int64_t n, float eps)
{
    const float mean = sumOfSquares / static_cast<float>(n);
    return 1.0F / numeric::squareRoot(mean + eps);
}

/// The sum of squares of each row as a reduction over chunks.
struct NormOp {
    using Input = std::int64_t; // the row
    struct State {
        numeric::CompensatedSum sum; // its error is used by `kahan` only
        bool filled = false;
    };

    const float* x;      // [rows, n]
    const float* weight; // [n]
    float eps;
    std::int64_t rows;
    std::int64_t n;
    std::int64_t chunk;
    Policy policy;
    float* out; // [rows, n]
    const OpsKernels& kernels;

    [[nodiscard]] std::int64_t groups() const { return rows; }
    [[nodiscard]] std::int64_t chunks(std::int64_t) const { return (n + chunk - 1) / chunk; }
    [[nodiscard]] std::int64_t passRows() const { return rows; }
    [[nodiscard]] bool compensated() const { return policy == Policy::Kahan; }
    [[nodiscard]] bool smallWork() const { return rows * n < 65536; }
    void enter(std::int64_t row, Input& input) const { input = row; }
    void clear(std::int64_t, State& state) const { state = State(); }
    void partial(Input row, std::int64_t c, State& state) const
    {
        const std::int64_t count = n - c * chunk < chunk ? n - c * chunk : chunk;
        const float* from = x + row * n + c * chunk;
        state.sum = {policy == Policy::Exact ? exactSumOfSquares(from, count)
                                             : kernels.sumOfSquares(from, count),
                     0.0F};
        state.filled = true;
    }
    void merge(Input, State& into, const State& from) const
    {
        if (!from.filled) {
            return;
        }
        if (!into.filled) {
            into = from;
        } else if (compensated()) {
            into.sum.merge(from.sum);
        } else {
            into.sum.sum = into.sum.sum + from.sum.sum;
        }
    }
    void finish(Input row, const State& state) const
    {
        const float sum = compensated() ? state.sum.value() : state.sum.sum;
        kernels.normalise(x + row * n, weight, normFactor(sum, n, eps), n, out + row * n);
    }
};

/// The mean of each row as a reduction over chunks; leaves x - mean.
struct CentreOp {
    using Input = std::int64_t; // the row
    using State = NormOp::State;

    const NormOp& norm; // its input, sizes and policy; out receives the centred rows

    [[nodiscard]] std::int64_t groups() const { return norm.groups(); }
    [[nodiscard]] std::int64_t chunks(std::int64_t row) const { return norm.chunks(row); }
    [[nodiscard]] std::int64_t passRows() const { return norm.passRows(); }
    [[nodiscard]] bool smallWork() const { return norm.smallWork(); }
    void enter(std::int64_t row, Input& input) const { input = row; }
    void clear(std::int64_t, State& state) const { state = State(); }
    void partial(Input row, std::int64_t c, State& state) const
    {
        const std::int64_t begin = c * norm.chunk;
        const std::int64_t count = norm.n - begin < norm.chunk ? norm.n - begin : norm.chunk;
        const float* from = norm.x + row * norm.n + begin;
        state.sum = {norm.policy == Policy::Exact ? exactSum(from, count)
                                                  : norm.kernels.sum(from, count),
                     0.0F};
        state.filled = true;
    }
    void merge(Input row, State& into, const State& from) const { norm.merge(row, into, from); }
    void finish(Input row, const State& state) const
    {
        const float sum = norm.compensated() ? state.sum.value() : state.sum.sum;
        norm.kernels.subtract(norm.x + row * norm.n, sum / static_cast<float>(norm.n), norm.n,
                              norm.out + row * norm.n);
    }
};

} // namespace

void layerNorm(const float* x, const float* weight, const float* bias, float eps, std::int64_t rows,
               std::int64_t n, float* out, const ExecContext& context)
{
    NormOp op{x,
              weight,
              eps,
              rows,
              n,
              context.policy == Policy::Exact ? n : context.chunk, // one partial, exact
              context.policy,
              out,
              opsKernels(context.isa)};
    reduceByPolicy(CentreOp{op}, context);
    op.x = out;
    reduceByPolicy(op, context);
    addBias(out, bias, rows, n, context);
}

void layerNormReference(const float* x, const float* weight, const float* bias, float eps,
                        std::int64_t rows, std::int64_t n, std::int64_t chunk, float* out)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        float* row = out + r * n;
        float sum = numeric::laneSum(x + r * n, n < chunk ? n : chunk);
        for (std::int64_t begin = chunk; begin < n; begin += chunk) {
            const std::int64_t count = n - begin < chunk ? n - begin : chunk;
            sum = sum + numeric::laneSum(x + r * n + begin, count);
        }
        const float mean = sum / static_cast<float>(n);
        for (std::int64_t i = 0; i < n; ++i) {
            row[i] = x[r * n + i] - mean;
        }
    }
    rmsNormReference(out, weight, eps, rows, n, chunk, out);
    for (std::int64_t i = 0; i < rows * n; ++i) {
        out[i] = numeric::canonicalNan(out[i] + bias[i % n]);
    }
}

void rmsNorm(const float* x, const float* weight, float eps, std::int64_t rows, std::int64_t n,
             float* out, const ExecContext& context)
{
    const NormOp op{x,
                    weight,
                    eps,
                    rows,
                    n,
                    context.policy == Policy::Exact ? n : context.chunk, // one partial, exact
                    context.policy,
                    out,
                    opsKernels(context.isa)};
    reduceByPolicy(op, context);
}

void rmsNormReference(const float* x, const float* weight, float eps, std::int64_t rows,
                      std::int64_t n, std::int64_t chunk, float* out)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* row = x + r * n;
        float sum = 0.0F; // partials are never -0, so this start is the first partial itself
        for (std::int64_t begin = 0; begin < n; begin += chunk) {
            const std::int64_t count = n - begin < chunk ? n - begin : chunk;
            sum = sum + numeric::laneSumOfSquares(row + begin, count);
        }
        const float factor = normFactor(sum, n, eps);
        for (std::int64_t i = 0; i < n; ++i) {
            out[r * n + i] = numeric::canonicalNan((row[i] * factor) * weight[i]);
        }
    }
}

} // namespace ulp::kernels
