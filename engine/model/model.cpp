// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <xxhash.h>

#include "engine/model/file_digest.h"
#include "engine/model/hyper_parameters.h"
#include "engine/numeric/weight_type.h"

namespace ulp::model {
namespace {

/// A description and, if it can run, what was made on the way.
struct Inspection {
    ModelDescription description;
    std::unique_ptr<const Tokenizer> tokenizer;
};

void countTensors(const GgufFile& file, ModelDescription& description)
{
    std::map<std::uint32_t, int> counts;
    for (const GgufTensor& tensor : file.tensors()) {
        description.parameters += tensor.elements;
        ++counts[tensor.type];
    }
    for (const auto& [type, count] : counts) {
        description.typeCounts.emplace_back(std::string(numeric::ggufTypeName(type)), count);
    }
    std::ranges::stable_sort(description.typeCounts, std::ranges::greater{},
                             &std::pair<std::string, int>::second);
}

Inspection inspect(const GgufFile& file)
{
    Inspection result;
    ModelDescription& description = result.description;
    countTensors(file, description);
    description.hyper = readHyperParameters(file, description.problems);
    if (description.problems.empty()) {
        checkTensors(file, description.hyper, description.problems);
    }
    if (auto tokenizer = Tokenizer::create(file)) {
        result.tokenizer = *std::move(tokenizer);
    } else {
        description.problems.push_back(tokenizer.error());
    }
    return result;
}

/// Packs the tensors of a file one after the other, with their digests and the progress of it all.
/// The digest of the file takes one of the threads.
class Packer {
  public:
    Packer(const GgufFile& file, const LoadOptions& options, std::vector<std::uint64_t>& digests)
        : m_file(file), m_options(options),
          m_team(options.digests ? options.threads - 1 : options.threads), m_digests(digests)
    {
        for (const GgufTensor& tensor : file.tensors()) {
            m_total += static_cast<double>(tensor.data.size());
        }
        if (options.digests) {
            m_digests.resize(file.tensors().size());
            m_fileDigest.emplace(file);
            m_total += static_cast<double>(file.bytes().size());
        }
    }

    Result<void> matrix(const GgufTensor& tensor, kernels::PackedMatrix& out)
    {
        auto packed =
            kernels::PackedMatrix::pack(static_cast<numeric::WeightType>(tensor.type), tensor.data,
                                        tensor.dims[1], tensor.dims[0], m_team);
        if (!packed) {
            Error error = packed.error();
            error.where = m_file.path() + ": tensor '" + tensor.name + "'";
            return error;
        }
        out = *std::move(packed);
        return finish(tensor);
    }

    Result<void> vector(const GgufTensor& tensor, std::vector<float>& out)
    {
        out.resize(static_cast<std::size_t>(tensor.elements));
        numeric::dequantiseRow(static_cast<numeric::WeightType>(tensor.type), tensor.data.data(),
                               tensor.elements, out.data());
        return finish(tensor);
    }

    /// Everything that remains for a tensor once its weights are taken.
    Result<void> finish(const GgufTensor& tensor)
    {
        if (m_options.digests) {
            const auto index = static_cast<std::size_t>(&tensor - m_file.tensors().data());
            m_digests[index] = XXH3_64bits(tensor.data.data(), tensor.data.size());
        }
        m_file.release(tensor.data);
        m_done += static_cast<double>(tensor.data.size());
        return report();
    }

    /// Waits for the digest of the file; empty when none was asked for.
    Result<std::string> sha256()
    {
        while (m_fileDigest && !m_fileDigest->ready()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (auto go = report(); !go) {
                return go.error();
            }
        }
        return m_fileDigest ? m_fileDigest->finish() : std::string();
    }

  private:
    Result<void> report() const
    {
        const double hashed = m_fileDigest ? static_cast<double>(m_fileDigest->bytesDone()) : 0.0;
        if (m_options.progress && !m_options.progress(std::min(1.0, (m_done + hashed) / m_total))) {
            return makeError(ErrorCode::Cancelled, "loading was stopped", m_file.path());
        }
        return {};
    }

