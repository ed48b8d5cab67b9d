// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FFN of a mixture of experts: a router chooses some of many small FFNs for each token. Each
// expert's matrices are read once in a pass, for all rows that chose it; which rows those are does
// not change a bit, as a product's row does not know its neighbours.
#include <algorithm>

#include "engine/run/decoder_rows.h"

namespace ulp::run {

/// Logits, probabilities, choice and weights of the experts, from m_normed.
bool Decoder::routeToExperts(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    const std::int64_t n = rows.count();
    const model::Linear& router = m_model->layer(layer).router;
    setActivations(m_normed.data(), n, hyper.width, {&router});
    if (!product(rows, at(LayerOp::RouterLogits), router, m_router.data())) {
        return false;
    }
    kernels::softmax(m_router.data(), n, hyper.experts, m_probabilities.data(), m_context);
    if (!finishOp(rows, at(LayerOp::RouterProbabilities), m_probabilities.data(), hyper.experts)) {
        return false;
    }
    kernels::chooseExperts(m_probabilities.data(), n, hyper.experts, hyper.expertsUsed,
                           m_chosenIds.data());
    const std::int64_t chosen = n * hyper.expertsUsed;
    std::copy_n(m_chosenIds.begin(), chosen, m_chosen.begin());
    if (!showOp(rows, at(LayerOp::ChosenExperts), m_chosen.data(), hyper.expertsUsed)) {
        return false;
    }
    // Back from the row that was shown, where a fault may have been planted.
    std::transform(m_chosen.begin(), m_chosen.begin() + chosen, m_chosenIds.begin(), [&](float id) {
        const auto last = static_cast<float>(hyper.experts - 1);
        return id > 0.0F ? static_cast<std::int32_t>(std::min(id, last)) : 0;
    });
    kernels::expertWeights(m_probabilities.data(), m_chosenIds.data(), n, hyper.experts,
                           hyper.expertsUsed, m_expertWeights.data());
    return finishOp(rows, at(LayerOp::ExpertWeights), m_expertWeights.data(), hyper.expertsUsed);
}

/// The product of each chosen expert's matrix with its rows. x: [rows, k], or [rows, used, k] if
/// each choice has an input of its own (rowsPerInput 1, else used); out: [rows, used, matrix rows].
void Decoder::expertProducts(int op, const std::vector<model::Linear>& experts, const float* x,
                             std::int64_t rowsPerInput, std::int64_t rows, float* out)
{
    useOp(op);
    const std::int64_t choices = rows * m_model->hyper().expertsUsed;
    const std::int64_t k = experts.front().matrix.k();
    const std::int64_t width = experts.front().matrix.rows();
    std::vector<std::int64_t> mine;
    for (std::size_t e = 0; e < experts.size(); ++e) {
        mine.clear();
        for (std::int64_t c = 0; c < choices; ++c) {
            if (m_chosenIds[static_cast<std::size_t>(c)] == static_cast<std::int32_t>(e)) {
                mine.push_back(c);
            }
        }
        if (mine.empty()) {
            continue;
        }
        const auto count = static_cast<std::int64_t>(mine.size());
        m_gathered.resize(static_cast<std::size_t>(count * k));
        m_scattered.resize(static_cast<std::size_t>(count * width));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t input = mine[static_cast<std::size_t>(i)] / rowsPerInput;
            std::copy_n(x + input * k, k, m_gathered.data() + i * k);
        }
        setActivations(m_gathered.data(), count, k, {&experts[e]});
        kernels::matmul(experts[e].matrix, m_activations, m_scattered.data(), width, m_context);
        for (std::int64_t i = 0; i < count; ++i) {
            std::copy_n(m_scattered.data() + i * width, width,
                        out + mine[static_cast<std::size_t>(i)] * width);
        }
    }
}

/// m_normed -> m_block.
bool Decoder::expertFfn(const Rows& rows, int layer)
{
    const model::HyperParameters& hyper = m_model->hyper();
    const model::LayerWeights& w = m_model->layer(layer);
    const auto at = [&](LayerOp op) { return m_plan.at(layer, op); };
    const std::int64_t n = rows.count();
    const std::int64_t used = hyper.expertsUsed;
    const std::int64_t inner = used * hyper.expertWidth;
    if (!routeToExperts(rows, layer)) {
        return false;
    }
    expertProducts(at(LayerOp::ExpertGate), w.gateExperts, m_normed.data(), used, n,
                   m_expertGate.data());
    if (!finishOp(rows, at(LayerOp::ExpertGate), m_expertGate.data(), inner)) {
        return false;
    }
    expertProducts(at(LayerOp::ExpertUp), w.upExperts, m_normed.data(), used, n, m_expertUp.data());
    if (!finishOp(rows, at(LayerOp::ExpertUp), m_expertUp.data(), inner)) {
        return false;
    }
    kernels::swiglu(m_expertGate.data(), m_expertUp.data(), n * inner, m_expertGate.data(),
                    m_context);
    if (!finishOp(rows, at(LayerOp::ExpertActivation), m_expertGate.data(), inner)) {
        return false;
    }
    expertProducts(at(LayerOp::ExpertDown), w.downExperts, m_expertGate.data(), 1, n,
                   m_expertDown.data());
    if (!finishOp(rows, at(LayerOp::ExpertDown), m_expertDown.data(), used * hyper.width)) {
        return false;
    }
    kernels::mixExperts(m_expertDown.data(), m_expertWeights.data(), n, used, hyper.width,
                        m_block.data(), m_context);
    return finishOp(rows, at(LayerOp::ExpertOut), m_block.data(), hyper.width);
}

} // namespace ulp::run
