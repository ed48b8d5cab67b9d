// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/op_catalogue.h"

#include <string>
#include <utility>

namespace ulp::run {
namespace {

using model::FfnKind;

/// An op of a layer before it is placed: inputs by kind.
struct Draft {
    LayerOp op;
    const char* base;
    const char* kind;
    std::int64_t width;
    std::vector<LayerOp> inputs{};  // of the same layer
    std::vector<LayerOp> history{}; // the same
    const char* weight = nullptr;   // part of the tensor's name
    bool readsLayerInput = false;   // the residual stream as it enters the layer
};

/// The ops of a layer in execution order.
class LayerDraft {
  public:
    explicit LayerDraft(const model::HyperParameters& hyper) : m_hyper(hyper), m_parts(*hyper.parts)
    {
        attention();
        if (m_parts.experts) {
            experts();
        } else {
            ffn();
        }
        if (m_parts.postNorms) {
            add({LayerOp::FfnPostNorm,
                 "ffn_post_norm",
                 "norm",
                 m_hyper.width,
                 {m_last},
                 {},
                 "post_ffw_norm"});
        }
        add({LayerOp::Output, "l_out", "add", m_hyper.width, {m_last, LayerOp::FfnInput}});
    }

    [[nodiscard]] const std::vector<Draft>& ops() const { return m_ops; }

  private:
    void add(Draft draft)
    {
        m_last = draft.op;
        m_ops.push_back(std::move(draft));
    }

    void attention()
    {
        const std::int64_t width = m_hyper.width;
        const std::int64_t qWidth = m_hyper.heads * m_hyper.headDim;
        const std::int64_t kvWidth = m_hyper.kvHeads * m_hyper.headDim;
        const bool fused = m_parts.fusedQkv;
        add({LayerOp::AttnNorm, "attn_norm", "norm", width, {}, {}, "attn_norm", true});
        add({LayerOp::Q,
             "Qcur",
             "matmul",
             qWidth,
             {LayerOp::AttnNorm},
             {},
             fused ? "attn_qkv" : "attn_q"});
        add({LayerOp::K,
             "Kcur",
             "matmul",
             kvWidth,
             {LayerOp::AttnNorm},
             {},
             fused ? "attn_qkv" : "attn_k"});
        add({LayerOp::V,
             "Vcur",
             "matmul",
             kvWidth,
             {LayerOp::AttnNorm},
             {},
             fused ? "attn_qkv" : "attn_v"});
        LayerOp q = LayerOp::Q;
        LayerOp k = LayerOp::K;
        if (m_parts.qkNorm) {
            add({LayerOp::QNorm, "Qcur_normed", "norm", qWidth, {q}, {}, "attn_q_norm"});
            add({LayerOp::KNorm, "Kcur_normed", "norm", kvWidth, {k}, {}, "attn_k_norm"});
            q = LayerOp::QNorm;
            k = LayerOp::KNorm;
        }
        if (m_parts.rope != model::RopeKind::None) {
            add({LayerOp::QRope, "Qcur_rope", "rope", qWidth, {q}});
            add({LayerOp::KRope, "Kcur_rope", "rope", kvWidth, {k}});
            q = LayerOp::QRope;
            k = LayerOp::KRope;
        }
        add({LayerOp::Attention, "kqv_out", "attention", qWidth, {q}, {k, LayerOp::V}});
        add({LayerOp::AttnOut,
             "attn_out",
             "matmul",
             width,
             {LayerOp::Attention},
             {},
             "attn_output"});
        if (m_parts.postNorms) {
            add({LayerOp::AttnPostNorm,
                 "attn_post_norm",
                 "norm",
                 width,
                 {m_last},
                 {},
                 "post_attention_norm"});
        }
        add({LayerOp::FfnInput,
             m_parts.postNorms ? "sa_out" : "ffn_inp",
             "add",
             width,
             {m_last},
             {},
             nullptr,
             true});
        add({LayerOp::FfnNorm, "ffn_norm", "norm", width, {LayerOp::FfnInput}, {}, "ffn_norm"});
    }

    void ffn()
    {
        const std::int64_t n = m_hyper.ffnWidth;
        if (m_parts.ffn == FfnKind::Gelu) {
            add({LayerOp::Up, "ffn_up", "matmul", n, {LayerOp::FfnNorm}, {}, "ffn_up"});
            add({LayerOp::Activation, "ffn_gelu", "activation", n, {LayerOp::Up}});
        } else {
            add({LayerOp::Gate,
                 "ffn_gate",
                 "matmul",
                 n,
                 {LayerOp::FfnNorm},
                 {},
                 m_parts.fusedGateUp ? "ffn_up" : "ffn_gate"});
            add({LayerOp::Up, "ffn_up", "matmul", n, {LayerOp::FfnNorm}, {}, "ffn_up"});
            add({LayerOp::Activation,
                 m_parts.ffn == FfnKind::GeGlu ? "ffn_geglu" : "ffn_swiglu",
                 "activation",
                 n,
                 {LayerOp::Gate, LayerOp::Up}});
        }
        add({LayerOp::Down,
             "ffn_out",
             "matmul",
             m_hyper.width,
             {LayerOp::Activation},
             {},
             "ffn_down"});
    }

