// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QSignalSpy>
#include <QTest>

#include "engine/compare/near_tie.h"
#include "tests/app/gui/registry_test.h"
#include "tests/engine/support/snapshot_maker.h"
#include "views/run_panel.h"
#include "views/run_setup.h"
#include "views/text_format.h"
#include "views/token_strip.h"

namespace ulp::test {

using views::RunField;

class SetupTest : public QObject {
    Q_OBJECT

    static views::RunSetup good()
    {
        views::RunSetup setup;
        setup.modelPath = QStringLiteral("m.gguf");
        setup.prompt = QStringLiteral("x");
        return setup;
    }

    static bool refuses(const views::RunSetup& setup, RunField field,
                        const views::RunLimits& limits = {})
    {
        const auto errors = views::checkSetup(setup, limits);
        return std::any_of(errors.begin(), errors.end(),
                           [field](const auto& error) { return error.field == field; });
    }

  private slots:
    void runsTakeCombinationsInTurn()
    {
        views::RunSetup setup = good();
        setup.runs = 5;
        setup.threads = {1, 2};
        setup.batch = {1, 4};
        const auto runs = setup.runSettings();
        QCOMPARE(runs.size(), std::size_t(5));
        QCOMPARE(runs[0].threads, 1);
        QCOMPARE(runs[1].threads, 2);
        QCOMPARE(runs[1].batch, 1);
        QCOMPARE(runs[2].batch, 4);
        QCOMPARE(runs[3].threads, 2);
        QCOMPARE(runs[4], runs[0]);
    }

    void refusesByField()
    {
        QVERIFY(views::checkSetup(good(), {}).empty());
        views::RunSetup setup = good();
        setup.modelPath.clear();
        QVERIFY(refuses(setup, RunField::Model));
        setup = good();
        setup.batch = {0};
        QVERIFY(refuses(setup, RunField::Batch));
        setup = good();
        setup.settings.reductionChunk = 33;
        QVERIFY(refuses(setup, RunField::ReductionChunk));
        setup = good();
        setup.settings.device = Device::Cuda;
        QVERIFY(refuses(setup, RunField::Device));
        views::RunLimits limits;
        limits.isas = {Isa::Portable};
        setup = good();
        setup.settings.isa = Isa::Avx512;
        QVERIFY(refuses(setup, RunField::Isa, limits));
        limits.context = 32;
        QVERIFY(refuses(good(), RunField::Steps, limits));
        setup = good();
        setup.runs = 3;
        setup.threads = {1, 2};
        setup.batch = {1, 2};
        QVERIFY(refuses(setup, RunField::Runs));
    }

    void panelGivesBackWhatItWasGiven()
    {
        views::RunPanel panel;
        views::RunSetup setup = good();
        setup.threads = {1, 2};
        setup.settings.policy = Policy::Kahan;
        setup.settings.activation = Precision::Bf16;
        setup.settings.reductionChunk = 96;
        setup.settings.steps = 77;
        setup.settings.seed = 18446744073709551615ULL;
        setup.settings.opPolicies = {{"ffn_out-*", Policy::Atomic}};
        panel.setSetup(setup);
        QCOMPARE(panel.setup(), setup);
        QVERIFY(panel.valid());
    }

    void panelShowsEngineErrorsUntilTheNextEdit()
    {
        views::RunPanel panel;
        panel.setSetup(good());
        panel.showError(RunField::Model, QStringLiteral("no such tensor"));
        QVERIFY(!panel.valid());
        panel.setSetup(good());
        QVERIFY(panel.valid());
    }

    void changesAreNamed()
    {
        views::RunSetup other = good();
        other.settings.policy = Policy::Ordered;
        other.threads = {1};
        views::RunSetup base = good();
        base.settings.policy = Policy::Atomic;
        const auto fields = views::changedFields(other, base);
        QCOMPARE(fields, (std::vector<RunField>{RunField::Policy, RunField::Threads}));
        QVERIFY(views::changedFields(base, base).empty());
    }

    void tokensAreVisible()
    {
        QCOMPARE(views::visibleToken(" a"), QStringLiteral(" a"));
        QCOMPARE(views::visibleToken("  "), QStringLiteral("␣␣"));
        QCOMPARE(views::visibleToken("\n"), QStringLiteral("↵"));
        QCOMPARE(views::visibleToken("\x01"), QStringLiteral("\u2401"));
        QCOMPARE(views::visibleToken("\xE2\x82"), QStringLiteral("\\xe2\\x82"));
        QCOMPARE(views::visibleToken("é"), QStringLiteral("é"));
        QCOMPARE(views::runsText({0, 1, 2, 5, 7}), QStringLiteral("0–2 5 7"));
        QCOMPARE(views::hashText(0x9f31c07e11d483abULL), QStringLiteral("9f31 c07e 11d4 83ab"));
        QCOMPARE(views::shellQuoted(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
    }

    void tokenStripHasALineForEachClass()
    {
        views::CursorModel cursor;
        views::TokenStrip strip(&cursor);
        SessionOptions options;
        options.runs = 4;
        options.divergences = {{1, 3, "ffn_out-2", 1, false}};
        options.flips = {{1, 8, 1}};
        const auto c = compare::Comparison::compute(makeSession(options));
        strip.setComparison(c, compare::largestDrift(*c));
        QCOMPARE(strip.lineTexts().size(), 2);
        strip.setUnfolded(0, true);
        QCOMPARE(strip.lineTexts().size(), 5);
        strip.setUnfolded(0, false);
        const int few = strip.nearTies();
        strip.setComparison(c, 1.0); // everything is near when drift is that large
        QVERIFY(strip.nearTies() > few);
        strip.setComparison(c, 0.0); // no drift, no near-ties
        QCOMPARE(strip.nearTies(), 0);
        strip.setComparison(nullptr, 0.0);
        QCOMPARE(strip.lineTexts().size(), 0);
    }

    void everyLineOutlinesItsOwnFlip()
    {
        views::CursorModel cursor;
        views::TokenStrip strip(&cursor);
        SessionOptions options;
        options.runs = 4;
        options.divergences = {{1, 3, "ffn_out-2", 1, false}, {2, 3, "ffn_out-2", 2, false}};
        options.flips = {{1, 8, 1}, {2, 20, 1}};
        const auto c = compare::Comparison::compute(makeSession(options));
        strip.setComparison(c, compare::largestDrift(*c));
        const std::vector<std::int64_t> at = strip.outlinedPositions();
        QCOMPARE(at.size(), std::size_t{3});
        QCOMPARE(at[0], at[1]); // the reference shows the first place where another leaves it
        QCOMPARE(at[2] - at[1], std::int64_t{12});
    }
};

static const Registered<SetupTest> kRegistered;

} // namespace ulp::test

#include "setup_test.moc"
