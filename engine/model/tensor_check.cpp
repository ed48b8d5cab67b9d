// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tensors that a `llama` model must have, held against those of a file.
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

ExpectedTensors expectedTensors(const HyperParameters& h)
{
    const std::int64_t qWidth = h.heads * h.headDim;
    const std::int64_t kvWidth = h.kvHeads * h.headDim;
    ExpectedTensors all;
    all["token_embd.weight"] = {{h.width, h.vocab}};
    all["output_norm.weight"] = {{h.width}};
    all["output.weight"] = {{h.width, h.vocab}, false};
    all["rope_freqs.weight"] = {{h.rope.dims / 2}, false};
    for (int layer = 0; layer < h.layers; ++layer) {
        const auto add = [&all, layer](std::string_view part, std::vector<std::int64_t> dims) {
            all[layerTensorName(layer, part)] = {std::move(dims)};
        };
        add("attn_norm", {h.width});
        add("attn_q", {h.width, qWidth});
        add("attn_k", {h.width, kvWidth});
        add("attn_v", {h.width, kvWidth});
        add("attn_output", {qWidth, h.width});
        add("ffn_norm", {h.width});
        add("ffn_gate", {h.width, h.ffnWidth});
        add("ffn_up", {h.width, h.ffnWidth});
        add("ffn_down", {h.ffnWidth, h.width});
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
        problems.push_back(makeError(ErrorCode::Unsupported,
                                     "tensor type " + std::string(numeric::ggufTypeName(type)) +
                                         " is not supported by this version (" +
                                         counted(names.size()) + ": " + listed(names) + ")",
                                     file.path(),
                                     "use a file of type F32, F16, BF16, Q8_0, Q4_0 or Q4_1"));
    }
}

} // namespace

std::string layerTensorName(int layer, std::string_view part)
{
    return "blk." + std::to_string(layer) + "." + std::string(part) + ".weight";
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
