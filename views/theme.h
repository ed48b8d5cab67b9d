// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The look: one palette for light and one for dark, the colours of hash classes (Okabe & Ito's
// colour-blind-safe set), the cividis map for magnitudes, and the style sheet of ordinary widgets.
// Views read currentTheme() when they paint and drop caches on QEvent::PaletteChange, which
// applyTheme() sends to every widget. Thread-safety: GUI thread only, except cividis().
// Ownership: themes are constants.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;

namespace ulp::views {

enum class Appearance { Light, Dark };

/// Background and text of a verdict pill; contrast at least 4.5:1.
struct Pill {
    QColor background;
    QColor text;
};

/// Every colour that the program draws with. Text colours have a contrast of at least 4.5:1
/// against window, panel and field.
struct Theme {
    Appearance appearance = Appearance::Light;
    QColor window;     // behind the views
    QColor panel;      // side panels and the tool bar
    QColor field;      // inputs
    QColor hover;      // an input or a row under the pointer
    QColor border;     // lines between panels and around inputs
    QColor text;       // what is read
    QColor textMuted;  // labels, axis numbers
    QColor textFaded;  // text after a flip; still readable
    QColor accent;     // the primary button, selections
    QColor accentText; // on accent
    QColor link;       // clickable text on window

    QColor classOne;   // same bits
    QColor classTwo;   // two classes
    QColor classMany;  // three or more
    QColor origin;     // outline of a cell whose inputs were equal
    QColor nonFinite;  // hatching of NaN and infinity
    QColor missing;    // dots of what was not recorded
    QColor cellGrid;   // lines between heatmap cells
    QColor cursorLine; // frame around the cursor's column and row
    QColor chartGrid;  // lines of charts
    QColor flip;       // where a token can flip

    Pill same;       // same bits
    Pill diverged;   // different tokens
    Pill latent;     // same tokens, different bits
    Pill failed;     // NaN, a failed run
    Pill incomplete; // stopped early, nothing to say yet

    [[nodiscard]] bool dark() const { return appearance == Appearance::Dark; }
};

[[nodiscard]] const Theme& themeFor(Appearance appearance);
/// The theme in force; light until applyTheme() was called.
[[nodiscard]] const Theme& currentTheme();
/// Sets Fusion, palette and style sheet, and makes `appearance` the current theme.
void applyTheme(QApplication& app, Appearance appearance);

[[nodiscard]] QPalette paletteFor(const Theme& theme);
/// Ordinary widgets. Dynamic properties choose variants: QPushButton[primary="true"],
/// QToolButton[segment="first|middle|last"], QLabel[role="section|muted|mono|error"],
/// [changed="true"] on inputs that differ from the previous session.
[[nodiscard]] QString styleSheetFor(const Theme& theme);

/// Fill of a cell that holds `classes` hash classes (1, 2, 3 or more).
[[nodiscard]] QColor classFill(const Theme& theme, int classes);
/// Line and swatch of class 0 ("A"), 1 ("B"), ...: neutral, blue, orange, then the rest of the
/// set; repeats after eight.
[[nodiscard]] QColor classLine(const Theme& theme, int classIndex);
/// "A", "B", ..., "Z", "AA", ...
[[nodiscard]] QString className(int classIndex);

/// t in 0..1 (clamped) -> dark blue .. yellow.
[[nodiscard]] QColor cividis(double t);

/// WCAG 2.1 contrast ratio of two opaque colours, 1..21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

/// Fixed-pitch font at the size of the application font, for hashes and tokens.
[[nodiscard]] QFont monospaceFont();
/// The application font, `delta` points larger or smaller (never below 6).
[[nodiscard]] QFont scaledFont(qreal delta);

} // namespace ulp::views
