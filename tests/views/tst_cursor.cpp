// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "views/cursor.h"

using namespace ulp::views;

class TestCursor : public QObject {
    Q_OBJECT
  private slots:
    void jumpsAreRememberedOneByOne()
    {
        CursorModel cursor;
        cursor.setBounds(4, 10, 100);
        cursor.moveTo({1, 2, 3});
        cursor.moveTo({1, 5, 50});
        QVERIFY(cursor.canGoBack());
        QVERIFY(!cursor.canGoForward());
        cursor.back();
        QCOMPARE(cursor.cursor(), (CellCursor{1, 2, 3}));
        cursor.back();
        QCOMPARE(cursor.cursor(), CellCursor{});
        QVERIFY(!cursor.canGoBack());
        cursor.forward();
        cursor.forward();
        QCOMPARE(cursor.cursor(), (CellCursor{1, 5, 50}));
        cursor.back();
        cursor.moveTo({0, 0, 9}); // a new place ends what was ahead
        QVERIFY(!cursor.canGoForward());
    }

    void aWalkIsOnePlace()
    {
        CursorModel cursor;
        cursor.setBounds(1, 10, 100);
        cursor.moveTo({0, 1, 10});
        for (int step = 11; step <= 20; ++step) {
            cursor.moveTo({0, 1, step}, CursorModel::Move::Step);
        }
        cursor.back();
        QCOMPARE(cursor.cursor(), (CellCursor{0, 1, 10}));
        cursor.forward();
        QCOMPARE(cursor.cursor(), (CellCursor{0, 1, 20}));
    }

    void movesAreClampedAndSaidOnce()
    {
        CursorModel cursor;
        cursor.setBounds(2, 5, 7);
        QSignalSpy moved(&cursor, &CursorModel::cursorChanged);
        cursor.moveTo({9, -3, 99});
        QCOMPARE(cursor.cursor(), (CellCursor{1, 0, 6}));
        QCOMPARE(moved.count(), 1);
        cursor.moveTo({9, -3, 99}); // where it is already
        QCOMPARE(moved.count(), 1);
        cursor.setBounds(1, 5, 3); // less data: the cursor follows, the history does not grow
        QCOMPARE(cursor.cursor(), (CellCursor{0, 0, 2}));
        QCOMPARE(moved.count(), 2);
        cursor.setBounds(0, 0, 0);
        QCOMPARE(cursor.cursor(), CellCursor{});
    }

    void resetForgets()
    {
        CursorModel cursor;
        cursor.setBounds(2, 5, 7);
        cursor.moveTo({1, 1, 1});
        cursor.reset({0, 2, 2});
        QVERIFY(!cursor.canGoBack());
        QCOMPARE(cursor.cursor(), (CellCursor{0, 2, 2}));
    }
};

QTEST_GUILESS_MAIN(TestCursor)
#include "tst_cursor.moc"
