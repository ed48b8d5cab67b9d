// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random draws that depend on (seed, sequence, step) and nothing else: the counter-based generator
// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011). No state, so no order of calls can change a draw.
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>

namespace ulp::numeric {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Ten rounds of Philox4x32.
[[nodiscard]] constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key)
{
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9U; // the golden ratio
        key[1] += 0xBB67AE85U; // sqrt(3) - 1
    }
    return counter;
}

/// A draw from [0, 1), a multiple of 2^-24: the key is the seed, the counter (step, sequence).
[[nodiscard]] constexpr float uniformFloat(std::uint64_t seed, std::uint64_t sequence,
                                           std::uint64_t step)
{
    const PhiloxCounter words = philox4x32(
        {static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32),
         static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(sequence >> 32)},
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    return static_cast<float>(words[0] >> 8) * 0x1p-24F;
}

} // namespace ulp::numeric
