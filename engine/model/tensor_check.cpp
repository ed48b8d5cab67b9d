// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tensors that a model of an architecture must have, held against those of a file.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/model/hyper_parameters.h"
#include "engine/numeric/weight_type.h"

namespace ulp::model {
namespace {

struct Expected {
    std::vector<std::int64_t> dims; // as in the file: [k, rows] or [n]
    bool required = true;
};
using ExpectedTensors = std::unordered_map<std::string, Expected>;

/// The tensors of one layer, as the architecture's row asks for them.
class LayerTensors {
  public:
    LayerTensors(const HyperParameters& hyper, int layer, ExpectedTensors& all)
        : m_hyper(hyper), m_parts(*hyper.parts), m_prefix(layerPrefix(layer)), m_all(all)
    {
    }

    void add()
    {
        norm("attn_norm", m_hyper.width);
        addAttention();
        norm("ffn_norm", m_hyper.width);
        if (m_parts.experts) {
            addExperts();
        } else {
            addFfn();
        }
        if (m_parts.postNorms) {
            norm("post_attention_norm", m_hyper.width);
            norm("post_ffw_norm", m_hyper.width);
        }
    }

  private:
    void norm(const char* part, std::int64_t n)
    {
        m_all[m_prefix + part + ".weight"] = {{n}};
        if (m_parts.norm == NormKind::Layer) {
            m_all[m_prefix + part + ".bias"] = {{n}};
        }
    }
    void linear(const char* part, std::int64_t k, std::int64_t rows, bool bias)
    {
        m_all[m_prefix + part + ".weight"] = {{k, rows}};
        if (bias) {
            m_all[m_prefix + part + ".bias"] = {{rows}};
        }
    }
    void addAttention()
    {
        const std::int64_t qWidth = m_hyper.heads * m_hyper.headDim;
        const std::int64_t kvWidth = m_hyper.kvHeads * m_hyper.headDim;
        if (m_parts.fusedQkv) {
            linear("attn_qkv", m_hyper.width, qWidth + 2 * kvWidth, m_parts.qkvBias);
        } else {
            linear("attn_q", m_hyper.width, qWidth, m_parts.qkvBias);
            linear("attn_k", m_hyper.width, kvWidth, m_parts.qkvBias);
            linear("attn_v", m_hyper.width, kvWidth, m_parts.qkvBias);
        }
        linear("attn_output", qWidth, m_hyper.width, m_parts.otherBiases);
        if (m_parts.qkNorm) {
            norm("attn_q_norm", m_hyper.headDim);
            norm("attn_k_norm", m_hyper.headDim);
        }
    }
    void addFfn()
    {
        const bool gated = m_parts.ffn != FfnKind::Gelu;
        if (gated && !m_parts.fusedGateUp) {
            linear("ffn_gate", m_hyper.width, m_hyper.ffnWidth, m_parts.otherBiases);
        }
        linear("ffn_up", m_hyper.width, m_hyper.ffnWidth * (m_parts.fusedGateUp ? 2 : 1),
               m_parts.otherBiases);
        linear("ffn_down", m_hyper.ffnWidth, m_hyper.width, m_parts.otherBiases);
    }
    void addExperts()
    {
        const auto experts = [this](const char* part, std::int64_t k, std::int64_t rows) {
            m_all[m_prefix + part + ".weight"] = {{k, rows, m_hyper.experts}};
        };
        linear("ffn_gate_inp", m_hyper.width, m_hyper.experts, false);
        experts("ffn_gate_exps", m_hyper.width, m_hyper.expertWidth);
        experts("ffn_up_exps", m_hyper.width, m_hyper.expertWidth);
        experts("ffn_down_exps", m_hyper.expertWidth, m_hyper.width);
    }

