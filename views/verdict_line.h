// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verdict of a session as one sentence that a person can repeat; its parts are links that move
// the cursor. Where nothing diverged it says what was varied and offers the next experiment.
// Thread-safety: GUI thread. Ownership: Qt's.
#pragma once

#include <vector>

#include <QWidget>

#include "engine/audit/verdict_text.h"
#include "engine/compare/comparison.h"

class QLabel;
class QToolButton;

namespace ulp::views {

/// One next thing to try, as the run panel's fields name it.
struct Experiment {
    QString field; // "threads", "batch", "prefill", "policy", "activation", "steps"
    QString value; // "1, 2"
    QString label; // "2 threads"
};
/// What has not been varied yet and is likely to show something.
[[nodiscard]] std::vector<Experiment> nextExperiments(const compare::Comparison& comparison);

/// The short word of the pill: "Diverged", "Same bits", ...
[[nodiscard]] QString verdictWord(audit::VerdictStatus status);
/// The sentence behind the pill as rich text with links `cell:COLUMN:OP` and `try:INDEX`.
[[nodiscard]] QString verdictHtml(const compare::Comparison& comparison);

class VerdictLine : public QWidget {
    Q_OBJECT

  public:
    explicit VerdictLine(QWidget* parent = nullptr);
    void setComparison(const compare::ComparisonPtr& comparison);
    /// Instead of a verdict: why there is none. `failed` paints it red.
    void setMessage(const QString& word, const QString& message, bool failed);
    /// While runs go on, equal bits are "so far"; before setComparison().
    void setRunning(bool running);
    /// Shown in front of the sentence when two sessions stand one above the other.
    void setTitle(const QString& title);
    [[nodiscard]] QString plainText() const;

  signals:
    void cellActivated(qint64 column, int op);
    void experimentRequested(const QString& field, const QString& value);
    void nextRequested();
    void previousRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void refresh();
    void followLink(const QString& link);

    QLabel* m_title = nullptr;
    QLabel* m_pill = nullptr;
    QLabel* m_text = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    compare::ComparisonPtr m_comparison;
    std::vector<Experiment> m_experiments;
    QString m_word;
    QString m_message;
    bool m_failed = false;
    bool m_running = false;
};

} // namespace ulp::views
