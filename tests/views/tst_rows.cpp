// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/engine/support/snapshot_maker.h"
#include "views/row_layout.h"

using namespace ulp;
using namespace ulp::views;

class TestRows : public QObject {
    Q_OBJECT

    /// Every visible op must be in exactly one row that is not the heading of an unfolded group.
    static void checkCover(const RowLayout& layout, const std::vector<bool>& visible)
    {
        std::vector<int> seen(visible.size(), 0);
        for (int row = 0; row < layout.rowCount(); ++row) {
            const LayoutRow& r = layout.rows()[static_cast<std::size_t>(row)];
            if (r.kind == LayoutRow::Kind::Group && !layout.folded(r.group)) {
                continue;
            }
            for (const OpRange& range : layout.ranges(row)) {
                for (int op = range.first; op <= range.last; ++op) {
                    ++seen[static_cast<std::size_t>(op)];
                    QCOMPARE(layout.rowOfOp(op), std::optional(row));
                    QVERIFY(layout.contains(row, op));
                }
            }
        }
        for (std::size_t op = 0; op < visible.size(); ++op) {
            QCOMPARE(seen[op], visible[op] ? 1 : 0);
            QCOMPARE(layout.rowOfOp(static_cast<int>(op)).has_value(),
                     static_cast<bool>(visible[op]));
        }
    }

  private slots:
    void everyOpIsShownOnceHoweverFolded()
    {
        const auto ops = test::makeOps(5);
        RowLayout layout;
        QVERIFY(layout.setOps(ops));
        QVERIFY(!layout.setOps(ops));
        QCOMPARE(layout.groupCount(), 5);
        std::vector<bool> visible(ops.size(), true);
        for (unsigned folds = 0; folds < 32; ++folds) {
            for (int group = 0; group < 5; ++group) {
                layout.setFolded(group, ((folds >> group) & 1U) != 0);
            }
            checkCover(layout, visible);
        }
        for (std::size_t op = 0; op < visible.size(); ++op) { // holes of every kind
            visible[op] = (op * 7 + 3) % 5 > 1;
        }
        layout.setVisible(visible);
        for (unsigned folds = 0; folds < 32; ++folds) {
            for (int group = 0; group < 5; ++group) {
                layout.setFolded(group, ((folds >> group) & 1U) != 0);
            }
            checkCover(layout, visible);
        }
    }

    void headingsStandForTheirVisibleOps()
    {
        const auto ops = test::makeOps(3);
        RowLayout layout;
        layout.setOps(ops);
        layout.foldAll(false);
        const int op = test::opIndex(ops, "ffn_out-1");
        std::vector<bool> visible(ops.size(), false);
        visible[static_cast<std::size_t>(op)] = true;
        layout.setVisible(visible);
        QCOMPARE(layout.rowCount(), 2); // heading and op; other layers are gone
        QCOMPARE(layout.label(0), QStringLiteral("layer 1"));
        QCOMPARE(layout.label(1), QStringLiteral("ffn_out-1"));
        QVERIFY(layout.contains(0, op));
        QVERIFY(!layout.contains(0, op + 1));
        layout.setVisible({});
        QVERIFY(layout.rowCount() > 30);
        QVERIFY(!layout.anyFolded()); // the filter did not touch the folding
    }

    void layersThatComeBackAreGroupsOfTheirOwn()
    {
        std::vector<OpInfo> ops(4);
        ops[0].layer = 0;
        ops[1].layer = 1;
        ops[2].layer = 0;
        ops[3].layer = -1;
        RowLayout layout;
        layout.setOps(ops);
        layout.foldAll(true);
        QCOMPARE(layout.groupCount(), 3);
        QCOMPARE(layout.rowCount(), 4);
        checkCover(layout, std::vector<bool>(4, true));
    }
};

QTEST_GUILESS_MAIN(TestRows)
#include "tst_rows.moc"
