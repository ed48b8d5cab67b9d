// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The centre of the window for one session: verdict, divergence map with its overview, logit drift,
// margin chart and tokens, all on the shared step axis and the shared cursor. Two of them stand one
// above the other when sessions are compared. Thread-safety: GUI thread. Ownership: Qt's; axis and
// cursor outlive the view.
#pragma once

#include <QWidget>

#include "app/gui/session.h"
#include "engine/compare/comparison.h"
#include "views/axis.h"
#include "views/cursor.h"
#include "views/filter.h"

class QHBoxLayout;
class QLabel;
class QSplitter;
class QToolButton;

namespace ulp::views {
class DivergenceHeatmap;
class DriftHeatmap;
class FilterBox;
class MarginChart;
class OverviewStrip;
class TokenStrip;
class VerdictLine;
} // namespace ulp::views

namespace ulp::gui {

class SessionView : public QWidget {
    Q_OBJECT

  public:
    SessionView(views::StepAxis* axis, views::CursorModel* cursor, QWidget* parent = nullptr);

    /// Takes over what is known of a session; null shows an empty view.
    void showSession(const Session* session);
    void setTitle(const QString& title);
    void setFilter(const views::FilterBox& box);
    void setPart(const QString& name, bool shown); // "drift", "chart", "tokens"

    [[nodiscard]] views::DivergenceHeatmap* map() const { return m_map; }
    [[nodiscard]] views::TokenStrip* tokens() const { return m_tokens; }
    [[nodiscard]] views::VerdictLine* verdict() const { return m_verdict; }
    [[nodiscard]] const compare::ComparisonPtr& comparison() const { return m_comparison; }
    [[nodiscard]] QString filterNote() const;
    /// Empty while the user has not moved anything.
    [[nodiscard]] QByteArray layoutState() const;
    void restoreLayout(const QByteArray& state);

  signals:
    void experimentRequested(const QString& field, const QString& value);
    void filterTermRemoved(int index);
    void activated(); // the user clicked into this one of two

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* buildMapPane();
    QWidget* buildHeader();
    void refreshHeader();
    void fitTokenPane();
    void showFilter(const views::Filter& filter, const views::FilterOutcome& outcome);
    void clearCrumbs();

    views::StepAxis* m_axis;
    views::CursorModel* m_cursor;
    compare::ComparisonPtr m_comparison;
    views::VerdictLine* m_verdict = nullptr;
    QToolButton* m_colour = nullptr;
    QToolButton* m_rows = nullptr;
    QLabel* m_heading = nullptr;
    QWidget* m_crumbs = nullptr;
    QHBoxLayout* m_crumbLayout = nullptr;
    QLabel* m_outside = nullptr;
    QSplitter* m_splitter = nullptr;
    views::DivergenceHeatmap* m_map = nullptr;
    views::OverviewStrip* m_overview = nullptr;
    views::DriftHeatmap* m_drift = nullptr;
    views::MarginChart* m_chart = nullptr;
    views::TokenStrip* m_tokens = nullptr;
    bool m_userSized = false; // the user moved a splitter: sizes are theirs
};

} // namespace ulp::gui
