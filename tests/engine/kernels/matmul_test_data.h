// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weights and inputs for the tests of matrix products: random, repeatable, with the awkward values
// (zeros of both signs, subnormals, extremes) mixed in. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "engine/kernels/matmul.h"
#include "engine/numeric/float_format.h"
#include "engine/numeric/weight_type.h"
#include "tests/engine/support/quant_fields.h"

namespace ulp::kernels::test {

using numeric::WeightType;

inline const std::vector<WeightType>& allWeightTypes()
{
    static const std::vector<WeightType> types{
        WeightType::F32,  WeightType::F16,   WeightType::Bf16,  WeightType::Q8_0,
        WeightType::Q4_0, WeightType::Q4_1,  WeightType::Q5_0,  WeightType::Q5_1,
        WeightType::Q2_K, WeightType::Q3_K,  WeightType::Q4_K,  WeightType::Q5_K,
        WeightType::Q6_K, WeightType::Iq4Nl, WeightType::Iq4Xs, WeightType::Mxfp4};
    return types;
}

inline bool isQuantised(WeightType type)
{
    return numeric::weightTypeInfo(type).quantised;
}

class TestData {
  public:
    explicit TestData(std::uint32_t seed) : m_random(seed) {}

    float value()
    {
        const std::uint32_t kind = m_random() % 64;
        if (kind == 0) {
            return -0.0F;
        }
        if (kind == 1) {
            return 1.0e-41F;
        }
        return std::normal_distribution<float>(0.0F, 1.0F)(m_random);
    }
    std::vector<float> values(std::int64_t n)
    {
        std::vector<float> v(static_cast<std::size_t>(n));
        for (float& x : v) {
            x = value();
        }
        return v;
    }
    /// rows x k in GGUF order.
    std::vector<std::uint8_t> weights(WeightType type, std::int64_t rows, std::int64_t k)
    {
        const auto& info = numeric::weightTypeInfo(type);
        const std::int64_t blocks = rows * (k / info.blockElements);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(blocks * info.blockBytes));
        for (std::int64_t b = 0; b < blocks; ++b) {
            fillBlock(type, info.blockBytes, bytes.data() + b * info.blockBytes);
        }
        return bytes;
    }

  private:
    void fillBlock(WeightType type, std::int64_t size, std::uint8_t* block)
    {
        if (type == WeightType::F32) {
            const float x = value();
            std::memcpy(block, &x, 4);
            return;
        }
        for (std::int64_t i = 0; i < size; ++i) {
            block[i] = static_cast<std::uint8_t>(m_random());
        }
        // Float elements, scales and minimums must be numbers; all else may be any bits.
        const auto put = [&](std::size_t offset, std::uint16_t bits) {
            std::memcpy(block + offset, &bits, 2);
        };
        if (type == WeightType::Bf16) {
            put(0, numeric::floatToBf16(value()));
        } else if (type == WeightType::F16) {
            put(0, numeric::floatToF16(value()));
        } else if (type == WeightType::Mxfp4) {
            block[0] = static_cast<std::uint8_t>(120 + m_random() % 12);
        }
        for (const ulp::test::HalfField& field : ulp::test::halfFields(type)) {
            put(field.offset, numeric::floatToF16(value() * (field.minimum ? 0.1F : 0.01F)));
        }
    }

    std::mt19937 m_random;
};

/// `k` if the format can have it, else the next length that has whole blocks.
inline std::int64_t wholeBlocks(WeightType type, std::int64_t k)
{
    const std::int64_t block = numeric::weightTypeInfo(type).blockElements;
    return (k + block - 1) / block * block;
}

inline std::span<const std::byte> bytesOf(const std::vector<std::uint8_t>& v)
{
    return std::as_bytes(std::span(v));
}

/// The fast path, out: [tokens, rows].
inline std::vector<float> product(const PackedMatrix& w, const std::vector<float>& x,
                                  std::int64_t tokens, const ExecContext& context)
{
    Activations input;
    input.set(x.data(), tokens, w.k(), w.k(), isQuantised(w.type()), context);
    std::vector<float> out(static_cast<std::size_t>(tokens * w.rows()), 7.0F);
    matmul(w, input, out.data(), w.rows(), context);
    return out;
}

inline std::vector<float> reference(WeightType type, const std::vector<std::uint8_t>& w,
                                    std::int64_t rows, std::int64_t k, const std::vector<float>& x,
                                    std::int64_t tokens, std::int64_t chunk)
{
    std::vector<float> out(static_cast<std::size_t>(tokens * rows));
    matmulReference(type, w.data(), rows, k, x.data(), tokens, chunk, out.data());
    return out;
}

/// The first element whose bits differ, or -1.
inline std::int64_t firstDifference(const std::vector<float>& a, const std::vector<float>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (numeric::bitsOf(a[i]) != numeric::bitsOf(b[i])) {
            return static_cast<std::int64_t>(i);
        }
    }
    return -1;
}

} // namespace ulp::kernels::test
