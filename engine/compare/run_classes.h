// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups whole runs: by their bits, and by the tokens they chose. Two runs are together when they
// are equal over the columns that both have. Thread-safety: pure functions. Ownership: by value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::compare {

/// `firstDifferent[i]`: the first column in which snapshot run i's cells are not the reference's,
/// over the columns that both have; -1 where there is none. Runs without columns are left out.
[[nodiscard]] std::vector<RunClass> groupTraces(const trace::Snapshot& snapshot,
                                                std::span<const int> runs, int reference,
                                                std::span<const std::int64_t> firstDifferent);

/// Whether two runs have equal bits over the columns that both have. Where one of them has not
/// recorded a cell, its tokens and logits speak for it.
[[nodiscard]] bool sameBits(const trace::RunRecord& a, const trace::RunRecord& b);

[[nodiscard]] int countOutputs(const trace::Snapshot& snapshot, std::span<const int> runs);

/// Largest class first, ties by lowest run; runs ascending within each.
void sortClasses(std::vector<RunClass>& classes);

} // namespace ulp::compare
