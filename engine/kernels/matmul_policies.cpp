// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The policies that let threads, and their timing, decide the order of a sum. They compute the same
// partials as `ordered`; who takes a chunk and when a sum is merged is left to chance on purpose,
// and nothing is added to make chance likelier.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/kernels/matmul_product.h"
#include "engine/kernels/scratch.h"
#include "engine/numeric/lanes.h"

namespace ulp::kernels {
namespace {

using numeric::CompensatedSum;

/// What the threads of one racing product share. Units of work are numbered block by block, and in
/// a block by chunk; a thread takes the next number.
struct Race {
    std::atomic<std::int64_t> next{0};
    Barrier barrier;
    std::mutex mergeLock;
};

/// f(block) for this thread's share of the panels, all tokens.
template <typename F>
void forShare(const Product& product, int thread, int threads, F&& f)
{
    product.forBlocks(product.panels() * thread / threads,
                      product.panels() * (thread + 1) / threads, std::forward<F>(f));
}

template <typename F>
void forShareOutputs(const Product& product, int thread, int threads, F&& f)
{
    forShare(product, thread, threads, [&](const Block& block) {
        for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
            product.forOutputs(block, panel, f);
        }
    });
}

/// Every thread clears its share of the output, and all begin together, as the running workers of a
/// real kernel do.
void startTogether(const Product& product, Race& race, int thread, int threads)
{
    forShareOutputs(product, thread, threads, [](float& out, std::int64_t) { out = 0.0F; });
    race.barrier.wait(threads);
}

void finishTogether(const Product& product, Race& race, int thread, int threads)
{
    race.barrier.wait(threads);
    forShareOutputs(product, thread, threads,
                    [](float& out, std::int64_t) { out = numeric::canonicalNan(out); });
}

/// The chunks of a block that one thread took, summed in the order it took them: take() adds a
/// chunk, merge() adds the sum to the output.
class PlainSums {
  public:
    explicit PlainSums(const Product& product) : m_product(product) {}

    void take(const Block& block, std::int64_t kBegin, std::int64_t kEnd, bool first)
    {
        thread_local Scratch memory;
        m_sums = memory.get<float>(block.floats());
        m_product.accumulate(block, kBegin, kEnd, kEnd - kBegin, first, m_sums);
    }
    void merge(const Block& block)
    {
        for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
            const float* sums = m_sums + (panel - block.panelBegin) * block.panelFloats();
            m_product.forOutputs(block, panel,
                                 [sums](float& out, std::int64_t i) { out = out + sums[i]; });
        }
    }

  private:
    const Product& m_product;
    float* m_sums = nullptr;
};

/// The same with the rounding errors of all additions kept. errors: one for each output, [tokens,
/// outStride], shared.
class CompensatedSums {
  public:
    CompensatedSums(const Product& product, float* errors) : m_product(product), m_errors(errors) {}

    void take(const Block& block, std::int64_t kBegin, std::int64_t kEnd, bool first)
    {
        thread_local Scratch sumMemory;
        thread_local Scratch partialMemory;
        m_sums = sumMemory.get<CompensatedSum>(block.floats());
        float* partial = partialMemory.get<float>(block.panelFloats());
        for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
            m_product.accumulate(block, panel, kBegin, kEnd, kEnd - kBegin, true, partial);
            CompensatedSum* sums = panelSums(block, panel);
            for (std::int64_t i = 0; i < block.panelFloats(); ++i) {
                if (first) {
                    sums[i] = CompensatedSum{};
                }
                sums[i].add(partial[i]);
            }
        }
    }
    void merge(const Block& block)
    {
        for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
            const CompensatedSum* sums = panelSums(block, panel);
            m_product.forOutputs(block, panel, [&](float& out, std::int64_t i) {
                float& error = m_errors[&out - m_product.out()];
                CompensatedSum total{out, error};
                total.merge(sums[i]);
                out = total.sum;
                error = total.error;
            });
        }
    }

  private:
    [[nodiscard]] CompensatedSum* panelSums(const Block& block, std::int64_t panel) const
    {
        return m_sums + (panel - block.panelBegin) * block.panelFloats();
    }

    const Product& m_product;
    float* m_errors;
    CompensatedSum* m_sums = nullptr;
};

