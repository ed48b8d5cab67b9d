// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/matmul.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ulp::kernels {
namespace {

bool haveAvx2()
{
#if defined(__x86_64__)
    // clang's __builtin_cpu_supports has no name for F16C. That the operating system saves the
    // registers is part of what it says about AVX2.
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    const bool haveF16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
    return haveF16c && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

bool haveAvx512()
{
#if defined(__x86_64__)
    return haveAvx2() && __builtin_cpu_supports("avx512f") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

} // namespace

bool isaAvailable(Isa isa)
{
    switch (isa) {
    case Isa::Auto:
    case Isa::Portable:
        return true;
    case Isa::Avx2:
        return haveAvx2();
    case Isa::Avx512:
        return haveAvx512();
    }
    return false;
}

std::vector<Isa> availableIsas()
{
    std::vector<Isa> isas{Isa::Portable};
    for (const Isa isa : {Isa::Avx2, Isa::Avx512}) {
        if (isaAvailable(isa)) {
            isas.push_back(isa);
        }
    }
    return isas;
}

Isa bestIsa()
{
    return availableIsas().back();
}

} // namespace ulp::kernels
