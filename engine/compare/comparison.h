// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// N runs held against each other: hash classes by cell, where they part first, origin or inherited,
// token flips, drift. Built from a Snapshot, immutable, cheap to rebuild: one pass over the hashes.
// Thread-safety: const access from any thread. Ownership: shared_ptr<const Comparison>; it keeps
// its Snapshot alive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/pyramid.h"
#include "engine/trace/snapshot.h"

namespace ulp::compare {

enum CellFlag : std::uint8_t {
    Origin = 1,       // differs although all recorded inputs are equal
    HasNonFinite = 2, // NaN or infinity in at least one run
    Partial = 4,      // recorded in some of the compared runs only (so far)
};

/// One cell of the divergence map. classes: 0 not recorded in any run, 1 same bits, 2, 3, ...
/// (saturating).
struct CellState {
    std::uint8_t classes = 0;
    std::uint8_t flags = 0;
    bool operator==(const CellState&) const = default;
};

/// The worst of several cells: most classes, all flags.
template <>
struct PyramidTraits<CellState> {
    static CellState combine(CellState a, CellState b)
    {
        return {std::max(a.classes, b.classes), static_cast<std::uint8_t>(a.flags | b.flags)};
    }
    static bool covers(CellState have, CellState candidate)
    {
        return have.classes >= candidate.classes && (candidate.flags & ~have.flags) == 0;
    }
};

/// A class of runs (indices into snapshot.runs); class 0 ("A") is the largest, ties by lowest run.
struct RunClass {
    /// Of a cell: its hash. Of whole runs: the first 64 bits of their trace hash, 0 until one of
    /// them is complete.
    std::uint64_t hash = 0;
    std::vector<int> runs;
};

struct Divergence {
    std::int64_t column = 0;
    std::int64_t step = 0; // of the reference run: negative in the prompt
    std::int64_t position = 0;
    int op = 0;
    bool origin = false;
    std::vector<RunClass> classes;
    /// The largest magnitude against the reference run over the runs that differ, if recorded.
    std::optional<trace::Magnitude> magnitude;
};

struct TokenDivergence {
    std::int64_t column = 0;
    std::int64_t step = 0;
    std::vector<std::pair<std::int32_t, std::vector<int>>>
        tokens;          // token -> runs, largest group first
    float margin = 0.0F; // of the reference run at that step
};

/// Logit drift of one run against the reference run at one column.
struct Drift {
    bool recorded = false; // both runs have logits there, and enough of them is recorded to tell
    bool sameInput = true; // the tokens so far are equal
    double maxAbs =
        0.0; // exact when the magnitude of the logits is recorded, else over the top logits
    std::uint32_t maxUlp = 0;
    /// KL(reference || run) in nats over the tokens in both recorded tops, all others taken as one:
    /// never above the true value, and 0 when the bits are equal.
    double kl = 0.0;
};

enum class Verdict : std::uint8_t {
    Empty, // nothing to compare yet (fewer than two runs with cells)
    SameBits,
    SameTokensDifferentBits,
    Diverged,     // token sequences differ
    Failed,       // a run failed, or non-finite values in all runs
    Incomparable, // different models, prompts or op lists
};
[[nodiscard]] std::string_view toString(Verdict verdict); // "same-bits", ...

struct Options {
    std::vector<int> hiddenRuns;  // indices into snapshot.runs left out of everything
    std::optional<int> reference; // index into snapshot.runs; default: snapshot.referenceRun
};

class Comparison {
  public:
    static std::shared_ptr<const Comparison> compute(trace::SnapshotPtr snapshot,
                                                     const Options& options = {});

    [[nodiscard]] const trace::Snapshot& snapshot() const { return *m_snapshot; }
    [[nodiscard]] const trace::SnapshotPtr& snapshotPtr() const { return m_snapshot; }
    [[nodiscard]] const std::vector<int>& runs() const { return m_runs; } // compared, indices
    [[nodiscard]] int reference() const { return m_reference; }      // index into snapshot.runs
    [[nodiscard]] std::int64_t columns() const { return m_columns; } // largest of the runs
    [[nodiscard]] std::int64_t ops() const { return m_ops; }
    [[nodiscard]] std::int64_t promptTokens() const { return m_promptTokens; }
    [[nodiscard]] std::int64_t stepOf(std::int64_t column) const
    {
        return column - (m_promptTokens - 1);
    }

