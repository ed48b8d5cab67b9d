// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lets one function serve the CPU, each of its instruction sets and CUDA: the marker
// ULP_HOST_DEVICE, bit casts, and the two operations that the contract takes from the hardware
// under a name of their own (fused multiply-add, square root).
// On the CPU the marker forces inlining: files compiled for AVX2 and AVX-512 include these headers,
// and an out-of-line copy with such instructions must never be the one that the linker keeps.
// Thread-safety: pure functions.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define ULP_HOST_DEVICE __host__ __device__ inline
#else
#define ULP_HOST_DEVICE [[gnu::always_inline]] inline
#endif

namespace ulp::numeric {

ULP_HOST_DEVICE std::uint32_t bitsOf(float x)
{
#if defined(__CUDA_ARCH__)
    return __float_as_uint(x);
#else
    return __builtin_bit_cast(std::uint32_t, x);
#endif
}

ULP_HOST_DEVICE float floatOf(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
    return __uint_as_float(bits);
#else
    return __builtin_bit_cast(float, bits);
#endif
}

ULP_HOST_DEVICE std::uint64_t bitsOf(double x)
{
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint64_t>(__double_as_longlong(x));
#else
    return __builtin_bit_cast(std::uint64_t, x);
#endif
}

ULP_HOST_DEVICE double doubleOf(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
    return __longlong_as_double(static_cast<long long>(bits));
#else
    return __builtin_bit_cast(double, bits);
#endif
}

/// a * b + c with one rounding. Without hardware support the C library computes the same value.
ULP_HOST_DEVICE float fusedMultiplyAdd(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

ULP_HOST_DEVICE double fusedMultiplyAdd(double a, double b, double c)
{
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

ULP_HOST_DEVICE float squareRoot(float x)
{
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(x);
#else
    return __builtin_sqrtf(x);
#endif
}

ULP_HOST_DEVICE bool isNan(float x)
{
    return (bitsOf(x) & 0x7fffffffU) > 0x7f800000U;
}

ULP_HOST_DEVICE bool isFinite(float x)
{
    return (bitsOf(x) & 0x7f800000U) != 0x7f800000U;
}

/// The one NaN that op outputs may hold. Which operand's payload survives an addition differs
/// between machines (and between forms of one instruction), so a hash must not see it.
inline constexpr std::uint32_t kCanonicalNanBits = 0x7fc00000U;

ULP_HOST_DEVICE float canonicalNan(float x)
{
    return isNan(x) ? floatOf(kCanonicalNanBits) : x;
}

} // namespace ulp::numeric
