// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a GGUF file says about its architecture, checked: hyperparameters, and the tensors that
// follow from them. Everything that is wrong or not supported becomes a named problem.
// Thread-safety: pure functions. Ownership: results are values; tensor pointers are into the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/gguf.h"
#include "engine/model/model.h"

namespace ulp::model {

/// Fills what can be read; each thing that cannot be run as the file says adds to `problems`.
[[nodiscard]] HyperParameters readHyperParameters(const GgufFile& file,
                                                  std::vector<Error>& problems);

/// Compares the file's tensors with what a model of these hyperparameters has: missing,
/// surplus, of another shape or of a type that cannot be computed with.
void checkTensors(const GgufFile& file, const HyperParameters& hyper, std::vector<Error>& problems);

/// "blk.3."
[[nodiscard]] std::string layerPrefix(int layer);

} // namespace ulp::model
