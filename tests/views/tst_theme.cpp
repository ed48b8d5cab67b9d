// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTest>

#include "views/theme.h"

using namespace ulp::views;

class TestTheme : public QObject {
    Q_OBJECT
  private slots:
    void contrastRatioKnowsItsEnds()
    {
        QVERIFY(qFuzzyCompare(contrastRatio(Qt::white, Qt::black), 21.0));
        QVERIFY(qFuzzyCompare(contrastRatio(Qt::gray, Qt::gray), 1.0));
        // The customary example of a grey that just fails on white.
        QVERIFY(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) < 4.5);
        QVERIFY(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) >= 4.5);
    }

    void textIsReadable_data()
    {
        QTest::addColumn<int>("appearance");
        QTest::newRow("light") << static_cast<int>(Appearance::Light);
        QTest::newRow("dark") << static_cast<int>(Appearance::Dark);
    }
    void textIsReadable()
    {
        QFETCH(int, appearance);
        const Theme& t = themeFor(static_cast<Appearance>(appearance));
        for (const QColor& ground : {t.window, t.panel, t.field}) {
            for (const QColor& ink : {t.text, t.textMuted, t.textFaded, t.link, t.flip}) {
                QVERIFY2(contrastRatio(ink, ground) >= 4.5,
                         qPrintable(ink.name() + " on " + ground.name()));
            }
        }
        QVERIFY(contrastRatio(t.accentText, t.accent) >= 4.5);
        for (const Pill& pill : {t.same, t.diverged, t.latent, t.failed, t.incomplete}) {
            QVERIFY2(contrastRatio(pill.text, pill.background) >= 4.5,
                     qPrintable(pill.text.name()));
        }
    }

    void marksStandOutFromCells_data() { textIsReadable_data(); }
    void marksStandOutFromCells()
    {
        QFETCH(int, appearance);
        const Theme& t = themeFor(static_cast<Appearance>(appearance));
        // WCAG asks 3:1 of graphics; equal cells are the quiet ground.
        QVERIFY(contrastRatio(t.classTwo, t.window) >= 3.0);
        QVERIFY(contrastRatio(t.classTwo, t.classOne) >= 3.0);
        for (const QColor& fill : {t.classOne, t.classTwo, t.classMany}) {
            const double least = fill == t.classTwo || fill == t.classMany ? 2.0 : 3.0;
            QVERIFY2(contrastRatio(t.origin, fill) >= least, qPrintable(fill.name()));
        }
        QVERIFY(t.classOne != t.classTwo && t.classTwo != t.classMany);
    }

    void cividisRisesInLightness()
    {
        double previous = -1.0;
        for (int i = 0; i <= 100; ++i) {
            const double now = contrastRatio(cividis(i / 100.0), Qt::black);
            QVERIFY2(now > previous, qPrintable(QString::number(i)));
            previous = now;
        }
        QCOMPARE(cividis(-1.0), cividis(0.0));
        QCOMPARE(cividis(2.0), cividis(1.0));
        // The ends of the published map: dark blue and yellow.
        QVERIFY(cividis(0.0).blue() > 60 && cividis(0.0).red() < 10);
        QVERIFY(cividis(1.0).red() > 240 && cividis(1.0).blue() < 90);
    }

    void classNamesGoOn()
    {
        QCOMPARE(className(0), QStringLiteral("A"));
        QCOMPARE(className(25), QStringLiteral("Z"));
        QCOMPARE(className(26), QStringLiteral("AA"));
    }

    void applyingSetsPaletteAndSheet()
    {
        auto& app = *qobject_cast<QApplication*>(QCoreApplication::instance());
        applyTheme(app, Appearance::Dark);
        QVERIFY(currentTheme().dark());
        QCOMPARE(QApplication::palette().color(QPalette::Window),
                 themeFor(Appearance::Dark).window);
        QVERIFY(!app.styleSheet().contains(QLatin1Char('%'))); // every token was filled in
        applyTheme(app, Appearance::Light);
        QVERIFY(!currentTheme().dark());
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
