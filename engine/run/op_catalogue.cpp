// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/op_catalogue.h"

#include <initializer_list>
#include <string>

namespace ulp::run {
namespace {

class CatalogueBuilder {
  public:
    explicit CatalogueBuilder(std::vector<OpInfo>& ops) : m_ops(ops) {}

    OpInfo& append(std::string base, std::string kind, int layer, std::int64_t width,
                   std::initializer_list<int> inputs, std::string weight = {})
    {
        OpInfo op;
        op.name = layer < 0 ? base : base + "-" + std::to_string(layer);
        op.base = std::move(base);
        op.kind = std::move(kind);
        op.layer = layer;
        op.shape = {width};
        op.inputs = inputs;
        op.weight = std::move(weight);
        return m_ops.emplace_back(std::move(op));
    }

  private:
    std::vector<OpInfo>& m_ops;
};

void appendLayer(CatalogueBuilder& builder, const model::HyperParameters& hyper, int layer)
{
    const auto at = [layer](LayerOp op) { return layerOp(layer, op); };
    const int input = layer == 0 ? embeddingOp() : layerOp(layer - 1, LayerOp::Output);
    const std::int64_t qWidth = hyper.heads * hyper.headDim;
    const std::int64_t kvWidth = hyper.kvHeads * hyper.headDim;
    const auto weight = [layer](const char* name) {
        return "blk." + std::to_string(layer) + "." + name + ".weight";
    };

    builder.append("attn_norm", "norm", layer, hyper.width, {input}, weight("attn_norm"));
    builder.append("Qcur", "matmul", layer, qWidth, {at(LayerOp::AttnNorm)}, weight("attn_q"));
    builder.append("Kcur", "matmul", layer, kvWidth, {at(LayerOp::AttnNorm)}, weight("attn_k"));
    builder.append("Vcur", "matmul", layer, kvWidth, {at(LayerOp::AttnNorm)}, weight("attn_v"));
    builder.append("Qcur_rope", "rope", layer, qWidth, {at(LayerOp::Q)});
    builder.append("Kcur_rope", "rope", layer, kvWidth, {at(LayerOp::K)});
    builder.append("kqv_out", "attention", layer, qWidth, {at(LayerOp::QRope)}).history = {
        at(LayerOp::KRope), at(LayerOp::V)};
    builder.append("attn_out", "matmul", layer, hyper.width, {at(LayerOp::Attention)},
                   weight("attn_output"));
    builder.append("ffn_inp", "add", layer, hyper.width, {at(LayerOp::AttnOut), input});
    builder.append("ffn_norm", "norm", layer, hyper.width, {at(LayerOp::FfnInput)},
                   weight("ffn_norm"));
    builder.append("ffn_gate", "matmul", layer, hyper.ffnWidth, {at(LayerOp::FfnNorm)},
                   weight("ffn_gate"));
    builder.append("ffn_up", "matmul", layer, hyper.ffnWidth, {at(LayerOp::FfnNorm)},
                   weight("ffn_up"));
    builder.append("ffn_swiglu", "activation", layer, hyper.ffnWidth,
                   {at(LayerOp::Gate), at(LayerOp::Up)});
    builder.append("ffn_out", "matmul", layer, hyper.width, {at(LayerOp::Swiglu)},
                   weight("ffn_down"));
    builder.append("l_out", "add", layer, hyper.width, {at(LayerOp::Down), at(LayerOp::FfnInput)});
}

} // namespace

std::vector<OpInfo> opCatalogue(const model::HyperParameters& hyper)
{
    std::vector<OpInfo> ops;
    ops.reserve(static_cast<std::size_t>(logitsOp(hyper.layers) + 1));
    CatalogueBuilder builder(ops);
    builder.append("embd", "embedding", -1, hyper.width, {}, "token_embd.weight").readsToken = true;
    for (int layer = 0; layer < hyper.layers; ++layer) {
        appendLayer(builder, hyper, layer);
    }
    const int last = hyper.layers == 0 ? embeddingOp() : layerOp(hyper.layers - 1, LayerOp::Output);
    builder.append("result_norm", "norm", -1, hyper.width, {last}, "output_norm.weight");
    builder.append("result_output", "matmul", -1, hyper.vocab, {finalNormOp(hyper.layers)},
                   "output.weight");
    return ops;
}

} // namespace ulp::run
