// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fonts, light or dark, and language of the whole program. Thread-safety: GUI thread. Ownership:
// translators belong to the application.
#pragma once

#include <QString>

#include "app/gui/gui_settings.h"

class QApplication;

namespace ulp::gui {

/// Font families and the C locale for numbers; before any widget.
void prepareApplication(QApplication& app);
void applyAppearance(AppearanceChoice choice);
/// "zh_CN", "en" or empty for the system's; before any widget.
void applyLanguage(QApplication& app, const QString& language);

} // namespace ulp::gui
