// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One forward pass of a model over tokens of several sequences: the only place that calls kernels
// in order. Thread-safety: one thread at a time; the cancel flag from any. Ownership: shares the
// model, owns the KV cache and all buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/op_info.h"
#include "engine/base/result.h"
#include "engine/base/settings.h"
#include "engine/kernels/ops.h"
#include "engine/model/model.h"
#include "engine/run/observer.h"
#include "engine/run/op_catalogue.h"

namespace ulp::run {

struct InputToken {
    std::int32_t token = 0;
    std::int32_t sequence = 0;
    std::int32_t position = 0;
    bool wantLogits = false;
};

/// Fills in what "auto" means on this machine (threads, ISA, chunk) and refuses what cannot be run:
/// BadUsage or Unsupported, naming the setting and the remedy.
Result<RunSettings> resolveSettings(const RunSettings& settings, const model::Model& model);

/// Bytes of the KV cache for these sizes, to be asked before allocating.
[[nodiscard]] std::size_t kvCacheBytes(const model::HyperParameters& hyper, int sequences,
                                       std::int64_t positions);

class Decoder {
  public:
    /// `settings` must be resolved. `positions`: the longest sequence it will see.
    static Result<std::unique_ptr<Decoder>> create(std::shared_ptr<const model::Model> model,
                                                   const RunSettings& settings, int sequences,
                                                   std::int64_t positions);

    /// Runs the tokens through all layers. Tokens of one sequence must come with ascending
    /// positions that continue what its cache holds. `observer` may be null. When `*cancel` becomes
    /// true the pass ends with Cancelled between two ops, and the cache positions of this pass are
    /// to be rewritten.
    Result<void> forward(std::span<const InputToken> tokens, Observer* observer,
                         const std::atomic<bool>* cancel = nullptr);

    /// The logits of the i-th token of the last pass that asked for them. [vocab]
    [[nodiscard]] std::span<const float> logits(std::size_t i) const;
    [[nodiscard]] const std::vector<OpInfo>& ops() const { return m_plan.ops(); }
    [[nodiscard]] kernels::KvCache& cache() { return m_cache; }
    [[nodiscard]] const model::Model& model() const { return *m_model; }

  private:
    struct Rows; // the tokens of the pass in progress
    explicit Decoder(std::shared_ptr<const model::Model> model);
    void reserve(std::int64_t rows, std::int64_t logitRows);
    void useOp(int op);
    bool showOp(const Rows& rows, int op, float* data, std::int64_t width);
    bool finishOp(const Rows& rows, int op, float* data, std::int64_t width);
    bool norm(const Rows& rows, int op, const model::Norm& weights, const float* x, float* out);
    bool headNorm(const Rows& rows, int op, const model::Norm& weights, std::int64_t heads,
                  float* x);
    bool product(const Rows& rows, int op, const model::Linear& w, float* out);
    struct NamedProduct {
        int op = 0;
        const model::Linear* weights = nullptr;
        float* out = nullptr; // [rows, rows of the weights]
    };
    bool products(const Rows& rows, std::initializer_list<NamedProduct> all);
    bool finishProduct(const Rows& rows, int op, const model::Linear& w, float* out);
    bool sum(const Rows& rows, int op, const float* a, const float* b, float* out);
    void setActivations(const float* x, std::int64_t rows, std::int64_t k,
                        std::initializer_list<const model::Linear*> readers);
    bool embeddingBlock(const Rows& rows);
    bool queriesAndKeys(const Rows& rows, int layer);
    void storeKeysAndValues(const Rows& rows, int layer);
    bool attend(const Rows& rows, int layer);
    bool attentionBlock(const Rows& rows, int layer);
    bool ffnBlock(const Rows& rows, int layer);
    bool plainFfn(const Rows& rows, int layer);
    bool routeToExperts(const Rows& rows, int layer);
    bool expertFfn(const Rows& rows, int layer);
    void expertProducts(int op, const std::vector<model::Linear>& experts, const float* x,
                        std::int64_t rowsPerInput, std::int64_t rows, float* out);
    bool outputBlock(const Rows& rows);

    std::shared_ptr<const model::Model> m_model;
    RunSettings m_settings;
    OpPlan m_plan;
    std::vector<Policy> m_policies; // by op
    int m_perturbedOp = -1;
    kernels::ExecContext m_context;
    kernels::RopeTable m_rope;
    kernels::RopeTable m_windowRope; // of the layers with a window
    kernels::KvCache m_cache;
    kernels::Activations m_activations;
    std::vector<kernels::MatmulTarget> m_targets; // of the products at hand, reused

    std::int64_t m_capacity = 0;      // rows the buffers hold
    std::vector<float> m_x;           // [rows, width] residual stream
    std::vector<float> m_normed;      // [rows, width]
    std::vector<float> m_q, m_k, m_v; // [rows, heads * headDim], [rows, kvHeads * headDim]
    std::vector<float> m_attention;   // [rows, heads * headDim]
    std::vector<float> m_block; // [rows, width] output of attention or FFN before the residual add
    std::vector<float> m_ffnInput;   // [rows, width]
    std::vector<float> m_gate, m_up; // [rows, ffnWidth]
    // Of a mixture of experts: [rows, experts], [rows, used], ..., [rows, used, expertWidth], ...
    std::vector<float> m_router, m_probabilities, m_chosen, m_expertWeights;
    std::vector<std::int32_t> m_chosenIds;
    std::vector<float> m_expertGate, m_expertUp, m_expertDown;
    std::vector<float> m_gathered, m_scattered; // rows of one expert
    std::vector<float> m_final;                 // [logit rows, width]
    std::vector<float> m_logits;                // [logit rows, vocab]
};

} // namespace ulp::run
