// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/matmul.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "engine/kernels/batch_split.h"
#include "engine/kernels/matmul_product.h"
#include "engine/kernels/scratch.h"
#include "engine/kernels/vendor_blas.h"

namespace ulp::kernels {

const IsaKernels& kernelsFor(Isa isa)
{
#if defined(__x86_64__)
    switch (isa) {
    case Isa::Avx512:
        return avx512Kernels();
    case Isa::Avx2:
        return avx2Kernels();
    case Isa::Portable:
    case Isa::Auto:
        break;
    }
#else
    (void)isa;
#endif
    return portableKernels();
}

namespace {

// Shares of each thread: a thread that starts late or loses its core leaves the rest to the others.
constexpr std::int64_t kSharesOfAThread = 4;

void orderedPanels(const Product& product, std::int64_t begin, std::int64_t end)
{
    thread_local Scratch sums;
    const std::int64_t k = product.k();
    const std::int64_t chunk = product.chunk();
    product.forBlocks(begin, end, [&](const Block& block) {
        if (product.chunkFirst()) {
            float* acc = sums.get<float>(block.floats());
            for (std::int64_t at = 0; at < k; at += chunk) {
                product.accumulate(block, at, std::min(k, at + chunk), chunk, at == 0, acc);
            }
            product.store(block, acc);
            return;
        }
        float* acc = sums.get<float>(block.panelFloats());
        for (std::int64_t panel = block.panelBegin; panel < block.panelEnd; ++panel) {
            product.accumulate(block, panel, 0, k, chunk, true, acc);
            product.store(block, panel, acc);
        }
    });
}

/// The context with the chunk that its policy asks for.
ExecContext withChunk(ExecContext context, const Activations& x)
{
    if (context.policy == Policy::BatchSplit) {
        context.chunk = batchSplitLength(x.k, x.tokens);
    }
    return context;
}

} // namespace

void runOrdered(std::span<const Product> products)
{
    const Team& team = products.front().team();
    std::int64_t panels = 0;
    for (const Product& product : products) {
        panels += product.panels();
    }
    const std::int64_t shares = team.size() == 1 ? 1 : team.size() * kSharesOfAThread;
    const std::int64_t step = std::max<std::int64_t>(1, (panels + shares - 1) / shares);
    std::atomic<std::int64_t> next{0};
    team.run([&](int, int) {
        for (std::int64_t begin = next.fetch_add(step); begin < panels;
             begin = next.fetch_add(step)) {
            std::int64_t first = 0; // panel of the product at hand
            for (const Product& product : products) {
                const std::int64_t from = std::max(begin, first);
                const std::int64_t to = std::min(begin + step, first + product.panels());
                if (from < to) {
                    orderedPanels(product, from - first, to - first);
                }
                first += product.panels();
            }
        }
    });
}

Result<void> policyServes(Policy policy, numeric::WeightType type)
{
    if (policy != Policy::Vendor) {
        return {};
    }
    const auto& info = numeric::weightTypeInfo(type);
    if (info.quantised) {
        return makeError(ErrorCode::Unsupported,
                         "policy 'vendor' has no product for " + std::string(info.name) +
                             " weights: OpenBLAS multiplies floats, and dequantised weights "
                             "would be another computation",
                         {},
                         "use a model with F32, F16 or BF16 weights, or give 'vendor' to ops with "
                         "such weights only");
    }
    return loadVendor();
}

void matmul(const PackedMatrix& w, const Activations& x, float* out, std::int64_t outStride,
            const ExecContext& context)
{
    if (x.tokens < 1) {
        return;
    }
    if (context.policy == Policy::Exact) {
        runExact(w, x, out, outStride, context);
        return;
    }
    if (context.policy == Policy::Vendor && policyServes(Policy::Vendor, w.type())) {
        runVendor(w, x, out, outStride, context);
        return;
    }
    const Product product(w, x, out, outStride, withChunk(context, x));
    switch (context.policy) {
    case Policy::Atomic:
        runAtomic(product);
        return;
    case Policy::Kahan:
        runKahan(product);
        return;
    case Policy::AtomicAdd:
        runAtomicAdd(product);
        return;
    case Policy::ThreadSplit:
        runThreadSplit(product);
        return;
    case Policy::Ordered:
    case Policy::BatchSplit:
    case Policy::Exact:
    case Policy::Vendor: // without a product to offer: refused before a run
        runOrdered({&product, 1});
        return;
    }
}

void matmulTogether(std::span<const MatmulTarget> targets, const Activations& x,
                    const ExecContext& context)
{
    const auto alike = [&](const MatmulTarget& target) {
        return target.weights->type() == targets.front().weights->type();
    };
    const bool inOrder = context.policy == Policy::Ordered || context.policy == Policy::BatchSplit;
    if (x.tokens < 1 || !inOrder || !std::all_of(targets.begin(), targets.end(), alike)) {
        for (const MatmulTarget& target : targets) {
            matmul(*target.weights, x, target.out, target.weights->rows(), context);
        }
        return;
    }
    std::vector<Product> products;
    products.reserve(targets.size());
    for (const MatmulTarget& target : targets) {
        products.emplace_back(*target.weights, x, target.out, target.weights->rows(),
                              withChunk(context, x));
    }
    runOrdered(products);
}

} // namespace ulp::kernels
