// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sum without rounding: one integer, wide enough for any product of two float32 numbers and for
// 2^30 and more of them (Kulisch's long accumulator, Computer Arithmetic and Validity, 2008).
// Integer addition is associative, so the order of the terms cannot matter; value() rounds once.
// Thread-safety: a plain value. Ownership: holds its own digits.
#pragma once

#include <array>
#include <cstdint>

namespace ulp::numeric {

/// significand * 2^exponent
struct ScaledInteger {
    std::int64_t significand = 0;
    int exponent = 0;
};

/// A finite x exactly, with an odd significand (or 0): an f16 has at most 11 bits, a float32 24.
[[nodiscard]] ScaledInteger scaledInteger(float x);

class WideSum {
  public:
    /// Adds a * b exactly; infinities and NaN as IEEE 754 has them.
    void addProduct(float a, float b);
    /// Adds significand * 2^exponent exactly. -320 <= exponent <= 224, |significand| < 2^63.
    void add(std::int64_t significand, int exponent);
    /// Adds a term that is infinite or NaN.
    void addNonFinite(float x);

    /// The sum rounded once to float32, to nearest, ties to even. An exact zero is +0. A NaN term
    /// or infinities of both signs give the canonical NaN.
    [[nodiscard]] float value() const;

  private:
    // Digits of 32 bits with room for carries: digit i counts 2^(32 i + kLowest). Products of
    // float32 numbers span 2^-298 to 2^256.
    static constexpr int kDigitBits = 32;
    static constexpr int kLowest = -320;
    static constexpr int kDigits = 20;
    static constexpr std::int64_t kMask = 0xffffffff;

    using Digits = std::array<std::int64_t, kDigits>;

    /// All digits but the last into [0, 2^32); the last one keeps the sign.
    static void carry(Digits& digits);

    Digits m_digits{};
    std::int64_t m_terms = 0; // since the last carry
    bool m_nan = false;
    bool m_plusInfinity = false;
    bool m_minusInfinity = false;
};

} // namespace ulp::numeric
