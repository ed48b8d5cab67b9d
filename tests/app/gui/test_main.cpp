// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs every Qt test class of this folder in one application, without a display and with settings
// of its own.
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/gui/appearance.h"
#include "tests/app/gui/registry_test.h"

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    ulp::gui::prepareApplication(app);
    ulp::gui::applyLanguage(app, QStringLiteral("en"));
    ulp::gui::applyAppearance(ulp::gui::AppearanceChoice::Light);
    int failures = 0;
    for (const auto& make : ulp::test::testClasses()) {
        const std::unique_ptr<QObject> object = make();
        failures += QTest::qExec(object.get(), argc, argv);
    }
    return failures == 0 ? 0 : 1;
}
