// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/kernels/cpu/ops_kernels.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/ops_exact.h"
#include "engine/kernels/ops_policy.h"
#include "engine/numeric/contract.h"
#include "engine/numeric/lanes.h"
#include "engine/numeric/math.h"

namespace ulp::kernels {
namespace {

constexpr std::int64_t kChunk = numeric::kKvChunk;
// Query vectors that share the walk over a KV chunk while it is in the first-level cache.
constexpr std::int64_t kBlockVectors = 24;

/// The first position that a row sees.
std::int64_t firstSeen(const AttentionArgs& args, std::int64_t row)
{
    const std::int64_t first = args.positions[row] + 1 - args.window;
    return args.window > 0 && first > 0 ? first : 0;
}

/// Rows of one sequence x heads of one KV head.
struct BlockPlace {
    std::int64_t rowBegin;
    std::int64_t rowEnd;
    std::int64_t headBegin;
    std::int64_t headEnd;
    std::int64_t firstChunk; // that any of its rows sees
    std::int64_t chunks;     // from there to the end of its furthest row
};

/// A softmax state with its memory, sized for one block.
class AttentionBuffer {
  public:
    void clear(std::int64_t vectors, std::int64_t paddedDim, bool compensated)
    {
        const std::int64_t floats = vectors * (2 + paddedDim) * (compensated ? 2 : 1);
        if (static_cast<std::int64_t>(m_floats.size()) < floats) {
            m_floats.resize(static_cast<std::size_t>(floats));
        }
        if (static_cast<std::int64_t>(m_capacity) < vectors) {
            m_filled = std::make_unique<bool[]>(static_cast<std::size_t>(vectors));
            m_capacity = static_cast<std::size_t>(vectors);
        }
        std::fill_n(m_filled.get(), vectors, false);
        m_view.filled = m_filled.get();
        m_view.values = m_floats.data();
        m_view.max = m_view.values + vectors * paddedDim;
        m_view.sum = m_view.max + vectors;
        if (compensated) {
            m_view.valueErrors = m_view.sum + vectors;
            m_view.sumError = m_view.valueErrors + vectors * paddedDim;
            // A partial brings no error of its own, and does not write these.
            std::fill_n(m_view.valueErrors, vectors * (paddedDim + 1), 0.0F);
        }
    }
    [[nodiscard]] const AttentionState& view() const { return m_view; }

  private:
    std::vector<float> m_floats;
    std::unique_ptr<bool[]> m_filled;
    std::size_t m_capacity = 0;
    AttentionState m_view;
};

/// Attention as a reduction: a group is a block of query vectors, its chunks are KV chunks.
class AttentionOp {
  public:
    struct Input {
        const BlockPlace* place = nullptr;
        AttentionBlock block;
        std::vector<float> q;
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> firsts;
    };
    using State = AttentionBuffer;

    AttentionOp(const AttentionArgs& args, const ExecContext& context)
        : m_args(args), m_kernels(opsKernels(context.isa)),
          m_compensated(context.policy == Policy::Kahan),
          m_paddedDim((args.headDim + 15) / 16 * 16),
          m_groupHeads(args.heads / args.cache->kvHeads())
    {
        place(context.team.size());
    }

    [[nodiscard]] std::int64_t groups() const { return static_cast<std::int64_t>(m_places.size()); }
    [[nodiscard]] std::int64_t chunks(std::int64_t group) const { return placeOf(group).chunks; }
    [[nodiscard]] bool smallWork() const { return m_work < 200000; }
    [[nodiscard]] std::int64_t passRows() const { return m_args.rows; }

    void enter(std::int64_t group, Input& input) const
    {
        const BlockPlace& at = placeOf(group);
        const std::int64_t heads = at.headEnd - at.headBegin;
        const std::int64_t vectors = (at.rowEnd - at.rowBegin) * heads;
        const std::int64_t dim = m_args.headDim;
        input.place = &at;
        input.q.resize(static_cast<std::size_t>(vectors * dim));
        input.lengths.resize(static_cast<std::size_t>(vectors));
        input.firsts.resize(static_cast<std::size_t>(vectors));
        for (std::int64_t r = at.rowBegin; r < at.rowEnd; ++r) {
            const std::int64_t first = (r - at.rowBegin) * heads;
            std::memcpy(input.q.data() + first * dim,
                        m_args.q + (r * m_args.heads + at.headBegin) * dim,
                        sizeof(float) * static_cast<std::size_t>(heads * dim));
            std::fill_n(input.lengths.data() + first, heads,
                        static_cast<std::int64_t>(m_args.positions[r]) + 1);
            std::fill_n(input.firsts.data() + first, heads, firstSeen(m_args, r));
        }
        input.block = {input.q.data(),
                       input.lengths.data(),
                       vectors,
                       dim,
                       m_paddedDim,
                       m_args.scale,
                       m_args.window > 0 ? input.firsts.data() : nullptr,
                       m_args.softCap};
    }

