// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/decoder_rows.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <thread>

#include "engine/numeric/fp_environment.h"
#include "engine/numeric/ulp.h"

namespace ulp::run {

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
    if (hyper.parts->rope == model::RopeKind::None && positions > hyper.context) {
        return makeError(ErrorCode::BadUsage,
                         "this model has learned " + std::to_string(hyper.context) +
                             " positions, and the run needs " + std::to_string(positions),
                         {}, "use fewer steps or a shorter prompt");
    }
    std::unique_ptr<Decoder> decoder(new Decoder(model));
    auto cache =
        kernels::KvCache::create(hyper.layers, sequences, positions, hyper.kvHeads, hyper.headDim);
    if (!cache) {
        return cache.error();
    }
    decoder->m_cache = std::move(*cache);
    decoder->m_settings = settings;
    const std::vector<OpInfo>& ops = decoder->ops();
    decoder->m_policies.reserve(ops.size());
    for (const OpInfo& op : ops) {
        decoder->m_policies.push_back(policyFor(settings, op.name));
    }
    if (settings.perturb) {
        const auto named = [&](const OpInfo& op) { return op.name == settings.perturb->op; };
        const auto found = std::find_if(ops.begin(), ops.end(), named);
        decoder->m_perturbedOp = static_cast<int>(found - ops.begin());
    }
    decoder->m_context.team = kernels::Team(settings.threads);
    decoder->m_context.isa = settings.isa;
    decoder->m_context.chunk = settings.reductionChunk;
    if (hyper.parts->rope != model::RopeKind::None) {
        decoder->m_rope = kernels::RopeTable(hyper.ropeFor(positions), positions);
        if (hyper.ownWindowRope) {
            decoder->m_windowRope = kernels::RopeTable(hyper.windowRope, positions);
        }
    }
    return decoder;
}

Decoder::Decoder(std::shared_ptr<const model::Model> model)
    : m_model(std::move(model)), m_plan(m_model->hyper())
{
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
        const std::int64_t inner = hyper.parts->experts ? 0 : hyper.ffnWidth;
        grow(m_gate, rows * inner);
        grow(m_up, rows * inner);
        const std::int64_t chosen = rows * hyper.expertsUsed;
        grow(m_router, rows * hyper.experts);
        grow(m_probabilities, rows * hyper.experts);
        grow(m_chosen, chosen);
        grow(m_expertWeights, chosen);
        m_chosenIds.resize(static_cast<std::size_t>(chosen));
        grow(m_expertGate, chosen * hyper.expertWidth);
        grow(m_expertUp, chosen * hyper.expertWidth);
        grow(m_expertDown, chosen * hyper.width);
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
    return showOp(rows, op, data, width);
}

/// finishOp for an output that is exact in every precision.
bool Decoder::showOp(const Rows& rows, int op, float* data, std::int64_t width)
{
    const auto count = static_cast<std::int64_t>(rows.positions.size());
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

/// Norm of whole rows. x, out: [rows, width]
bool Decoder::norm(const Rows& rows, int op, const model::Norm& weights, const float* x, float* out)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const auto n = static_cast<std::int64_t>(rows.positions.size());
    useOp(op);
    if (hyper.parts->norm == model::NormKind::Layer) {
        kernels::layerNorm(x, weights.weight.data(), weights.bias.data(), hyper.normEpsilon, n,
                           hyper.width, out, m_context);
    } else {
        kernels::rmsNorm(x, weights.weight.data(), hyper.normEpsilon, n, hyper.width, out,
                         m_context);
    }
    return finishOp(rows, op, out, hyper.width);
}

/// Makes the input of the products that follow. x: [rows, k], kept by pointer.
void Decoder::setActivations(const float* x, std::int64_t rows, std::int64_t k,
                             std::initializer_list<const model::Linear*> readers)
{
    const bool quantised = std::ranges::any_of(readers, [](const model::Linear* w) {
        return w->matrix.rows() > 0 && numeric::weightTypeInfo(w->matrix.type()).quantised;
    });
    m_activations.set(x, rows, k, k, quantised, m_context);
}

/// One matrix product of the current activations, with its bias.
bool Decoder::product(const Rows& rows, int op, const model::Linear& w, float* out)
{
    useOp(op);
    kernels::matmul(w.matrix, m_activations, out, w.matrix.rows(), m_context);
    return finishProduct(rows, op, w, out);
}

bool Decoder::finishProduct(const Rows& rows, int op, const model::Linear& w, float* out)
{
    if (!w.bias.empty()) {
        kernels::addBias(out, w.bias.data(), m_activations.tokens, w.matrix.rows(), m_context);
    }
    return finishOp(rows, op, out, w.matrix.rows());
}

/// Products of the same activations, for which the team starts once if their policies agree: in a
/// small model's decode step starting it costs as much as a product.
bool Decoder::products(const Rows& rows, std::initializer_list<NamedProduct> all)
{
    const auto policyOf = [&](const NamedProduct& one) {
        return m_policies[static_cast<std::size_t>(one.op)];
    };
    const bool agree = std::ranges::all_of(
        all, [&](const NamedProduct& one) { return policyOf(one) == policyOf(*all.begin()); });
    if (!agree) {
        return std::ranges::all_of(all, [&](const NamedProduct& one) {
            return product(rows, one.op, *one.weights, one.out);
        });
    }
    m_targets.clear();
    for (const NamedProduct& one : all) {
        m_targets.push_back({&one.weights->matrix, one.out});
    }
    useOp(all.begin()->op);
    kernels::matmulTogether(m_targets, m_activations, m_context);
    return std::ranges::all_of(all, [&](const NamedProduct& one) {
        return finishProduct(rows, one.op, *one.weights, one.out);
    });
}

/// A residual sum. a, b, out: [rows, width]
bool Decoder::sum(const Rows& rows, int op, const float* a, const float* b, float* out)
{
    const std::int64_t width = m_model->hyper().width;
    kernels::add(a, b, rows.count() * width, out, m_context);
    return finishOp(rows, op, out, width);
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
    if (!norm(picked, m_plan.finalNorm(), m_model->outputNorm(), m_final.data(), m_normed.data())) {
        return false;
    }
    const model::Linear& output = m_model->output();
    setActivations(m_normed.data(), n, hyper.width, {&output});
    if (hyper.logitCap == 0.0F) {
        return product(picked, m_plan.logits(), output, m_logits.data());
    }
    useOp(m_plan.logits());
    kernels::matmul(output.matrix, m_activations, m_logits.data(), hyper.vocab, m_context);
    kernels::softCap(m_logits.data(), hyper.logitCap, n * hyper.vocab, m_context);
    return finishOp(picked, m_plan.logits(), m_logits.data(), hyper.vocab);
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
    if (!embeddingBlock(rows)) {
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
