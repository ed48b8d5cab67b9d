// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One matrix product in flight, cut into blocks of panels x tiles whose sums fit a core's cache;
// what every policy needs to compute a range of k for a block and to write the result.
// Thread-safety: a Product is read-only while the team runs; each thread has its own buffers.
// Ownership: a view of the operands of one matmul() call.
#pragma once

#include <cstdint>
#include <span>

#include "engine/kernels/matmul.h"
#include "engine/kernels/matmul_kernels.h"
#include "engine/kernels/packed_layout.h"

namespace ulp::kernels {

/// Panels [panelBegin, panelEnd) x tiles [tileBegin, tileEnd).
struct Block {
    std::int64_t panelBegin = 0;
    std::int64_t panelEnd = 0;
    std::int64_t tileBegin = 0;
    std::int64_t tileEnd = 0;
    std::int64_t tokenBegin = 0;
    std::int64_t tokens = 0;

    [[nodiscard]] std::int64_t panelFloats() const { return tokens * kPanelRows; }
    [[nodiscard]] std::int64_t floats() const { return (panelEnd - panelBegin) * panelFloats(); }
};

class Product {
  public:
    Product(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
            const ExecContext& context);

    [[nodiscard]] const Team& team() const { return m_team; }
    [[nodiscard]] std::int64_t k() const { return m_input.k; }
    [[nodiscard]] std::int64_t tokens() const { return m_input.tiling.tokens; }
    [[nodiscard]] float* out() const { return m_out; } // [tokens, outStride]
    [[nodiscard]] std::int64_t outStride() const { return m_outStride; }
    [[nodiscard]] std::int64_t panels() const { return m_panels; }
    [[nodiscard]] std::int64_t chunk() const { return m_chunk; } // at most k
    [[nodiscard]] std::int64_t chunks() const { return (k() + m_chunk - 1) / m_chunk; }
    /// Whether a chunk of several panels should be done before the next chunk, so that the input
    /// stays in the cache.
    [[nodiscard]] bool chunkFirst() const { return m_input.tiling.count > 2; }

    /// Blocks of the whole product, by tokens and inside them by rows.
    [[nodiscard]] std::int64_t blocks() const { return m_tokenBlocks * m_rowBlocks; }
    [[nodiscard]] Block block(std::int64_t index) const;
    [[nodiscard]] std::int64_t tokenBlocks() const { return m_tokenBlocks; }
    [[nodiscard]] Block makeBlock(std::int64_t tokenBlock, std::int64_t panelBegin,
                                  std::int64_t panelEnd) const;
    /// Blocks of a share of the panels, in the same order. f(Block)
    template <typename F>
    void forBlocks(std::int64_t panelBegin, std::int64_t panelEnd, F&& f) const
    {
        for (std::int64_t t = 0; t < m_tokenBlocks; ++t) {
            for (std::int64_t p = panelBegin; p < panelEnd; p += m_blockPanels) {
                f(makeBlock(t, p, p + m_blockPanels < panelEnd ? p + m_blockPanels : panelEnd));
            }
        }
    }

    /// acc = (fromZero ? +0 : acc) + partials of [kBegin, kEnd), cut every `cut` elements from
    /// kBegin, for one panel of a block. acc: [block.tokens, 32]
    void accumulate(const Block& block, std::int64_t panel, std::int64_t kBegin, std::int64_t kEnd,
                    std::int64_t cut, bool fromZero, float* acc) const;
    /// The same for all panels of a block. acc: [panels of the block, block.tokens, 32]
    void accumulate(const Block& block, std::int64_t kBegin, std::int64_t kEnd, std::int64_t cut,
                    bool fromZero, float* acc) const;

    /// f(output, element of acc) for each output element of a panel.
    template <typename F>
    void forOutputs(const Block& block, std::int64_t panel, F&& f) const
    {
        const std::int64_t row = panel * kPanelRows;
        const std::int64_t count = m_rows - row < kPanelRows ? m_rows - row : kPanelRows;
        for (std::int64_t t = 0; t < block.tokens; ++t) {
            float* out = m_out + (block.tokenBegin + t) * m_outStride + row;
            for (std::int64_t r = 0; r < count; ++r) {
                f(out[r], t * kPanelRows + r);
            }
        }
    }
    /// Writes finished sums; a NaN becomes the canonical NaN. acc: [block.tokens, 32]
    void store(const Block& block, std::int64_t panel, const float* acc) const;
    /// The same for all panels of a block. acc: [panels of the block, block.tokens, 32]
    void store(const Block& block, const float* acc) const;

  private:
    const std::byte* m_weights;
    Team m_team;
    ActivationTiles m_input;
    WeightKernel m_kernel;
    decltype(IsaKernels::store) m_store;
    float* m_out;
    std::int64_t m_outStride;
    std::int64_t m_rows;
    std::int64_t m_panels;
    std::int64_t m_panelBytes;
    std::int64_t m_unit;          // elements that kernels count in: 1 or 32
    std::int64_t m_blockElements; // of the packed stream
    std::int64_t m_blockBytes;
    std::int64_t m_chunk;
    std::int64_t m_blockTiles;  // most tiles in a block
    std::int64_t m_blockPanels; // most panels in a block
    std::int64_t m_tokenBlocks;
    std::int64_t m_rowBlocks;
};

/// Policies; each computes the whole product. `batch-split` is runOrdered() of a Product whose
/// chunk follows from the number of tokens (batch_split.h). runOrdered() takes several products of
/// one input, and threads go from one to the next without meeting.
void runOrdered(std::span<const Product> products);
void runAtomic(const Product& product);
void runKahan(const Product& product);
void runAtomicAdd(const Product& product);
void runThreadSplit(const Product& product);
/// Policies that read the weights themselves. Arguments as for matmul().
void runExact(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
              const ExecContext& context);
void runVendor(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
               const ExecContext& context);

} // namespace ulp::kernels
