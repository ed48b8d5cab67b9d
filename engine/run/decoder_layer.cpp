// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one layer computes, as the architecture's row says.
#include "engine/run/decoder_rows.h"

namespace ulp::run {

bool Decoder::embeddingBlock(const Rows& rows)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const std::int64_t n = rows.count();
    for (std::int64_t row = 0; row < n; ++row) {
        m_model->embed(rows.tokens[static_cast<std::size_t>(row)].token,
                       m_x.data() + row * hyper.width);
    }
    if (!finishOp(rows, m_plan.embedding(), m_x.data(), hyper.width)) {
        return false;
    }
    if (m_plan.adjustedEmbedding() < 0) {
        return true;
    }
    if (hyper.parts->embeddingScale) {
        kernels::scale(m_x.data(), hyper.embeddingScale, n * hyper.width, m_x.data(), m_context);
    } else {
        for (std::int64_t row = 0; row < n; ++row) {
            m_model->addPosition(rows.positions[static_cast<std::size_t>(row)],
                                 m_x.data() + row * hyper.width);
        }
    }
    return finishOp(rows, m_plan.adjustedEmbedding(), m_x.data(), hyper.width);
}

/// Norm of each head, in place. x: [rows, heads, headDim]
bool Decoder::headNorm(const Rows& rows, int op, const model::Norm& weights, std::int64_t heads,
                       float* x)
{
    const model::HyperParameters& hyper = m_model->hyper();
    useOp(op);
    kernels::rmsNorm(x, weights.weight.data(), hyper.normEpsilon, rows.count() * heads,
                     hyper.headDim, x, m_context);
    return finishOp(rows, op, x, heads * hyper.headDim);
}

/// Q, K and V of the normed rows, Q and K as attention wants them.
bool Decoder::queriesAndKeys(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    const std::int64_t n = rows.count();
    setActivations(m_normed.data(), n, hyper.width, {&w.q, &w.k, &w.v});
    if (!products(rows, {{at(LayerOp::Q), &w.q, m_q.data()},
                         {at(LayerOp::K), &w.k, m_k.data()},
                         {at(LayerOp::V), &w.v, m_v.data()}})) {
        return false;
    }
    if (m_plan.has(LayerOp::QNorm) &&
        (!headNorm(rows, at(LayerOp::QNorm), w.qNorm, hyper.heads, m_q.data()) ||
         !headNorm(rows, at(LayerOp::KNorm), w.kNorm, hyper.kvHeads, m_k.data()))) {
        return false;
    }
    if (!m_plan.has(LayerOp::QRope)) {
        return true;
    }
    const bool own = hyper.ownWindowRope && hyper.hasWindow(layer);
    const kernels::RopeTable& table = own ? m_windowRope : m_rope;
    const auto rotate = [&](LayerOp op, std::int64_t heads, float* x) {
        kernels::rope(x, rows.positions.data(), n, heads, hyper.headDim, table, x, m_context);
        return finishOp(rows, at(op), x, heads * hyper.headDim);
    };
    return rotate(LayerOp::QRope, hyper.heads, m_q.data()) &&
           rotate(LayerOp::KRope, hyper.kvHeads, m_k.data());
}

/// Puts K and V into the cache.
void Decoder::storeKeysAndValues(const Rows& rows, int layer)
{
    constexpr std::int64_t kWorthATeam = 32768; // floats
    const model::HyperParameters& hyper = m_model->hyper();
    const std::int64_t n = rows.count();
    const std::int64_t kvWidth = hyper.kvHeads * hyper.headDim;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const auto r = static_cast<std::size_t>(row);
            m_cache.store(layer, rows.sequences[r], rows.positions[r], m_k.data() + row * kvWidth,
                          m_v.data() + row * kvWidth);
        }
    };
    if (n * kvWidth < kWorthATeam) {
        some(0, n);
        return;
    }
    m_context.team.run(
        [&](int thread, int threads) { some(n * thread / threads, n * (thread + 1) / threads); });
}