/// Takes chunks until none is left, merging whenever the next one belongs to another block.
template <typename Sums>
void takeChunks(const Product& product, Race& race, Sums sums)
{
    const std::int64_t units = product.blocks() * product.chunks();
    std::int64_t current = -1; // the block whose sum this thread holds
    Block block;
    const auto arrive = [&] {
        if (current >= 0) {
            const std::lock_guard lock(race.mergeLock);
            sums.merge(block);
        }
    };
    for (std::int64_t unit = race.next.fetch_add(1); unit < units; unit = race.next.fetch_add(1)) {
        const std::int64_t index = unit / product.chunks();
        const std::int64_t kBegin = unit % product.chunks() * product.chunk();
        const bool first = index != current;
        if (first) {
            arrive();
            current = index;
            block = product.block(index);
        }
        sums.take(block, kBegin, std::min(product.k(), kBegin + product.chunk()), first);
    }
    arrive();
}

} // namespace

void runAtomic(const Product& product)
{
    Race race;
    product.team().run([&](int thread, int threads) {
        startTogether(product, race, thread, threads);
        takeChunks(product, race, PlainSums(product));
        finishTogether(product, race, thread, threads);
    });
}

void runKahan(const Product& product)
{
    thread_local Scratch memory;
    float* errors = memory.get<float>(product.tokens() * product.outStride());
    Race race;
    product.team().run([&](int thread, int threads) {
        forShareOutputs(product, thread, threads,
                        [&](float& out, std::int64_t) { errors[&out - product.out()] = 0.0F; });
        startTogether(product, race, thread, threads);
        takeChunks(product, race, CompensatedSums(product, errors));
        race.barrier.wait(threads);
        forShareOutputs(product, thread, threads, [&](float& out, std::int64_t) {
            out = CompensatedSum{out, errors[&out - product.out()]}.value();
        });
        finishTogether(product, race, thread, threads);
    });
}

void runAtomicAdd(const Product& product)
{
    // Panel by panel, so that all chunks of an output are in flight at one time, as in a split-K
    // grid: units of a block are numbered (panel, chunk).
    Race race;
    product.team().run([&](int thread, int threads) {
        thread_local Scratch memory;
        startTogether(product, race, thread, threads);
        const std::int64_t chunks = product.chunks();
        const std::int64_t perTokens = product.panels() * chunks;
        const std::int64_t units = product.tokenBlocks() * perTokens;
        for (std::int64_t unit = race.next.fetch_add(1); unit < units;
             unit = race.next.fetch_add(1)) {
            const std::int64_t panel = unit % perTokens / chunks;
            const Block block = product.makeBlock(unit / perTokens, panel, panel + 1);
            const std::int64_t kBegin = unit % chunks * product.chunk();
            float* partial = memory.get<float>(block.panelFloats());
            product.accumulate(block, kBegin, std::min(product.k(), kBegin + product.chunk()),
                               product.chunk(), true, partial);
            product.forOutputs(block, panel, [&](float& out, std::int64_t i) {
                std::atomic_ref<float>(out).fetch_add(partial[i], std::memory_order_relaxed);
            });
        }
        finishTogether(product, race, thread, threads);
    });
}

void runThreadSplit(const Product& product)
{
    // As many pieces as the team was asked to be, even if the machine grants fewer threads.
    const std::int64_t pieces = product.team().size();
    const std::int64_t groups = (product.k() + numeric::kGroup - 1) / numeric::kGroup;
    const auto pieceBegin = [&](std::int64_t piece) {
        return std::min(product.k(), groups * piece / pieces * numeric::kGroup);
    };
    std::int64_t largest = 0; // floats of a block
    for (std::int64_t i = 0; i < product.blocks(); ++i) {
        largest = std::max(largest, product.block(i).floats());
    }
    thread_local Scratch memory;
    float* sums = memory.get<float>(pieces * largest); // [pieces, largest]
    Barrier barrier;
    product.team().run([&](int thread, int threads) {
        for (std::int64_t i = 0; i < product.blocks(); ++i) {
            const Block block = product.block(i);
            for (std::int64_t piece = thread; piece < pieces; piece += threads) {
                const std::int64_t begin = pieceBegin(piece);
                const std::int64_t end = pieceBegin(piece + 1);
                if (begin < end) {
                    product.accumulate(block, begin, end, end - begin, true,
                                       sums + piece * largest);
                }
            }
            barrier.wait(threads);
            for (std::int64_t panel = block.panelBegin + thread; panel < block.panelEnd;
                 panel += threads) {
                const std::int64_t at = (panel - block.panelBegin) * block.panelFloats();
                product.forOutputs(block, panel, [&](float& out, std::int64_t element) {
                    float sum = 0.0F;
                    for (std::int64_t piece = 0; piece < pieces; ++piece) {
                        if (pieceBegin(piece) < pieceBegin(piece + 1)) {
                            sum = sum + sums[piece * largest + at + element];
                        }
                    }
                    out = numeric::canonicalNan(sum);
                });
            }
            barrier.wait(threads);
        }
    });
}

} // namespace ulp::kernels
