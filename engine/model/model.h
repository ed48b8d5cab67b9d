// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model as the engine runs it: hyperparameters, packed weights, tokenizer, identity.
// Thread-safety: immutable after load; share it between threads. Ownership: shared_ptr<const
// Model>; it keeps the file mapped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/packed_matrix.h"
#include "engine/model/architecture.h"
#include "engine/model/gguf.h"
#include "engine/model/tokenizer.h"

namespace ulp::model {

struct HyperParameters {
    std::string architecture; // "llama"
    std::string name;
    const Architecture* parts = nullptr; // its row; null only where `problems` say why
    int layers = 0;
    std::int64_t width = 0; // embedding length
    std::int64_t ffnWidth = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t vocab = 0;
    std::int64_t context = 0;
    float normEpsilon = 1e-5F;
    float embeddingScale = 1.0F;
    float attentionScale = 1.0F;
    float attentionCap = 0.0F; // 0: none
    float logitCap = 0.0F;     // 0: none
    kernels::RopeSpec rope;
    std::vector<float> longFactors;   // [rope.dims / 2] in place of rope.frequencyFactors, or empty
    std::int64_t originalContext = 0; // beyond which the long factors serve
    kernels::RopeSpec windowRope;     // of the layers with a window, if it is their own
    bool ownWindowRope = false;
    std::int64_t window = 0;        // positions that those layers see; 0: there are none
    std::vector<bool> windowLayers; // [layers]
    std::int64_t experts = 0;       // 0: a plain FFN
    std::int64_t expertsUsed = 0;   // by each token
    std::int64_t expertWidth = 0;   // FFN width of one expert

    [[nodiscard]] bool hasWindow(int layer) const
    {
        return window > 0 && windowLayers[static_cast<std::size_t>(layer)];
    }
    /// The RoPE of layers that see everything, in a run over this many positions.
    [[nodiscard]] kernels::RopeSpec ropeFor(std::int64_t positions) const;
};

struct Norm {
    std::vector<float> weight; // [n]
    std::vector<float> bias;   // [n], or empty
};

struct Linear {
    kernels::PackedMatrix matrix; // [rows, k]
    std::vector<float> bias;      // [rows], or empty
};

/// What a layer of the architecture does not have stays empty.
struct LayerWeights {
    Norm attnNorm; // [width]
    Linear q, k, v, o;
    Norm qNorm, kNorm; // [headDim]
    Norm attnPostNorm; // [width]
    Norm ffnNorm;      // [width]
    Linear gate, up, down;
    Linear router;                                           // [experts, width]
    std::vector<Linear> gateExperts, upExperts, downExperts; // [experts]
    Norm ffnPostNorm;                                        // [width]
};

/// What `info` prints without loading weights: identity and whether we can run the file.
struct ModelDescription {
    HyperParameters hyper;
    std::int64_t parameters = 0;
    std::vector<std::pair<std::string, int>> typeCounts; // {"Q8_0", 155}
    std::vector<Error> problems;                         // empty: it can run
};

struct LoadOptions {
    int threads = 1;
    bool digests = true; // SHA-256 of the file and XXH3-64 per tensor
    // Quantised weights become the float32 values they stand for: tells the cost of quantised
    // activations from an error. For judging only, no trace says so.
    bool dequantise = false;
    std::function<bool(double fraction)> progress{}; // return false to cancel
};

class Model {
  public:
    static Result<std::shared_ptr<const Model>> load(const std::string& path,
                                                     const LoadOptions& options);
    /// Reads the header and metadata only.
    static Result<ModelDescription> describe(const GgufFile& file);

    [[nodiscard]] const HyperParameters& hyper() const { return m_hyper; }
    [[nodiscard]] const Tokenizer& tokenizer() const { return *m_tokenizer; }
    [[nodiscard]] const GgufFile& file() const { return *m_file; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const std::string& sha256() const { return m_sha256; } // hex
    [[nodiscard]] const std::vector<std::uint64_t>& tensorDigests() const
    {
        return m_digests;
    } // file order
    [[nodiscard]] std::int64_t parameters() const { return m_parameters; }
    [[nodiscard]] double loadSeconds() const { return m_loadSeconds; }

    /// The embedding of one token, 0 <= token < hyper().vocab. out: [width].
    void embed(std::int32_t token, float* out) const;
    [[nodiscard]] const LayerWeights& layer(int index) const
    {
        return m_layers[static_cast<std::size_t>(index)];
    }
    /// Adds the learned embedding of a position, 0 <= position < hyper().context. x: [width].
    void addPosition(std::int64_t position, float* x) const;
    [[nodiscard]] const Norm& outputNorm() const { return m_outputNorm; } // [width]
    [[nodiscard]] const Linear& output() const { return m_output; }       // [vocab, width]
    [[nodiscard]] bool tiedOutput() const { return m_tied; }
    /// The largest of 256, 128, 64, 32 that cuts the width into at least 8 chunks, else 32.
    [[nodiscard]] std::int64_t defaultReductionChunk() const;

  private:
    Result<void> loadWeights(const LoadOptions& options);

    std::string m_path;
    std::shared_ptr<const GgufFile> m_file;
    std::unique_ptr<const Tokenizer> m_tokenizer;
    HyperParameters m_hyper;
    std::vector<LayerWeights> m_layers;
    Norm m_outputNorm;
    Linear m_output;
    const GgufTensor* m_embedding = nullptr;
    const GgufTensor* m_positions = nullptr; // learned, else null
    bool m_tied = false;
    std::string m_sha256;
    std::vector<std::uint64_t> m_digests;
    std::int64_t m_parameters = 0;
    double m_loadSeconds = 0.0;
};

} // namespace ulp::model
