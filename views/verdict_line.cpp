// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/verdict_line.h"

#include <algorithm>

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QToolButton>

#include "engine/audit/format.h"
#include "engine/audit/settings_text.h"
#include "views/text_format.h"
#include "views/theme.h"

namespace ulp::views {
namespace {

using audit::VerdictStatus;
using compare::Comparison;

struct VerdictText {
    Q_DECLARE_TR_FUNCTIONS(Verdict)
};

QString link(const QString& target, const QString& text)
{
    return QStringLiteral("<a href=\"%1\" style=\"color:%2;text-decoration:none;"
                          "font-weight:600\">%3</a>")
        .arg(target, currentTheme().text.name(), text.toHtmlEscaped());
}

QString cellLink(std::int64_t column, int op, const QString& text)
{
    return link(QStringLiteral("cell:%1:%2").arg(column).arg(op), text);
}

QString strong(const QString& text)
{
    return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
}

QString placeName(const Comparison& comparison, std::int64_t column)
{
    const std::int64_t step = comparison.stepOf(column);
    return step < 0 ? VerdictText::tr("prompt %1").arg(column)
                    : VerdictText::tr("step %1").arg(step);
}

QString classesPart(const Comparison& comparison)
{
    const int classes = comparison.uniqueTraces();
    const auto runs = static_cast<int>(comparison.runs().size());
    const QString text = VerdictText::tr("%n class(es)", nullptr, classes);
    return strong(text) + QStringLiteral(", ") + VerdictText::tr("%n run(s)", nullptr, runs);
}

QString firstPart(const Comparison& comparison)
{
    const auto& first = *comparison.first();
    const QString name =
        QString::fromStdString(comparison.snapshot().ops[static_cast<std::size_t>(first.op)].name);
    QString text =
        VerdictText::tr("parts at %1")
            .arg(cellLink(first.column, first.op,
                          placeName(comparison, first.column) + QStringLiteral(", ") + name));
    if (first.magnitude) {
        text += VerdictText::tr(": %1 of %2 elements, %3 ULP")
                    .arg(first.magnitude->differing)
                    .arg(first.magnitude->of)
                    .arg(QString::fromStdString(audit::formatUlp(first.magnitude->maxUlp))
                             .toHtmlEscaped());
    }
    return text;
}

QString tokenPart(const Comparison& comparison)
{
    const auto& token = *comparison.firstToken();
    const int logits = std::max(static_cast<int>(comparison.ops()) - 1, 0);
    return VerdictText::tr("tokens at %1, margin %2")
        .arg(cellLink(token.column, logits, placeName(comparison, token.column)),
             differenceText(static_cast<double>(token.margin)));
}

QString variedPart(const Comparison& comparison)
{
    const std::string varied = audit::variedText(comparison);
    return varied.empty()
               ? VerdictText::tr("repeated without varying a setting")
               : VerdictText::tr("varied: %1").arg(QString::fromStdString(varied).toHtmlEscaped());
}

QString reasonPart(const Comparison& comparison)
{
    return QString::fromStdString(comparison.reason()).toHtmlEscaped();
}

QString noteOf(const Comparison& comparison, int run)
{
    const trace::RunRecord& record = *comparison.snapshot().runs[static_cast<std::size_t>(run)];
    const QString place =
        record.columnCount == 0
            ? VerdictText::tr("the start")
            : placeName(comparison, static_cast<std::int64_t>(record.columnCount) - 1);
    switch (record.status) {
    case trace::RunStatus::Cancelled:
        return VerdictText::tr("run %1 was stopped at %2").arg(run).arg(place);
    case trace::RunStatus::Incomplete:
        return VerdictText::tr("run %1 was cut short at %2").arg(run).arg(place);
    case trace::RunStatus::Failed:
        return VerdictText::tr("run %1 failed at %2: %3")
            .arg(run)
            .arg(place, QString::fromStdString(record.error).toHtmlEscaped());
    default:
        return {};
    }
}

/// One note for each run that ended early; the status line tells about those still going.
QStringList notes(const Comparison& comparison)
{
    constexpr qsizetype kMost = 3;
    QStringList texts;
    for (const int run : comparison.runs()) {
        const QString note = noteOf(comparison, run);
        if (!note.isEmpty() && texts.size() < kMost) {
            texts << note;
        } else if (!note.isEmpty()) {
            texts << QStringLiteral("…");
            break;
        }
    }
    return texts;
}

const Pill& pillFor(VerdictStatus status)
{
    const Theme& theme = currentTheme();
    switch (status) {
    case VerdictStatus::SameBits:
        return theme.same;
    case VerdictStatus::SameTokensDifferentBits:
        return theme.latent;
    case VerdictStatus::Diverged:
        return theme.diverged;
    case VerdictStatus::Failed:
        return theme.failed;
    default:
        return theme.incomplete;
    }
}

bool allEqual(const Comparison& comparison, Policy policy)
{
    const auto& all = comparison.snapshot().runs;
    return std::all_of(comparison.runs().begin(), comparison.runs().end(), [&](int run) {
        return all[static_cast<std::size_t>(run)]->settings.policy == policy;
    });
}

} // namespace

std::vector<Experiment> nextExperiments(const Comparison& comparison)
{
    std::vector<Experiment> list;
    if (comparison.runs().empty()) {
        return list;
    }
    const auto varied = audit::variedSettings(comparison);
    const auto isVaried = [&varied](std::string_view word) {
        return std::any_of(varied.begin(), varied.end(), [word](const auto& setting) {
            return setting.name.find(word) != std::string::npos;
        });
    };
    const RunSettings& settings =
        comparison.snapshot().runs[static_cast<std::size_t>(comparison.reference())]->settings;
    const auto add = [&list](const char* field, const char* value, const QString& label) {
        list.push_back({QLatin1String(field), QLatin1String(value), label});
    };
    if (allEqual(comparison, Policy::Ordered)) {
        if (!isVaried("threads")) {
            add("threads", "1, 2", VerdictText::tr("1 and 2 threads"));
        }
        if (!isVaried("batch")) {
            add("batch", "1, 4", VerdictText::tr("batch 1 and 4"));
        }
        if (!isVaried("prefill")) {
            add("prefill", "1, 512", VerdictText::tr("prefill cut 1 and 512"));
        }
        add("policy", "atomic", VerdictText::tr("policy atomic"));
        return list;
    }
    if (settings.threads < 2) {
        add("threads", "2", VerdictText::tr("2 threads"));
    }
    if (settings.batch < 2) {
        add("batch", "4", VerdictText::tr("batch 4"));
    }
    if (settings.activation == Precision::F32) {
        add("activation", "bf16", VerdictText::tr("bf16 activations"));
    }
    return list;
}

QString verdictWord(VerdictStatus status)
{
    switch (status) {
    case VerdictStatus::Empty:
        return VerdictText::tr("No runs yet");
    case VerdictStatus::Incomplete:
        return VerdictText::tr("Incomplete");
    case VerdictStatus::SameBits:
        return VerdictText::tr("Same bits");
    case VerdictStatus::SameTokensDifferentBits:
        return VerdictText::tr("Same tokens, different bits");
    case VerdictStatus::Diverged:
        return VerdictText::tr("Diverged");
    case VerdictStatus::Failed:
        return VerdictText::tr("Failed");
    case VerdictStatus::Incomparable:
        return VerdictText::tr("Not comparable");
    }
    return {};
}

QString verdictHtml(const Comparison& comparison)
{
    const VerdictStatus status = audit::verdictStatus(comparison);
    QStringList parts;
    if (!comparison.reason().empty()) {
        parts << reasonPart(comparison);
    }
    if (status == VerdictStatus::Empty || status == VerdictStatus::Incomparable) {
        if (parts.isEmpty()) {
            parts << VerdictText::tr("two runs are needed to compare");
        }
    } else {
        parts << classesPart(comparison);
        if (comparison.first()) {
            parts << firstPart(comparison);
            if (comparison.firstToken()) {
                parts << tokenPart(comparison);
            }
        } else {
            parts << variedPart(comparison);
        }
    }
    parts << notes(comparison);
    const QString bar =
        QStringLiteral("<span style=\"color:%1\"> │ </span>").arg(currentTheme().textMuted.name());
    QString html = parts.join(bar);
    if (status == VerdictStatus::SameBits) {
        QStringList tries;
        int index = 0;
        for (const Experiment& experiment : nextExperiments(comparison)) {
            tries << QStringLiteral("<a href=\"try:%1\" style=\"color:%2\">%3</a>")
                         .arg(index++)
                         .arg(currentTheme().link.name(), experiment.label.toHtmlEscaped());
        }
        if (!tries.isEmpty()) {
            html += bar + VerdictText::tr("try %1").arg(tries.join(QStringLiteral(" · ")));
        }
    }
    return html;
}

VerdictLine::VerdictLine(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 6, 6);
    layout->setSpacing(8);
    m_title = new QLabel(this);
    m_title->setProperty("role", "section");
    m_title->hide();
    m_pill = new QLabel(this);
    m_pill->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_pill->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_text = new QLabel(this);
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_text->setFocusPolicy(Qt::StrongFocus);
    m_text->setAccessibleName(tr("Verdict"));
    connect(m_text, &QLabel::linkActivated, this, &VerdictLine::followLink);
    const auto button = [this](const QString& text, const QString& tip, auto signal) {
        auto* tool = new QToolButton(this);
        tool->setText(text);
        tool->setToolTip(tip);
        tool->setAccessibleName(tip);
        tool->setProperty("flat", true);
        connect(tool, &QToolButton::clicked, this, signal);
        return tool;
    };
    m_previous = button(QStringLiteral("‹ ⇧N"), tr("Previous divergence (Shift+N)"),
                        &VerdictLine::previousRequested);
    m_next = button(QStringLiteral("N ›"), tr("Next divergence (N)"), &VerdictLine::nextRequested);
    layout->addWidget(m_title);
    layout->addWidget(m_pill);
    layout->addWidget(m_text, 1);
    auto* steps = new QHBoxLayout;
    steps->setSpacing(0);
    steps->addWidget(m_previous);
    steps->addWidget(m_next);
    layout->addLayout(steps);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    refresh();
}

