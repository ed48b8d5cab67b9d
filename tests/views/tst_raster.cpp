// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The promise of the map: what differs is seen, at every zoom. Pooling is held against the
// max-pyramid of the engine, which was written for the same question and shares nothing with it.
#include <random>

#include <QTest>

#include "engine/compare/pyramid.h"
#include "tests/engine/support/snapshot_maker.h"
#include "tests/views/support/view_fixtures.h"
#include "views/heatmap_raster.h"

using namespace ulp;
using namespace ulp::views;

namespace {

struct Scene {
    CellMap cells;
    RowLayout rows;
    StepAxis axis;
    RasterRequest request;

    explicit Scene(const compare::ComparisonPtr& comparison)
    {
        cells.setComparison(comparison);
        rows.setOps(comparison->snapshot().ops);
        rows.foldAll(false);
        axis.setComparisons({comparison});
        request.cells = &cells;
        request.rows = &rows;
        request.axis = &axis;
        request.theme = &themeFor(Appearance::Light);
        request.pixels = QSize(640, 360);
    }
    void fit()
    {
        request.firstSlot = 0.0;
        request.firstRow = 0.0;
        request.pixelsPerSlot = request.pixels.width() / static_cast<double>(axis.slotCount());
        request.pixelsPerRow = request.pixels.height() / static_cast<double>(rows.rowCount());
    }
};

PooledCells pool(const RasterRequest& request)
{
    PooledCells pooled;
    poolCells(request, pooled);
    return pooled;
}

QImage draw(const RasterRequest& request)
{
    Raster raster;
    renderCells(request, raster);
    return raster.image;
}

} // namespace

class TestRaster : public QObject {
    Q_OBJECT
  private slots:
    void bandsCoverEveryPixelAndEveryUnit_data()
    {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("scale");
        for (const double scale : {0.013, 0.37, 0.999, 1.0, 1.3, 7.77, 61.0}) {
            for (const double first : {0.0, 3.0, 12.34}) {
                QTest::addRow("%g from %g", scale, first) << first << scale;
            }
        }
    }
    void bandsCoverEveryPixelAndEveryUnit()
    {
        QFETCH(double, first);
        QFETCH(double, scale);
        const int pixels = 333;
        const std::int64_t units = 1000;
        const auto bands = makeBands(first, scale, pixels, units);
        QVERIFY(!bands.empty());
        QCOMPARE(bands.front().begin, 0);
        for (std::size_t i = 1; i < bands.size(); ++i) {
            QCOMPARE(bands[i].begin, bands[i - 1].end);
            QVERIFY(bands[i].first <= bands[i - 1].last + 1); // no unit falls between two bands
        }
        const double visible = std::min(first + pixels / scale, static_cast<double>(units));
        QVERIFY(bands.front().first <= static_cast<std::int64_t>(first));
        QVERIFY(static_cast<double>(bands.back().last) + 1.0 >= visible - 0.5 / scale);
        QVERIFY(makeBands(first, scale, pixels, 0).empty());
    }

