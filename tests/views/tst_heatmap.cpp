// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The divergence map and its overview as widgets: what clicks, wheels and keys do, what is said to
// screen readers, and that pictures show what the comparison holds.
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "tests/engine/support/snapshot_maker.h"
#include "tests/views/support/view_fixtures.h"
#include "views/divergence_heatmap.h"
#include "views/heatmap_text.h"
#include "views/overview_strip.h"

using namespace ulp;
using namespace ulp::views;

namespace {

compare::ComparisonPtr session()
{
    test::SessionOptions options;
    options.runs = 4;
    options.layers = 6;
    options.promptTokens = 5;
    options.steps = 40;
    options.divergences = {
        {1, 6, "ffn_out-2", 1, true}, {2, 6, "ffn_out-2", 2, true}, {3, 20, "Kcur-4", 1, true}};
    return compare::Comparison::compute(test::makeSession(options));
}

struct Stage {
    StepAxis axis;
    CursorModel cursor;
    DivergenceHeatmap map;
    OverviewStrip strip;

    explicit Stage(const compare::ComparisonPtr& comparison = session())
    {
        for (StepView* view : {static_cast<StepView*>(&map), static_cast<StepView*>(&strip)}) {
            view->setStepAxis(&axis);
            view->setCursorModel(&cursor);
        }
        strip.setHeatmap(&map);
        map.resize(900, 480);
        strip.resize(900, 24);
        show(comparison);
        map.show();
        strip.show();
    }
    void show(const compare::ComparisonPtr& comparison)
    {
        axis.setComparisons({comparison});
        cursor.setBounds(static_cast<int>(comparison->snapshot().runs.size()),
                         static_cast<int>(comparison->ops()), comparison->columns());
        map.setComparison(comparison);
        strip.setComparison(comparison);
    }
    int op(const char* name) const { return test::opIndex(map.comparison()->snapshot().ops, name); }
    std::int64_t column(std::int64_t step) const
    {
        return step + map.comparison()->promptTokens() - 1;
    }
    /// Middle of a cell, in widget coordinates.
    QPoint at(std::int64_t step, int opIndex) const
    {
        const AxisMap x = axis.map(map.width());
        const int row = *map.rowLayout().rowOfOp(opIndex);
        const int header = map.fontMetrics().height() + 8;
        return QPointF(x.x(static_cast<double>(axis.slotOfStep(step)) + 0.5),
                       header + map.rowWindow().y(row + 0.5))
            .toPoint();
    }
    void wheel(QPoint where, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWheelEvent event(where, map.mapToGlobal(where), QPoint(), QPoint(0, delta), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&map, &event);
    }
};

} // namespace

