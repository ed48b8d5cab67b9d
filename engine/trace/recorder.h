// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns what the decoder shows into cells: one hash for each op of each position of the recorded
// sequence, non-finite counts, top logits and margin. Holds the positions of a pass until each is
// taken. Thread-safety: the thread that drives the decoder. Ownership: owns its pending columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "engine/run/observer.h"
#include "engine/trace/snapshot.h"

namespace ulp::trace {

class Recorder : public run::Observer {
  public:
    /// Sees every recorded row once, after its hash is known.
    using RowSink = std::function<void(int op, std::int32_t position, std::span<const float> row,
                                       std::uint64_t hash)>;

    /// `ops`: the size of the op catalogue. Rows of sequences other than 0 are passed over.
    Recorder(std::size_t ops, int topLogits, RowSink sink = {});

    void onOp(const run::OpOutput& output) override;

    /// A finished position: everything but what the runner knows (token, chosen, time).
    struct Taken {
        Column column;
        std::vector<std::uint64_t> cells; // [ops]
    };
    /// Takes the position out. `logits` may be empty; the last op's row was hashed as a cell
    /// already, logitHash is the hash of these logits. A position that no op was seen for has no
    /// cells.
    [[nodiscard]] Taken take(std::int32_t position, std::span<const float> logits);
    /// Adds a magnitude to a position that has not been taken yet.
    void addMagnitude(std::int32_t position, const Magnitude& magnitude);

  private:
    struct Pending {
        std::vector<std::uint64_t> cells;
        std::vector<Magnitude> magnitudes;
        std::vector<NonFinite> nonFinite;
    };
    Pending& pending(std::int32_t position);

    std::size_t m_ops;
    std::size_t m_topLogits;
    RowSink m_sink;
    std::map<std::int32_t, Pending> m_pending;
};

} // namespace ulp::trace
