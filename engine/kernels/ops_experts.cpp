// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a mixture of experts needs besides matrix products. Rows are few operations each, so one
// thread does them all.
#include <algorithm>
#include <limits>

#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/kernels/ops.h"
#include "engine/numeric/host_device.h"

namespace ulp::kernels {

void softmax(const float* x, std::int64_t rows, std::int64_t n, float* out,
             const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* row = x + r * n;
        float* to = out + r * n;
        float max = -std::numeric_limits<float>::infinity();
        for (std::int64_t i = 0; i < n; ++i) {
            max = row[i] > max ? row[i] : max;
        }
        const bool none = max == -std::numeric_limits<float>::infinity();
        kernels.expShifted(row, none ? 0.0F : max, n, to);
        float sum = kernels.sum(to, std::min(n, context.chunk));
        for (std::int64_t begin = context.chunk; begin < n; begin += context.chunk) {
            sum = sum + kernels.sum(to + begin, std::min(n - begin, context.chunk));
        }
        kernels.divideBy(to, sum, n, to);
    }
}

void chooseExperts(const float* probabilities, std::int64_t rows, std::int64_t n, std::int64_t used,
                   std::int32_t* ids)
{
    std::vector<bool> taken;
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* row = probabilities + r * n;
        taken.assign(static_cast<std::size_t>(n), false);
        for (std::int64_t k = 0; k < used; ++k) {
            // A NaN is larger than nothing: rows of NaN choose the first experts.
            std::int64_t best = -1;
            for (std::int64_t i = 0; i < n; ++i) {
                if (!taken[static_cast<std::size_t>(i)] && (best < 0 || row[i] > row[best])) {
                    best = i;
                }
            }
            taken[static_cast<std::size_t>(best)] = true;
            ids[r * used + k] = static_cast<std::int32_t>(best);
        }
    }
}

void expertWeights(const float* probabilities, const std::int32_t* ids, std::int64_t rows,
                   std::int64_t n, std::int64_t used, float* out)
{
    constexpr float kLeastSum = 6.103515625e-5F; // 2^-14
    for (std::int64_t r = 0; r < rows; ++r) {
        float sum = 0.0F;
        for (std::int64_t k = 0; k < used; ++k) {
            sum = sum + probabilities[r * n + ids[r * used + k]];
        }
        sum = sum < kLeastSum ? kLeastSum : sum;
        for (std::int64_t k = 0; k < used; ++k) {
            out[r * used + k] =
                numeric::canonicalNan(probabilities[r * n + ids[r * used + k]] / sum);
        }
    }
}

void mixExperts(const float* experts, const float* weights, std::int64_t rows, std::int64_t used,
                std::int64_t n, float* out, const ExecContext& context)
{
    const OpsKernels& kernels = opsKernels(context.isa);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* row = experts + r * used * n;
        kernels.scale(row, weights[r * used], n, out + r * n);
        for (std::int64_t k = 1; k < used; ++k) {
            kernels.addScaled(row + k * n, weights[r * used + k], n, out + r * n);
        }
    }
}

} // namespace ulp::kernels
