// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An engine without arithmetic for tests of the window: runs "execute" by handing out synthetic
// snapshots, so that every state can be reached on purpose. Thread-safety: set up before use; the
// counters are atomic. Ownership: the engine outlives the windows that use its port.
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "app/gui/engine_port.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::test {

class FakeEngine {
  public:
    /// The session at a fraction (0..1] of its way.
    using Script =
        std::function<trace::SnapshotPtr(const worker::SessionRequest& request, double fraction)>;

    Script script;                  // default: same bits under ordered, divergence else
    std::optional<Error> loadError; // instead of a model
    std::optional<Error> runError;  // instead of an end
    int updates = 3;
    bool holdUntilCancelled = false; // after the updates
    std::atomic<int> runsStarted{0};
    std::atomic<int> cancels{0};

    FakeEngine();
    [[nodiscard]] gui::EnginePort port();
};

/// A divergence map's worth of cells as big as asked for, quickly made: columns * ops cells.
[[nodiscard]] trace::SnapshotPtr makeLarge(std::int64_t columns, int layers);

} // namespace ulp::test
