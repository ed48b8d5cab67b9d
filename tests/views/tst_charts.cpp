// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QApplication>
#include <QTest>

#include "tests/engine/support/snapshot_maker.h"
#include "tests/views/support/view_fixtures.h"
#include "views/drift_heatmap.h"
#include "views/heatmap_text.h"
#include "views/layer_chart.h"
#include "views/log_axis.h"
#include "views/margin_chart.h"

using namespace ulp;
using namespace ulp::views;

namespace {

/// Two runs of which the second's logits move by `drift` at one step, where the margin is `margin`.
compare::ComparisonPtr logitSession(std::int64_t columns, std::int64_t at, float drift,
                                    float margin)
{
    std::vector<std::vector<std::vector<std::uint64_t>>> cells(2);
    for (auto& run : cells) {
        run.assign(static_cast<std::size_t>(columns), {1, 2});
    }
    cells[1][static_cast<std::size_t>(at)][1] = 9;
    trace::SnapshotPtr snapshot = test::makeLiteral(cells);
    for (int run = 0; run < 2; ++run) {
        test::RunContent content = test::contentOf(*snapshot->runs[static_cast<std::size_t>(run)]);
        for (std::size_t c = 0; c < content.columns.size(); ++c) {
            trace::Column& column = content.columns[c];
            const bool here = run == 1 && static_cast<std::int64_t>(c) == at;
            const float gap = static_cast<std::int64_t>(c) == at ? margin : 1.0F;
            column.logitHash = here ? 2 : 1;
            column.margin = gap;
            column.top = {{1, 5.0F + (here ? drift : 0.0F)}, {2, 5.0F - gap}};
        }
        snapshot = test::withRun(*snapshot, run, std::move(content));
    }
    return compare::Comparison::compute(snapshot);
}

} // namespace

