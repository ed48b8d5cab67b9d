// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/sweep_runner.h"

#include <optional>
#include <utility>

#include "engine/compare/bisection.h"

namespace ulp::worker {

struct SweepRunner::Impl {
    Impl(std::vector<RunSettings> cells, const SweepRequest& request)
        : grid(std::move(cells)), bisection(grid, request.extraRuns)
    {
        runs.axes = request.axes;
        for (std::size_t cell = 0; cell < grid.size(); ++cell) {
            runs.runs.emplace_back();
            for (int i = 0; i < request.runsPerCell; ++i) {
                runs.runs.back().push_back(gridRuns++);
            }
        }
        SessionRequest session = request.session;
        session.runs.clear();
        for (const RunSettings& cell : grid) {
            session.runs.insert(session.runs.end(), static_cast<std::size_t>(request.runsPerCell),
                                cell);
        }
        session.more = [this](const trace::SnapshotPtr& snapshot) { return next(*snapshot); };
        runner = std::make_unique<SessionRunner>(std::move(session));
    }

    /// Judges the round that is done and asks for the next.
    std::vector<RunSettings> next(const trace::Snapshot& snapshot)
    {
        if (!asked) {
            bisection.begin(snapshot, compare::sweepMap(snapshot, runs));
        } else {
            bisection.judge(snapshot, *asked, runs);
        }
        asked = static_cast<int>(snapshot.runs.size());
        return bisection.wanted();
    }

    std::vector<RunSettings> grid;
    int gridRuns = 0;
    compare::SweepRuns runs;
    compare::Bisection bisection;
    std::optional<int> asked; // the first run of the round in progress; empty during the grid
    std::unique_ptr<SessionRunner> runner;
};

SweepRunner::SweepRunner(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

SweepRunner::~SweepRunner() = default;

Result<std::unique_ptr<SweepRunner>> SweepRunner::create(SweepRequest request)
{
    auto grid = expandGrid(request.base, request.axes, request.runsPerCell);
    if (!grid) {
        return grid.error();
    }
    return std::unique_ptr<SweepRunner>(
        new SweepRunner(std::make_unique<Impl>(std::move(*grid), request)));
}

Result<void> SweepRunner::check() const
{
    return m_impl->runner->check();
}

Result<SweepResult> SweepRunner::run(const std::function<void(const SweepProgress&)>& onProgress)
{
    auto snapshot = m_impl->runner->run([&](const Progress& progress) {
        if (onProgress) {
            onProgress({progress, m_impl->asked.has_value(), m_impl->gridRuns});
        }
    });
    if (!snapshot) {
        return snapshot.error();
    }
    const int made = static_cast<int>((*snapshot)->runs.size());
    if (m_impl->asked) { // a round may have been cut short
        m_impl->bisection.judge(**snapshot, *m_impl->asked, m_impl->runs);
    }
    // Cells that were never begun have no runs.
    for (auto& cell : m_impl->runs.runs) {
        std::erase_if(cell, [made](int run) { return run >= made; });
    }
    SweepResult result;
    result.map = compare::sweepMap(**snapshot, m_impl->runs);
    result.map.switches = m_impl->bisection.found();
    result.cancelled =
        made < m_impl->gridRuns || (*snapshot)->runs.back()->status == trace::RunStatus::Cancelled;
    result.snapshot = std::move(*snapshot);
    return result;
}

void SweepRunner::cancel()
{
    m_impl->runner->cancel();
}

trace::SnapshotPtr SweepRunner::snapshot() const
{
    return m_impl->runner->snapshot();
}

std::vector<std::string> SweepRunner::warnings() const
{
    return m_impl->runner->warnings();
}

} // namespace ulp::worker