    const GgufFile& m_file;
    const LoadOptions& m_options;
    kernels::Team m_team;
    std::vector<std::uint64_t>& m_digests;
    double m_total = 0.0;
    double m_done = 0.0;
    std::optional<FileDigest> m_fileDigest;
};

Result<void> packLayer(const GgufFile& file, int index, Packer& packer, LayerWeights& layer)
{
    const std::array<std::pair<std::string_view, kernels::PackedMatrix*>, 7> matrices{{
        {"attn_q", &layer.q},
        {"attn_k", &layer.k},
        {"attn_v", &layer.v},
        {"attn_output", &layer.o},
        {"ffn_gate", &layer.gate},
        {"ffn_up", &layer.up},
        {"ffn_down", &layer.down},
    }};
    const std::array<std::pair<std::string_view, std::vector<float>*>, 2> vectors{{
        {"attn_norm", &layer.attnNorm},
        {"ffn_norm", &layer.ffnNorm},
    }};
    for (const auto& [part, matrix] : matrices) {
        if (auto done = packer.matrix(*file.findTensor(layerTensorName(index, part)), *matrix);
            !done) {
            return done;
        }
    }
    for (const auto& [part, vector] : vectors) {
        if (auto done = packer.vector(*file.findTensor(layerTensorName(index, part)), *vector);
            !done) {
            return done;
        }
    }
    return {};
}

} // namespace

Result<ModelDescription> Model::describe(const GgufFile& file)
{
    try {
        return inspect(file).description;
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory to describe the model",
                         file.path(), "close other programs");
    }
}

Result<std::shared_ptr<const Model>> Model::load(const std::string& path,
                                                 const LoadOptions& options)
{
    try {
        const auto start = std::chrono::steady_clock::now();
        auto file = GgufFile::open(path);
        if (!file) {
            return file.error();
        }
        Inspection inspection = inspect(**file);
        if (!inspection.description.problems.empty()) {
            return inspection.description.problems.front();
        }
        auto model = std::make_shared<Model>();
        model->m_path = path;
        model->m_file = *std::move(file);
        model->m_tokenizer = std::move(inspection.tokenizer);
        model->m_hyper = std::move(inspection.description.hyper);
        model->m_parameters = inspection.description.parameters;
        if (auto done = model->loadWeights(options); !done) {
            return done.error();
        }
        model->m_loadSeconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::shared_ptr<const Model>(std::move(model));
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory for the weights", path,
                         "close other programs, or use a smaller model");
    } catch (const std::system_error& error) {
        return makeError(ErrorCode::Internal, std::string("cannot start a thread: ") + error.what(),
                         path, "close other programs");
    }
}

Result<void> Model::loadWeights(const LoadOptions& options)
{
    Packer packer(*m_file, options, m_digests);
    // The largest tensors first: a tensor's pages and its packed copy are in memory together.
    m_embedding = m_file->findTensor("token_embd.weight");
    const GgufTensor* output = m_file->findTensor("output.weight");
    m_tied = output == nullptr;
    if (auto done = packer.matrix(m_tied ? *m_embedding : *output, m_output); !done) {
        return done;
    }
    if (!m_tied) {
        if (auto done = packer.finish(*m_embedding); !done) {
            return done;
        }
    }
    m_layers.resize(static_cast<std::size_t>(m_hyper.layers));
    for (int i = 0; i < m_hyper.layers; ++i) {
        if (auto done = packLayer(*m_file, i, packer, m_layers[static_cast<std::size_t>(i)]);
            !done) {
            return done;
        }
    }
    if (auto done = packer.vector(*m_file->findTensor("output_norm.weight"), m_outputNorm); !done) {
        return done;
    }
    if (const GgufTensor* factors = m_file->findTensor("rope_freqs.weight")) {
        if (auto done = packer.vector(*factors, m_hyper.rope.frequencyFactors); !done) {
            return done;
        }
    }
    auto sha256 = packer.sha256();
    if (!sha256) {
        return sha256.error();
    }
    m_sha256 = *std::move(sha256);
    return {};
}

void Model::embed(std::int32_t token, float* out) const
{
    const auto& info = numeric::weightTypeInfo(static_cast<numeric::WeightType>(m_embedding->type));
    const std::int64_t rowBytes = m_hyper.width / info.blockElements * info.blockBytes;
    numeric::dequantiseRow(info.type, m_embedding->data.data() + token * rowBytes, m_hyper.width,
                           out);
}

std::int64_t Model::defaultReductionChunk() const
{
    constexpr std::int64_t kLeastChunks = 8;
    for (const std::int64_t chunk : {std::int64_t{256}, std::int64_t{128}, std::int64_t{64}}) {
        if ((m_hyper.width + chunk - 1) / chunk >= kLeastChunks) {
            return chunk;
        }
    }
    return 32;
}

} // namespace ulp::model
