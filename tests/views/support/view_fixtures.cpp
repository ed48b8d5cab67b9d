// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/support/view_fixtures.h"

#include <algorithm>

#include "engine/trace/snapshot_builder.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::test {

compare::ComparisonPtr makeMap(int layers, std::int64_t columns,
                               const std::vector<PlantedCell>& planted, std::int32_t promptTokens)
{
    constexpr int kRuns = 3;
    auto snapshot = std::make_shared<trace::Snapshot>();
    snapshot->ops = makeOps(layers);
    const auto ops = snapshot->ops.size();
    for (int run = 0; run < kRuns; ++run) {
        auto record = std::make_shared<trace::RunRecord>();
        record->run = run;
        record->status = trace::RunStatus::Complete;
        record->promptTokens = promptTokens;
        record->columnCount = static_cast<std::size_t>(columns);
        record->opCount = ops;
        auto cells = std::make_shared<trace::AppendOnly<std::uint64_t>>(record->columnCount * ops);
        std::fill_n(cells->at(0), record->columnCount * ops, std::uint64_t{7});
        for (const PlantedCell& cell : planted) {
            if (cell.run == run) {
                *cells->at(static_cast<std::size_t>(cell.column) * ops +
                           static_cast<std::size_t>(cell.op)) = 100U + static_cast<unsigned>(run);
            }
        }
        auto stored = std::make_shared<trace::AppendOnly<trace::Column>>(record->columnCount);
        for (std::size_t c = 0; c < record->columnCount; ++c) {
            stored->at(c)->position = static_cast<std::int32_t>(c);
            stored->at(c)->token = 1;
        }
        record->cellStore = std::move(cells);
        record->columnStore = std::move(stored);
        snapshot->runs.push_back(std::move(record));
    }
    return compare::Comparison::compute(snapshot);
}

void replay(const trace::Snapshot& session, std::int64_t every,
            const std::function<void(const compare::ComparisonPtr&)>& see)
{
    trace::Snapshot head = session;
    head.runs.clear();
    trace::SnapshotBuilder builder(head);
    for (const auto& run : session.runs) {
        const int index = builder.beginRun(run->settings, run->promptTokens, run->columnCount);
        for (std::size_t c = 0; c < run->columnCount; ++c) {
            builder.appendColumn(index, run->columns()[c],
                                 run->cells().subspan(c * run->opCount, run->opCount));
            if (static_cast<std::int64_t>(c) % every == 0) {
                see(compare::Comparison::compute(builder.snapshot()));
            }
        }
        builder.finishRun(index, run->status, run->stopReason, run->error);
        see(compare::Comparison::compute(builder.snapshot()));
    }
}

std::int64_t countColour(const QImage& image, const QColor& colour, QRect part)
{
    const QRect all = part.isNull() ? image.rect() : part.intersected(image.rect());
    const QRgb wanted = colour.rgb() | 0xff000000U;
    std::int64_t count = 0;
    for (int y = all.top(); y <= all.bottom(); ++y) {
        for (int x = all.left(); x <= all.right(); ++x) {
            count += (image.pixel(x, y) | 0xff000000U) == wanted ? 1 : 0;
        }
    }
    return count;
}

} // namespace ulp::test
