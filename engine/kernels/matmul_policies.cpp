// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The policies that let threads, and their timing, decide the order of a sum. They compute the same
// partials as `ordered`; who takes a chunk and when a sum is merged is left to chance on purpose,
// and nothing is added to make chance likelier.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/kernels/matmul_product.h"
#include "engine/kernels/scratch.h"
#include "engine/kernels/spin_lock.h"
#include "engine/numeric/lanes.h"

namespace ulp::kernels {
namespace {

using numeric::CompensatedSum;

/// The sum of one block that all threads merge into.
struct SharedBlock {
    SpinLock lock;
    std::int64_t missing = 0; // chunks that have not arrived, under lock
};

/// What the threads of one racing product share. Units of work are numbered block by block, and in
/// a block by chunk; a thread takes the next number.
struct Race {
    explicit Race(const Product& product)
        : blocks(std::make_unique<SharedBlock[]>(static_cast<std::size_t>(product.blocks())))
    {
        for (std::int64_t i = 0; i < product.blocks(); ++i) {
            blocks[static_cast<std::size_t>(i)].missing = product.chunks();
        }
    }
    std::atomic<std::int64_t> next{0};
    std::unique_ptr<SharedBlock[]> blocks;
};

/// f(output, element of the block's sums) for all outputs of a block.
template <typename F>
void forBlockOutputs(const Product& product, const Block& block, F&& f)
{
    for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
        const std::int64_t at = (panel - block.panelBegin) * block.panelFloats();
        product.forOutputs(block, panel, [&](float& out, std::int64_t i) { f(out, at + i); });
    }
}

/// The chunks of a block that one thread took, summed in the order it took them: take() adds a
/// chunk; merge() adds the sum to the output, `first` and `last` say which arrival it is.
class PlainSums {
  public:
    explicit PlainSums(const Product& product) : m_product(product) {}

    void take(const Block& block, std::int64_t kBegin, std::int64_t kEnd, bool first)
    {
        thread_local Scratch memory;
        m_sums = memory.get<float>(block.floats());
        m_product.accumulate(block, kBegin, kEnd, kEnd - kBegin, first, m_sums);
    }
    void merge(const Block& block, bool first, bool last)
    {
        forBlockOutputs(m_product, block, [&](float& out, std::int64_t i) {
            const float sum = first ? m_sums[i] : out + m_sums[i];
            out = last ? numeric::canonicalNan(sum) : sum;
        });
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
            CompensatedSum* sums = m_sums + (panel - block.panelBegin) * block.panelFloats();
            for (std::int64_t i = 0; i < block.panelFloats(); ++i) {
                if (first) {
                    sums[i] = CompensatedSum{};
                }
                sums[i].add(partial[i]);
            }
        }
    }
    void merge(const Block& block, bool first, bool last)
    {
        forBlockOutputs(m_product, block, [&](float& out, std::int64_t i) {
            float& error = m_errors[&out - m_product.out()];
            CompensatedSum total = first ? CompensatedSum{} : CompensatedSum{out, error};
            total.merge(m_sums[i]);
            out = last ? numeric::canonicalNan(total.value()) : total.sum;
            error = total.error;
        });
    }

  private:
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
    std::int64_t taken = 0;    // chunks in it
    Block block;
    const auto arrive = [&] {
        if (current >= 0) {
            SharedBlock& shared = race.blocks[static_cast<std::size_t>(current)];
            const std::lock_guard lock(shared.lock);
            const bool first = shared.missing == product.chunks();
            shared.missing -= taken;
            sums.merge(block, first, shared.missing == 0);
        }
    };
    for (std::int64_t unit = race.next.fetch_add(1); unit < units; unit = race.next.fetch_add(1)) {
        const std::int64_t index = unit / product.chunks();
        const std::int64_t kBegin = unit % product.chunks() * product.chunk();
        const bool first = index != current;
        if (first) {
            arrive();
            current = index;
            taken = 0;
            block = product.block(index);
        }
        sums.take(block, kBegin, std::min(product.k(), kBegin + product.chunk()), first);
        ++taken;
    }
    arrive();
}

