// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Policy `exact`: each output is the real number that the stored operands define, rounded once.
//   float weights      y = rn(sum over k of w[k] * x[k])
//   block formats      y = rn(sum over groups g of (dot_g * dw_g * dx_g + mw_g * dx_g * sum_g))
// with the contract's int8 activations (x = dx * qx): dot_g the integer sum of qw * qx, sum_g that
// of qx (both with the factors of 16 elements where a format has them), and no product rounded on
// the way. What remains of an error is in the operands. Infinity and NaN come out as in IEEE 754,
// an exact zero is +0, and there is no order anywhere: not of threads, tokens, chunks or vector
// lanes.
#include <algorithm>
#include <atomic>

#include "engine/kernels/exact_sums.h"
#include "engine/kernels/matmul_product.h"
#include "engine/kernels/panel_reader.h"
#include "engine/kernels/scratch.h"

namespace ulp::kernels {
namespace {

using numeric::kGroup;
using numeric::ScaledInteger;
using numeric::WideSum;

// Elements of a panel that are widened at a time: 16 KiB of weights, used for all tokens.
constexpr std::int64_t kStrip = 128;

struct Operands {
    const PackedMatrix& w;
    const Activations& x;

    [[nodiscard]] const float* row(std::int64_t token) const { return x.x + token * x.stride; }
    [[nodiscard]] std::int64_t groups() const { return w.k() / kGroup; }
};

/// Adds integer * a * b exactly.
void addExactly(WideSum& sum, std::int32_t integer, float a, float b)
{
    if (!numeric::isFinite(a) || !numeric::isFinite(b)) {
        sum.addNonFinite(static_cast<float>(integer) * a * b);
        return;
    }
    const ScaledInteger x = numeric::scaledInteger(a);
    const ScaledInteger y = numeric::scaledInteger(b);
    const std::int64_t product = x.significand * y.significand;
    // In two halves, because 48 bits times 24 do not fit one word.
    constexpr int kHalf = 24;
    const std::int64_t high = product >> kHalf;
    const std::int64_t low = product - (high << kHalf);
    sum.add(low * integer, x.exponent + y.exponent);
    sum.add(high * integer, x.exponent + y.exponent + kHalf);
}

/// The outputs of one panel for all tokens, as far as float64 can tell them, and then the rest.
class PanelSums {
  public:
    PanelSums(const Operands& operands, std::int64_t panel, double* memory)
        : m_operands(operands), m_panel(panel), m_sums(memory),
          m_magnitudes(memory + operands.x.tokens * kPanelRows)
    {
        std::fill_n(memory, doubles(operands.x.tokens), 0.0);
    }

    static std::int64_t doubles(std::int64_t tokens) { return 2 * tokens * kPanelRows; }

    void addFloats()
    {
        thread_local Scratch memory;
        float* strip = memory.get<float>(kStrip * kPanelRows);
        const std::int64_t k = m_operands.w.k();
        for (std::int64_t begin = 0; begin < k; begin += kStrip) {
            const std::int64_t end = std::min(k, begin + kStrip);
            readFloats(m_operands.w, m_panel, begin, end, strip);
            for (std::int64_t t = 0; t < m_operands.x.tokens; ++t) {
                addProducts(strip, kPanelRows, kPanelRows, m_operands.row(t) + begin, end - begin,
                            sums(t), magnitudes(t));
            }
        }
        m_terms = k;
    }

    void addGroups()
    {
        PanelGroup group;
        std::int32_t dot[kPanelRows];
        std::int32_t sum[kPanelRows];
        const bool minimum = hasMinimum(m_operands.w.type());
        const std::int64_t groups = m_operands.groups();
        for (std::int64_t g = 0; g < groups; ++g) {
            readGroup(m_operands.w, m_panel, g, group);
            for (std::int64_t t = 0; t < m_operands.x.tokens; ++t) {
                const auto at = static_cast<std::size_t>(t * groups + g);
                const float dx = m_operands.x.scale[at];
                const std::int8_t* q =
                    m_operands.x.q.data() + static_cast<std::int64_t>(at) * kGroup;
                dotGroup(group, q, dot);
                addScaled(dot, group.scale.data(), dx, kPanelRows, sums(t), magnitudes(t));
                if (minimum) {
                    sumGroup(group, q, sum);
                    addScaled(sum, group.minimum.data(), dx, kPanelRows, sums(t), magnitudes(t));
                }
            }
        }
        m_terms = minimum ? 2 * groups : groups;
    }

