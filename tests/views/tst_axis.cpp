// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "tests/engine/support/snapshot_maker.h"
#include "views/axis.h"
#include "views/row_window.h"

using namespace ulp;
using namespace ulp::views;

class TestAxis : public QObject {
    Q_OBJECT
  private slots:
    void theFoldedPromptIsOneSlot()
    {
        StepAxis axis;
        axis.setExtent(11, 40);
        QCOMPARE(axis.slotCount(), 41);
        QCOMPARE(axis.slotOfStep(-11), 0);
        QCOMPARE(axis.slotOfStep(-1), 0);
        QCOMPARE(axis.slotOfStep(0), 1);
        QCOMPARE(axis.stepsOfSlot(0), (std::pair<std::int64_t, std::int64_t>{-11, -1}));
        QCOMPARE(axis.stepsOfSlot(1), (std::pair<std::int64_t, std::int64_t>{0, 0}));
        axis.setPrefillFolded(false);
        QCOMPARE(axis.slotCount(), 51);
        for (std::int64_t step = -11; step < 40; ++step) {
            const auto slot = axis.slotOfStep(step);
            QCOMPARE(axis.stepsOfSlot(slot), (std::pair<std::int64_t, std::int64_t>{step, step}));
        }
    }

    void oneOrNoPromptPositionHasNothingToFold()
    {
        StepAxis axis;
        axis.setExtent(0, 5);
        QCOMPARE(axis.slotCount(), 5);
        QCOMPARE(axis.slotOfStep(0), 0);
        axis.setExtent(1, 5);
        QCOMPARE(axis.slotCount(), 6);
        QCOMPARE(axis.stepsOfSlot(0), (std::pair<std::int64_t, std::int64_t>{-1, -1}));
    }

    void zoomKeepsWhatIsUnderThePointer()
    {
        StepAxis axis;
        axis.setExtent(0, 1000);
        const int width = 931;
        const double x = 400.0;
        double factor = 1.25;
        for (int i = 0; i < 12; ++i) {
            const double before = axis.map(width).slotAt(x);
            axis.zoomAt(before, factor);
            QVERIFY(std::abs(axis.map(width).slotAt(x) - before) < 1e-6);
        }
        QVERIFY(!axis.fitted());
        QVERIFY(axis.span() < 100.0);
        axis.panBy(1e9);
        QCOMPARE(axis.first() + axis.span(), 1000.0);
        axis.panBy(-1e9);
        QCOMPARE(axis.first(), 0.0);
        axis.zoomAt(0.0, 1e-9);
        QVERIFY(axis.fitted());
        axis.zoomAt(500.0, 1e9); // never closer than a few slots
        QVERIFY(axis.span() >= 4.0);
    }

    void revealPansByAsLittleAsNeeded()
    {
        StepAxis axis;
        axis.setExtent(0, 100);
        axis.setWindow(20.0, 10.0);
        axis.reveal(25);
        QCOMPARE(axis.first(), 20.0);
        axis.reveal(30);
        QCOMPARE(axis.first(), 21.0);
        axis.reveal(3);
        QCOMPARE(axis.first(), 3.0);
    }

    void aGrowingSessionStaysFittedOrStaysPut()
    {
        StepAxis axis;
        axis.setExtent(3, 10);
        axis.setExtent(3, 20);
        QCOMPARE(axis.span(), 21.0);
        axis.setWindow(5.0, 6.0);
        axis.setExtent(3, 30);
        QCOMPARE(axis.first(), 5.0);
        QCOMPARE(axis.span(), 6.0);
        axis.setPrefillFolded(false); // two more slots on the left: the same steps stay in view
        QCOMPARE(axis.first(), 7.0);
    }

    void aRunningSessionShowsTheStepsToCome()
    {
        test::SessionOptions options;
        options.promptTokens = 4;
        options.steps = 24;
        options.lastRunColumns = 9;
        options.lastRunStatus = trace::RunStatus::Running;
        options.runs = 1;
        const auto running = compare::Comparison::compute(test::makeSession(options));
        StepAxis axis;
        axis.setComparisons({running, nullptr});
        QCOMPARE(axis.prefill(), 3);
        QCOMPARE(axis.steps(),
                 static_cast<std::int64_t>(running->snapshot().runs[0]->settings.steps));
        options.lastRunStatus = trace::RunStatus::Cancelled; // nothing will come
        const auto stopped = compare::Comparison::compute(test::makeSession(options));
        axis.setComparisons({stopped});
        QCOMPARE(axis.steps(), 9 - 3);
    }

    void ticksStandOnRoundStepsApart_data()
    {
        QTest::addColumn<int>("steps");
        QTest::addColumn<bool>("folded");
        for (const int steps : {7, 64, 333, 10007}) {
            for (const bool folded : {true, false}) {
                QTest::addRow("%d %d", steps, folded) << steps << folded;
            }
        }
    }
    void ticksStandOnRoundStepsApart()
    {
        QFETCH(int, steps);
        QFETCH(bool, folded);
        StepAxis axis;
        axis.setExtent(20, steps);
        axis.setPrefillFolded(folded);
        const AxisMap map = axis.map(900);
        const auto ticks = axis.ticks(map, 44.0);
        QVERIFY(ticks.size() >= 2);
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            QVERIFY(map.x(ticks[i].slot) - map.x(ticks[i - 1].slot) >= 44.0);
            QCOMPARE(axis.slotOfStep(ticks[i].step), static_cast<std::int64_t>(ticks[i].slot));
        }
        QVERIFY(std::ranges::any_of(ticks, [](const AxisTick& t) { return t.step == 0; }));
        QCOMPARE(std::ranges::any_of(ticks, [](const AxisTick& t) { return t.step < 0; }),
                 !folded && map.pixelsPerSlot * 20.0 > 44.0 * 1.5);
    }

    void rowsZoomWithinBounds()
    {
        RowWindow rows;
        rows.resize(1000, 400.0);
        QCOMPARE(rows.rowHeight(), 0.4);
        rows.zoomAt(500.0, 1e9);
        QCOMPARE(rows.rowHeight(), RowWindow::kTallest);
        rows.reveal(3);
        QCOMPARE(rows.first(), 3.0);
        rows.zoomAt(3.0, 1e-9);
        QVERIFY(rows.fitted());
        rows.resize(5, 400.0); // few rows are not blown up
        QCOMPARE(rows.rowHeight(), RowWindow::kTallest);
        QCOMPARE(rows.first(), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestAxis)
#include "tst_axis.moc"
