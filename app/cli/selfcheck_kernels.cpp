// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/selfcheck_kernels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <memory>
#include <random>

#include "engine/kernels/ops.h"
#include "engine/numeric/weight_type.h"

namespace ulp::cli {
namespace {

using kernels::ExecContext;
using numeric::WeightType;
using Floats = std::vector<float>;

// Odd on purpose, so that tails of every tile are used; k is a multiple of 32 for block formats.
constexpr std::int64_t kRows = 101;
constexpr std::int64_t kInner = 1056;
constexpr std::int64_t kTokens = 3;
constexpr float kEpsilon = 1e-5F;

Floats numbers(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    Floats values(count);
    std::generate(values.begin(), values.end(), [&] { return normal(generator); });
    return values;
}

/// A float in [2^-7, 2^0) or its negative, as the bits of a format with this many exponent and
/// mantissa bits.
std::uint32_t smallFloat(std::mt19937& generator, unsigned exponentBits, unsigned mantissaBits)
{
    const std::uint32_t bias = (1U << (exponentBits - 1)) - 1;
    const std::uint32_t exponent = bias - 1 - static_cast<std::uint32_t>(generator() % 7);
    const std::uint32_t mantissa =
        static_cast<std::uint32_t>(generator()) & ((1U << mantissaBits) - 1);
    const std::uint32_t sign = static_cast<std::uint32_t>(generator()) & 1U;
    return sign << (exponentBits + mantissaBits) | exponent << mantissaBits | mantissa;
}

/// A row-major matrix of the format: random bytes, with every scale and float made reasonable.
std::vector<std::byte> weights(WeightType type)
{
    const auto& info = numeric::weightTypeInfo(type);
    std::mt19937 generator(static_cast<unsigned>(type) + 1);
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(kRows * kInner / info.blockElements * info.blockBytes));
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(generator() & 0xFFU);
    }
    const auto block = static_cast<std::size_t>(info.blockBytes);
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        std::uint32_t bits = smallFloat(generator, 5, 10); // a scale, or an f16 weight
        std::size_t size = 2;
        if (type == WeightType::F32) {
            bits = smallFloat(generator, 8, 23);
            size = 4;
        } else if (type == WeightType::Bf16) {
            bits = smallFloat(generator, 8, 7);
        } else if (type == WeightType::Q4_1) {
            bits |= smallFloat(generator, 5, 10) << 16U; // scale and minimum
            size = 4;
        }
        std::memcpy(bytes.data() + at, &bits, size);
    }
    return bytes;
}

