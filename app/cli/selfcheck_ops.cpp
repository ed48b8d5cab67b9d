// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "app/cli/selfcheck_kernels.h"
#include "engine/kernels/ops.h"

namespace ulp::cli {
namespace {

using kernels::ExecContext;
using Floats = std::vector<float>;

constexpr float kEpsilon = 1e-5F;
// Lengths around those of every vector width, and some longer than a chunk.
constexpr std::array<std::int64_t, 9> kLengths{1056, 1, 7, 16, 17, 33, 96, 288, 2051};

KernelCheck opCheck(const std::string& op, const std::string& format, bool reduces)
{
    KernelCheck check;
    check.op = op;
    check.format = format;
    check.reduces = reduces;
    check.serves = [](Policy) { return true; };
    return check;
}

std::shared_ptr<Floats> shared(std::int64_t count, unsigned seed)
{
    return std::make_shared<Floats>(madeUpNumbers(count, seed));
}

/// int8 blocks, scales and sums as floats, so that one comparison covers them.
KernelCheck quantiseCheck()
{
    KernelCheck check = opCheck("quantise", "q8", false);
    for (const std::int64_t k : {1056, 32, 96, 2080}) {
        const std::int64_t tokens = k == 96 ? 17 : 3;
        const auto x = shared(tokens * k, 8);
        const auto run = [=](const ExecContext& context, Floats& out) {
            kernels::Activations activations;
            activations.set(x->data(), tokens, k, k, true, context);
            out.assign(activations.q.begin(), activations.q.end());
            out.insert(out.end(), activations.scale.begin(), activations.scale.end());
            std::transform(activations.sum.begin(), activations.sum.end(), std::back_inserter(out),
                           [](std::int32_t sum) { return static_cast<float>(sum); });
        };
        check.cases.push_back({"tokens " + std::to_string(tokens) + ", k " + std::to_string(k), 64,
                               run, [run](Floats& out) { run(ExecContext{}, out); }});
    }
    return check;
}

KernelCheck normCheck()
{
    KernelCheck check = opCheck("norm", "f32", true);
    for (const std::int64_t n : kLengths) {
        const std::int64_t rows = n == 96 ? 9 : 3;
        const std::int64_t chunk = n == 288 ? 256 : 64;
        const auto x = shared(rows * n, 9);
        const auto w = shared(n, 10);
        check.cases.push_back({"rows " + std::to_string(rows) + ", n " + std::to_string(n) +
                                   ", chunk " + std::to_string(chunk),
                               chunk,
                               [=](const ExecContext& context, Floats& out) {
                                   out.assign(x->size(), 0.0F);
                                   kernels::rmsNorm(x->data(), w->data(), kEpsilon, rows, n,
                                                    out.data(), context);
                               },
                               [=](Floats& out) {
                                   out.assign(x->size(), 0.0F);
                                   kernels::rmsNormReference(x->data(), w->data(), kEpsilon, rows,
                                                             n, chunk, out.data());
                               }});
    }
    return check;
}

KernelCase ropeCase(kernels::RopePairing pairing, std::int64_t heads, std::int64_t headDim,
                    std::int64_t dims, float llama3Factor)
{
    static constexpr std::array<std::int32_t, 3> kPositions{0, 17, 999};
    constexpr auto kTokens = static_cast<std::int64_t>(kPositions.size());
    kernels::RopeSpec spec;
    spec.pairing = pairing;
    spec.dims = dims;
    spec.llama3Factor = llama3Factor;
    const auto table = std::make_shared<kernels::RopeTable>(spec, 1000);
    const auto x = shared(kTokens * heads * headDim, 11);
    return {std::string(pairing == kernels::RopePairing::Halves ? "halves" : "interleaved") +
                ", heads " + std::to_string(heads) + ", head " + std::to_string(headDim) +
                ", rotated " + std::to_string(dims),
            64,
            [=](const ExecContext& context, Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::rope(x->data(), kPositions.data(), kTokens, heads, headDim, *table,
                              out.data(), context);
            },
            [=](Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::ropeReference(x->data(), kPositions.data(), kTokens, heads, headDim,
                                       *table, out.data());
            }};
}

KernelCheck ropeCheck()
{
    KernelCheck check = opCheck("rope", "f32", false);
    using kernels::RopePairing;
    for (const RopePairing pairing : {RopePairing::Interleaved, RopePairing::Halves}) {
        check.cases.push_back(ropeCase(pairing, 5, 48, 48, 0.0F));
        check.cases.push_back(ropeCase(pairing, 1, 2, 2, 0.0F));
        check.cases.push_back(ropeCase(pairing, 3, 64, 64, 8.0F));
        check.cases.push_back(ropeCase(pairing, 2, 80, 34, 0.0F));
    }
    return check;
}

struct AttentionShape {
    std::int64_t heads, kvHeads, headDim;
    std::vector<std::int32_t> at; // positions of the rows
};

Result<KernelCase> attentionCase(const AttentionShape& shape)
{
    const std::int64_t positions = *std::max_element(shape.at.begin(), shape.at.end()) + 1;
    const std::int64_t kvWidth = shape.kvHeads * shape.headDim;
    auto created = kernels::KvCache::create(1, 1, positions, shape.kvHeads, shape.headDim);
    if (!created) {
        return created.error();
    }
    const auto cache = std::make_shared<kernels::KvCache>(*created);
    const Floats keys = madeUpNumbers(positions * kvWidth, 12);
    const Floats values = madeUpNumbers(positions * kvWidth, 13);
    for (std::int64_t p = 0; p < positions; ++p) {
        cache->store(0, 0, p, keys.data() + p * kvWidth, values.data() + p * kvWidth);
    }
    const auto rows = static_cast<std::int64_t>(shape.at.size());
    const auto q = shared(rows * shape.heads * shape.headDim, 14);
    const auto at = std::make_shared<std::vector<std::int32_t>>(shape.at);
    const auto sequences = std::make_shared<std::vector<std::int32_t>>(shape.at.size(), 0);
    const auto args = [=](Floats& out) {
        out.assign(q->size(), 0.0F);
        kernels::AttentionArgs a;
        a.q = q->data();
        a.out = out.data();
        a.rows = rows;
        a.heads = shape.heads;
        a.headDim = shape.headDim;
        a.cache = cache.get();
        a.sequences = sequences->data();
        a.positions = at->data();
        a.scale = 0.125F;
        return a;
    };
    return KernelCase{
        "heads " + std::to_string(shape.heads) + " on " + std::to_string(shape.kvHeads) +
            ", head " + std::to_string(shape.headDim) + ", rows " + std::to_string(rows) + ", of " +
            std::to_string(positions),
        64,
        [args](const ExecContext& context, Floats& out) { kernels::attention(args(out), context); },
        [args](Floats& out) { kernels::attentionReference(args(out)); }};
}

Result<KernelCheck> attentionCheck()
{
    KernelCheck check = opCheck("attention", "f32", true);
    for (const AttentionShape& shape :
         {AttentionShape{4, 2, 48, {70, 300, 612}}, AttentionShape{1, 1, 8, {0}},
          AttentionShape{6, 6, 7, {0, 1, 2, 3, 4}}, AttentionShape{9, 3, 64, {62, 63, 64, 65, 66}},
          AttentionShape{8, 1, 80, {127, 128}}, AttentionShape{2, 2, 33, {191}},
          AttentionShape{5, 5, 16, {1100}}}) {
        auto one = attentionCase(shape);
        if (!one) {
            return one.error();
        }
        check.cases.push_back(std::move(*one));
    }
    return check;
}

/// Kernels that take two rows and give one.
template <typename Run, typename Reference>
KernelCheck pairCheck(const std::string& op, unsigned seed, Run run, Reference reference)
{
    KernelCheck check = opCheck(op, "f32", false);
    for (const std::int64_t n : kLengths) {
        const auto a = shared(n, seed);
        const auto b = shared(n, seed + 1);
        check.cases.push_back({"n " + std::to_string(n), 64,
                               [=](const ExecContext& context, Floats& out) {
                                   out.assign(a->size(), 0.0F);
                                   run(a->data(), b->data(), n, out.data(), context);
                               },
                               [=](Floats& out) {
                                   out.assign(a->size(), 0.0F);
                                   reference(a->data(), b->data(), n, out.data());
                               }});
    }
    return check;
}

KernelCheck roundCheck(Precision precision)
{
    KernelCheck check = opCheck("round", std::string(toString(precision)), false);
    for (const std::int64_t n : kLengths) {
        const auto x = shared(n, 19);
        check.cases.push_back({"n " + std::to_string(n), 64,
                               [=](const ExecContext& context, Floats& out) {
                                   out = *x;
                                   kernels::roundTo(precision, out.data(), n, context);
                               },
                               [=](Floats& out) {
                                   out = *x;
                                   kernels::roundToReference(precision, out.data(), n);
                               }});
    }
    return check;
}

} // namespace

Result<void> addOpChecks(std::vector<KernelCheck>& checks)
{
    auto attention = attentionCheck();
    if (!attention) {
        return attention.error();
    }
    checks.push_back(quantiseCheck());
    checks.push_back(normCheck());
    checks.push_back(ropeCheck());
    checks.push_back(std::move(*attention));
    checks.push_back(pairCheck("swiglu", 15, kernels::swiglu, kernels::swigluReference));
    checks.push_back(pairCheck("add", 17, kernels::add, kernels::addReference));
    checks.push_back(roundCheck(Precision::Bf16));
    checks.push_back(roundCheck(Precision::F16));
    return {};
}

} // namespace ulp::cli
