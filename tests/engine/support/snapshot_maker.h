// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Synthetic sessions for tests and screenshots: a small simulation in which differences start at
// planted cells and spread along the op graph as in a real decoder, so that classes, origins,
// drift, token flips and magnitudes agree with each other. The same options always give the same
// snapshot. Thread-safety: pure functions. Ownership: by value or shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/snapshot_builder.h"

namespace ulp::test {

/// A cell of one run whose bits differ from the reference's although its inputs are equal.
struct PlantedDivergence {
    int run = 1;
    std::int64_t step = 0; // 0 is the last prompt position; negative in the prompt
    std::string op = "ffn_out-1";
    /// Runs with the same variant differ from the reference in the same way (one class).
    std::uint32_t variant = 1;
    /// Ends where it starts: cells downstream keep the reference's bits.
    bool contained = false;
};

/// From this step on the run chooses other tokens.
struct PlantedFlip {
    int run = 1;
    std::int64_t step = 8;
    std::uint32_t variant = 1;
};

/// NaN (and one infinity) in these cells, and downstream of them.
struct PlantedNonFinite {
    int run = 1;
    std::int64_t step = 2;
    std::string op = "ffn_out-1";
};

struct SessionOptions {
    int runs = 4;
    int layers = 4;
    int promptTokens = 5;
    int steps = 24;                             // columns = promptTokens + steps - 1
    Policy policy = Policy::Atomic;             // shown in the settings
    std::vector<PlantedDivergence> divergences; // none: all runs have the same bits
    std::vector<PlantedFlip> flips;
    std::vector<PlantedNonFinite> nonFinite;
    int nearTieEvery = 7; // every so many steps the margin is below 0.01; 0: never
    int topLogits = 10;
    bool magnitudes = true;
    int lastRunColumns = -1; // the last run is still going, with so many columns; -1: complete
    trace::RunStatus lastRunStatus = trace::RunStatus::Complete;
    std::uint64_t seed = 1;
    std::string modelSha256 = std::string(64, 'a');
};

/// The op catalogue of a `llama` model with this many layers: names, kinds, inputs and history as
/// the decoder lists them, 15 a layer and 3 outside.
[[nodiscard]] std::vector<OpInfo> makeOps(int layers);
[[nodiscard]] int opIndex(const std::vector<OpInfo>& ops, const std::string& name);

[[nodiscard]] trace::SnapshotPtr makeSession(const SessionOptions& options = {});

/// Options in the manner of `atomic`: every run but the first parts at its own op early on, every
/// third run joins the variant of the one before it, and half of the runs flip a token late.
[[nodiscard]] SessionOptions atomicLike(int runs, int layers, int promptTokens, int steps,
                                        std::uint64_t seed = 1);

/// A snapshot of literal cells for tests that want to see every number: cells[run][column][op].
/// Every op reads the op before it; columns carry token = column and chosen = column + 1 after the
/// prompt.
[[nodiscard]] trace::SnapshotPtr
makeLiteral(const std::vector<std::vector<std::vector<std::uint64_t>>>& cells,
            std::int32_t promptTokens = 1);

/// A copy of `snapshot` with one run replaced, its columns and cells changed by `change`.
struct RunContent {
    trace::RunRecord record; // stores are replaced by the two below
    std::vector<trace::Column> columns;
    std::vector<std::uint64_t> cells; // [columns, ops]
};
[[nodiscard]] RunContent contentOf(const trace::RunRecord& run);
[[nodiscard]] std::shared_ptr<const trace::RunRecord> toRecord(RunContent content);
[[nodiscard]] trace::SnapshotPtr withRun(const trace::Snapshot& snapshot, int run,
                                         RunContent content);

} // namespace ulp::test