Result<KernelCheck> matmulCheck(WeightType type)
{
    const auto bytes = std::make_shared<std::vector<std::byte>>(weights(type));
    auto packed = kernels::PackedMatrix::pack(type, *bytes, kRows, kInner, kernels::Team(1));
    if (!packed) {
        return packed.error();
    }
    const auto x = std::make_shared<Floats>(numbers(kTokens * kInner, 7));
    const auto activations = std::make_shared<kernels::Activations>();
    std::string format(numeric::weightTypeInfo(type).name);
    std::transform(format.begin(), format.end(), format.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool quantised = numeric::weightTypeInfo(type).quantised;
    KernelCheck check{"matmul", format, true, {}, {}};
    check.run = [=, matrix = *packed](const ExecContext& context, Floats& out) {
        out.assign(kTokens * kRows, 0.0F);
        activations->set(x->data(), kTokens, kInner, kInner, quantised, context);
        kernels::matmul(matrix, *activations, out.data(), kRows, context);
    };
    check.reference = [=](Floats& out) {
        out.assign(kTokens * kRows, 0.0F);
        kernels::matmulReference(type, bytes->data(), kRows, kInner, x->data(), kTokens,
                                 kSelfcheckChunk, out.data());
    };
    return check;
}

/// int8 blocks, scales and sums as floats, so that one comparison covers them.
KernelCheck quantiseCheck()
{
    const auto x = std::make_shared<Floats>(numbers(kTokens * kInner, 8));
    const auto quantise = [x](const ExecContext& context, Floats& out) {
        kernels::Activations activations;
        activations.set(x->data(), kTokens, kInner, kInner, true, context);
        out.assign(activations.q.begin(), activations.q.end());
        out.insert(out.end(), activations.scale.begin(), activations.scale.end());
        std::transform(activations.sum.begin(), activations.sum.end(), std::back_inserter(out),
                       [](std::int32_t sum) { return static_cast<float>(sum); });
    };
    const auto reference = [quantise](Floats& out) {
        ExecContext portable;
        portable.chunk = kSelfcheckChunk;
        quantise(portable, out);
    };
    return {"quantise", "q8", false, quantise, reference};
}

KernelCheck normCheck()
{
    const auto x = std::make_shared<Floats>(numbers(kTokens * kInner, 9));
    const auto w = std::make_shared<Floats>(numbers(kInner, 10));
    return {"norm", "f32", true,
            [=](const ExecContext& context, Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::rmsNorm(x->data(), w->data(), kEpsilon, kTokens, kInner, out.data(),
                                 context);
            },
            [=](Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::rmsNormReference(x->data(), w->data(), kEpsilon, kTokens, kInner,
                                          kSelfcheckChunk, out.data());
            }};
}

KernelCheck ropeCheck()
{
    constexpr std::int64_t kHeads = 5;
    constexpr std::int64_t kHeadDim = 48;
    kernels::RopeSpec spec;
    spec.dims = kHeadDim;
    const auto table = std::make_shared<kernels::RopeTable>(spec, 1000);
    const auto x = std::make_shared<Floats>(numbers(kTokens * kHeads * kHeadDim, 11));
    static constexpr std::array<std::int32_t, kTokens> kPositions{0, 17, 999};
    return {"rope", "f32", false,
            [=](const ExecContext& context, Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::rope(x->data(), kPositions.data(), kTokens, kHeads, kHeadDim, *table,
                              out.data(), context);
            },
            [=](Floats& out) {
                out.assign(x->size(), 0.0F);
                kernels::ropeReference(x->data(), kPositions.data(), kTokens, kHeads, kHeadDim,
                                       *table, out.data());
            }};
}

Result<KernelCheck> attentionCheck()
{
    constexpr std::int64_t kHeads = 4;
    constexpr std::int64_t kKvHeads = 2;
    constexpr std::int64_t kHeadDim = 48;
    constexpr std::int64_t kPositions = 613;
    auto created = kernels::KvCache::create(1, 1, kPositions, kKvHeads, kHeadDim);
    if (!created) {
        return created.error();
    }
    const auto cache = std::make_shared<kernels::KvCache>(*created);
    const Floats keys = numbers(kPositions * kKvHeads * kHeadDim, 12);
    const Floats values = numbers(kPositions * kKvHeads * kHeadDim, 13);
    for (std::int64_t p = 0; p < kPositions; ++p) {
        const std::int64_t at = p * kKvHeads * kHeadDim;
        cache->store(0, 0, p, keys.data() + at, values.data() + at);
    }
    const auto q = std::make_shared<Floats>(numbers(kTokens * kHeads * kHeadDim, 14));
    static constexpr std::array<std::int32_t, kTokens> kSequences{0, 0, 0};
    static constexpr std::array<std::int32_t, kTokens> kAt{70, 300, 612};
    const auto args = [=](Floats& out) {
        out.assign(q->size(), 0.0F);
        kernels::AttentionArgs a;
        a.q = q->data();
        a.out = out.data();
        a.rows = kTokens;
        a.heads = kHeads;
        a.headDim = kHeadDim;
        a.cache = cache.get();
        a.sequences = kSequences.data();
        a.positions = kAt.data();
        a.scale = 0.125F;
        return a;
    };
    return KernelCheck{
        "attention", "f32", true,
        [args](const ExecContext& context, Floats& out) { kernels::attention(args(out), context); },
        [args](Floats& out) { kernels::attentionReference(args(out)); }};
}

KernelCheck swigluCheck()
{
    const auto gate = std::make_shared<Floats>(numbers(kInner, 15));
    const auto up = std::make_shared<Floats>(numbers(kInner, 16));
    return {"swiglu", "f32", false,
            [=](const ExecContext& context, Floats& out) {
                out.assign(gate->size(), 0.0F);
                kernels::swiglu(gate->data(), up->data(), kInner, out.data(), context);
            },
            [=](Floats& out) {
                out.assign(gate->size(), 0.0F);
                kernels::swigluReference(gate->data(), up->data(), kInner, out.data());
            }};
}

KernelCheck addCheck()
{
    const auto a = std::make_shared<Floats>(numbers(kInner, 17));
    const auto b = std::make_shared<Floats>(numbers(kInner, 18));
    return {"add", "f32", false,
            [=](const ExecContext& context, Floats& out) {
                out.assign(a->size(), 0.0F);
                kernels::add(a->data(), b->data(), kInner, out.data(), context);
            },
            [=](Floats& out) {
                out.assign(a->size(), 0.0F);
                kernels::addReference(a->data(), b->data(), kInner, out.data());
            }};
}

KernelCheck roundCheck(Precision precision)
{
    const auto x = std::make_shared<Floats>(numbers(kInner, 19));
    return {"round", std::string(toString(precision)), false,
            [=](const ExecContext& context, Floats& out) {
                out = *x;
                kernels::roundTo(precision, out.data(), kInner, context);
            },
            [=](Floats& out) {
                out = *x;
                kernels::roundToReference(precision, out.data(), kInner);
            }};
}

} // namespace

Result<std::vector<KernelCheck>> kernelChecks()
{
    std::vector<KernelCheck> checks;
    for (const WeightType type : {WeightType::F32, WeightType::F16, WeightType::Bf16,
                                  WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1}) {
        auto check = matmulCheck(type);
        if (!check) {
            return check.error();
        }
        checks.push_back(std::move(*check));
    }
    checks.push_back(quantiseCheck());
    checks.push_back(normCheck());
    checks.push_back(ropeCheck());
    auto attention = attentionCheck();
    if (!attention) {
        return attention.error();
    }
    checks.push_back(std::move(*attention));
    checks.push_back(swigluCheck());
    checks.push_back(addCheck());
    checks.push_back(roundCheck(Precision::Bf16));
    checks.push_back(roundCheck(Precision::F16));
    return checks;
}

} // namespace ulp::cli