    [[nodiscard]] CellState cell(std::int64_t column, std::int64_t op) const
    {
        return m_cells[static_cast<std::size_t>(column * m_ops + op)];
    }
    /// Largest relative L2 against the reference over the compared runs; 0 where equal or not
    /// recorded, above 0 where cells differ; NaN where cells differ but no magnitude against this
    /// reference was recorded for any run. Looked up in the runs' sparse magnitudes, not stored.
    [[nodiscard]] float relativeL2(std::int64_t column, std::int64_t op) const;
    /// The same for a whole column at once, several times faster than cell by cell. [ops]
    void relativeL2Column(std::int64_t column, std::span<float> out) const;
    /// The magnitude of one run's cell against reference(), if one was recorded.
    [[nodiscard]] std::optional<trace::Magnitude> magnitude(int run, std::int64_t column,
                                                            std::int64_t op) const;
    [[nodiscard]] std::vector<RunClass> classesAt(std::int64_t column, std::int64_t op) const;
    /// Classes of whole runs: equal over the columns that both have, so that a run still going (or
    /// cut short) is with the runs it agrees with so far. Class A first. Runs without a column are
    /// in none.
    [[nodiscard]] const std::vector<RunClass>& runClasses() const { return m_runClasses; }
    [[nodiscard]] int uniqueTraces() const { return static_cast<int>(m_runClasses.size()); }
    /// Distinct sequences of chosen tokens, by the same rule.
    [[nodiscard]] int uniqueOutputs() const { return m_uniqueOutputs; }
    /// Steps only (column >= promptTokens - 1), as the command line counts them.
    [[nodiscard]] std::int64_t divergentCells() const { return m_divergentCells; }
    [[nodiscard]] std::int64_t divergentPrefillCells() const { return m_divergentPrefillCells; }
    [[nodiscard]] std::int64_t originCells() const { return m_originCells; }
    [[nodiscard]] std::int64_t nonFiniteCells(int run) const; // index into snapshot.runs
    [[nodiscard]] const std::optional<Divergence>& first() const { return m_first; }
    [[nodiscard]] const std::optional<TokenDivergence>& firstToken() const { return m_firstToken; }
    /// run: index into snapshot.runs. Computed once for the compared runs: a look-up.
    [[nodiscard]] Drift drift(int run, std::int64_t column) const;
    [[nodiscard]] Verdict verdict() const { return m_verdict; }
    /// Why the runs are incomparable or failed, in one sentence; else empty.
    [[nodiscard]] const std::string& reason() const { return m_reason; }

    /// The next divergent cell in execution order (column, then op) after / before a cell; origins
    /// only on request. Empty when there is none.
    struct CellRef {
        std::int64_t column = 0;
        int op = 0;
        bool operator==(const CellRef&) const = default;
    };
    [[nodiscard]] std::optional<CellRef> next(CellRef from, bool originsOnly) const;
    [[nodiscard]] std::optional<CellRef> previous(CellRef from, bool originsOnly) const;

    /// All cell states, for a pyramid or a bulk reader. [columns, ops]
    [[nodiscard]] std::span<const CellState> cells() const { return m_cells; }

  private:
    friend class ComparisonBuilder;
    [[nodiscard]] const trace::Magnitude* findMagnitude(int run, std::int64_t column,
                                                        std::int64_t op) const;
    [[nodiscard]] Drift computeDrift(int run, std::int64_t column) const;
    [[nodiscard]] bool magnitudesApply(std::int64_t column, std::int64_t op) const;
    [[nodiscard]] bool searchable(CellState state, bool originsOnly) const;

    trace::SnapshotPtr m_snapshot;
    std::vector<int> m_runs;
    int m_reference = 0;
    std::int64_t m_columns = 0;
    std::int64_t m_ops = 0;
    std::int64_t m_promptTokens = 0;
    std::vector<CellState> m_cells;           // [columns, ops]
    std::vector<std::uint8_t> m_columnFlags;  // [columns]: ColumnFlag bits
    std::vector<std::int64_t> m_inputsDiffer; // by run: first column whose input token differs
    std::vector<std::vector<Drift>> m_drift;  // by run: [columns that it and the reference have]
    std::vector<RunClass> m_runClasses;
    std::vector<std::int64_t> m_nonFinite; // by run
    int m_uniqueOutputs = 0;
    bool m_magnitudesOfOther = false; // recorded against another run than reference()
    std::int64_t m_divergentCells = 0;
    std::int64_t m_divergentPrefillCells = 0;
    std::int64_t m_originCells = 0;
    std::optional<Divergence> m_first;
    std::optional<TokenDivergence> m_firstToken;
    Verdict m_verdict = Verdict::Empty;
    std::string m_reason;
};

using ComparisonPtr = std::shared_ptr<const Comparison>;

} // namespace ulp::compare
