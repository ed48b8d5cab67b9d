// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/selfcheck_kernels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <random>

#include "engine/numeric/weight_type.h"

namespace ulp::cli {
namespace {

using kernels::ExecContext;
using numeric::WeightType;
using numeric::WeightTypeInfo;
using Floats = std::vector<float>;

struct MatmulShape {
    std::int64_t rows, k, tokens, chunk; // k is rounded up to whole blocks of the format
};

// Odd on purpose: tails of every tile, panels of one row, chunks longer than the axis, one token,
// few, many.
constexpr std::array kShapes{
    MatmulShape{101, 1056, 3, 64}, MatmulShape{1, 1, 1, 32},     MatmulShape{31, 7, 2, 32},
    MatmulShape{33, 172, 5, 64},   MatmulShape{64, 333, 4, 32},  MatmulShape{65, 2080, 1, 256},
    MatmulShape{5, 96, 9, 64},     MatmulShape{32, 257, 8, 128}, MatmulShape{17, 544, 17, 256},
    MatmulShape{96, 640, 33, 128}, MatmulShape{47, 800, 7, 32},  MatmulShape{2, 1312, 13, 64},
    MatmulShape{129, 288, 6, 512},
};

/// A block of random bytes whose elements are numbers of ordinary size, whatever the format.
Result<void> fillBlock(const WeightTypeInfo& info, std::mt19937& generator, std::byte* block)
{
    constexpr float kLeast = 0x1p-7F;
    constexpr float kMost = 2.0F;
    constexpr int kTries = 100'000; // about one in five to one in fifty will do
    Floats values(static_cast<std::size_t>(info.blockElements));
    for (int i = 0; i < kTries; ++i) {
        std::generate(block, block + info.blockBytes,
                      [&] { return static_cast<std::byte>(generator() & 0xFFU); });
        numeric::dequantiseRow(info.type, block, info.blockElements, values.data());
        float largest = 0.0F;
        for (const float value : values) {
            largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : kMost;
        }
        if (largest >= kLeast && largest < kMost) {
            return {};
        }
    }
    return makeError(ErrorCode::Internal,
                     "no block of " + std::string(info.name) + " with ordinary numbers was found",
                     {}, "please report it");
}

Result<std::vector<std::byte>> weights(const WeightTypeInfo& info, std::int64_t rows,
                                       std::int64_t k)
{
    std::mt19937 generator(static_cast<unsigned>(info.type) + static_cast<unsigned>(k));
    const auto block = static_cast<std::size_t>(info.blockBytes);
    std::vector<std::byte> bytes(static_cast<std::size_t>(rows * k / info.blockElements) * block);
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        if (auto filled = fillBlock(info, generator, bytes.data() + at); !filled) {
            return filled.error();
        }
    }
    return bytes;
}

Result<KernelCase> matmulCase(const WeightTypeInfo& info, const MatmulShape& shape)
{
    const std::int64_t rows = shape.rows;
    const std::int64_t tokens = shape.tokens;
    const std::int64_t chunk = shape.chunk;
    const std::int64_t unit = info.quantised ? std::max<std::int64_t>(32, info.blockElements) : 1;
    const std::int64_t k = (shape.k + unit - 1) / unit * unit;
    auto made = weights(info, rows, k);
    if (!made) {
        return made.error();
    }
    const auto bytes = std::make_shared<std::vector<std::byte>>(std::move(*made));
    auto packed = kernels::PackedMatrix::pack(info.type, *bytes, rows, k, kernels::Team(1));
    if (!packed) {
        return packed.error();
    }
    const auto x = std::make_shared<Floats>(madeUpNumbers(tokens * k, 7));
    const auto activations = std::make_shared<kernels::Activations>();
    const auto size = static_cast<std::size_t>(tokens * rows);
    KernelCase one;
    one.shape = "rows " + std::to_string(rows) + ", k " + std::to_string(k) + ", tokens " +
                std::to_string(tokens) + ", chunk " + std::to_string(chunk);
    one.chunk = chunk;
    one.run = [=, matrix = *packed](const ExecContext& context, Floats& out) {
        out.assign(size, 0.0F);
        activations->set(x->data(), tokens, k, k, info.quantised, context);
        kernels::matmul(matrix, *activations, out.data(), rows, context);
    };
    one.reference = [=](Floats& out) {
        out.assign(size, 0.0F);
        kernels::matmulReference(info.type, bytes->data(), rows, k, x->data(), tokens, chunk,
                                 out.data());
    };
    return one;
}

Result<KernelCheck> matmulCheck(const WeightTypeInfo& info)
{
    KernelCheck check;
    check.op = "matmul";
    check.format = info.name;
    std::transform(check.format.begin(), check.format.end(), check.format.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    check.reduces = true;
    check.serves = [type = info.type](Policy policy) {
        return kernels::policyServes(policy, type).ok();
    };
    for (const MatmulShape& shape : kShapes) {
        auto one = matmulCase(info, shape);
        if (!one) {
            return one.error();
        }
        check.cases.push_back(std::move(*one));
    }
    return check;
}

} // namespace

std::vector<float> madeUpNumbers(std::int64_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    Floats values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return normal(generator); });
    return values;
}

Result<std::vector<KernelCheck>> kernelChecks()
{
    constexpr std::uint32_t kTypeNumbers = 256; // GGUF has given out fewer than 64
    std::vector<KernelCheck> checks;
    for (std::uint32_t number = 0; number < kTypeNumbers; ++number) {
        const auto info = numeric::weightTypeInfo(number);
        if (!info) {
            continue;
        }
        auto check = matmulCheck(*info);
        if (!check) {
            return check.error();
        }
        checks.push_back(std::move(*check));
    }
    if (auto added = addOpChecks(checks); !added) {
        return added.error();
    }
    return checks;
}

} // namespace ulp::cli