    void clear(std::int64_t group, State& state) const
    {
        const BlockPlace& at = placeOf(group);
        state.clear((at.rowEnd - at.rowBegin) * (at.headEnd - at.headBegin), m_paddedDim,
                    m_compensated);
    }

    void partial(const Input& input, std::int64_t index, State& state) const
    {
        const std::int64_t chunk = input.place->firstChunk + index;
        const int sequence = m_args.sequences[input.place->rowBegin];
        const std::int64_t kvHead = input.place->headBegin / m_groupHeads;
        const KvBlock kv{m_args.cache->keys(m_args.layer, sequence, kvHead, chunk),
                         m_args.cache->values(m_args.layer, sequence, kvHead, chunk),
                         chunk * kChunk};
        m_kernels.attentionPartial(input.block, kv, state.view());
    }

    void merge(const Input& input, State& into, const State& from) const
    {
        m_kernels.attentionMerge(input.block, into.view(), from.view());
    }

    void finish(const Input& input, State& state) const
    {
        const AttentionState& s = state.view();
        const std::int64_t heads = input.place->headEnd - input.place->headBegin;
        for (std::int64_t v = 0; v < input.block.vectors; ++v) {
            float* values = s.values + v * m_paddedDim;
            float sum = s.sum[v];
            if (m_compensated) {
                sum = numeric::CompensatedSum{sum, s.sumError[v]}.value();
                for (std::int64_t i = 0; i < m_args.headDim; ++i) {
                    const float error = s.valueErrors[v * m_paddedDim + i];
                    values[i] = numeric::CompensatedSum{values[i], error}.value();
                }
            }
            const std::int64_t row = input.place->rowBegin + v / heads;
            const std::int64_t head = input.place->headBegin + v % heads;
            m_kernels.divideBy(values, sum, m_args.headDim,
                               m_args.out + (row * m_args.heads + head) * m_args.headDim);
        }
    }

  private:
    [[nodiscard]] const BlockPlace& placeOf(std::int64_t group) const
    {
        return m_places[static_cast<std::size_t>(group)];
    }

    /// Cuts rows x heads into blocks, small enough that each thread gets some.
    void place(std::int64_t threads)
    {
        const std::int64_t all = m_args.rows * m_args.heads;
        const std::int64_t fair = std::max<std::int64_t>(all / (2 * threads), 4);
        const std::int64_t most = std::min(kBlockVectors, threads == 1 ? kBlockVectors : fair);
        const std::int64_t headStep = std::min(m_groupHeads, most);
        const std::int64_t rowStep = std::max<std::int64_t>(most / headStep, 1);
        std::int64_t end = 0;
        for (std::int64_t row = 0; row < m_args.rows; row = end) {
            end = row;
            std::int64_t length = 0;
            const std::int64_t firstChunk = firstSeen(m_args, row) / kChunk;
            while (end < m_args.rows && end - row < rowStep &&
                   m_args.sequences[end] == m_args.sequences[row] &&
                   firstSeen(m_args, end) / kChunk >= firstChunk) {
                length = std::max<std::int64_t>(length, m_args.positions[end] + 1);
                ++end;
            }
            m_work += (length - firstChunk * kChunk) * (end - row) * m_args.heads * m_args.headDim;
            placeHeads(row, end, headStep, firstChunk, (length + kChunk - 1) / kChunk - firstChunk);
        }
    }

    void placeHeads(std::int64_t rowBegin, std::int64_t rowEnd, std::int64_t headStep,
                    std::int64_t firstChunk, std::int64_t chunks)
    {
        for (std::int64_t first = 0; first < m_args.heads; first += m_groupHeads) {
            for (std::int64_t h = 0; h < m_groupHeads; h += headStep) {
                m_places.push_back({rowBegin, rowEnd, first + h,
                                    first + std::min(h + headStep, m_groupHeads), firstChunk,
                                    chunks});
            }
        }
    }