    const HyperParameters& m_hyper;
    const Architecture& m_parts;
    std::string m_prefix;
    ExpectedTensors& m_all;
};

ExpectedTensors expectedTensors(const HyperParameters& h)
{
    ExpectedTensors all;
    all["token_embd.weight"] = {{h.width, h.vocab}};
    all["output_norm.weight"] = {{h.width}};
    if (h.parts->norm == NormKind::Layer) {
        all["output_norm.bias"] = {{h.width}};
    }
    all["output.weight"] = {{h.width, h.vocab}, false};
    if (h.parts->rope == RopeKind::None) {
        all["position_embd.weight"] = {{h.width, h.context}};
    } else {
        all["rope_freqs.weight"] = {{h.rope.dims / 2}, false};
        all["rope_factors_long.weight"] = {{h.rope.dims / 2}, false};
        all["rope_factors_short.weight"] = {{h.rope.dims / 2}, false};
    }
    for (int layer = 0; layer < h.layers; ++layer) {
        LayerTensors(h, layer, all).add();
    }
    return all;
}

/// Tensors that share a fault, told in one line: "12 tensors ...: 'a', 'b', 'c', ...".
std::string listed(std::vector<std::string> names)
{
    constexpr std::size_t kShown = 3;
    std::ranges::sort(names);
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
        text += (i == 0 ? "'" : ", '") + utf8::repaired(names[i]) + "'";
    }
    return text + (names.size() > kShown ? ", ..." : "");
}

std::string counted(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " tensor" : " tensors");
}

void refuseTypes(const GgufFile& file, std::vector<Error>& problems)
{
    std::map<std::uint32_t, std::vector<std::string>> byType;
    for (const GgufTensor& tensor : file.tensors()) {
        if (!tensor.supported) {
            byType[tensor.type].push_back(tensor.name);
        }
    }
    for (auto& [type, names] : byType) {
        problems.push_back(makeError(
            ErrorCode::Unsupported,
            "tensor type " + std::string(numeric::ggufTypeName(type)) +
                " is not supported by this version (" + counted(names.size()) + ": " +
                listed(names) + ")",
            file.path(), "use a file whose tensors are of types that help/models.md lists"));
    }
}

} // namespace

std::string layerPrefix(int layer)
{
    return "blk." + std::to_string(layer) + ".";
}

void checkTensors(const GgufFile& file, const HyperParameters& hyper, std::vector<Error>& problems)
{
    refuseTypes(file, problems);
    ExpectedTensors expected = expectedTensors(hyper);
    std::vector<std::string> surplus;
    for (const GgufTensor& tensor : file.tensors()) {
        const auto found = expected.find(tensor.name);
        if (found == expected.end()) {
            surplus.push_back(tensor.name);
            continue;
        }
        const auto& dims = found->second.dims;
        const std::string where = file.path() + ": tensor '" + tensor.name + "'";
        if (tensor.dims != dims) {
            GgufTensor wanted;
            wanted.dims = dims;
            problems.push_back(makeError(ErrorCode::BadInput,
                                         "has shape " + tensor.shape() +
                                             ", but the metadata asks for " + wanted.shape(),
                                         where, "convert the model again with a current tool"));
        } else if (dims.size() == 1 && tensor.supported &&
                   numeric::weightTypeInfo(tensor.type)->quantised) {
            problems.push_back(makeError(ErrorCode::Unsupported,
                                         "a vector of a quantised type is not supported", where,
                                         "convert the model again with a current tool"));
        }
        expected.erase(found);
    }
    std::vector<std::string> missing;
    for (const auto& [name, tensor] : expected) {
        if (tensor.required) {
            missing.push_back(name);
        }
    }
    if (!missing.empty()) {
        problems.push_back(makeError(ErrorCode::BadInput,
                                     counted(missing.size()) + " missing: " + listed(missing),
                                     file.path(), "get the whole model, this is a part of one"));
    }
    if (!surplus.empty()) {
        problems.push_back(
            makeError(ErrorCode::Unsupported,
                      counted(surplus.size()) +
                          " of a kind that this version does not compute with: " + listed(surplus),
                      file.path(), "use a model without them"));
    }
}

} // namespace ulp::model
