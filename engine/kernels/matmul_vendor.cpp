// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Policy `vendor`: float weights widened to float32, row by row, and one call of the library's
// matrix product, as engines with a BLAS back end do it. Which kernel, which blocking, which order:
// the library's business.
#include <algorithm>

#include "engine/kernels/matmul_product.h"
#include "engine/kernels/panel_reader.h"
#include "engine/kernels/scratch.h"
#include "engine/kernels/vendor_blas.h"

namespace ulp::kernels {
namespace {

// Widened weights of one call: 64 MiB. Only the vocabulary of a large model needs several calls.
constexpr std::int64_t kMostFloats = std::int64_t{16} << 20;
constexpr std::int64_t kStrip = 64;

/// Rows of a panel, row-major. out: [32, k]
void widenPanel(const PackedMatrix& w, std::int64_t panel, float* out)
{
    float strip[kStrip * kPanelRows];
    for (std::int64_t begin = 0; begin < w.k(); begin += kStrip) {
        const std::int64_t count = std::min(kStrip, w.k() - begin);
        readFloats(w, panel, begin, begin + count, strip);
        for (std::int64_t r = 0; r < kPanelRows; ++r) {
            for (std::int64_t i = 0; i < count; ++i) {
                out[r * w.k() + begin + i] = strip[i * kPanelRows + r];
            }
        }
    }
}

} // namespace

void runVendor(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
               const ExecContext& context)
{
    thread_local Scratch memory;
    const std::int64_t panels = (w.rows() + kPanelRows - 1) / kPanelRows;
    const std::int64_t step = std::max<std::int64_t>(1, kMostFloats / (w.k() * kPanelRows));
    float* widened = memory.get<float>(std::min(step, panels) * kPanelRows * w.k());
    for (std::int64_t first = 0; first < panels; first += step) {
        const std::int64_t count = std::min(step, panels - first);
        context.team.run([&](int thread, int threads) {
            for (std::int64_t p = count * thread / threads; p < count * (thread + 1) / threads;
                 ++p) {
                widenPanel(w, first + p, widened + p * kPanelRows * w.k());
            }
        });
        const std::int64_t row = first * kPanelRows;
        const std::int64_t rows = std::min(count * kPanelRows, w.rows() - row);
        vendorProduct(x.x, static_cast<int>(x.stride), widened, out + row,
                      static_cast<int>(outStride), static_cast<int>(x.tokens),
                      static_cast<int>(rows), static_cast<int>(w.k()), context.team.size());
    }
    for (std::int64_t t = 0; t < x.tokens; ++t) {
        std::transform(out + t * outStride, out + t * outStride + w.rows(), out + t * outStride,
                       numeric::canonicalNan);
    }
}

} // namespace ulp::kernels