    const AttentionArgs& m_args;
    const OpsKernels& m_kernels;
    bool m_compensated;
    std::int64_t m_paddedDim;
    std::int64_t m_groupHeads; // query heads for each KV head
    std::vector<BlockPlace> m_places;
    std::int64_t m_work = 0; // multiply-adds of one product
};

/// The state of one query vector, as the contract writes it.
struct ReferenceState {
    float max = 0.0F;
    float sum = 0.0F;
    std::vector<float> values; // [headDim]
};

ReferenceState referenceChunk(const AttentionArgs& args, std::int64_t row, std::int64_t head,
                              std::int64_t first, std::int64_t last)
{
    const std::int64_t kvHead = head / (args.heads / args.cache->kvHeads());
    const int sequence = args.sequences[row];
    const float* q = args.q + (row * args.heads + head) * args.headDim;
    ReferenceState state;
    std::vector<float> w;
    state.max = -std::numeric_limits<float>::infinity();
    const std::int64_t seen = std::max(first, firstSeen(args, row));
    w.assign(static_cast<std::size_t>(seen - first), -std::numeric_limits<float>::infinity());
    for (std::int64_t p = seen; p < last; ++p) {
        float dot = 0.0F;
        for (std::int64_t i = 0; i < args.headDim; ++i) {
            dot = numeric::fusedMultiplyAdd(
                q[i], args.cache->keyAt(args.layer, sequence, p, kvHead, i), dot);
        }
        float score = dot * args.scale;
        if (args.softCap != 0.0F) {
            score = numeric::softCapFloat(score, args.softCap, 1.0F / args.softCap);
        }
        w.push_back(score);
        state.max = score > state.max ? score : state.max;
    }
    const float shift = std::isinf(state.max) && state.max < 0.0F ? 0.0F : state.max;
    for (float& score : w) {
        score = numeric::expFloat(score - shift);
    }
    state.sum = numeric::laneSum(w.data(), last - first);
    state.values.assign(static_cast<std::size_t>(args.headDim), 0.0F);
    for (std::int64_t p = seen; p < last; ++p) {
        for (std::int64_t i = 0; i < args.headDim; ++i) {
            float& value = state.values[static_cast<std::size_t>(i)];
            value = numeric::fusedMultiplyAdd(
                w[static_cast<std::size_t>(p - first)],
                args.cache->valueAt(args.layer, sequence, p, kvHead, i), value);
        }
    }
    return state;
}

void referenceMerge(ReferenceState& into, const ReferenceState& from)
{
    const float max = from.max > into.max ? from.max : into.max;
    const float shift = std::isinf(max) && max < 0.0F ? 0.0F : max;
    const float f = numeric::expFloat(into.max - shift);
    const float g = numeric::expFloat(from.max - shift);
    into.max = max;
    into.sum = numeric::fusedMultiplyAdd(from.sum, g, into.sum * f);
    for (std::size_t i = 0; i < into.values.size(); ++i) {
        into.values[i] = numeric::fusedMultiplyAdd(from.values[i], g, into.values[i] * f);
    }
}

} // namespace

void attention(const AttentionArgs& args, const ExecContext& context)
{
    if (context.policy == Policy::Exact) {
        attentionExact(args, context);
    } else {
        reduceByPolicy(AttentionOp(args, context), context);
    }
}

void attentionReference(const AttentionArgs& args)
{
    for (std::int64_t row = 0; row < args.rows; ++row) {
        const std::int64_t length = static_cast<std::int64_t>(args.positions[row]) + 1;
        for (std::int64_t head = 0; head < args.heads; ++head) {
            const std::int64_t begin = firstSeen(args, row) / kChunk * kChunk;
            ReferenceState state =
                referenceChunk(args, row, head, begin, std::min(begin + kChunk, length));
            for (std::int64_t first = begin + kChunk; first < length; first += kChunk) {
                referenceMerge(state, referenceChunk(args, row, head, first,
                                                     std::min(first + kChunk, length)));
            }
            float* out = args.out + (row * args.heads + head) * args.headDim;
            for (std::int64_t i = 0; i < args.headDim; ++i) {
                out[i] =
                    numeric::canonicalNan(state.values[static_cast<std::size_t>(i)] / state.sum);
            }
        }
    }
}

} // namespace ulp::kernels
