// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sources of the rows: the papers and the published configurations of the models, and for names and
// layouts in GGUF files the tensor lists of gguf-py (ggml project).
#include "engine/model/architecture.h"

#include <algorithm>
#include <array>

namespace ulp::model {
namespace {

constexpr std::array kArchitectures{
    Architecture{.name = "llama"},
    Architecture{.name = "qwen2", .qkvBias = true, .rope = RopeKind::Halves},
    Architecture{.name = "qwen3", .qkNorm = true, .rope = RopeKind::Halves},
    Architecture{.name = "qwen3moe", .qkNorm = true, .rope = RopeKind::Halves, .experts = true},
    Architecture{.name = "gemma2",
                 .postNorms = true,
                 .rope = RopeKind::Halves,
                 .ffn = FfnKind::GeGlu,
                 .embeddingScale = true,
                 .window = WindowKind::AllButEveryNth,
                 .windowPeriod = 2,
                 .defaultWindow = 4096,
                 .softCaps = true,
                 .defaultAttentionCap = 50.0F,
                 .defaultLogitCap = 30.0F,
                 .layersOfWidthScale = 46},
    Architecture{.name = "gemma3",
                 .postNorms = true,
                 .qkNorm = true,
                 .rope = RopeKind::Halves,
                 .ffn = FfnKind::GeGlu,
                 .embeddingScale = true,
                 .window = WindowKind::AllButEveryNth,
                 .windowPeriod = 6,
                 .windowRopeBase = 10000.0F,
                 .softCaps = true,
                 .layersOfWidthScale = 62},
    Architecture{.name = "phi3",
                 .fusedQkv = true,
                 .fusedGateUp = true,
                 .rope = RopeKind::Halves,
                 .window = WindowKind::All},
    Architecture{.name = "gpt2",
                 .norm = NormKind::Layer,
                 .qkvBias = true,
                 .otherBiases = true,
                 .fusedQkv = true,
                 .rope = RopeKind::None,
                 .ffn = FfnKind::Gelu},
};

} // namespace

std::span<const Architecture> allArchitectures()
{
    return kArchitectures;
}

const Architecture* findArchitecture(std::string_view name)
{
    const auto* found = std::ranges::find(kArchitectures, name, &Architecture::name);
    return found == kArchitectures.end() ? nullptr : found;
}

std::string architectureNames()
{
    std::string names;
    for (const Architecture& a : kArchitectures) {
        names += (names.empty() ? "" : ", ") + std::string(a.name);
    }
    return names;
}

} // namespace ulp::model