class TestCharts : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase()
    {
        applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), Appearance::Light);
    }

    void aFlipNeedsHalfTheMargin()
    {
        const auto flip = [](float drift, float margin) {
            StepAxis axis;
            MarginChart chart;
            const auto c = logitSession(50, 17, drift, margin);
            axis.setComparisons({c});
            chart.setStepAxis(&axis);
            chart.setComparison(c);
            return chart.firstFlip();
        };
        QCOMPARE(flip(0.5F, 0.25F), std::optional<std::int64_t>(17));
        QCOMPARE(flip(0.25F, 0.5F), std::optional<std::int64_t>(17)); // winner down, other up
        QCOMPARE(flip(0.125F, 0.5F), std::nullopt);
        QCOMPARE(flip(0.0F, 0.0F), std::nullopt); // a tie without drift stays what it is
    }

    void oneDriftingStepIsSeenAmongThousands()
    {
        const Theme& theme = themeFor(Appearance::Light);
        const auto picture = [&](float drift) {
            StepAxis axis;
            DriftHeatmap map;
            const auto c = logitSession(9001, 4567, drift, 1.0F);
            axis.setComparisons({c});
            map.setStepAxis(&axis);
            map.setComparison(c);
            return map.grabImage(QSize(500, 90), 1.0, Appearance::Light);
        };
        const QRect plot(118, 26, 370, 60); // below the colour bar, which has all colours
        const QImage equal = picture(0.0F);
        const QImage drifting = picture(0.015F);
        QVERIFY(test::countColour(equal, theme.classOne, plot) > 1000);
        int different = 0;
        for (int y = plot.top(); y < plot.bottom(); ++y) {
            for (int x = plot.left(); x < plot.right(); ++x) {
                different += equal.pixel(x, y) != drifting.pixel(x, y) ? 1 : 0;
            }
        }
        QVERIFY(different > 0);
        QVERIFY(different < 200); // one mark, not a region
    }

    void theDriftMapMovesRunAndStep()
    {
        const auto c =
            compare::Comparison::compute(test::makeSession(test::atomicLike(6, 3, 4, 40)));
        StepAxis axis;
        CursorModel cursor;
        DriftHeatmap map;
        axis.setComparisons({c});
        cursor.setBounds(6, static_cast<int>(c->ops()), c->columns());
        map.setStepAxis(&axis);
        map.setCursorModel(&cursor);
        map.setComparison(c);
        map.resize(800, map.sizeHint().height());
        map.show();
        const AxisMap x = axis.map(800);
        QTest::mouseClick(&map, Qt::LeftButton, {},
                          QPoint(static_cast<int>(x.x(10.5)), map.height() - 8));
        QCOMPARE(cursor.cursor().run, 5);
        QCOMPARE(c->stepOf(cursor.cursor().column), 9); // slot 0 is the folded prompt
        QTest::keyClick(&map, Qt::Key_Up);
        QCOMPARE(cursor.cursor().run, 4);
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(c->stepOf(cursor.cursor().column), 10);
        const QString tip = driftToolTip(*c, 0, cursor.cursor().column);
        QVERIFY(tip.contains(QLatin1String("reference")));
    }

    void layersShowTheirLargestMagnitude()
    {
        const auto c =
            compare::Comparison::compute(test::makeSession(test::atomicLike(5, 7, 3, 30)));
        for (std::int64_t column = 0; column < c->columns(); column += 4) {
            const auto values = layerMagnitudes(*c, column);
            QCOMPARE(values.size(), std::size_t{7});
            for (const LayerMagnitude& value : values) {
                float largest = 0.0F;
                bool differs = false;
                for (std::int64_t op = 0; op < c->ops(); ++op) {
                    if (c->snapshot().ops[static_cast<std::size_t>(op)].layer == value.layer &&
                        c->cell(column, op).classes > 1) {
                        differs = true;
                        largest = std::fmax(largest, c->relativeL2(column, op));
                    }
                }
                QCOMPARE(value.differs, differs);
                QCOMPARE(value.relativeL2, largest);
                QCOMPARE(c->snapshot().ops[static_cast<std::size_t>(value.op)].layer, value.layer);
            }
        }
        QVERIFY(layerMagnitudes(*c, -1).empty());
        QVERIFY(layerMagnitudes(*c, c->columns()).empty());
    }

    void unrecordedMagnitudesAreNotSilence()
    {
        test::SessionOptions options = test::atomicLike(3, 4, 3, 20);
        options.magnitudes = false;
        const auto c = compare::Comparison::compute(test::makeSession(options));
        const auto values = layerMagnitudes(*c, c->columns() - 1);
        QVERIFY(std::ranges::any_of(
            values, [](const LayerMagnitude& v) { return v.differs && std::isnan(v.relativeL2); }));
        LayerChart chart;
        CursorModel cursor;
        cursor.setBounds(3, static_cast<int>(c->ops()), c->columns());
        chart.setCursorModel(&cursor);
        chart.setComparison(c);
        cursor.moveTo({0, 5, c->columns() - 1});
        QCOMPARE(chart.values().size(), values.size());
        QVERIFY(!chart.accessibleDescription().startsWith(QLatin1Char('0')));
        chart.resize(240, 132);
        chart.grab();
        chart.setComparison(nullptr);
        QVERIFY(chart.values().empty());
    }

    void decadesFrameTheValues()
    {
        DecadeRange range;
        QCOMPARE(range.range(3).upper, 1.0);
        range.add(3e-5);
        range.add(0.0);
        range.add(std::nan(""));
        range.add(0.2);
        const QCPRange r = range.range(3);
        QVERIFY(r.lower <= 3e-5 && r.lower > 0.99e-5);
        QVERIFY(std::abs(r.upper - 1.0) < 1e-12);
    }

    void chartsSurviveEveryOrderOfSetUp()
    {
        const auto c =
            compare::Comparison::compute(test::makeSession(test::atomicLike(9, 3, 4, 25)));
        MarginChart chart;
        chart.setComparison(c);
        chart.grab();
        StepAxis axis;
        chart.setStepAxis(&axis);
        axis.setComparisons({c});
        axis.setPrefillFolded(false);
        chart.resize(700, 110);
        chart.grab();
        CursorModel cursor;
        chart.setCursorModel(&cursor);
        cursor.setBounds(9, static_cast<int>(c->ops()), c->columns());
        cursor.moveTo({0, 0, 9});
        QVERIFY(chart.accessibleDescription().contains(QLatin1String("margin")));
        const QImage picture = chart.grabImage(QSize(500, 100), 2.0, Appearance::Dark);
        QCOMPARE(picture.size(), QSize(1000, 200));
        QVERIFY(test::countColour(picture, themeFor(Appearance::Dark).window) > 10000);
        chart.setComparison(nullptr);
        chart.grab();
        chart.setStepAxis(nullptr);
        chart.grab();
    }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
