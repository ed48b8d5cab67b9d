// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds a Comparison in one pass over the columns, in execution order. Internal to compare.
// Thread-safety: one thread. Ownership: builds into the Comparison it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/compare/comparison.h"

namespace ulp::compare {

enum ColumnFlag : std::uint8_t {
    kHasDivergence = 1,
    kHasOrigin = 2,
};

class ComparisonBuilder {
  public:
    ComparisonBuilder(Comparison& target, trace::SnapshotPtr snapshot, const Options& options);
    void build();

  private:
    /// The ops each op reads, flattened; indices that are out of range are left out.
    struct Reads {
        std::vector<std::uint32_t> start; // [ops + 1] into `ops`
        std::vector<std::uint32_t> ops;
    };
    [[nodiscard]] Reads flatten(std::vector<int> OpInfo::*list) const;
    void chooseRuns(const Options& options);
    [[nodiscard]] std::string whyIncomparable() const;
    void compareColumn(std::size_t column);
    void fillEqualColumn(const std::uint64_t* row, CellState* out, bool partial) const;
    void markOrigins(std::size_t column, CellState* out);
    void markOriginsOf(std::size_t run, std::size_t column, std::size_t found, CellState* out);
    void markNonFinite(std::size_t column, CellState* out);
    void countColumn(std::size_t column, const CellState* out);
    void compareTokens();
    void measureDrift();
    void describeFirst();
    void decide();
    [[nodiscard]] std::string whyFailed() const;
    [[nodiscard]] bool anyBitsDiffer() const;
    [[nodiscard]] const trace::RunRecord& record(int run) const;

    Comparison& m_to;
    std::size_t m_ops = 0;
    Reads m_inputs;
    Reads m_history;
    std::vector<std::uint8_t> m_readsToken;               // [ops]
    std::vector<std::vector<std::uint8_t>> m_pastDiffers; // by run: [ops], empty while equal
    std::vector<std::int64_t> m_firstDifferent;           // by run; -1
    std::vector<std::uint8_t> m_differs;                  // [ops], of one run and column
    std::vector<std::uint8_t> m_classes;                  // [ops]
    std::vector<std::uint8_t> m_missing;                  // [ops]
    std::vector<const std::uint64_t*> m_distinct;         // rows of the column that are not equal
};

} // namespace ulp::compare
