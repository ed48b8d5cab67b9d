// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/matmul_product.h"

#include <algorithm>

#include "engine/kernels/scratch.h"

namespace ulp::kernels {
namespace {

// Most tokens of a block: enough to pay for unpacking a panel, few enough that a chunk of their
// input stays in the second-level cache.
constexpr std::int64_t kBlockTokens = 264;
// Sums of a block: half a mebibyte stays in the second-level cache while all chunks pass.
constexpr std::int64_t kBlockSums = 128 * 1024;

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

} // namespace

Product::Product(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
                 const ExecContext& context)
    : m_weights(w.data()), m_team(context.team), m_out(out), m_outStride(outStride),
      m_rows(w.rows()), m_panels(ceilDivide(w.rows(), kPanelRows))
{
    const bool quantised = numeric::weightTypeInfo(w.type()).quantised;
    const IsaKernels& kernels = kernelsFor(context.isa);
    const std::int64_t width =
        x.tokens <= kernels.quantisedBatch ? kernels.quantisedBatch : kernels.quantisedTile;
    m_input = quantised ? x.quantisedTiles(width, w.type(), context)
                        : x.floatTiles(kernels.floatTile, context);
    m_unit = quantised ? numeric::kGroup : 1;
    m_blockElements = packedBlockElements(w.type());
    m_blockBytes = packedBlockBytes(w.type());
    m_panelBytes = m_input.k / m_blockElements * m_blockBytes;
    m_chunk = std::min(context.chunk, m_input.k);
    const TokenTiling& tiling = m_input.tiling;
    const std::int64_t largestTile = tiling.size(0);
    m_tokenBlocks = ceilDivide(tiling.count, std::max<std::int64_t>(1, kBlockTokens / largestTile));
    m_blockTiles = ceilDivide(tiling.count, m_tokenBlocks);
    m_tokenBlocks = ceilDivide(tiling.count, m_blockTiles);
    const std::int64_t blockTokens = std::min(tiling.tokens, m_blockTiles * largestTile);
    m_blockPanels = std::max<std::int64_t>(1, kBlockSums / (blockTokens * kPanelRows));
    m_rowBlocks = ceilDivide(m_panels, m_blockPanels);
    m_store = kernels.store;
    m_kernel = kernels.select(w.type(), std::min(tiling.count, m_blockTiles));
}

Block Product::makeBlock(std::int64_t tokenBlock, std::int64_t panelBegin,
                         std::int64_t panelEnd) const
{
    const TokenTiling& tiling = m_input.tiling;
    Block block;
    block.panelBegin = panelBegin;
    block.panelEnd = panelEnd;
    block.tileBegin = tokenBlock * m_blockTiles;
    block.tileEnd = std::min(tiling.count, block.tileBegin + m_blockTiles);
    block.tokenBegin = tiling.start(block.tileBegin);
    block.tokens = tiling.start(block.tileEnd) - block.tokenBegin;
    return block;
}

Block Product::block(std::int64_t index) const
{
    const std::int64_t panelBegin = index % m_rowBlocks * m_blockPanels;
    return makeBlock(index / m_rowBlocks, panelBegin,
                     std::min(m_panels, panelBegin + m_blockPanels));
}

void Product::accumulate(const Block& block, std::int64_t panel, std::int64_t kBegin,
                         std::int64_t kEnd, std::int64_t cut, bool fromZero, float* acc) const
{
    thread_local Scratch scratch;
    PanelTask task;
    task.panel = m_weights + panel * m_panelBytes;
    task.input = &m_input;
    task.tileBegin = block.tileBegin;
    task.tileEnd = block.tileEnd;
    task.kBegin = kBegin;
    task.kEnd = kEnd;
    task.chunk = cut;
    task.fromZero = fromZero;
    task.acc = acc;
    if (kEnd - kBegin <= cut && block.tileEnd - block.tileBegin > 2) {
        // Blocks go panel by panel in one chunk, then on to the next chunk.
        const bool last = panel + 1 == block.panelEnd;
        const std::int64_t nextPanel = last ? block.panelBegin : panel + 1;
        const std::int64_t nextBlock = (last ? kEnd : kBegin) / m_blockElements;
        task.next = m_weights + nextPanel * m_panelBytes + nextBlock * m_blockBytes;
        task.nextBytes = ceilDivide(kEnd - kBegin, m_blockElements) * m_blockBytes;
    }
    if (m_kernel.scratchPerUnit != 0) {
        const std::int64_t units = ceilDivide(std::min(cut, kEnd - kBegin), m_unit);
        task.scratch = scratch.get<std::byte>(units * m_kernel.scratchPerUnit);
    }
    m_kernel.run(task);
}

void Product::accumulate(const Block& block, std::int64_t kBegin, std::int64_t kEnd,
                         std::int64_t cut, bool fromZero, float* acc) const
{
    for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
        accumulate(block, panel, kBegin, kEnd, cut, fromZero,
                   acc + (panel - block.panelBegin) * block.panelFloats());
    }
}

void Product::store(const Block& block, std::int64_t panel, const float* acc) const
{
    if ((panel + 1) * kPanelRows <= m_rows) {
        for (std::int64_t t = 0; t < block.tokens; ++t) {
            m_store(acc + t * kPanelRows, 0, 1,
                    m_out + (block.tokenBegin + t) * m_outStride + panel * kPanelRows);
        }
        return;
    }
    forOutputs(block, panel,
               [acc](float& out, std::int64_t i) { out = numeric::canonicalNan(acc[i]); });
}

void Product::store(const Block& block, const float* acc) const
{
    // Token by token, so that a row of the output is written in one go.
    const std::int64_t whole = std::min(block.panelEnd, m_rows / kPanelRows) - block.panelBegin;
    for (std::int64_t t = 0; whole > 0 && t < block.tokens; ++t) {
        m_store(acc + t * kPanelRows, block.panelFloats(), whole,
                m_out + (block.tokenBegin + t) * m_outStride + block.panelBegin * kPanelRows);
    }
    if (block.panelBegin + whole < block.panelEnd) {
        store(block, block.panelEnd - 1, acc + whole * block.panelFloats());
    }
}

} // namespace ulp::kernels
