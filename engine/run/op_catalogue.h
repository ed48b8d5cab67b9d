// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ops of a model in execution order: what the decoder runs, what the observer sees and what the
// heatmap lists are this one table. Thread-safety: pure function. Ownership: by value.
#pragma once

#include <vector>

#include "engine/base/op_info.h"
#include "engine/model/model.h"

namespace ulp::run {

/// The ops of one layer, in execution order; the enum value is the offset from the layer's first
/// op.
enum class LayerOp : int {
    AttnNorm,
    Q,
    K,
    V,
    QRope,
    KRope,
    Attention,
    AttnOut,
    FfnInput,
    FfnNorm,
    Gate,
    Up,
    Swiglu,
    Down,
    Output,
};
inline constexpr int kOpsPerLayer = 15;

/// Index of an op in the catalogue. The embedding is op 0; the final norm and the logits are the
/// last two.
[[nodiscard]] constexpr int embeddingOp()
{
    return 0;
}
[[nodiscard]] constexpr int layerOp(int layer, LayerOp op)
{
    return 1 + layer * kOpsPerLayer + static_cast<int>(op);
}
[[nodiscard]] constexpr int finalNormOp(int layers)
{
    return 1 + layers * kOpsPerLayer;
}
[[nodiscard]] constexpr int logitsOp(int layers)
{
    return finalNormOp(layers) + 1;
}

[[nodiscard]] std::vector<OpInfo> opCatalogue(const model::HyperParameters& hyper);

} // namespace ulp::run
