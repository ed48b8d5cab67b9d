// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Menus, command palette, keyboard and help tell the same story.
#include <set>

#include <QMenu>
#include <QMenuBar>
#include <QTest>

#include "app/gui/help_window.h"
#include "app/gui/main_window.h"
#include "app/gui/picker.h"
#include "tests/app/gui/fake_engine.h"
#include "tests/app/gui/registry_test.h"

namespace ulp::test {

class ConsistencyTest : public QObject {
    Q_OBJECT

    FakeEngine m_engine;
    gui::GuiSettings m_settings;

    static void collect(const QMenu* menu, std::set<QAction*>* actions)
    {
        for (QAction* action : menu->actions()) {
            if (action->menu() != nullptr) {
                collect(action->menu(), actions);
            } else if (!action->isSeparator()) {
                actions->insert(action);
            }
        }
    }

  private slots:
    void everyCommandIsInAMenuOnce()
    {
        gui::MainWindow window(m_engine.port(), &m_settings);
        std::set<QAction*> inMenus;
        for (const QAction* top : window.menuBar()->actions()) {
            collect(top->menu(), &inMenus);
        }
        QCOMPARE(inMenus.size(), gui::actionSpecs().size());
        for (const gui::ActionSpec& spec : gui::actionSpecs()) {
            QVERIFY2(inMenus.count(window.actions().get(spec.id)) == 1, spec.id);
        }
    }

    void everyCommandIsInThePalette()
    {
        gui::MainWindow window(m_engine.port(), &m_settings);
        window.show();
        window.actions().get("palette")->trigger();
        const auto* picker = window.findChild<gui::Picker*>();
        QVERIFY(picker != nullptr);
        QCOMPARE(picker->entries().size(), gui::actionSpecs().size());
        QCOMPARE(picker->shownEntries(), static_cast<int>(gui::actionSpecs().size()));
        for (std::size_t i = 0; i < gui::actionSpecs().size(); ++i) {
            QCOMPARE(picker->entries()[i].text, gui::Actions::titleText(gui::actionSpecs()[i]));
        }
    }

    void everyKeyIsInTheHelpAndUnique()
    {
        const QString page = gui::helpPage(QStringLiteral("keyboard"));
        std::set<QString> keys;
        for (const gui::ActionSpec& spec : gui::actionSpecs()) {
            if (*spec.shortcut == '\0') {
                continue;
            }
            const QString row =
                QStringLiteral("| `%1` | %2 |")
                    .arg(gui::Actions::keyText(spec), gui::Actions::titleText(spec));
            QVERIFY2(page.contains(row), spec.id);
            QVERIFY2(keys.insert(gui::Actions::keyText(spec)).second, spec.id);
        }
    }

    void everyHelpPageExists()
    {
        for (const QString& topic : gui::helpTopics()) {
            QVERIFY2(gui::helpPage(topic).startsWith(QLatin1Char('#')), qPrintable(topic));
        }
        QVERIFY(gui::helpPage(QStringLiteral("no-such-page")).isEmpty());
    }

    void everyPanelNamesItsHelp()
    {
        gui::MainWindow window(m_engine.port(), &m_settings);
        const QStringList topics = gui::helpTopics();
        int named = 0;
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const QString topic = widget->property("helpTopic").toString();
            if (!topic.isEmpty()) {
                QVERIFY2(topics.contains(topic), qPrintable(topic));
                ++named;
            }
        }
        QVERIFY(named >= 6);
    }

    void paletteFindsByWordsInAnyOrder()
    {
        gui::Picker picker(QString(),
                           {{QStringLiteral("Next divergence"), {}, true, {}},
                            {QStringLiteral("Next origin"), {}, true, {}}},
                           nullptr);
        picker.setText(QStringLiteral("origin ne"));
        QCOMPARE(picker.shownEntries(), 1);
        picker.setText(QStringLiteral("nothing such"));
        QCOMPARE(picker.shownEntries(), 0);
    }

    void everyTextIsTranslated()
    {
        QFile file(QStringLiteral(ULP_TRANSLATION));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.count("<message") > 300);
        QCOMPARE(text.count("type=\"unfinished\""), 0);
        for (const gui::ActionSpec& spec : gui::actionSpecs()) {
            const QByteArray source = QByteArray(spec.text).replace("&", "&amp;");
            QVERIFY2(text.contains("<source>" + source + "</source>"), spec.id);
        }
    }
};

static const Registered<ConsistencyTest> kRegistered;

} // namespace ulp::test

#include "consistency_test.moc"