    /// Rounds the sums of one token into out: [count].
    void finish(std::int64_t token, std::int64_t count, float* out) const
    {
        for (std::int64_t r = 0; r < count; ++r) {
            if (!nearestFloat(sums(token)[r], magnitudes(token)[r], m_terms, out[r])) {
                out[r] = wideOutput(token, r);
            }
        }
    }

  private:
    [[nodiscard]] double* sums(std::int64_t token) const { return m_sums + token * kPanelRows; }
    [[nodiscard]] double* magnitudes(std::int64_t token) const
    {
        return m_magnitudes + token * kPanelRows;
    }

    [[nodiscard]] float wideOutput(std::int64_t token, std::int64_t row) const
    {
        return numeric::weightTypeInfo(m_operands.w.type()).quantised ? wideGroups(token, row)
                                                                      : wideFloats(token, row);
    }

    [[nodiscard]] float wideFloats(std::int64_t token, std::int64_t row) const
    {
        WideSum sum;
        float strip[kGroup * kPanelRows];
        const std::int64_t k = m_operands.w.k();
        for (std::int64_t begin = 0; begin < k; begin += kGroup) {
            const std::int64_t end = std::min(k, begin + kGroup);
            readFloats(m_operands.w, m_panel, begin, end, strip);
            for (std::int64_t i = begin; i < end; ++i) {
                sum.addProduct(strip[(i - begin) * kPanelRows + row], m_operands.row(token)[i]);
            }
        }
        return sum.value();
    }

    [[nodiscard]] float wideGroups(std::int64_t token, std::int64_t row) const
    {
        WideSum total;
        PanelGroup group;
        std::int32_t dot[kPanelRows];
        std::int32_t sum[kPanelRows];
        const auto r = static_cast<std::size_t>(row);
        const bool minimum = hasMinimum(m_operands.w.type());
        for (std::int64_t g = 0; g < m_operands.groups(); ++g) {
            readGroup(m_operands.w, m_panel, g, group);
            const auto at = static_cast<std::size_t>(token * m_operands.groups() + g);
            const std::int8_t* q = m_operands.x.q.data() + static_cast<std::int64_t>(at) * kGroup;
            dotGroup(group, q, dot);
            addExactly(total, dot[row], group.scale[r], m_operands.x.scale[at]);
            if (minimum) {
                sumGroup(group, q, sum);
                addExactly(total, sum[row], group.minimum[r], m_operands.x.scale[at]);
            }
        }
        return total.value();
    }

    /// Integer dot products of the rows of a group with one token. q: [32]; dot: [32]
    static void dotGroup(const PanelGroup& group, const std::int8_t* q, std::int32_t* dot)
    {
        std::fill_n(dot, kPanelRows, 0);
        for (std::size_t i = 0; i < static_cast<std::size_t>(kGroup); ++i) {
            for (std::size_t r = 0; r < static_cast<std::size_t>(kPanelRows); ++r) {
                dot[r] += static_cast<std::int32_t>(group.level[i][r]) * q[i];
            }
        }
    }

    /// Sums of one token's activations, with the minimum's factors. q: [32]; sum: [32]
    static void sumGroup(const PanelGroup& group, const std::int8_t* q, std::int32_t* sum)
    {
        std::int32_t halves[2] = {};
        for (std::int64_t i = 0; i < kGroup; ++i) {
            halves[i / 16] += q[i];
        }
        for (std::size_t r = 0; r < static_cast<std::size_t>(kPanelRows); ++r) {
            sum[r] = group.minimumFactor[0][r] * halves[0] + group.minimumFactor[1][r] * halves[1];
        }
    }

    const Operands& m_operands;
    std::int64_t m_panel;
    std::int64_t m_terms = 0;
    double* m_sums;       // [tokens, 32]
    double* m_magnitudes; // [tokens, 32]
};

} // namespace

void runExact(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
              const ExecContext& context)
{
    const Operands operands{w, x};
    const bool quantised = numeric::weightTypeInfo(w.type()).quantised;
    const std::int64_t panels = (w.rows() + kPanelRows - 1) / kPanelRows;
    std::atomic<std::int64_t> next{0};
    context.team.run([&](int, int) {
        thread_local Scratch memory;
        double* doubles = memory.get<double>(PanelSums::doubles(x.tokens));
        for (std::int64_t p = next.fetch_add(1); p < panels; p = next.fetch_add(1)) {
            PanelSums sums(operands, p, doubles);
            if (quantised) {
                sums.addGroups();
            } else {
                sums.addFloats();
            }
            const std::int64_t row = p * kPanelRows;
            for (std::int64_t t = 0; t < x.tokens; ++t) {
                sums.finish(t, std::min(kPanelRows, w.rows() - row), out + t * outStride + row);
            }
        }
    });
}

} // namespace ulp::kernels