bool Decoder::attend(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const std::int64_t n = rows.count();
    storeKeysAndValues(rows, layer);
    const int op = m_plan.at(layer, LayerOp::Attention);
    useOp(op);
    kernels::AttentionArgs args;
    args.q = m_q.data();
    args.out = m_attention.data();
    args.rows = n;
    args.heads = hyper.heads;
    args.headDim = hyper.headDim;
    args.cache = &m_cache;
    args.layer = layer;
    args.sequences = rows.sequences.data();
    args.positions = rows.positions.data();
    args.scale = hyper.attentionScale;
    args.window = hyper.hasWindow(layer) ? hyper.window : 0;
    args.softCap = hyper.attentionCap;
    kernels::attention(args, m_context);
    return finishOp(rows, op, m_attention.data(), hyper.heads * hyper.headDim);
}

/// The residual stream -> m_block.
bool Decoder::attentionBlock(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    if (!norm(rows, at(LayerOp::AttnNorm), w.attnNorm, m_x.data(), m_normed.data()) ||
        !queriesAndKeys(rows, layer) || !attend(rows, layer)) {
        return false;
    }
    setActivations(m_attention.data(), rows.count(), hyper.heads * hyper.headDim, {&w.o});
    return product(rows, at(LayerOp::AttnOut), w.o, m_block.data()) &&
           (!m_plan.has(LayerOp::AttnPostNorm) ||
            norm(rows, at(LayerOp::AttnPostNorm), w.attnPostNorm, m_block.data(), m_block.data()));
}

/// m_normed -> m_block.
bool Decoder::plainFfn(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    const std::int64_t n = rows.count();
    const std::int64_t size = n * hyper.ffnWidth;
    setActivations(m_normed.data(), n, hyper.width, {&w.gate, &w.up});
    const NamedProduct up{at(LayerOp::Up), &w.up, m_up.data()};
    if (!(m_plan.has(LayerOp::Gate)
              ? products(rows, {{at(LayerOp::Gate), &w.gate, m_gate.data()}, up})
              : products(rows, {up}))) {
        return false;
    }
    switch (hyper.parts->ffn) {
    case model::FfnKind::SwiGlu:
        kernels::swiglu(m_gate.data(), m_up.data(), size, m_gate.data(), m_context);
        break;
    case model::FfnKind::GeGlu:
        kernels::geglu(m_gate.data(), m_up.data(), size, m_gate.data(), m_context);
        break;
    case model::FfnKind::Gelu:
        kernels::gelu(m_up.data(), size, m_gate.data(), m_context);
        break;
    }
    if (!finishOp(rows, at(LayerOp::Activation), m_gate.data(), hyper.ffnWidth)) {
        return false;
    }
    setActivations(m_gate.data(), n, hyper.ffnWidth, {&w.down});
    return product(rows, at(LayerOp::Down), w.down, m_block.data());
}

/// m_block and the residual stream -> the residual stream of the next layer.
bool Decoder::ffnBlock(const Rows& rows, int layer)
{
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    if (!sum(rows, at(LayerOp::FfnInput), m_block.data(), m_x.data(), m_ffnInput.data()) ||
        !norm(rows, at(LayerOp::FfnNorm), w.ffnNorm, m_ffnInput.data(), m_normed.data())) {
        return false;
    }
    const bool experts = m_model->hyper().parts->experts;
    if (!(experts ? expertFfn(rows, layer) : plainFfn(rows, layer))) {
        return false;
    }
    if (m_plan.has(LayerOp::FfnPostNorm) &&
        !norm(rows, at(LayerOp::FfnPostNorm), w.ffnPostNorm, m_block.data(), m_block.data())) {
        return false;
    }
    return sum(rows, at(LayerOp::Output), m_block.data(), m_ffnInput.data(), m_x.data());
}

} // namespace ulp::run
