// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/decoder.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <thread>

#include "engine/numeric/fp_environment.h"
#include "engine/numeric/ulp.h"

namespace ulp::run {

/// The tokens of one pass, as the kernels and the observer want them.
struct Decoder::Rows {
    std::span<const InputToken> tokens;
    std::vector<std::int32_t> sequences; // [rows]
    std::vector<std::int32_t> positions; // [rows]
    Observer* observer = nullptr;
    const std::atomic<bool>* cancel = nullptr;

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(tokens.size()); }
};

std::size_t kvCacheBytes(const model::HyperParameters& hyper, int sequences, std::int64_t positions)
{
    return sizeof(float) * 2 * static_cast<std::size_t>(hyper.layers) *
           static_cast<std::size_t>(sequences) * static_cast<std::size_t>(positions) *
           static_cast<std::size_t>(hyper.kvHeads * hyper.headDim);
}

Result<std::unique_ptr<Decoder>> Decoder::create(std::shared_ptr<const model::Model> model,
                                                 const RunSettings& settings, int sequences,
                                                 std::int64_t positions)
{
    if (auto environment = numeric::checkFpEnvironment(); !environment) {
        return environment.error();
    }
    const model::HyperParameters& hyper = model->hyper();
    const std::size_t needed = kvCacheBytes(hyper, sequences, positions);
    const std::size_t present = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    if (needed > present) {
        return makeError(ErrorCode::BadUsage,
                         "the KV cache for " + std::to_string(positions) + " positions of " +
                             std::to_string(sequences) + " sequences needs " +
                             std::to_string(needed >> 20U) + " MiB, this machine has " +
                             std::to_string(present >> 20U) + " MiB",
                         {}, "use fewer steps, a shorter prompt or a smaller batch");
    }
    std::unique_ptr<Decoder> decoder(new Decoder);
    auto cache =
        kernels::KvCache::create(hyper.layers, sequences, positions, hyper.kvHeads, hyper.headDim);
    if (!cache) {
        return cache.error();
    }
    decoder->m_cache = std::move(*cache);
    decoder->m_settings = settings;
    decoder->m_ops = opCatalogue(hyper);
    decoder->m_policies.reserve(decoder->m_ops.size());
    for (const OpInfo& op : decoder->m_ops) {
        decoder->m_policies.push_back(policyFor(settings, op.name));
    }
    if (settings.perturb) {
        const auto named = [&](const OpInfo& op) { return op.name == settings.perturb->op; };
        const auto found = std::find_if(decoder->m_ops.begin(), decoder->m_ops.end(), named);
        decoder->m_perturbedOp = static_cast<int>(found - decoder->m_ops.begin());
    }
    decoder->m_context.team = kernels::Team(settings.threads);
    decoder->m_context.isa = settings.isa;
    decoder->m_context.chunk = settings.reductionChunk;
    decoder->m_rope = kernels::RopeTable(hyper.rope, positions);
    decoder->m_model = std::move(model);
    return decoder;
}

void Decoder::reserve(std::int64_t rows, std::int64_t logitRows)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const auto grow = [](std::vector<float>& v, std::int64_t n) {
        if (v.size() < static_cast<std::size_t>(n)) {
            v.resize(static_cast<std::size_t>(n));
        }
    };
    if (rows > m_capacity) {
        for (auto* v : {&m_x, &m_normed, &m_block, &m_ffnInput}) {
            grow(*v, rows * hyper.width);
        }
        grow(m_q, rows * hyper.heads * hyper.headDim);
        grow(m_attention, rows * hyper.heads * hyper.headDim);
        grow(m_k, rows * hyper.kvHeads * hyper.headDim);
        grow(m_v, rows * hyper.kvHeads * hyper.headDim);
        grow(m_gate, rows * hyper.ffnWidth);
        grow(m_up, rows * hyper.ffnWidth);
        m_capacity = rows;
    }
    grow(m_final, logitRows * hyper.width);
    grow(m_logits, logitRows * hyper.vocab);
}

void Decoder::useOp(int op)
{
    m_context.policy = m_policies[static_cast<std::size_t>(op)];
}

