// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The storage formats of weights and the sizes of their blocks, as GGUF defines them.
// Thread-safety: constants and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ulp::numeric {

/// Values are the type numbers of the GGUF format.
enum class WeightType : std::uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    Iq4Nl = 20,
    Iq4Xs = 23,
    Bf16 = 30,
    Mxfp4 = 39,
};

struct WeightTypeInfo {
    WeightType type;
    std::string_view name;      // "Q8_0"
    std::int64_t blockElements; // elements in a block; 1 for float formats
    std::int64_t blockBytes;
    bool quantised;
};

/// The table row of a supported format; empty for a type number this build does not know.
[[nodiscard]] std::optional<WeightTypeInfo> weightTypeInfo(std::uint32_t ggufType);
[[nodiscard]] const WeightTypeInfo& weightTypeInfo(WeightType type);
/// The name of any type number the GGUF format has ever defined ("Q6_K"), for refusing it by name;
/// empty for a number that it never defined.
[[nodiscard]] std::string_view ggufTypeName(std::uint32_t ggufType);

/// Dequantises one row of k elements exactly (float formats) or by the format's definition.
/// `bytes` holds k / blockElements blocks; out: [k].
void dequantiseRow(WeightType type, const void* bytes, std::int64_t k, float* out);

} // namespace ulp::numeric
