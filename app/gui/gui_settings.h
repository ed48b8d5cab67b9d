// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every setting that the inspector keeps between starts, in one place: window and layout (with a
// version, so that an upgrade never restores a layout it does not know), appearance, language,
// recent files, last run setup. Thread-safety: GUI thread. Ownership: owns its QSettings.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include "views/recent_files_model.h"
#include "views/run_setup.h"

namespace ulp::gui {

enum class AppearanceChoice { System, Light, Dark };

class GuiSettings {
  public:
    /// Raised when the meaning of a stored layout changes.
    static constexpr int kLayoutVersion = 1;

    GuiSettings();

    [[nodiscard]] AppearanceChoice appearance() const;
    void setAppearance(AppearanceChoice choice);
    /// "en", "zh_CN" or empty: follow the system.
    [[nodiscard]] QString language() const;
    void setLanguage(const QString& language);

    [[nodiscard]] std::vector<views::RecentFile> recentFiles() const; // missing ones marked
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    [[nodiscard]] QByteArray layout(const QString& name) const;
    void setLayout(const QString& name, const QByteArray& state);
    [[nodiscard]] bool shown(const QString& name, bool fallback) const;
    void setShown(const QString& name, bool shown);

    /// The setup of the last run; the default where nothing is kept.
    [[nodiscard]] views::RunSetup lastSetup() const;
    void setLastSetup(const views::RunSetup& setup);

  private:
    [[nodiscard]] QString layoutKey(const QString& name) const;
    QSettings m_settings;
};

} // namespace ulp::gui