/// Rounds, perturbs and shows one op's output. False: cancelled.
bool Decoder::finishOp(const Rows& rows, int op, float* data, std::int64_t width)
{
    const auto count = static_cast<std::int64_t>(rows.positions.size());
    kernels::roundTo(m_settings.activation, data, count * width, m_context);
    if (op == m_perturbedOp) {
        const Perturbation& fault = *m_settings.perturb;
        for (std::int64_t row = 0; row < count; ++row) {
            const auto r = static_cast<std::size_t>(row);
            if (rows.sequences[r] == 0 && rows.positions[r] == fault.position) {
                float& element = data[row * width + fault.element];
                element = numeric::moveUlps(element, fault.ulps);
            }
        }
    }
    if (rows.observer != nullptr) {
        rows.observer->onOp(
            OpOutput{op, data, count, width, width, rows.sequences.data(), rows.positions.data()});
    }
    return rows.cancel == nullptr || !rows.cancel->load(std::memory_order_relaxed);
}

/// One matrix product of the current activations.
bool Decoder::product(const Rows& rows, int op, const kernels::PackedMatrix& w, float* out)
{
    useOp(op);
    kernels::matmul(w, m_activations, out, w.rows(), m_context);
    return finishOp(rows, op, out, w.rows());
}

bool Decoder::attentionBlock(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [layer](LayerOp op) { return layerOp(layer, op); };
    const std::int64_t n = rows.count();
    const std::int64_t qWidth = hyper.heads * hyper.headDim;
    const std::int64_t kvWidth = hyper.kvHeads * hyper.headDim;

    useOp(at(LayerOp::AttnNorm));
    kernels::rmsNorm(m_x.data(), w.attnNorm.data(), hyper.normEpsilon, n, hyper.width,
                     m_normed.data(), m_context);
    if (!finishOp(rows, at(LayerOp::AttnNorm), m_normed.data(), hyper.width)) {
        return false;
    }
    const auto quantised = [](const kernels::PackedMatrix& m) {
        return numeric::weightTypeInfo(m.type()).quantised;
    };
    m_activations.set(m_normed.data(), n, hyper.width, hyper.width,
                      quantised(w.q) || quantised(w.k) || quantised(w.v), m_context);
    if (!product(rows, at(LayerOp::Q), w.q, m_q.data()) ||
        !product(rows, at(LayerOp::K), w.k, m_k.data()) ||
        !product(rows, at(LayerOp::V), w.v, m_v.data())) {
        return false;
    }
    kernels::rope(m_q.data(), rows.positions.data(), n, hyper.heads, hyper.headDim, m_rope,
                  m_q.data(), m_context);
    if (!finishOp(rows, at(LayerOp::QRope), m_q.data(), qWidth)) {
        return false;
    }
    kernels::rope(m_k.data(), rows.positions.data(), n, hyper.kvHeads, hyper.headDim, m_rope,
                  m_k.data(), m_context);
    if (!finishOp(rows, at(LayerOp::KRope), m_k.data(), kvWidth)) {
        return false;
    }
    for (std::int64_t row = 0; row < n; ++row) {
        const auto r = static_cast<std::size_t>(row);
        m_cache.store(layer, rows.sequences[r], rows.positions[r], m_k.data() + row * kvWidth,
                      m_v.data() + row * kvWidth);
    }

    useOp(at(LayerOp::Attention));
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
    args.scale = 1.0F / std::sqrt(static_cast<float>(hyper.headDim));
    kernels::attention(args, m_context);
    if (!finishOp(rows, at(LayerOp::Attention), m_attention.data(), qWidth)) {
        return false;
    }
    m_activations.set(m_attention.data(), n, qWidth, qWidth, quantised(w.o), m_context);
    return product(rows, at(LayerOp::AttnOut), w.o, m_block.data());
}

bool Decoder::ffnBlock(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [layer](LayerOp op) { return layerOp(layer, op); };
    const std::int64_t n = rows.count();
    const std::int64_t size = n * hyper.width;
    const auto quantised = [](const kernels::PackedMatrix& m) {
        return numeric::weightTypeInfo(m.type()).quantised;
    };

    kernels::add(m_block.data(), m_x.data(), size, m_ffnInput.data(), m_context);
    if (!finishOp(rows, at(LayerOp::FfnInput), m_ffnInput.data(), hyper.width)) {
        return false;
    }
    useOp(at(LayerOp::FfnNorm));
    kernels::rmsNorm(m_ffnInput.data(), w.ffnNorm.data(), hyper.normEpsilon, n, hyper.width,
                     m_normed.data(), m_context);
    if (!finishOp(rows, at(LayerOp::FfnNorm), m_normed.data(), hyper.width)) {
        return false;
    }
    m_activations.set(m_normed.data(), n, hyper.width, hyper.width,
                      quantised(w.gate) || quantised(w.up), m_context);
    if (!product(rows, at(LayerOp::Gate), w.gate, m_gate.data()) ||
        !product(rows, at(LayerOp::Up), w.up, m_up.data())) {
        return false;
    }
    kernels::swiglu(m_gate.data(), m_up.data(), n * hyper.ffnWidth, m_gate.data(), m_context);
    if (!finishOp(rows, at(LayerOp::Swiglu), m_gate.data(), hyper.ffnWidth)) {
        return false;
    }
    m_activations.set(m_gate.data(), n, hyper.ffnWidth, hyper.ffnWidth, quantised(w.down),
                      m_context);
    if (!product(rows, at(LayerOp::Down), w.down, m_block.data())) {
        return false;
    }
    kernels::add(m_block.data(), m_ffnInput.data(), size, m_x.data(), m_context);
    return finishOp(rows, at(LayerOp::Output), m_x.data(), hyper.width);
}

