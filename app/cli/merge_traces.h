// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several traces of one model and prompt as one snapshot, so that their runs can be compared.
// Thread-safety: pure function. Ownership: the result shares what did not have to change.
#pragma once

#include <vector>

#include "engine/base/result.h"
#include "engine/trace/snapshot.h"

namespace ulp::cli {

/// Runs are numbered anew in the order of the traces. A magnitude is kept only where the two
/// traces' reference cells are equal, because only there does it refer to the same numbers.
/// Errors: BadInput when model, contract or ops differ, naming both files.
Result<trace::SnapshotPtr> mergeTraces(const std::vector<trace::SnapshotPtr>& traces);

} // namespace ulp::cli
