// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/numeric/fp_environment.h"

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace ulp::numeric {
namespace {

// MXCSR: denormals-are-zero, flush-to-zero, rounding control (Intel SDM volume 1, 10.2.3).
constexpr unsigned kDaz = 1U << 6;
constexpr unsigned kFtz = 1U << 15;
constexpr unsigned kRounding = 3U << 13;

unsigned readControl()
{
#if defined(__SSE2__)
    return _mm_getcsr();
#else
    return 0;
#endif
}

void writeControl([[maybe_unused]] unsigned control)
{
#if defined(__SSE2__)
    _mm_setcsr(control);
#endif
}

Error environmentError(const char* what)
{
    return makeError(
        ErrorCode::Internal, std::string("the floating-point environment of this thread ") + what,
        "numeric/fp_environment", "look for a loaded library that was built with -ffast-math");
}

} // namespace

Result<void> checkFpEnvironment()
{
    const unsigned control = readControl();
    if (std::fegetround() != FE_TONEAREST || (control & kRounding) != 0) {
        return environmentError("does not round to nearest");
    }
    if ((control & kFtz) != 0) {
        return environmentError("flushes subnormal results to zero");
    }
    if ((control & kDaz) != 0) {
        return environmentError("reads subnormal operands as zero");
    }
    // Machines without MXCSR, and compilers that fold too much, show themselves here.
    volatile float smallestNormal = 0x1p-126F;
    volatile float half = 0.5F;
    volatile float subnormal = smallestNormal * half;
    volatile float back = subnormal * 2.0F;
    if (subnormal == 0.0F || back != smallestNormal) {
        return environmentError("loses subnormal numbers");
    }
    volatile float one = 1.0F;
    volatile float tie = 0x1p-24F;
    volatile float up = one + tie;
    volatile float down = -one - tie;
    if (up != 1.0F || down != -1.0F) {
        return environmentError("does not round ties to even");
    }
    return {};
}

ScopedFpEnvironment::ScopedFpEnvironment() : m_rounding(std::fegetround()), m_control(readControl())
{
    std::fesetround(FE_TONEAREST);
    writeControl(readControl() & ~(kDaz | kFtz | kRounding));
}

ScopedFpEnvironment::~ScopedFpEnvironment()
{
    std::fesetround(m_rounding);
    writeControl(m_control);
}

} // namespace ulp::numeric
