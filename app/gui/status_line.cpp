// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/status_line.h"

#include <algorithm>
#include <set>

#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QStyle>

#include "views/cell_tables.h"
#include "views/text_format.h"

namespace ulp::gui {
namespace {

/// Resident memory of this process, from Linux; 0 elsewhere.
std::int64_t residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QList<QByteArray> fields = file.readAll().split(' ');
    return fields.size() > 1 ? fields.at(1).toLongLong() * 4096 : 0;
}

QString isaText(Isa isa)
{
    switch (isa) {
    case Isa::Avx512:
        return QStringLiteral("AVX-512");
    case Isa::Avx2:
        return QStringLiteral("AVX2");
    case Isa::Portable:
        return StatusLine::tr("portable");
    case Isa::Auto:
        return StatusLine::tr("auto");
    }
    return {};
}

QString distinct(const trace::Snapshot& snapshot,
                 const std::function<QString(const RunSettings&)>& f)
{
    QStringList texts;
    for (const auto& run : snapshot.runs) {
        const QString text = f(run->settings);
        if (!texts.contains(text)) {
            texts << text;
        }
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent)
{
    setSizeGripEnabled(false);
    setContentsMargins(8, 0, 8, 0);
    m_cursor = addLabel(false);
    m_recorded = addLabel(false);
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setFixedWidth(110);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->hide();
    addWidget(m_bar);
    m_progress = addLabel(false);
    m_note = new QLabel(this);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addWidget(m_note, 1);
    m_facts = addLabel(true);
}

QLabel* StatusLine::addLabel(bool right)
{
    auto* label = new QLabel(this);
    label->setProperty("role", "muted");
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContentsMargins(4, 0, 8, 0);
    if (right) {
        addPermanentWidget(label);
    } else {
        addWidget(label);
    }
    return label;
}

void StatusLine::showCursor(const compare::Comparison* comparison, const views::CellCursor& cell)
{
    if (comparison == nullptr || !views::isInside(cell, *comparison)) {
        m_cursor->clear();
        return;
    }
    m_cursor->setText(views::cellTitle(*comparison, cell) + QStringLiteral(" · ") +
                      tr("run %1").arg(cell.run));
}

void StatusLine::showSession(const Session* session)
{
    const bool known = session != nullptr && session->comparison != nullptr;
    m_recorded->setVisible(known);
    m_bar->setVisible(session != nullptr && session->running());
    m_progress->clear();
    if (session != nullptr) {
        showProgress(*session);
    }
    m_progress->setVisible(!m_progress->text().isEmpty());
    if (!known) {
        m_facts->clear();
        return;
    }
    const compare::Comparison& c = *session->comparison;
    m_recorded->setText(
        tr("recorded %1 × %2 × %3 cells").arg(c.runs().size()).arg(c.columns()).arg(c.ops()));
    const trace::Snapshot& snapshot = c.snapshot();
    QStringList facts = {
        tr("contract %1").arg(snapshot.contract), QStringLiteral("xxh3-64"),
        tr("%1 threads")
            .arg(distinct(snapshot,
                          [](const RunSettings& s) { return QString::number(s.threads); })),
        distinct(snapshot, [](const RunSettings& s) { return isaText(s.isa); })};
    if (const std::int64_t bytes = residentBytes(); bytes > 0) {
        facts << views::bytesText(bytes);
    }
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void StatusLine::showProgress(const Session& session)
{
    const worker::Progress& p = session.progress;
    switch (session.state) {
    case SessionState::Running: {
        const double inRun =
            p.columns > 0 ? static_cast<double>(p.column) / static_cast<double>(p.columns) : 0.0;
        const double all = p.runs > 0 ? (p.run + inRun) / p.runs : 0.0;
        m_bar->setValue(static_cast<int>(1000 * std::clamp(all, 0.0, 1.0)));
        m_progress->setText(session.stopRequested ? tr("stopping…")
                            : p.runs == 0 || (p.run == 0 && p.column == 0)
                                ? tr("starting…")
                                : tr("run %1 of %2 · %3 tok/s · %4 left")
                                      .arg(p.run + 1)
                                      .arg(p.runs)
                                      .arg(p.tokensPerSecond, 0, 'f', 0)
                                      .arg(views::durationText(p.secondsLeft)));
        break;
    }
    case SessionState::Finished:
        m_progress->setText(tr("done in %1").arg(views::durationText(session.seconds)));
        break;
    case SessionState::Stopped:
        m_progress->setText(tr("stopped after %1").arg(views::durationText(session.seconds)));
        break;
    case SessionState::Opening:
        m_progress->setText(tr("opening…"));
        break;
    case SessionState::Opened:
        m_progress->setText(tr("read-only"));
        break;
    case SessionState::Failed:
        break;
    }
}

void StatusLine::showLoading(double fraction)
{
    m_bar->setVisible(fraction < 1.0);
    m_bar->setValue(static_cast<int>(1000 * fraction));
    m_progress->setVisible(fraction < 1.0);
    m_progress->setText(tr("loading the model…"));
}

void StatusLine::showNote(const QString& text, bool wrong)
{
    m_note->setProperty("role", wrong ? "error" : "muted");
    m_note->style()->unpolish(m_note);
    m_note->style()->polish(m_note);
    m_note->setText(text);
    m_note->setToolTip(text);
}

QString StatusLine::note() const
{
    return m_note->text();
}

} // namespace ulp::gui