class TestHeatmap : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase()
    {
        applyTheme(*qobject_cast<QApplication*>(QCoreApplication::instance()), Appearance::Light);
    }

    void theLayerWhereTheBitsPartStandsOpen()
    {
        Stage s;
        QVERIFY(s.map.anyFolded());
        const int layer2 = s.map.rowLayout().groupOfOp(s.op("ffn_out-2"));
        QVERIFY(!s.map.rowLayout().folded(layer2));
        QVERIFY(s.map.rowLayout().folded(layer2 + 1));
        s.map.foldAll(); // what the user folds stays folded while results stream in
        s.show(session());
        QVERIFY(s.map.rowLayout().folded(layer2));
    }

    void aClickMovesTheCursorToTheCell()
    {
        Stage s;
        QTest::mouseClick(&s.map, Qt::LeftButton, {}, s.at(6, s.op("ffn_out-2")));
        QCOMPARE(s.cursor.cursor().op, s.op("ffn_out-2"));
        QCOMPARE(s.cursor.cursor().column, s.column(6));
        // On a folded layer it means the layer's worst op, not its first.
        QTest::mouseClick(&s.map, Qt::LeftButton, {}, s.at(20, s.op("ffn_out-4")));
        QCOMPARE(s.cursor.cursor().op, s.op("Kcur-4"));
        QCOMPARE(s.cursor.cursor().column, s.column(20));
        s.cursor.back();
        QCOMPARE(s.cursor.cursor().op, s.op("ffn_out-2"));
    }

    void aClickOnALayersNameFoldsIt()
    {
        Stage s;
        const int group = s.map.rowLayout().groupOfOp(s.op("ffn_out-4"));
        const auto clickName = [&] {
            const int heading = *s.map.rowLayout().rowOfOp(s.op("l_out-3")) + 1;
            const int y = s.map.fontMetrics().height() + 8 +
                          static_cast<int>(s.map.rowWindow().y(heading + 0.5));
            QTest::mouseClick(&s.map, Qt::LeftButton, {}, QPoint(40, y));
        };
        clickName();
        QVERIFY(!s.map.rowLayout().folded(group));
        clickName();
        QVERIFY(s.map.rowLayout().folded(group));
    }

    void aClickAboveThePromptFoldsIt()
    {
        Stage s;
        const QPoint head(s.axis.leftMargin() + 2, 6);
        QVERIFY(s.axis.prefillFolded());
        QTest::mouseClick(&s.map, Qt::LeftButton, {}, head);
        QVERIFY(!s.axis.prefillFolded());
        QTest::mouseClick(&s.map, Qt::LeftButton, {}, head);
        QVERIFY(s.axis.prefillFolded());
    }

    void keysWalkAndLeapToWhatDiffers()
    {
        Stage s;
        s.cursor.moveTo({0, s.op("ffn_out-2"), s.column(2)});
        QTest::keyClick(&s.map, Qt::Key_Right);
        QCOMPARE(s.cursor.cursor().column, s.column(3));
        QTest::keyClick(&s.map, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(s.cursor.cursor().column, s.column(6));
        QTest::keyClick(&s.map, Qt::Key_Right, Qt::ControlModifier); // nothing further in this row
        QCOMPARE(s.cursor.cursor().column, s.column(6));
        QTest::keyClick(&s.map, Qt::Key_Up);
        QVERIFY(s.cursor.cursor().op < s.op("ffn_out-2"));
        QTest::keyClick(&s.map, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(s.cursor.cursor().op, s.op("ffn_out-2"));
        QTest::keyClick(&s.map, Qt::Key_Home);
        QVERIFY(s.cursor.cursor().column < s.column(0)); // the prompt is left of step 0
        QTest::keyClick(&s.map, Qt::Key_Right);
        QCOMPARE(s.cursor.cursor().column, s.column(0));
        QTest::keyClick(&s.map, Qt::Key_End);
        QCOMPARE(s.cursor.cursor().column, s.map.comparison()->columns() - 1);
        QTest::keyClick(&s.map, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(s.cursor.cursor().op, static_cast<int>(s.map.comparison()->ops()) - 1);
    }

    void nextAndPreviousFollowExecutionOrder()
    {
        Stage s;
        QVERIFY(s.map.goToNext());
        QCOMPARE(s.cursor.cursor().op, s.op("ffn_out-2"));
        QVERIFY(s.map.goToNext(true));
        QCOMPARE(s.cursor.cursor().op, s.op("Kcur-4"));
        QVERIFY(!s.map.goToNext());
        QVERIFY(s.map.goToPrevious());
        QCOMPARE(s.cursor.cursor().column, s.column(6));
    }

    void theWheelZoomsAtThePointerAndTheCursorStaysReachable()
    {
        Stage s;
        const QPoint where = s.at(20, s.op("Kcur-4"));
        const double before = s.axis.map(s.map.width()).slotAt(where.x());
        s.wheel(where, 480);
        QVERIFY(s.axis.span() < 25.0);
        QVERIFY(std::abs(s.axis.map(s.map.width()).slotAt(where.x()) - before) < 1e-6);
        const double first = s.axis.first();
        s.wheel(where, -120, Qt::ShiftModifier);
        QVERIFY(s.axis.first() > first);
        s.cursor.moveTo({0, 0, s.column(39)});
        s.cursor.moveTo({0, 0, 0}); // out of sight: the view follows
        QCOMPARE(s.axis.first(), 0.0);
        QTest::keyClick(&s.map, Qt::Key_0);
        QVERIFY(s.axis.fitted());
    }

    void draggingPansAndIsNotAClick()
    {
        Stage s;
        s.axis.setWindow(10.0, 12.0);
        const CellCursor before = s.cursor.cursor();
        const double first = s.axis.first();
        const QPoint from = s.at(15, 0);
        QTest::mousePress(&s.map, Qt::LeftButton, {}, from);
        QTest::mouseMove(&s.map, from - QPoint(60, 0));
        QTest::mouseMove(&s.map, from - QPoint(130, 0));
        QTest::mouseRelease(&s.map, Qt::LeftButton, {}, from - QPoint(130, 0));
        QVERIFY(s.axis.first() > first + 1.0);
        QCOMPARE(s.cursor.cursor(), before);
    }

    void screenReadersHearTheCell()
    {
        Stage s;
        s.cursor.moveTo({0, s.op("ffn_out-2"), s.column(6)});
        QVERIFY(!s.map.accessibleName().isEmpty());
        const QString text = s.map.accessibleDescription();
        QVERIFY2(
            text.contains(QLatin1String("step 6")) && text.contains(QLatin1String("ffn_out-2")) &&
                text.contains(QLatin1String("3 classes")) && text.contains(QLatin1String("origin")),
            qPrintable(text));
        s.cursor.moveTo({0, s.op("ffn_out-1"), s.column(6)});
        QVERIFY(s.map.accessibleDescription().contains(QLatin1String("same bits")));
    }

    void tooltipsGiveExactValues()
    {
        const auto c = session();
        const int op = test::opIndex(c->snapshot().ops, "ffn_out-2");
        const std::int64_t column = 6 + c->promptTokens() - 1;
        const QString text = cellToolTip(*c, column, op, QStringLiteral("a <heading>"));
        const auto largest = largestMagnitude(*c, column, op);
        QVERIFY(largest.has_value());
        QVERIFY(text.contains(QStringLiteral("%1 ULP").arg(largest->magnitude.maxUlp)));
        QVERIFY(text.contains(QStringLiteral("%1 of %2 elements")
                                  .arg(largest->magnitude.differing)
                                  .arg(largest->magnitude.of)));
        QVERIFY(text.contains(QLatin1String("a &lt;heading&gt;")));
        QVERIFY(text.contains(QLatin1String("0 3"))); // class A: runs 0 and 3
        QVERIFY(!largestMagnitude(*c, column - 1, op).has_value());
    }

    void pixelsShowTheClasses_data()
    {
        QTest::addColumn<double>("ratio");
        QTest::newRow("1x") << 1.0;
        QTest::newRow("1.25x") << 1.25;
        QTest::newRow("2x") << 2.0;
    }
    void pixelsShowTheClasses()
    {
        QFETCH(double, ratio);
        Stage s;
        const Theme& theme = themeFor(Appearance::Dark);
        const QImage picture = s.map.grabImage(QSize(611, 333), ratio, Appearance::Dark);
        QCOMPARE(picture.size(), QSize(611, 333) * ratio);
        QVERIFY(test::countColour(picture, theme.classMany) > 10);
        QVERIFY(test::countColour(picture, theme.classTwo) > 10);
        s.show(test::makeMap(6, 44, {}, 5));
        const QImage equal = s.map.grabImage(QSize(611, 333), ratio, Appearance::Dark);
        QCOMPARE(test::countColour(equal, theme.classMany), 0);
        QCOMPARE(test::countColour(equal, theme.classTwo), 0);
        QVERIFY(test::countColour(equal, theme.classOne) > 1000);
    }

    void theThemeIsFollowedAtOnce()
    {
        Stage s;
        auto& app = *qobject_cast<QApplication*>(QCoreApplication::instance());
        const QImage light = s.map.grab().toImage();
        QVERIFY(test::countColour(light, themeFor(Appearance::Light).classOne) > 1000);
        applyTheme(app, Appearance::Dark);
        const QImage dark = s.map.grab().toImage();
        applyTheme(app, Appearance::Light);
        QVERIFY(test::countColour(dark, themeFor(Appearance::Dark).classOne) > 1000);
        QCOMPARE(test::countColour(dark, themeFor(Appearance::Light).classOne), 0);
    }

    void whatAFilterHidesIsCounted()
    {
        Stage s;
        FilterOutcome outcome;
        outcome.ops.assign(static_cast<std::size_t>(s.map.comparison()->ops()), false);
        outcome.ops[static_cast<std::size_t>(s.op("ffn_out-3"))] = true;
        outcome.firstColumn = 0;
        outcome.lastColumn = s.map.comparison()->columns() - 1;
        outcome.divergentOutside = 2;
        s.map.unfoldAll();
        s.map.setFilter(outcome);
        QCOMPARE(s.map.rowLayout().rowCount(), 2);
        const Theme& theme = themeFor(Appearance::Light);
        // The exported picture says it: an orange mark beside the words.
        const QImage picture = s.map.grabImage(QSize(600, 200), 1.0, Appearance::Light);
        QVERIFY(test::countColour(picture, theme.classMany) > 30);
        outcome.divergentOutside = 0;
        s.map.setFilter(outcome);
        QCOMPARE(test::countColour(s.map.grabImage(QSize(600, 200), 1.0, Appearance::Light),
                                   theme.classMany),
                 0);
        s.map.setFilter(std::nullopt);
        QVERIFY(s.map.rowLayout().rowCount() > 50);
    }

    void colouringByMagnitudeIsAToggle()
    {
        Stage s;
        QSignalSpy changed(&s.map, &DivergenceHeatmap::colourModeChanged);
        QTest::keyClick(&s.map, Qt::Key_C);
        QCOMPARE(s.map.colourMode(), ColourMode::Magnitude);
        QVERIFY(s.map.magnitudeRange().lowLog < s.map.magnitudeRange().highLog);
        const Theme& theme = themeFor(Appearance::Light);
        QCOMPARE(test::countColour(s.map.grab().toImage(), theme.classTwo), 0);
        QTest::keyClick(&s.map, Qt::Key_C);
        QCOMPARE(changed.count(), 2);
    }

    void theOverviewShowsAllAndMovesTheMap()
    {
        Stage s;
        s.axis.setWindow(0.0, 10.0);
        // The divergent cells are out of the map's sight but not of the strip's.
        s.axis.setWindow(30.0, 10.0);
        const Theme& theme = themeFor(Appearance::Light);
        s.cursor.moveTo({0, 0, s.map.comparison()->columns() - 1});
        s.axis.setWindow(30.0, 10.0);
        QCOMPARE(test::countColour(s.map.grab().toImage(), theme.classMany), 0);
        const QRectF frame = s.strip.frameRect();
        const QImage strip = s.strip.grab().toImage();
        const QRect left(s.axis.leftMargin(), 0, static_cast<int>(frame.left()) - 130, 24);
        QVERIFY(test::countColour(strip, theme.classOne, left) == 0); // under the veil
        QVERIFY(strip.pixel(left.left() + 3, 12) != theme.window.rgb());
        // Dragging the frame's middle moves the window by the same share of the whole.
        const QPoint grip = frame.center().toPoint();
        QTest::mousePress(&s.strip, Qt::LeftButton, {}, grip);
        QTest::mouseMove(&s.strip, grip - QPoint(200, 0));
        QTest::mouseRelease(&s.strip, Qt::LeftButton, {}, grip - QPoint(200, 0));
        QVERIFY(s.axis.first() < 25.0 && s.axis.first() > 10.0);
        QCOMPARE(s.axis.span(), 10.0);
        QTest::mouseClick(&s.strip, Qt::LeftButton, {}, QPoint(s.axis.leftMargin() + 1, 12));
        QCOMPARE(s.axis.first(), 0.0);
        QTest::mouseDClick(&s.strip, Qt::LeftButton, {}, QPoint(300, 12));
        QVERIFY(s.axis.fitted());
    }

    void nothingIsSaidInWords()
    {
        StepAxis axis;
        DivergenceHeatmap map;
        map.resize(500, 200);
        map.setStepAxis(&axis);
        const QImage empty = map.grab().toImage();
        QVERIFY(test::countColour(empty, currentTheme().window) < empty.width() * empty.height());
        QCOMPARE(map.accessibleDescription(), QStringLiteral("No session yet"));
        map.setComparison(session()); // with an axis that knows nothing yet: no crash
        map.grab();
        map.setComparison(nullptr);
        map.grab();
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_F);
    }

    void liveUpdatesShowEachState()
    {
        test::SessionOptions options = test::atomicLike(3, 4, 4, 30);
        const auto whole = test::makeSession(options);
        Stage s;
        int states = 0;
        test::replay(*whole, 6, [&](const compare::ComparisonPtr& c) {
            s.show(c);
            s.map.grab();
            ++states;
        });
        QVERIFY(states > 15);
        StepAxis axis;
        axis.setComparisons({s.map.comparison()});
        DivergenceHeatmap fresh;
        fresh.setStepAxis(&axis);
        fresh.setComparison(s.map.comparison());
        // However it came about, the same data makes the same picture.
        s.map.unfoldAll();
        fresh.unfoldAll();
        QCOMPARE(s.map.grabImage(QSize(500, 300), 1.0, Appearance::Light),
                 fresh.grabImage(QSize(500, 300), 1.0, Appearance::Light));
    }
};

QTEST_MAIN(TestHeatmap)
#include "tst_heatmap.moc"
