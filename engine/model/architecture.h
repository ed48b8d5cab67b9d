// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each architecture is made of, one row of a table for each: the only place that knows them by
// name. The reader of the metadata, the check of the tensors, the op catalogue and the decoder
// follow the row, so that adding an architecture is a row (and its tests).
// Thread-safety: constants. Ownership: static storage.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ulp::model {

enum class NormKind : std::uint8_t {
    Rms,   // x / sqrt(mean(x^2) + eps) * weight
    Layer, // (x - mean) / sqrt(variance + eps) * weight + bias
};
enum class RopeKind : std::uint8_t {
    None,        // positions are learned: a row of position_embd is added to the embedding
    Interleaved, // pairs (0,1) (2,3) ...
    Halves,      // pairs (0,d/2) (1,d/2+1) ...
};
enum class FfnKind : std::uint8_t {
    SwiGlu, // silu(gate) * up
    GeGlu,  // gelu(gate) * up, gelu by its tanh formula
    Gelu,   // gelu(up), no gate
};
/// Which layers look back over a sliding window only.
enum class WindowKind : std::uint8_t {
    None,
    AllButEveryNth, // the last of each period of layers sees everything
    All,            // every layer, if the file names a window
};

struct Architecture {
    std::string_view name; // general.architecture
    NormKind norm = NormKind::Rms;
    bool postNorms = false; // attention's and FFN's outputs are normed before they are added
    bool qkNorm = false;    // RMSNorm of each query and key head before RoPE
    bool qkvBias = false;
    bool otherBiases = false; // of attention's output, up and down
    bool fusedQkv = false;    // attn_qkv: rows of Q, then K, then V
    bool fusedGateUp = false; // ffn_up: rows of the gate, then of up
    RopeKind rope = RopeKind::Interleaved;
    FfnKind ffn = FfnKind::SwiGlu;
    bool experts = false;        // a router and expert FFNs in every layer
    bool embeddingScale = false; // the embedding times sqrt(width)

    WindowKind window = WindowKind::None;
    std::int64_t windowPeriod = 0;  // of AllButEveryNth, unless the file says otherwise
    std::int64_t defaultWindow = 0; // when the file names none; 0: no window then
    float windowRopeBase = 0.0F;    // RoPE base of the window layers; 0: that of all
    bool softCaps = false;          // attention scores and logits may be capped by tanh
    float defaultAttentionCap = 0.0F;
    float defaultLogitCap = 0.0F;
    // Models of this many layers scale scores by 1 / sqrt(width / heads), not by the head's size
    // (the 27B members of both Gemma families); 0: none.
    int layersOfWidthScale = 0;
};

/// The row of an architecture, or nullptr.
[[nodiscard]] const Architecture* findArchitecture(std::string_view name);
[[nodiscard]] std::span<const Architecture> allArchitectures();
/// "llama, qwen2, ..."
[[nodiscard]] std::string architectureNames();

} // namespace ulp::model