/// f(output) for this thread's share of the outputs.
template <typename F>
void forShareOutputs(const Product& product, int thread, int threads, F&& f)
{
    product.forBlocks(product.panels() * thread / threads,
                      product.panels() * (thread + 1) / threads, [&](const Block& block) {
                          forBlockOutputs(product, block,
                                          [&](float& out, std::int64_t) { f(out); });
                      });
}

} // namespace

void runAtomic(const Product& product)
{
    Race race(product);
    product.team().run([&](int, int) { takeChunks(product, race, PlainSums(product)); });
}

void runKahan(const Product& product)
{
    thread_local Scratch memory;
    float* errors = memory.get<float>(product.tokens() * product.outStride());
    Race race(product);
    product.team().run(
        [&](int, int) { takeChunks(product, race, CompensatedSums(product, errors)); });
}

void runAtomicAdd(const Product& product)
{
    // Panel by panel, so that all chunks of an output are in flight at one time, as in a split-K
    // grid: units of a block are numbered (panel, chunk). As there, the output is cleared first.
    std::atomic<std::int64_t> next{0};
    Barrier barrier;
    product.team().run([&](int thread, int threads) {
        thread_local Scratch memory;
        forShareOutputs(product, thread, threads, [](float& out) { out = 0.0F; });
        barrier.wait(threads);
        const std::int64_t chunks = product.chunks();
        const std::int64_t perTokens = product.panels() * chunks;
        const std::int64_t units = product.tokenBlocks() * perTokens;
        for (std::int64_t unit = next.fetch_add(1); unit < units; unit = next.fetch_add(1)) {
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
        barrier.wait(threads);
        forShareOutputs(product, thread, threads,
                        [](float& out) { out = numeric::canonicalNan(out); });
    });
}

void runThreadSplit(const Product& product)
{
    // As many pieces as the team was asked to be, even if the machine grants fewer threads; a piece
    // without elements is none.
    struct Piece {
        std::int64_t begin;
        std::int64_t end;
    };
    std::vector<Piece> pieces;
    const std::int64_t asked = product.team().size();
    const std::int64_t groups = (product.k() + numeric::kGroup - 1) / numeric::kGroup;
    for (std::int64_t i = 0; i < asked; ++i) {
        const Piece piece{groups * i / asked * numeric::kGroup,
                          std::min(product.k(), groups * (i + 1) / asked * numeric::kGroup)};
        if (piece.begin < piece.end) {
            pieces.push_back(piece);
        }
    }
    const auto count = static_cast<std::int64_t>(pieces.size());
    std::int64_t largest = 0; // floats of a block
    for (std::int64_t i = 0; i < product.blocks(); ++i) {
        largest = std::max(largest, product.block(i).floats());
    }
    thread_local Scratch memory;
    float* sums = memory.get<float>(count * largest); // [pieces, largest]
    Barrier barrier;
    product.team().run([&](int thread, int threads) {
        for (std::int64_t i = 0; i < product.blocks(); ++i) {
            const Block block = product.block(i);
            for (std::int64_t p = thread; p < count; p += threads) {
                const Piece& piece = pieces[static_cast<std::size_t>(p)];
                product.accumulate(block, piece.begin, piece.end, piece.end - piece.begin, true,
                                   sums + p * largest);
            }
            barrier.wait(threads);
            for (std::int64_t panel = block.panelBegin + thread; panel < block.panelEnd;
                 panel += threads) {
                const float* first = sums + (panel - block.panelBegin) * block.panelFloats();
                product.forOutputs(block, panel, [&](float& out, std::int64_t element) {
                    float sum = 0.0F;
                    for (std::int64_t p = 0; p < count; ++p) {
                        sum = sum + first[p * largest + element];
                    }
                    out = numeric::canonicalNan(sum);
                });
            }
            if (i + 1 < product.blocks()) {
                barrier.wait(threads); // before the sums are written again
            }
        }
    });
}

} // namespace ulp::kernels
