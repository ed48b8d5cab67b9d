// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// OpenBLAS, for policy `vendor`. Loaded when it is first asked for and not before: it starts
// threads of its own, which runs under other policies shall not share the machine with. Nothing of
// it is needed at build time. Thread-safety: all functions from any thread; products take turns,
// because the library's thread count is one for the whole process. Ownership: the library stays
// loaded.
#pragma once

#include <map>
#include <string>

#include "engine/base/result.h"

namespace ulp::kernels {

/// Loads OpenBLAS. Errors: Unsupported, with the remedy.
[[nodiscard]] Result<void> loadVendor();
/// What the library says of itself, once it is loaded (else nothing): keys of the environment
/// fingerprint, "library.openblas.version", ".config", ".core", ".parallel".
[[nodiscard]] std::map<std::string, std::string> vendorFacts();

/// c = a * transposed(b). a: [m, k] with row stride aStride; b: [n, k]; c: [m, n] with row stride
/// cStride. loadVendor() has succeeded.
void vendorProduct(const float* a, int aStride, const float* b, float* c, int cStride, int m, int n,
                   int k, int threads);

} // namespace ulp::kernels
