// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/numeric/wide_sum.h"

#include <algorithm>
#include <bit>

#include "engine/numeric/host_device.h"

namespace ulp::numeric {
namespace {

constexpr int kSignificandBits = 24; // of a float32
constexpr int kLowestExponent = -149;

/// 2^exponent, -1022 <= exponent <= 1023
double powerOfTwo(int exponent)
{
    return doubleOf(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// m * 2^exponent plus, if `sticky`, something less than 2^exponent, rounded to float32.
/// m != 0; where sticky, m has its top bit set.
float roundToFloat(std::uint64_t m, int exponent, bool sticky)
{
    const int top = 63 - std::countl_zero(m) + exponent;
    const int last = std::max(top - (kSignificandBits - 1), kLowestExponent);
    const int drop = last - exponent; // bits that do not fit
    std::uint64_t kept = 0;
    if (drop <= 0) {
        kept = m << -drop;
    } else if (drop <= 64) {
        kept = drop == 64 ? 0 : m >> drop;
        const std::uint64_t rest = m << (64 - drop);
        constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
        if (rest > kHalf || (rest == kHalf && (sticky || kept % 2 != 0))) {
            ++kept;
        }
    }
    // Exact in float64; the conversion has nothing left to round, but may overflow to infinity.
    return static_cast<float>(static_cast<double>(kept) * powerOfTwo(last));
}

} // namespace

ScaledInteger scaledInteger(float x)
{
    const std::uint32_t bits = bitsOf(x);
    const auto field = static_cast<int>((bits >> 23) & 0xffU);
    auto significand = static_cast<std::int64_t>(bits & 0x7fffffU);
    if (field != 0) {
        significand |= 0x800000;
    }
    if (significand == 0) {
        return {};
    }
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(significand));
    significand >>= zeros;
    return {(bits >> 31) != 0 ? -significand : significand, std::max(field, 1) - 150 + zeros};
}

void WideSum::addProduct(float a, float b)
{
    if (!isFinite(a) || !isFinite(b)) {
        addNonFinite(a * b);
        return;
    }
    const ScaledInteger x = scaledInteger(a);
    const ScaledInteger y = scaledInteger(b);
    add(x.significand * y.significand, x.exponent + y.exponent);
}

void WideSum::add(std::int64_t significand, int exponent)
{
    if (significand == 0) {
        return;
    }
    const bool negative = significand < 0;
    const auto magnitude = static_cast<std::uint64_t>(negative ? -significand : significand);
    const int offset = exponent - kLowest;
    __extension__ using Wide = unsigned __int128;
    Wide shifted = static_cast<Wide>(magnitude) << (offset % kDigitBits);
    for (int i = offset / kDigitBits; shifted != 0; ++i) {
        const auto digit = static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) & kMask);
        m_digits[static_cast<std::size_t>(i)] += negative ? -digit : digit;
        shifted >>= kDigitBits;
    }
    constexpr std::int64_t kTermsBeforeCarry = std::int64_t{1} << 30; // of 2^31 that are safe
    if (++m_terms == kTermsBeforeCarry) {
        carry(m_digits);
        m_terms = 0;
    }
}

void WideSum::addNonFinite(float x)
{
    m_nan = m_nan || isNan(x);
    m_plusInfinity = m_plusInfinity || (!isNan(x) && x > 0.0F);
    m_minusInfinity = m_minusInfinity || (!isNan(x) && x < 0.0F);
}

void WideSum::carry(Digits& digits)
{
    for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
        digits[i + 1] += digits[i] >> kDigitBits; // arithmetic: rounds down, so the rest is >= 0
        digits[i] &= kMask;
    }
}

float WideSum::value() const
{
    if (m_nan || (m_plusInfinity && m_minusInfinity)) {
        return floatOf(kCanonicalNanBits);
    }
    if (m_plusInfinity || m_minusInfinity) {
        return m_plusInfinity ? __builtin_inff() : -__builtin_inff();
    }
    Digits digits = m_digits;
    carry(digits);
    const bool negative = digits.back() < 0;
    if (negative) {
        for (std::int64_t& digit : digits) {
            digit = -digit;
        }
        carry(digits);
    }
    int top = kDigits - 1;
    while (top >= 0 && digits[static_cast<std::size_t>(top)] == 0) {
        --top;
    }
    if (top < 0) {
        return 0.0F;
    }
    // The 64 leading bits, and whether anything follows them.
    const auto digitAt = [&](int i) {
        return i < 0 ? std::uint64_t{0}
                     : static_cast<std::uint64_t>(digits[static_cast<std::size_t>(i)]);
    };
    const std::uint64_t first = digitAt(top);
    const int used = 64 - std::countl_zero(first); // at most 32: no sum reaches the last digit
    std::uint64_t bits =
        (first << (64 - used)) | (used <= 32 ? digitAt(top - 1) << (32 - used) : 0);
    const std::uint64_t third = digitAt(top - 2);
    bits |= third >> used;
    bool sticky = (third & ((std::uint64_t{1} << used) - 1)) != 0;
    for (int i = top - 3; i >= 0 && !sticky; --i) {
        sticky = digitAt(i) != 0;
    }
    const float magnitude = roundToFloat(bits, kLowest + top * kDigitBits + used - 64, sticky);
    return negative ? -magnitude : magnitude;
}

} // namespace ulp::numeric
