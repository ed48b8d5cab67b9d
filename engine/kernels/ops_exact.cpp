// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/ops_exact.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "engine/kernels/exact_sums.h"
#include "engine/numeric/contract.h"
#include "engine/numeric/math.h"

namespace ulp::kernels {
namespace {

constexpr std::int64_t kChunk = numeric::kKvChunk;

/// One query vector at a time, with the buffers that a thread keeps.
class ExactAttention {
  public:
    explicit ExactAttention(const AttentionArgs& args)
        : m_args(args), m_groupHeads(args.heads / args.cache->kvHeads()),
          m_paddedDim((args.headDim + 15) / 16 * 16),
          m_sums(static_cast<std::size_t>(2 * std::max(kChunk, m_paddedDim)))
    {
    }

    void run(std::int64_t row, std::int64_t head)
    {
        m_sequence = m_args.sequences[row];
        m_kvHead = head / m_groupHeads;
        m_length = static_cast<std::int64_t>(m_args.positions[row]) + 1;
        m_first = m_args.window > 0 ? std::max<std::int64_t>(0, m_length - m_args.window) : 0;
        const std::int64_t at = (row * m_args.heads + head) * m_args.headDim;
        scores(m_args.q + at);
        weights();
        combine(m_args.out + at);
    }

  private:
    [[nodiscard]] double* sums() { return m_sums.data(); }
    [[nodiscard]] double* magnitudes() { return m_sums.data() + m_sums.size() / 2; }
    void clearSums() { std::fill(m_sums.begin(), m_sums.end(), 0.0); }
    [[nodiscard]] std::int64_t chunks() const { return (m_length + kChunk - 1) / kChunk; }

    /// Scaled scores of all positions. q: [headDim]
    void scores(const float* q)
    {
        m_weights.assign(static_cast<std::size_t>(m_length),
                         -std::numeric_limits<float>::infinity());
        for (std::int64_t c = m_first / kChunk; c < chunks(); ++c) {
            const float* keys = m_args.cache->keys(m_args.layer, m_sequence, m_kvHead, c);
            clearSums();
            addProducts(keys, kChunk, kChunk, q, m_args.headDim, sums(), magnitudes());
            for (std::int64_t p = std::max(m_first, c * kChunk);
                 p < std::min(m_length, (c + 1) * kChunk); ++p) {
                const std::int64_t lane = p - c * kChunk;
                float dot = 0.0F;
                if (!nearestFloat(sums()[lane], magnitudes()[lane], m_args.headDim, dot)) {
                    dot = wideDot(keys + lane, kChunk, q, m_args.headDim);
                }
                const float score = dot * m_args.scale;
                m_weights[static_cast<std::size_t>(p)] =
                    m_args.softCap == 0.0F
                        ? score
                        : numeric::softCapFloat(score, m_args.softCap, 1.0F / m_args.softCap);
            }
        }
    }

    /// Scores -> weights, in place.
    void weights()
    {
        float max = -std::numeric_limits<float>::infinity();
        for (const float score : m_weights) {
            max = score > max ? score : max;
        }
        const float shift = std::isinf(max) && max < 0.0F ? 0.0F : max;
        for (float& score : m_weights) {
            score = numeric::expFloat(score - shift);
        }
    }

    /// out: [headDim]
    void combine(float* out)
    {
        const float total = exactSum(m_weights.data(), m_length);
        clearSums();
        for (std::int64_t c = m_first / kChunk; c < chunks(); ++c) {
            const float* values = m_args.cache->values(m_args.layer, m_sequence, m_kvHead, c);
            // Hidden positions weigh nothing, but even nothing times infinity would be NaN.
            const std::int64_t begin = std::max(m_first, c * kChunk);
            addProducts(values + (begin - c * kChunk) * m_paddedDim, m_paddedDim, m_paddedDim,
                        m_weights.data() + begin, std::min(m_length, (c + 1) * kChunk) - begin,
                        sums(), magnitudes());
        }
        for (std::int64_t i = 0; i < m_args.headDim; ++i) {
            float value = 0.0F;
            if (!nearestFloat(sums()[i], magnitudes()[i], m_length, value)) {
                value = wideValue(i);
            }
            out[i] = numeric::canonicalNan(value / total);
        }
    }

    [[nodiscard]] float wideValue(std::int64_t i) const
    {
        numeric::WideSum sum;
        for (std::int64_t p = m_first; p < m_length; ++p) {
            const float* values =
                m_args.cache->values(m_args.layer, m_sequence, m_kvHead, p / kChunk);
            sum.addProduct(m_weights[static_cast<std::size_t>(p)],
                           values[p % kChunk * m_paddedDim + i]);
        }
        return sum.value();
    }

    const AttentionArgs& m_args;
    std::int64_t m_groupHeads; // query heads for each KV head
    std::int64_t m_paddedDim;
    std::vector<double> m_sums;   // sums, then magnitudes, of a chunk's positions or of dimensions
    std::vector<float> m_weights; // [length]
    int m_sequence = 0;
    std::int64_t m_kvHead = 0;
    std::int64_t m_first = 0; // position that the row sees
    std::int64_t m_length = 0;
};

} // namespace

void attentionExact(const AttentionArgs& args, const ExecContext& context)
{
    const std::int64_t vectors = args.rows * args.heads;
    std::atomic<std::int64_t> next{0};
    context.team.run([&](int, int) {
        ExactAttention attention(args);
        for (std::int64_t v = next.fetch_add(1); v < vectors; v = next.fetch_add(1)) {
            attention.run(v / args.heads, v % args.heads);
        }
    });
}

} // namespace ulp::kernels
