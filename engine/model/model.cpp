// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <system_error>
#include <utility>

#include "engine/model/hyper_parameters.h"
#include "engine/model/packer.h"
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
    m_positions = m_file->findTensor("position_embd.weight");
    m_tied = m_file->findTensor("output.weight") == nullptr;
    if (auto done = packer.linear(m_tied ? "token_embd" : "output", m_output); !done) {
        return done;
    }
    for (const GgufTensor* kept : {m_tied ? nullptr : m_embedding, m_positions}) {
        if (kept != nullptr) {
            if (auto done = packer.finish(*kept); !done) {
                return done;
            }
        }
    }
    m_layers.resize(static_cast<std::size_t>(m_hyper.layers));
    for (int i = 0; i < m_hyper.layers; ++i) {
        if (auto done = packLayer(m_hyper, i, packer, m_layers[static_cast<std::size_t>(i)]);
            !done) {
            return done;
        }
    }
    if (auto done = packer.norm("output_norm", m_outputNorm); !done) {
        return done;
    }
    const std::initializer_list<std::pair<const char*, std::vector<float>*>> factors{
        {"rope_freqs.weight", &m_hyper.rope.frequencyFactors},
        {"rope_factors_short.weight", &m_hyper.rope.frequencyFactors},
        {"rope_factors_long.weight", &m_hyper.longFactors},
    };
    for (const auto& [name, values] : factors) {
        if (const GgufTensor* tensor = m_file->findTensor(name)) {
            if (auto done = packer.vector(*tensor, *values); !done) {
                return done;
            }
        }
    }
    auto sha256 = packer.sha256();
    if (!sha256) {
        return sha256.error();
    }
    m_sha256 = *std::move(sha256);
    return {};
}

kernels::RopeSpec HyperParameters::ropeFor(std::int64_t positions) const
{
    kernels::RopeSpec spec = rope;
    if (!longFactors.empty() && positions > originalContext) {
        spec.frequencyFactors = longFactors;
    }
    return spec;
}

namespace {

/// One row of a table of embeddings. out: [width]
void readRow(const GgufTensor& table, std::int64_t row, float* out)
{
    const auto& info = numeric::weightTypeInfo(static_cast<numeric::WeightType>(table.type));
    const std::int64_t width = table.dims[0];
    const std::int64_t rowBytes = width / info.blockElements * info.blockBytes;
    numeric::dequantiseRow(info.type, table.data.data() + row * rowBytes, width, out);
}

} // namespace

void Model::embed(std::int32_t token, float* out) const
{
    readRow(*m_embedding, token, out);
}

void Model::addPosition(std::int64_t position, float* x) const
{
    std::vector<float> learned(static_cast<std::size_t>(m_hyper.width));
    readRow(*m_positions, position, learned.data());
    kernels::addReference(x, learned.data(), m_hyper.width, x);
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
