// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/app/gui/registry_test.h"
#include "tests/engine/support/snapshot_maker.h"
#include "views/cell_tables.h"
#include "views/recent_files_model.h"
#include "views/runs_model.h"
#include "views/text_table_model.h"

namespace ulp::test {

using Tester = QAbstractItemModelTester;

class ModelsTest : public QObject {
    Q_OBJECT

    compare::ComparisonPtr m_three = compare::Comparison::compute(makeSession([] {
        SessionOptions options;
        options.runs = 3;
        options.divergences = {{1, 3, "ffn_out-2", 1, true}};
        return options;
    }()));

    views::CellCursor planted() const
    {
        return {0, m_three->first()->op, m_three->first()->column};
    }

    static QString text(const QAbstractItemModel& model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }

  private slots:
    void textTableTellsWhatChanged()
    {
        views::TextTableModel model;
        const Tester tester(&model, Tester::FailureReportingMode::QtTest);
        const auto cell = [](const char* value) {
            views::TableCell c;
            c.text = QString::fromLatin1(value);
            return c;
        };
        model.setContent({QStringLiteral("a"), QStringLiteral("b")},
                         {{cell("1"), cell("2")}, {cell("3"), cell("4")}});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setContent({QStringLiteral("a"), QStringLiteral("b")},
                         {{cell("1"), cell("2")}, {cell("3"), cell("5")}});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(reset.size(), 0);
        QCOMPARE(text(model, 1, 1), QStringLiteral("5"));
        model.setContent({QStringLiteral("a"), QStringLiteral("b")}, {{cell("1"), cell("2")}});
        QCOMPARE(reset.size(), 1);
        QCOMPARE(model.plainText(), QStringLiteral("a\tb\n1\t2\n"));
    }

    void cellTablesHoldTheCell()
    {
        const auto classes = views::classRows(*m_three, planted());
        QCOMPARE(classes.size(), std::size_t(2));
        QCOMPARE(classes[0][1].text, QStringLiteral("0 2"));
        QCOMPARE(classes[1][1].text, QStringLiteral("1"));
        const auto magnitudes = views::magnitudeRows(*m_three, planted());
        QCOMPARE(magnitudes.size(), std::size_t(1)); // only run 1 differs
        QCOMPARE(magnitudes[0][0].text, QStringLiteral("1"));
        QCOMPARE(views::kindText(*m_three, planted()), QStringLiteral("origin"));
        QCOMPARE(views::inputsText(*m_three, planted()), QStringLiteral("equal in all runs"));
        views::CellCursor before = planted();
        before.op -= 1;
        QVERIFY(views::magnitudeRows(*m_three, before).empty());
        QCOMPARE(views::kindText(*m_three, before), QStringLiteral("same bits"));
        QVERIFY(views::cellAsJson(*m_three, planted()).contains(QStringLiteral("\"ffn_out-2\"")));
    }

    void inheritedNamesItsInputs()
    {
        SessionOptions options;
        options.divergences = {{1, 3, "ffn_norm-2", 1, false}};
        const auto c = compare::Comparison::compute(makeSession(options));
        const int gate = opIndex(c->snapshot().ops, "ffn_gate-2");
        const views::CellCursor cell{0, gate, c->first()->column};
        QCOMPARE(views::kindText(*c, cell), QStringLiteral("inherited"));
        QVERIFY(views::inputsText(*c, cell).contains(QStringLiteral("ffn_norm-2")));
    }

    void runsModelGrowsAndShrinks()
    {
        views::RunsModel model;
        const Tester tester(&model, Tester::FailureReportingMode::QtTest);
        model.setComparison(m_three);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(text(model, 0, views::RunsModel::RunColumn), QStringLiteral("0 ref"));
        QCOMPARE(text(model, 1, views::RunsModel::ClassColumn), QStringLiteral("B"));
        SessionOptions more;
        more.runs = 5;
        model.setComparison(compare::Comparison::compute(makeSession(more)));
        QCOMPARE(model.rowCount(), 5);
        model.setComparison(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void runsModelShowsHiddenAndReference()
    {
        views::RunsModel model;
        const Tester tester(&model, Tester::FailureReportingMode::QtTest);
        compare::Options options;
        options.hiddenRuns = {0};
        options.reference = 2;
        model.setComparison(compare::Comparison::compute(m_three->snapshotPtr(), options));
        QCOMPARE(text(model, 2, 0), QStringLiteral("2 ref"));
        QCOMPARE(model.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QCOMPARE(model.index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QSignalSpy wanted(&model, &views::RunsModel::visibilityRequested);
        QVERIFY(model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().at(0).toInt(), 0);
        QCOMPARE(wanted.first().at(1).toBool(), true);
        QVERIFY(!model.setData(model.index(0, 1), Qt::Checked, Qt::CheckStateRole));
    }

    void recentFilesMarkWhatIsMissing()
    {
        views::RecentFilesModel model;
        const Tester tester(&model, Tester::FailureReportingMode::QtTest);
        model.setFiles({{QStringLiteral("/a/one.ulp"), true, false},
                        {QStringLiteral("/a/two.gguf"), false, true}});
        QCOMPARE(text(model, 0, 0), QStringLiteral("one.ulp"));
        QVERIFY(text(model, 1, 0).contains(QStringLiteral("missing")));
        QVERIFY(model.flags(model.index(0)) & Qt::ItemIsEnabled);
        QVERIFY(!(model.flags(model.index(1)) & Qt::ItemIsEnabled));
        model.setFiles({});
        QCOMPARE(model.rowCount(), 0);
    }
};

static const Registered<ModelsTest> kRegistered;

} // namespace ulp::test

#include "models_test.moc"
