// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layout: [layers, sequences, kvHeads, chunks] blocks; a block holds 64 positions of one KV head:
// keys [headDim, 64] (lanes are positions), then values [64, paddedDim] (lanes are dimensions).
#include "engine/kernels/kv_cache.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "engine/numeric/contract.h"

namespace ulp::kernels {
namespace {

constexpr std::int64_t kChunk = numeric::kKvChunk;

/// Multiplies sizes; false on overflow.
bool multiply(std::size_t& size, std::int64_t factor)
{
    return factor > 0 && !__builtin_mul_overflow(size, static_cast<std::size_t>(factor), &size);
}

} // namespace

Result<KvCache> KvCache::create(int layers, int sequences, std::int64_t positions,
                                std::int64_t kvHeads, std::int64_t headDim)
{
    const auto refuse = [&](const std::string& size) {
        return makeError(ErrorCode::BadUsage,
                         "a KV cache of " + std::to_string(positions) + " positions, " +
                             std::to_string(sequences) + " sequences, " + std::to_string(layers) +
                             " layers cannot be had (" + size + ")",
                         "KV cache", "ask for a shorter context or a smaller batch");
    };
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (positions > kMost || headDim > kMost) {
        return refuse("absurd size");
    }
    KvCache cache;
    cache.m_layers = layers;
    cache.m_sequences = sequences;
    cache.m_positions = positions;
    cache.m_kvHeads = kvHeads;
    cache.m_headDim = headDim;
    cache.m_paddedDim = (headDim + 15) / 16 * 16;
    cache.m_chunks = (positions + kChunk - 1) / kChunk;
    std::size_t size = sizeof(float) * kChunk;
    if (!multiply(size, headDim + cache.m_paddedDim) || !multiply(size, cache.m_chunks) ||
        !multiply(size, kvHeads) || !multiply(size, sequences) || !multiply(size, layers)) {
        return refuse("absurd size");
    }
    // calloc: pages that no position has reached are never touched, and read as zero.
    constexpr std::size_t kAlignment = 64;
    void* raw = std::calloc(size + kAlignment, 1);
    if (raw == nullptr) {
        return refuse(std::to_string(size) + " bytes");
    }
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    auto* aligned = static_cast<char*>(raw) + (kAlignment - address % kAlignment);
    cache.m_bytes = size;
    cache.m_data = std::shared_ptr<float>(reinterpret_cast<float*>(aligned),
                                          [raw](float*) { std::free(raw); });
    return cache;
}

float* KvCache::block(int layer, int sequence, std::int64_t kvHead, std::int64_t chunk) const
{
    const std::int64_t index =
        ((static_cast<std::int64_t>(layer) * m_sequences + sequence) * m_kvHeads + kvHead) *
            m_chunks +
        chunk;
    return m_data.get() + index * kChunk * (m_headDim + m_paddedDim);
}

const float* KvCache::keys(int layer, int sequence, std::int64_t kvHead, std::int64_t chunk) const
{
    return block(layer, sequence, kvHead, chunk);
}

const float* KvCache::values(int layer, int sequence, std::int64_t kvHead, std::int64_t chunk) const
{
    return block(layer, sequence, kvHead, chunk) + kChunk * m_headDim;
}

void KvCache::store(int layer, int sequence, std::int64_t position, const float* k, const float* v)
{
    const std::int64_t slot = position % kChunk;
    for (std::int64_t h = 0; h < m_kvHeads; ++h) {
        float* keyBlock = block(layer, sequence, h, position / kChunk);
        for (std::int64_t i = 0; i < m_headDim; ++i) {
            keyBlock[i * kChunk + slot] = k[h * m_headDim + i];
        }
        std::memcpy(keyBlock + kChunk * m_headDim + slot * m_paddedDim, v + h * m_headDim,
                    sizeof(float) * static_cast<std::size_t>(m_headDim));
    }
}

void KvCache::copySequence(int from, int to, std::int64_t count)
{
    const std::size_t blockBytes =
        sizeof(float) * static_cast<std::size_t>(kChunk * (m_headDim + m_paddedDim));
    const std::int64_t rest = count % kChunk;
    for (int layer = 0; layer < m_layers; ++layer) {
        for (std::int64_t h = 0; h < m_kvHeads; ++h) {
            std::memcpy(block(layer, to, h, 0), block(layer, from, h, 0),
                        blockBytes * static_cast<std::size_t>(count / kChunk));
            if (rest == 0) {
                continue;
            }
            const float* source = block(layer, from, h, count / kChunk);
            float* target = block(layer, to, h, count / kChunk);
            for (std::int64_t i = 0; i < m_headDim; ++i) {
                std::memcpy(target + i * kChunk, source + i * kChunk,
                            sizeof(float) * static_cast<std::size_t>(rest));
            }
            std::memcpy(target + kChunk * m_headDim, source + kChunk * m_headDim,
                        sizeof(float) * static_cast<std::size_t>(rest * m_paddedDim));
        }
    }
}

float KvCache::keyAt(int layer, int sequence, std::int64_t position, std::int64_t kvHead,
                     std::int64_t i) const
{
    return keys(layer, sequence, kvHead, position / kChunk)[i * kChunk + position % kChunk];
}

float KvCache::valueAt(int layer, int sequence, std::int64_t position, std::int64_t kvHead,
                       std::int64_t i) const
{
    return values(layer, sequence, kvHead,
                  position / kChunk)[(position % kChunk) * m_paddedDim + i];
}

} // namespace ulp::kernels