    void poolingAgreesWithThePyramid()
    {
        test::SessionOptions options = test::atomicLike(4, 9, 6, 131);
        options.nonFinite.push_back({2, 90, "ffn_out-7"});
        const auto comparison = compare::Comparison::compute(test::makeSession(options));
        Scene scene(comparison);
        std::vector<std::uint8_t> classes;
        for (std::int64_t c = 0; c < comparison->columns(); ++c) {
            for (std::int64_t op = 0; op < comparison->ops(); ++op) {
                classes.push_back(std::min<std::uint8_t>(comparison->cell(c, op).classes, 3));
            }
        }
        compare::MaxPyramid<std::uint8_t> pyramid(comparison->ops());
        pyramid.append(classes);
        std::mt19937 random(5);
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        for (int round = 0; round < 40; ++round) {
            for (int group = 0; group < scene.rows.groupCount(); ++group) {
                scene.rows.setFolded(group, unit(random) < 0.5);
            }
            scene.axis.setPrefillFolded(unit(random) < 0.5);
            // From 2 pixels on nothing is grown, so that the values are the pooled ones.
            scene.request.pixelsPerSlot = 2.0 + 9.0 * unit(random);
            scene.request.pixelsPerRow = 2.0 + 9.0 * unit(random);
            if (round % 2 == 0) { // several cells to a pixel: a logical pixel is a tenth of one
                scene.request.unit = 0.1;
                scene.request.pixelsPerSlot /= 9.0;
                scene.request.pixelsPerRow /= 9.0;
            } else {
                scene.request.unit = 1.0;
            }
            scene.request.firstSlot = 50.0 * unit(random);
            scene.request.firstRow = 10.0 * unit(random);
            const PooledCells pooled = pool(scene.request);
            const std::int64_t shift = comparison->promptTokens() - 1;
            for (std::size_t r = 0; r < pooled.rowBands.size(); r += 3) {
                for (std::size_t s = 0; s < pooled.slotBands.size(); s += 5) {
                    const Band& band = pooled.slotBands[s];
                    const std::int64_t c0 = scene.axis.stepsOfSlot(band.first).first + shift;
                    const std::int64_t c1 = scene.axis.stepsOfSlot(band.last).second + shift + 1;
                    std::uint8_t worst = 0;
                    for (std::int64_t row = pooled.rowBands[r].first;
                         row <= pooled.rowBands[r].last; ++row) {
                        for (const OpRange& range : scene.rows.ranges(static_cast<int>(row))) {
                            worst = std::max(worst,
                                             pyramid.maxOver(range.first, range.last + 1, c0, c1));
                        }
                    }
                    const std::uint8_t bits = pooled.bits[r * pooled.slotBands.size() + s];
                    const int seen = (bits & kManyClasses) != 0  ? 3
                                     : (bits & kTwoClasses) != 0 ? 2
                                     : (bits & kOneClass) != 0   ? 1
                                                                 : 0;
                    QCOMPARE(seen, static_cast<int>(worst));
                }
            }
        }
    }

    void oneCellAmongTenMillionIsSeenAtEveryZoom()
    {
        const std::int64_t columns = 1000;
        const int op = 7321;
        const std::int64_t column = 613;
        Scene scene(test::makeMap(667, columns, {{column, op, 1}}));
        Scene control(test::makeMap(667, columns, {}));
        QVERIFY(scene.cells.ops() * scene.cells.columns() >= 10'000'000);
        const QColor two = themeFor(Appearance::Light).classTwo;
        const auto row = static_cast<double>(*scene.rows.rowOfOp(op));
        int pictures = 0;
        for (const QSize size : {QSize(37, 23), QSize(641, 479), QSize(1600, 900)}) {
            for (double zoom = 1.0; zoom < 700.0; zoom *= 1.83) {
                for (Scene* s : {&scene, &control}) {
                    s->request.pixels = size;
                    s->fit();
                    s->request.pixelsPerSlot *= zoom;
                    s->request.pixelsPerRow *= zoom;
                    // The cell somewhere in the window, at a fraction that changes with the zoom.
                    const double share = std::fmod(zoom * 0.377, 0.9) + 0.05;
                    s->request.firstSlot = std::max(
                        0.0, column + 0.5 - share * size.width() / s->request.pixelsPerSlot);
                    s->request.firstRow =
                        std::max(0.0, row + 0.5 - share * size.height() / s->request.pixelsPerRow);
                }
                QVERIFY2(test::countColour(draw(scene.request), two) > 0,
                         qPrintable(QString::number(zoom)));
                QCOMPARE(test::countColour(draw(control.request), two), 0);
                ++pictures;
            }
        }
        QVERIFY(pictures > 30);
        // Looking elsewhere it is not there: the colour above came from the cell.
        scene.request.pixelsPerSlot = 10.0;
        scene.request.pixelsPerRow = 10.0;
        scene.request.firstSlot = 100.0;
        QCOMPARE(test::countColour(draw(scene.request), two), 0);
        // And folded into its layer it is seen again.
        scene.rows.foldAll(true);
        scene.fit();
        QVERIFY(test::countColour(draw(scene.request), two) > 0);
    }

    void loneCellsAreGrownButNotCovered()
    {
        // Three classes in one cell next to two classes in another: neither may hide the other.
        Scene scene(test::makeMap(300, 2000, {{700, 1500, 1}, {700, 1500, 2}, {703, 1500, 1}}));
        scene.request.pixels = QSize(500, 300);
        scene.fit();
        const Theme& theme = themeFor(Appearance::Light);
        QVERIFY(test::countColour(draw(scene.request), theme.classMany) > 1);
        scene.request.pixelsPerSlot = 1.0;
        scene.request.firstSlot = 600.0;
        const QImage image = draw(scene.request);
        QVERIFY(test::countColour(image, theme.classMany) > 1);
        QVERIFY(test::countColour(image, theme.classTwo) > 1);
    }

