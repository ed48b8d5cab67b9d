// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ops of a model in execution order: what the decoder runs, what the observer sees and what the
// heatmap lists are this one table, made from the architecture's row. Names are llama.cpp's tensor
// names, so that traces line up; where one of its names stands for several tensors, or one tensor
// for several of ours, a suffix or the usual name of the part tells them apart (Qcur_rope; ffn_gate
// of a fused matrix).
// Thread-safety: immutable after construction. Ownership: by value.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/base/op_info.h"
#include "engine/model/model.h"

namespace ulp::run {

/// What an op of a layer does. Which of them a model has, and in which order, its plan says.
enum class LayerOp : int {
    AttnNorm,
    Q,
    K,
    V,
    QNorm,
    KNorm,
    QRope,
    KRope,
    Attention,
    AttnOut,
    AttnPostNorm,
    FfnInput, // the sum of attention and residual stream
    FfnNorm,
    Gate,
    Up,
    Activation,
    Down,
    RouterLogits,
    RouterProbabilities,
    ChosenExperts, // their ids, as numbers
    ExpertWeights,
    ExpertGate, // of the chosen experts, in their order: [expertsUsed, expertWidth]
    ExpertUp,
    ExpertActivation,
    ExpertDown, // [expertsUsed, width]
    ExpertOut,
    FfnPostNorm,
    Output,
};
inline constexpr int kLayerOps = static_cast<int>(LayerOp::Output) + 1;

class OpPlan {
  public:
    explicit OpPlan(const model::HyperParameters& hyper);

    [[nodiscard]] const std::vector<OpInfo>& ops() const { return m_ops; }
    /// Index of an op in ops(); -1 if the model has none such.
    [[nodiscard]] int at(int layer, LayerOp op) const
    {
        const int offset = m_offsets[static_cast<std::size_t>(op)];
        return offset < 0 ? -1 : m_firstLayerOp + layer * m_opsPerLayer + offset;
    }
    [[nodiscard]] bool has(LayerOp op) const { return at(0, op) >= 0; }
    [[nodiscard]] int embedding() const { return 0; }
    /// The scaled embedding, or its sum with a learned position; -1: neither.
    [[nodiscard]] int adjustedEmbedding() const { return m_firstLayerOp > 1 ? 1 : -1; }
    [[nodiscard]] int finalNorm() const { return static_cast<int>(m_ops.size()) - 2; }
    [[nodiscard]] int logits() const { return static_cast<int>(m_ops.size()) - 1; }

  private:
    std::vector<OpInfo> m_ops;
    int m_firstLayerOp = 1;
    int m_opsPerLayer = 0;
    std::array<int, kLayerOps> m_offsets{}; // in a layer; -1: absent
};

/// OpPlan(hyper).ops()
[[nodiscard]] std::vector<OpInfo> opCatalogue(const model::HyperParameters& hyper);

} // namespace ulp::run
