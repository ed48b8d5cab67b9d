// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/compare/comparison.h"
#include "tests/app/gui/registry_test.h"
#include "tests/engine/support/snapshot_maker.h"
#include "views/filter.h"

namespace ulp::test {

using views::FilterTerm;

class FilterTest : public QObject {
    Q_OBJECT

    std::vector<OpInfo> m_ops = makeOps(4);

    static compare::ComparisonPtr planted()
    {
        SessionOptions options;
        options.divergences = {{1, 3, "ffn_out-2", 1, true}, {2, 9, "attn_norm-1", 2, true}};
        return compare::Comparison::compute(makeSession(options));
    }

    static std::int64_t divergent(const compare::Comparison& c)
    {
        return c.divergentCells() + c.divergentPrefillCells();
    }

  private slots:
    void readsEveryWord()
    {
        const auto parse = views::parseFilter(
            QStringLiteral("layer 2..5 step -3.. ffn_* -norm diverged -origin nan ulp>=8"), &m_ops);
        QVERIFY(!parse.error);
        const auto& t = parse.filter.terms;
        QCOMPARE(t.size(), std::size_t(8));
        QCOMPARE(t[0].kind, FilterTerm::Kind::Layer);
        QCOMPARE(t[0].low, std::int64_t(2));
        QCOMPARE(t[0].high, std::int64_t(5));
        QCOMPARE(t[1].low, std::int64_t(-3));
        QCOMPARE(t[1].high, std::numeric_limits<std::int64_t>::max());
        QCOMPARE(t[2].pattern, std::string("ffn_*"));
        QVERIFY(t[3].negated);
        QVERIFY(t[5].negated && t[5].kind == FilterTerm::Kind::Origin);
        QCOMPARE(t[7].relation, FilterTerm::Relation::GreaterEqual);
        QCOMPARE(t[7].ulp, 8U);
        QCOMPARE(t[0].source, QStringLiteral("layer 2..5"));
    }

    void namesItsErrors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("start");
        QTest::newRow("range missing") << QStringLiteral("layer") << 0;
        QTest::newRow("no range") << QStringLiteral("diverged layer x") << 15;
        QTest::newRow("turned round") << QStringLiteral("step 5..2") << 5;
        QTest::newRow("dots alone") << QStringLiteral("step ..") << 5;
        QTest::newRow("ulp without number") << QStringLiteral("ulp>") << 0;
        QTest::newRow("ulp too large") << QStringLiteral("ulp>99999999999") << 0;
        QTest::newRow("minus alone") << QStringLiteral("nan -") << 4;
        QTest::newRow("unknown op") << QStringLiteral("origin ffn_aut") << 7;
    }

    void namesItsErrors()
    {
        QFETCH(QString, text);
        QFETCH(int, start);
        const auto parse = views::parseFilter(text, &m_ops);
        QVERIFY(parse.error);
        QCOMPARE(parse.error->start, qsizetype(start));
        QVERIFY(!parse.error->message.isEmpty());
    }

    void countsWhatItHides()
    {
        const auto c = planted();
        QCOMPARE(divergent(*c), std::int64_t(2));
        const auto outcome = [&c](const char* text) {
            return views::applyFilter(
                views::parseFilter(QString::fromLatin1(text), &c->snapshot().ops).filter, *c);
        };
        QCOMPARE(outcome("diverged").matching, std::int64_t(2));
        QCOMPARE(outcome("diverged").divergentOutside, std::int64_t(0));
        QCOMPARE(outcome("layer 2").divergentOutside, std::int64_t(1));
        QCOMPARE(outcome("step 4..8").divergentOutside, std::int64_t(2));
        QCOMPARE(outcome("-diverged").divergentOutside, std::int64_t(2));
        QCOMPARE(outcome("ulp>0").matching, std::int64_t(2));
        QCOMPARE(outcome("ulp>4000000000").matching, std::int64_t(0));
        QCOMPARE(outcome("origin norm").matching, std::int64_t(1));
        QCOMPARE(outcome("nan").matching, std::int64_t(0));
    }

    void showsOnlyRowsWithMatches()
    {
        const auto c = planted();
        const auto filter = views::parseFilter(QStringLiteral("diverged")).filter;
        const auto outcome = views::applyFilter(filter, *c);
        int shown = 0;
        for (std::size_t op = 0; op < outcome.ops.size(); ++op) {
            shown += outcome.ops[op] ? 1 : 0;
        }
        QCOMPARE(shown, 2);
        QVERIFY(outcome.ops[static_cast<std::size_t>(opIndex(c->snapshot().ops, "ffn_out-2"))]);
        const auto steps =
            views::applyFilter(views::parseFilter(QStringLiteral("step 2..4")).filter, *c);
        QCOMPARE(c->stepOf(steps.firstColumn), std::int64_t(2));
        QCOMPARE(c->stepOf(steps.lastColumn), std::int64_t(4));
    }

    void completesWords()
    {
        QVERIFY(views::filterCompletions(QStringLiteral("di"), 2, m_ops)
                    .contains(QStringLiteral("diverged")));
        QVERIFY(views::filterCompletions(QStringLiteral("diverged ffn_o"), 14, m_ops)
                    .contains(QStringLiteral("ffn_out")));
        QVERIFY(views::filterCompletions(QStringLiteral("-nor"), 4, m_ops)
                    .contains(QStringLiteral("-norm")));
        QVERIFY(views::filterCompletions(QStringLiteral("zzz"), 3, m_ops).isEmpty());
    }

    void popsTheLastTerm()
    {
        QCOMPARE(views::withoutLastTerm(QStringLiteral("diverged layer 2..5")),
                 QStringLiteral("diverged"));
        QCOMPARE(views::withoutLastTerm(QStringLiteral("diverged layer x")),
                 QStringLiteral("diverged layer"));
        QCOMPARE(views::withoutLastTerm(QStringLiteral("nan")), QString());
    }
};

static const Registered<FilterTest> kRegistered;

} // namespace ulp::test

#include "filter_test.moc"
