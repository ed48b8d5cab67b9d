// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include <QTest>

#include "tests/engine/support/snapshot_maker.h"
#include "tests/views/support/view_fixtures.h"
#include "views/cell_map.h"
#include "views/drift_table.h"

using namespace ulp;
using namespace ulp::views;

class TestCellMap : public QObject {
    Q_OBJECT

    static void checkSame(const CellMap& map, const compare::Comparison& comparison)
    {
        QCOMPARE(map.columns(), comparison.columns());
        QCOMPARE(map.ops(), comparison.ops());
        for (std::int64_t c = 0; c < map.columns(); ++c) {
            std::uint8_t column = 0;
            for (std::int64_t op = 0; op < map.ops(); ++op) {
                const std::uint8_t bits = map.bits(op)[static_cast<std::size_t>(c)];
                QCOMPARE(bits, cellBits(comparison.cell(c, op)));
                column |= bits;
                const std::uint8_t level = map.levels(op)[static_cast<std::size_t>(c)];
                const float l2 = comparison.relativeL2(c, op);
                QCOMPARE(level, comparison.cell(c, op).classes > 1 ? magnitude::level(l2)
                                                                   : std::uint8_t{0});
            }
            QCOMPARE(map.columnBits(c), column);
        }
    }

  private slots:
    void bitsKeepTheWorst()
    {
        using compare::CellState;
        const auto one = cellBits(CellState{1, 0});
        const auto two = cellBits(CellState{2, compare::Origin});
        const auto many = cellBits(CellState{255, compare::HasNonFinite});
        const auto none = cellBits(CellState{0, 0});
        QCOMPARE(one | two, static_cast<int>(two));
        QVERIFY(((one | many) & kManyClasses) != 0);
        QVERIFY(((two | many) & (kOrigin | kNonFinite)) == (kOrigin | kNonFinite));
        QCOMPARE(static_cast<int>(none), static_cast<int>(kMissing));
        QVERIFY((none & kOneClass) == 0);
        QVERIFY((one & kTwoClasses) == 0);
    }

    void levelsAreMonotoneAndReadBack()
    {
        QCOMPARE(magnitude::level(0.0F), std::uint8_t{0});
        QCOMPARE(magnitude::level(std::numeric_limits<float>::quiet_NaN()), magnitude::kUnknown);
        QCOMPARE(magnitude::level(std::numeric_limits<float>::infinity()), std::uint8_t{255});
        QCOMPARE(magnitude::level(1e-30F), magnitude::kLowest);
        std::uint8_t previous = 0;
        for (double exponent = -12.0; exponent <= 3.0; exponent += 0.05) {
            const auto level = magnitude::level(static_cast<float>(std::pow(10.0, exponent)));
            QVERIFY(level >= previous);
            QVERIFY(level >= magnitude::kLowest);
            QVERIFY(std::abs(magnitude::log10OfLevel(level) - exponent) < 0.04);
            previous = level;
        }
    }

    void theMapIsTheComparison()
    {
        CellMap map;
        map.setMagnitudes(true);
        const auto c =
            compare::Comparison::compute(test::makeSession(test::atomicLike(5, 3, 4, 37)));
        map.setComparison(c);
        checkSame(map, *c);
        const auto other = compare::Comparison::compute(test::makeSession()); // another shape
        map.setComparison(other);
        checkSame(map, *other);
        map.setComparison(nullptr);
        QCOMPARE(map.columns(), 0);
    }

    void growingIsTheSameAsBuildingAnew()
    {
        test::SessionOptions options = test::atomicLike(4, 2, 3, 41);
        options.nonFinite.push_back({2, 20, "ffn_out-1"});
        const auto session = test::makeSession(options);
        CellMap grown;
        grown.setMagnitudes(true);
        std::int64_t rewritten = 0;
        int updates = 0;
        test::replay(*session, 5, [&](const compare::ComparisonPtr& c) {
            rewritten += grown.setComparison(c);
            ++updates;
            checkSame(grown, *c);
        });
        QVERIFY(updates > 30);
        // Four runs over 43 columns, each touched about once, and all again when a run begins.
        QVERIFY2(rewritten < 12 * 43, qPrintable(QString::number(rewritten)));
    }

    void anotherReferenceRewritesMagnitudes()
    {
        const auto session = test::makeSession(test::atomicLike(4, 2, 3, 21));
        CellMap map;
        map.setMagnitudes(true);
        map.setComparison(compare::Comparison::compute(session));
        compare::Options options;
        options.hiddenRuns = {1};
        const auto fewer = compare::Comparison::compute(session, options);
        map.setComparison(fewer);
        checkSame(map, *fewer);
    }

    void memoryStaysWithinTwoBytesACell()
    {
        const auto c = test::makeMap(40, 500, {});
        CellMap map;
        map.setComparison(c);
        const double cells = static_cast<double>(c->columns() * c->ops());
        QVERIFY(static_cast<double>(map.bytes()) < 1.05 * cells);
        map.setMagnitudes(true);
        QVERIFY(static_cast<double>(map.bytes()) < 2.05 * cells);
        map.setMagnitudes(false);
        QVERIFY(static_cast<double>(map.bytes()) < 1.05 * cells);
    }

    void theDriftTableGrowsLikeTheComparison()
    {
        const auto session = test::makeSession(test::atomicLike(4, 2, 3, 33));
        DriftTable grown;
        test::replay(*session, 4, [&](const compare::ComparisonPtr& c) {
            grown.setComparison(c);
            for (std::size_t i = 0; i < grown.runs(); ++i) {
                const auto entries = grown.of(i);
                for (std::size_t column = 0; column < entries.size(); ++column) {
                    const auto drift = c->drift(c->runs()[i], static_cast<std::int64_t>(column));
                    QCOMPARE(entries[column].recorded, drift.recorded);
                    QCOMPARE(entries[column].sameInput, drift.sameInput);
                    QCOMPARE(entries[column].maxAbs, static_cast<float>(drift.maxAbs));
                }
            }
        });
        QCOMPARE(grown.runs(), std::size_t{4});
        QVERIFY(grown.of(3).size() == 35);
    }
};

QTEST_GUILESS_MAIN(TestCellMap)
#include "tst_cell_map.moc"