/// Final norm and logits, for the rows that asked for them only.
bool Decoder::outputBlock(const Rows& rows)
{
    const model::HyperParameters& hyper = m_model->hyper();
    Rows picked;
    picked.observer = rows.observer;
    picked.cancel = rows.cancel;
    for (std::size_t row = 0; row < rows.tokens.size(); ++row) {
        if (rows.tokens[row].wantLogits) {
            std::copy_n(m_x.data() + static_cast<std::int64_t>(row) * hyper.width, hyper.width,
                        m_final.data() +
                            static_cast<std::int64_t>(picked.positions.size()) * hyper.width);
            picked.sequences.push_back(rows.sequences[row]);
            picked.positions.push_back(rows.positions[row]);
        }
    }
    const auto n = static_cast<std::int64_t>(picked.positions.size());
    if (n == 0) {
        return true;
    }
    const int norm = finalNormOp(hyper.layers);
    useOp(norm);
    kernels::rmsNorm(m_final.data(), m_model->outputNorm().data(), hyper.normEpsilon, n,
                     hyper.width, m_normed.data(), m_context);
    if (!finishOp(picked, norm, m_normed.data(), hyper.width)) {
        return false;
    }
    m_activations.set(m_normed.data(), n, hyper.width, hyper.width,
                      numeric::weightTypeInfo(m_model->output().type()).quantised, m_context);
    return product(picked, logitsOp(hyper.layers), m_model->output(), m_logits.data());
}

Result<void> Decoder::forward(std::span<const InputToken> tokens, Observer* observer,
                              const std::atomic<bool>* cancel)
{
    const model::HyperParameters& hyper = m_model->hyper();
    Rows rows;
    rows.tokens = tokens;
    rows.observer = observer;
    rows.cancel = cancel;
    std::int64_t logitRows = 0;
    for (const InputToken& t : tokens) {
        if (t.token < 0 || t.token >= hyper.vocab || t.sequence < 0 ||
            t.sequence >= m_cache.sequences() || t.position < 0 ||
            t.position >= m_cache.positions()) {
            return makeError(ErrorCode::BadUsage,
                             "token " + std::to_string(t.token) + " at position " +
                                 std::to_string(t.position) + " of sequence " +
                                 std::to_string(t.sequence) + " lies outside the model",
                             {}, "use token ids below " + std::to_string(hyper.vocab));
        }
        rows.sequences.push_back(t.sequence);
        rows.positions.push_back(t.position);
        logitRows += t.wantLogits ? 1 : 0;
    }
    if (tokens.empty()) {
        return {};
    }
    try {
        reserve(rows.count(), logitRows);
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Io,
                         "no memory for a pass of " + std::to_string(rows.count()) + " tokens", {},
                         "use a smaller prefill cut or batch");
    }
    const auto cancelled = [] { return makeError(ErrorCode::Cancelled, "cancelled", {}, {}); };
    for (std::size_t row = 0; row < tokens.size(); ++row) {
        m_model->embed(tokens[row].token,
                       m_x.data() + static_cast<std::int64_t>(row) * hyper.width);
    }
    if (!finishOp(rows, embeddingOp(), m_x.data(), hyper.width)) {
        return cancelled();
    }
    for (int layer = 0; layer < hyper.layers; ++layer) {
        if (!attentionBlock(rows, layer) || !ffnBlock(rows, layer)) {
            return cancelled();
        }
    }
    if (!outputBlock(rows)) {
        return cancelled();
    }
    return {};
}

std::span<const float> Decoder::logits(std::size_t i) const
{
    const auto vocab = static_cast<std::size_t>(m_model->hyper().vocab);
    return {m_logits.data() + i * vocab, vocab};
}

} // namespace ulp::run