    void experts()
    {
        const std::int64_t used = m_hyper.expertsUsed;
        const std::int64_t inner = used * m_hyper.expertWidth;
        const LayerOp chosen = LayerOp::ChosenExperts;
        add({LayerOp::RouterLogits,
             "ffn_moe_logits",
             "matmul",
             m_hyper.experts,
             {LayerOp::FfnNorm},
             {},
             "ffn_gate_inp"});
        add({LayerOp::RouterProbabilities,
             "ffn_moe_probs",
             "softmax",
             m_hyper.experts,
             {LayerOp::RouterLogits}});
        add({chosen, "ffn_moe_topk", "choice", used, {LayerOp::RouterProbabilities}});
        add({LayerOp::ExpertWeights,
             "ffn_moe_weights_norm",
             "softmax",
             used,
             {LayerOp::RouterProbabilities, chosen}});
        add({LayerOp::ExpertGate,
             "ffn_moe_gate",
             "matmul",
             inner,
             {LayerOp::FfnNorm, chosen},
             {},
             "ffn_gate_exps"});
        add({LayerOp::ExpertUp,
             "ffn_moe_up",
             "matmul",
             inner,
             {LayerOp::FfnNorm, chosen},
             {},
             "ffn_up_exps"});
        add({LayerOp::ExpertActivation,
             "ffn_moe_swiglu",
             "activation",
             inner,
             {LayerOp::ExpertGate, LayerOp::ExpertUp}});
        add({LayerOp::ExpertDown,
             "ffn_moe_down",
             "matmul",
             used * m_hyper.width,
             {LayerOp::ExpertActivation, chosen},
             {},
             "ffn_down_exps"});
        add({LayerOp::ExpertOut,
             "ffn_moe_out",
             "add",
             m_hyper.width,
             {LayerOp::ExpertDown, LayerOp::ExpertWeights}});
    }

    const model::HyperParameters& m_hyper;
    const model::Architecture& m_parts;
    std::vector<Draft> m_ops;
    LayerOp m_last = LayerOp::AttnNorm;
};

OpInfo makeOp(std::string base, std::string kind, int layer, std::int64_t width,
              std::vector<int> inputs, std::string weight = {})
{
    OpInfo op;
    op.name = layer < 0 ? base : base + "-" + std::to_string(layer);
    op.base = std::move(base);
    op.kind = std::move(kind);
    op.layer = layer;
    op.shape = {width};
    op.inputs = std::move(inputs);
    op.weight = std::move(weight);
    return op;
}

} // namespace

OpPlan::OpPlan(const model::HyperParameters& hyper)
{
    const LayerDraft layer(hyper);
    m_offsets.fill(-1);
    for (const Draft& draft : layer.ops()) {
        m_offsets[static_cast<std::size_t>(draft.op)] = m_opsPerLayer++;
    }
    m_ops.push_back(makeOp("embd", "embedding", -1, hyper.width, {}, "token_embd.weight"));
    m_ops.back().readsToken = true;
    if (hyper.parts->embeddingScale) {
        m_ops.push_back(makeOp("inp_scaled", "scale", -1, hyper.width, {0}));
    } else if (hyper.parts->rope == model::RopeKind::None) {
        m_ops.push_back(makeOp("inpL", "add", -1, hyper.width, {0}, "position_embd.weight"));
    }
    m_firstLayerOp = static_cast<int>(m_ops.size());
    m_ops.reserve(static_cast<std::size_t>(m_firstLayerOp + hyper.layers * m_opsPerLayer + 2));
    for (int l = 0; l < hyper.layers; ++l) {
        const int input = m_firstLayerOp + l * m_opsPerLayer - 1; // the op before the layer
        for (const Draft& draft : layer.ops()) {
            std::vector<int> inputs;
            for (const LayerOp op : draft.inputs) {
                inputs.push_back(at(l, op));
            }
            if (draft.readsLayerInput) {
                inputs.push_back(input);
            }
            std::string weight;
            if (draft.weight != nullptr) {
                weight = "blk." + std::to_string(l) + "." + draft.weight + ".weight";
            }
            m_ops.push_back(makeOp(draft.base, draft.kind, l, draft.width, std::move(inputs),
                                   std::move(weight)));
            for (const LayerOp op : draft.history) {
                m_ops.back().history.push_back(at(l, op));
            }
        }
    }
    const int last = static_cast<int>(m_ops.size()) - 1;
    m_ops.push_back(makeOp("result_norm", "norm", -1, hyper.width, {last}, "output_norm.weight"));
    m_ops.push_back(
        makeOp("result_output", "matmul", -1, hyper.vocab, {last + 1}, "output.weight"));
}

std::vector<OpInfo> opCatalogue(const model::HyperParameters& hyper)
{
    return OpPlan(hyper).ops();
}

} // namespace ulp::run
