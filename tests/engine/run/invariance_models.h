// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models of the invariance suite: one of an odd shape for every weight format of the table.
// Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <vector>

#include "engine/numeric/weight_type.h"
#include "tests/engine/support/tiny_run.h"

namespace ulp::test {

inline std::vector<numeric::WeightType> allFormats()
{
    std::vector<numeric::WeightType> formats;
    for (std::uint32_t number = 0; number < 256; ++number) {
        if (const auto info = numeric::weightTypeInfo(number)) {
            formats.push_back(info->type);
        }
    }
    return formats;
}

/// Heads that group by three, an FFN that is no multiple of the chunk; formats with large blocks
/// take the smallest shape that they can.
inline TinyLlama oddShape(numeric::WeightType type)
{
    TinyLlama tiny;
    tiny.layers = 2;
    tiny.vocab = 301;
    tiny.type = type;
    tiny.embeddingType = type;
    tiny.outputType = type;
    if (numeric::weightTypeInfo(type).blockElements <= 32) {
        tiny.width = 96;
        tiny.heads = 6;
        tiny.kvHeads = 2;
        tiny.ffn = 160;
    } else {
        tiny.width = 256;
        tiny.heads = 4;
        tiny.kvHeads = 1;
        tiny.ffn = 256;
    }
    return tiny;
}

} // namespace ulp::test
