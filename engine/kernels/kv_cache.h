// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys and values of several sequences, float32, laid out for the attention kernel.
// Thread-safety: store() of different positions may run side by side; reads need no lock while
// nothing stores. Ownership: owns its storage, sized once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/result.h"

namespace ulp::kernels {

class KvCache {
  public:
    KvCache() = default;
    /// Errors: BadUsage with the bytes asked for when they cannot be had.
    static Result<KvCache> create(int layers, int sequences, std::int64_t positions,
                                  std::int64_t kvHeads, std::int64_t headDim);

    /// k, v: [kvHeads, headDim] of one position; overwrites what was there.
    void store(int layer, int sequence, std::int64_t position, const float* k, const float* v);
    /// Copies positions [0, count) of one sequence to another, all layers (a shared prompt).
    void copySequence(int from, int to, std::int64_t count);

    [[nodiscard]] int layers() const { return m_layers; }
    [[nodiscard]] int sequences() const { return m_sequences; }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }
    [[nodiscard]] std::int64_t kvHeads() const { return m_kvHeads; }
    [[nodiscard]] std::int64_t headDim() const { return m_headDim; }
    /// Element access for the reference path.
    [[nodiscard]] float keyAt(int layer, int sequence, std::int64_t position, std::int64_t kvHead,
                              std::int64_t i) const;
    [[nodiscard]] float valueAt(int layer, int sequence, std::int64_t position, std::int64_t kvHead,
                                std::int64_t i) const;
    /// One chunk of 64 positions as the kernels read it: keys [headDim, 64], values [64, paddedDim]
    /// with paddedDim = headDim up to a multiple of 16. Slots never stored read as anything.
    [[nodiscard]] const float* keys(int layer, int sequence, std::int64_t kvHead,
                                    std::int64_t chunk) const;
    [[nodiscard]] const float* values(int layer, int sequence, std::int64_t kvHead,
                                      std::int64_t chunk) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

  private:
    [[nodiscard]] float* block(int layer, int sequence, std::int64_t kvHead,
                               std::int64_t chunk) const;

    int m_layers = 0;
    int m_sequences = 0;
    std::int64_t m_positions = 0;
    std::int64_t m_kvHeads = 0;
    std::int64_t m_headDim = 0;
    std::int64_t m_paddedDim = 0;
    std::int64_t m_chunks = 0;
    std::size_t m_bytes = 0;
    std::shared_ptr<float> m_data; // layout private to the kernels; see kv_cache.cpp
};

} // namespace ulp::kernels