void VerdictLine::setComparison(const compare::ComparisonPtr& comparison)
{
    m_comparison = comparison;
    m_message.clear();
    refresh();
}

void VerdictLine::setMessage(const QString& word, const QString& message, bool failed)
{
    m_word = word;
    m_message = message;
    m_failed = failed;
    refresh();
}

void VerdictLine::setRunning(bool running)
{
    m_running = running;
}

void VerdictLine::setTitle(const QString& title)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
}

QString VerdictLine::plainText() const
{
    return m_pill->text() + QStringLiteral(": ") +
           QTextDocumentFragment::fromHtml(m_text->text()).toPlainText();
}

void VerdictLine::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
    QWidget::changeEvent(event);
}

void VerdictLine::refresh()
{
    Pill pill = currentTheme().incomplete;
    QString word = m_word;
    QString html = m_message.toHtmlEscaped();
    m_experiments.clear();
    if (!m_message.isEmpty()) {
        pill = m_failed ? currentTheme().failed : pill;
    } else if (m_comparison) {
        const VerdictStatus status = audit::verdictStatus(*m_comparison);
        pill = pillFor(status);
        word = m_running && status == VerdictStatus::Incomplete ? tr("Same bits so far")
                                                                : verdictWord(status);
        html = verdictHtml(*m_comparison);
        m_experiments = nextExperiments(*m_comparison);
    } else {
        word = verdictWord(VerdictStatus::Empty);
        html = tr("Press Run to start, or open a trace.");
    }
    const bool diverged = m_message.isEmpty() && m_comparison && m_comparison->first();
    m_previous->setEnabled(diverged);
    m_next->setEnabled(diverged);
    const QString style = QStringLiteral("QLabel { background: %1; color: %2; border-radius: 9px;"
                                         " padding: 3px 10px; font-weight: 600; }")
                              .arg(pill.background.name(), pill.text.name());
    if (m_pill->text() != word || m_pill->styleSheet() != style) {
        m_pill->setStyleSheet(style);
        m_pill->setText(word);
    }
    if (m_text->text() != html) {
        m_text->setText(html);
    }
}

void VerdictLine::followLink(const QString& target)
{
    const QStringList parts = target.split(QLatin1Char(':'));
    if (parts.size() == 3 && parts.first() == QLatin1String("cell")) {
        emit cellActivated(parts.at(1).toLongLong(), parts.at(2).toInt());
    } else if (parts.size() == 2 && parts.first() == QLatin1String("try")) {
        const auto index = static_cast<std::size_t>(parts.at(1).toInt());
        if (index < m_experiments.size()) {
            emit experimentRequested(m_experiments[index].field, m_experiments[index].value);
        }
    }
}

} // namespace ulp::views
