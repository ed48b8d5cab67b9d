// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/packer.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <tuple>
#include <utility>

#include <xxhash.h>

#include "engine/model/hyper_parameters.h"
#include "engine/numeric/weight_type.h"

namespace ulp::model {

Packer::Packer(const GgufFile& file, const LoadOptions& options,
               std::vector<std::uint64_t>& digests)
    : m_file(file), m_options(options),
      m_team(options.digests ? options.threads - 1 : options.threads), m_digests(digests)
{
    for (const GgufTensor& tensor : file.tensors()) {
        m_total += static_cast<double>(tensor.data.size());
    }
    if (options.digests) {
        m_digests.resize(file.tensors().size());
        m_fileDigest.emplace(file);
        m_total += static_cast<double>(file.totalBytes());
    }
}

Result<kernels::PackedMatrix> Packer::packDequantised(const numeric::WeightTypeInfo& info,
                                                      std::span<const std::byte> data,
                                                      std::int64_t rows, std::int64_t k) const
{
    std::vector<float> values(static_cast<std::size_t>(rows * k));
    const std::int64_t rowBytes = k / info.blockElements * info.blockBytes;
    for (std::int64_t r = 0; r < rows; ++r) {
        numeric::dequantiseRow(info.type, data.data() + r * rowBytes, k, values.data() + r * k);
    }
    return kernels::PackedMatrix::pack(numeric::WeightType::F32, std::as_bytes(std::span(values)),
                                       rows, k, m_team);
}

Result<void> Packer::rowsOf(const GgufTensor& tensor, std::int64_t first, std::int64_t rows,
                            kernels::PackedMatrix& out)
{
    const auto& info = numeric::weightTypeInfo(static_cast<numeric::WeightType>(tensor.type));
    const auto rowBytes =
        static_cast<std::size_t>(tensor.dims[0] / info.blockElements * info.blockBytes);
    const auto data = tensor.data.subspan(static_cast<std::size_t>(first) * rowBytes,
                                          static_cast<std::size_t>(rows) * rowBytes);
    auto packed = m_options.dequantise && info.quantised
                      ? packDequantised(info, data, rows, tensor.dims[0])
                      : kernels::PackedMatrix::pack(info.type, data, rows, tensor.dims[0], m_team);
    if (!packed) {
        Error error = packed.error();
        error.where = m_file.path() + ": tensor '" + tensor.name + "'";
        return error;
    }
    out = *std::move(packed);
    return {};
}

Result<void> Packer::vector(const GgufTensor& tensor, std::vector<float>& out)
{
    out.resize(static_cast<std::size_t>(tensor.elements));
    numeric::dequantiseRow(static_cast<numeric::WeightType>(tensor.type), tensor.data.data(),
                           tensor.elements, out.data());
    return finish(tensor);
}

Result<void> Packer::fused(const std::string& name, const std::vector<Part>& parts)
{
    if (const GgufTensor* tensor = m_file.findTensor(name + ".weight")) {
        std::int64_t first = 0;
        for (const Part& part : parts) {
            if (auto done = rowsOf(*tensor, first, part.rows, part.linear->matrix); !done) {
                return done;
            }
            first += part.rows;
        }
        if (auto done = finish(*tensor); !done) {
            return done;
        }
    }
    if (const GgufTensor* tensor = m_file.findTensor(name + ".bias")) {
        std::vector<float> all;
        if (auto done = vector(*tensor, all); !done) {
            return done;
        }
        auto from = all.begin();
        for (const Part& part : parts) {
            part.linear->bias.assign(from, from + part.rows);
            from += part.rows;
        }
    }
    return {};
}

Result<void> Packer::linear(const std::string& name, Linear& out)
{
    const GgufTensor* tensor = m_file.findTensor(name + ".weight");
    return tensor == nullptr ? Result<void>() : fused(name, {{&out, tensor->dims[1]}});
}

Result<void> Packer::norm(const std::string& name, Norm& out)
{
    for (const auto& [suffix, values] : {std::pair{".weight", &out.weight}, {".bias", &out.bias}}) {
        if (const GgufTensor* tensor = m_file.findTensor(name + suffix)) {
            if (auto done = vector(*tensor, *values); !done) {
                return done;
            }
        }
    }
    return {};
}

Result<void> Packer::finish(const GgufTensor& tensor)
{
    if (m_options.digests) {
        const auto index = static_cast<std::size_t>(&tensor - m_file.tensors().data());
        m_digests[index] = XXH3_64bits(tensor.data.data(), tensor.data.size());
    }
    m_file.release(tensor.data);
    m_done += static_cast<double>(tensor.data.size());
    return report();
}

Result<std::string> Packer::sha256()
{
    while (m_fileDigest && !m_fileDigest->ready()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (auto go = report(); !go) {
            return go.error();
        }
    }
    return m_fileDigest ? m_fileDigest->finish() : std::string();
}

Result<void> Packer::report() const
{
    const double hashed = m_fileDigest ? static_cast<double>(m_fileDigest->bytesDone()) : 0.0;
    if (m_options.progress && !m_options.progress(std::min(1.0, (m_done + hashed) / m_total))) {
        return makeError(ErrorCode::Cancelled, "loading was stopped", m_file.path());
    }
    return {};
}

namespace {

Result<void> packExperts(const HyperParameters& hyper, const std::string& prefix, Packer& packer,
                         LayerWeights& layer)
{
    const std::initializer_list<std::tuple<const char*, std::vector<Linear>*, std::int64_t>> all{
        {"ffn_gate_exps", &layer.gateExperts, hyper.expertWidth},
        {"ffn_up_exps", &layer.upExperts, hyper.expertWidth},
        {"ffn_down_exps", &layer.downExperts, hyper.width},
    };
    for (const auto& [part, experts, rows] : all) {
        experts->resize(static_cast<std::size_t>(hyper.experts));
        std::vector<Packer::Part> parts;
        for (Linear& expert : *experts) {
            parts.push_back({&expert, rows});
        }
        if (auto done = packer.fused(prefix + part, parts); !done) {
            return done;
        }
    }
    return {};
}

} // namespace

Result<void> packLayer(const HyperParameters& hyper, int index, Packer& packer, LayerWeights& layer)
{
    const std::string prefix = layerPrefix(index);
    const std::initializer_list<std::pair<const char*, Linear*>> linears{
        {"attn_q", &layer.q},
        {"attn_k", &layer.k},
        {"attn_v", &layer.v},
        {"attn_output", &layer.o},
        {"ffn_gate", &layer.gate},
        {"ffn_down", &layer.down},
        {"ffn_gate_inp", &layer.router},
    };
    const std::initializer_list<std::pair<const char*, Norm*>> norms{
        {"attn_norm", &layer.attnNorm}, {"attn_q_norm", &layer.qNorm},
        {"attn_k_norm", &layer.kNorm},  {"post_attention_norm", &layer.attnPostNorm},
        {"ffn_norm", &layer.ffnNorm},   {"post_ffw_norm", &layer.ffnPostNorm},
    };
    for (const auto& [part, linear] : linears) {
        if (auto done = packer.linear(prefix + part, *linear); !done) {
            return done;
        }
    }
    const std::int64_t kvWidth = hyper.kvHeads * hyper.headDim;
    if (auto done = packer.fused(
            prefix + "attn_qkv",
            {{&layer.q, hyper.heads * hyper.headDim}, {&layer.k, kvWidth}, {&layer.v, kvWidth}});
        !done) {
        return done;
    }
    auto up = hyper.parts->fusedGateUp
                  ? packer.fused(prefix + "ffn_up",
                                 {{&layer.gate, hyper.ffnWidth}, {&layer.up, hyper.ffnWidth}})
                  : packer.linear(prefix + "ffn_up", layer.up);
    if (!up) {
        return up;
    }
    for (const auto& [part, norm] : norms) {
        if (auto done = packer.norm(prefix + part, *norm); !done) {
            return done;
        }
    }
    return hyper.experts > 0 ? packExperts(hyper, prefix, packer, layer) : Result<void>();
}

} // namespace ulp::model
