// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one op of the graph is called and what it reads: the row headings of every table and
// heatmap. Thread-safety: plain values. Ownership: by value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ulp {

/// One named operation of the graph at one layer. Ops are listed in execution order; an op reads
/// only ops before it (indices in `inputs`), so the list is a topological order.
struct OpInfo {
    std::string name; // "ffn_out-2"; llama.cpp's tensor names, so that traces line up
    std::string base; // "ffn_out"
    std::string kind; // "matmul", "norm", "rope", "attention", "add", "activation", "embedding"
    int layer = -1;   // -1: outside the layers
    std::vector<std::int64_t> shape; // of one row of output, e.g. [576]
    std::vector<int> inputs;         // op indices read at the same position
    std::vector<int> history; // op indices read at this and at every earlier position (KV cache)
    bool readsToken = false;  // reads the input token of its position
    std::string weight;       // name of the weight tensor, empty if none
    bool operator==(const OpInfo&) const = default;
};

} // namespace ulp
