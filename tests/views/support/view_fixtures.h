// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of views share: large maps with planted cells, sessions that grow as live ones do,
// and questions about pictures. Thread-safety: pure functions. Ownership: by value or shared.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <QColor>
#include <QImage>
#include <QRect>

#include "engine/compare/comparison.h"

namespace ulp::test {

/// A cell in which one run differs; `run` 1 gives two classes, naming 1 and 2 gives three.
struct PlantedCell {
    std::int64_t column = 0;
    int op = 0;
    int run = 1;
};

/// Three runs over the op catalogue of a `llama` model with so many layers, equal but for the
/// planted cells; nothing is inherited. Cheap enough for ten million cells.
[[nodiscard]] compare::ComparisonPtr makeMap(int layers, std::int64_t columns,
                                             const std::vector<PlantedCell>& planted,
                                             std::int32_t promptTokens = 1);

/// Replays a session as it would have grown, run after run, `every` columns at a time, through one
/// snapshot builder (so that snapshots share storage), and shows each state to `see`.
void replay(const trace::Snapshot& session, std::int64_t every,
            const std::function<void(const compare::ComparisonPtr&)>& see);

/// Pixels of exactly this colour in a part of the image (device pixels; empty: all of it).
[[nodiscard]] std::int64_t countColour(const QImage& image, const QColor& colour, QRect part = {});

} // namespace ulp::test