    void patternsSayWhatColoursSay()
    {
        const Theme& theme = themeFor(Appearance::Light);
        test::SessionOptions options;
        options.runs = 3;
        options.layers = 2;
        options.steps = 12;
        options.divergences = {{1, 3, "ffn_out-1", 1, true}};
        options.nonFinite = {{2, 8, "ffn_out-1"}};
        options.lastRunColumns = 12;
        options.lastRunStatus = trace::RunStatus::Running;
        options.promptTokens = 3;
        Scene scene(compare::Comparison::compute(test::makeSession(options)));
        scene.request.pixels = QSize(14 * 16, scene.rows.rowCount() * 14);
        scene.request.pixelsPerSlot = 16.0;
        scene.request.pixelsPerRow = 14.0;
        const QImage image = draw(scene.request);
        const auto cell = [&](std::int64_t step, const char* name) {
            const int op = test::opIndex(scene.cells.comparison()->snapshot().ops, name);
            return QRect(static_cast<int>(scene.axis.slotOfStep(step)) * 16,
                         *scene.rows.rowOfOp(op) * 14, 16, 14);
        };
        // The origin: outlined, filled, and a gap to its neighbours.
        const QRect origin = cell(3, "ffn_out-1");
        QVERIFY(test::countColour(image, theme.origin, origin) > 2 * (12 + 10));
        QVERIFY(test::countColour(image, theme.classTwo, origin) > 50);
        QCOMPARE(test::countColour(image, theme.origin, cell(4, "ffn_out-1")), 0);
        QCOMPARE(QColor(image.pixel(origin.bottomRight())), theme.cellGrid);
        // NaN: hatched, which shows two colours in one cell.
        const QRect nan = cell(8, "ffn_out-1");
        QVERIFY(test::countColour(image, theme.nonFinite, nan) > 20);
        QVERIFY(test::countColour(image, theme.nonFinite, nan) < 16 * 14 / 2);
        QCOMPARE(test::countColour(image, theme.nonFinite, cell(7, "ffn_out-1")), 0);
        // Recorded in some runs only: hollow.
        const QRect partial = cell(11, "attn_norm-0");
        QCOMPARE(QColor(image.pixel(partial.center())), theme.window);
        QVERIFY(test::countColour(image, theme.classOne, partial) >= 2 * (15 + 13) - 4);
        QCOMPARE(QColor(image.pixel(cell(2, "attn_norm-0").center())), theme.classOne);
        // Logits of the prompt were not asked for: dotted.
        const QRect missing = cell(-1, "result_output");
        QVERIFY(test::countColour(image, theme.missing, missing) > 3);
        QCOMPARE(test::countColour(image, theme.classOne, missing), 0);
    }

    void magnitudesTakeTheLargest()
    {
        const auto comparison =
            compare::Comparison::compute(test::makeSession(test::atomicLike(4, 6, 4, 60)));
        Scene scene(comparison);
        scene.cells.setMagnitudes(true);
        scene.request.mode = ColourMode::Magnitude;
        scene.request.pixels = QSize(8, 8);
        scene.fit();
        const PooledCells pooled = pool(scene.request);
        QCOMPARE(*std::ranges::max_element(pooled.levels), scene.cells.largestLevel());
        scene.request.range = {-3.0, -2.0};
        QCOMPARE(magnitudeColour(*scene.request.theme, scene.request.range, 255), cividis(1.0));
        QCOMPARE(magnitudeColour(*scene.request.theme, scene.request.range, magnitude::kUnknown),
                 scene.request.theme->textFaded);
    }

    void oddSizesDoNotBreak()
    {
        Scene scene(test::makeMap(3, 17, {{5, 20, 1}}, 4));
        for (const QSize size : {QSize(1, 1), QSize(1, 300), QSize(300, 1), QSize(3, 5)}) {
            scene.request.pixels = size;
            scene.fit();
            QCOMPARE(draw(scene.request).size(), size);
        }
        scene.request.pixels = QSize(100, 100);
        scene.request.firstSlot = 1000.0; // past everything
        QCOMPARE(test::countColour(draw(scene.request), themeFor(Appearance::Light).classOne), 0);
    }
};

QTEST_GUILESS_MAIN(TestRaster)
#include "tst_raster.moc"
