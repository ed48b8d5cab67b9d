// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/heatmap_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "engine/audit/format.h"
#include "engine/audit/verdict_text.h"
#include "views/text_format.h"
#include "views/theme.h"

namespace ulp::views {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(HeatmapText)
};

/// The sparse entry of an op in a list sorted by op.
template <typename Entry>
const Entry* entryOf(const std::vector<Entry>& entries, int op)
{
    const auto it = std::ranges::lower_bound(entries, op, {}, &Entry::op);
    return it != entries.end() && it->op == op ? &*it : nullptr;
}

const trace::Column* columnOf(const compare::Comparison& comparison, int run, std::int64_t column)
{
    const auto columns = comparison.snapshot().runs[static_cast<std::size_t>(run)]->columns();
    return column >= 0 && column < static_cast<std::int64_t>(columns.size())
               ? &columns[static_cast<std::size_t>(column)]
               : nullptr;
}

QString stateText(compare::CellState state)
{
    QStringList parts;
    if (state.classes == 0) {
        parts << Text::tr("not recorded");
    } else if (state.classes == 1) {
        parts << Text::tr("same bits");
    } else {
        parts << Text::tr("%n classes", nullptr, state.classes);
        parts << ((state.flags & compare::Origin) != 0 ? Text::tr("origin: inputs were equal")
                                                       : Text::tr("inherited"));
    }
    if ((state.flags & compare::HasNonFinite) != 0) {
        parts << Text::tr("NaN or infinity");
    }
    if ((state.flags & compare::Partial) != 0) {
        parts << Text::tr("recorded in some runs only");
    }
    return parts.join(QLatin1String(", "));
}

QString tableRow(const QString& a, const QString& b, const QString& c)
{
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
        .arg(a, b, c);
}

QString code(const QString& text)
{
    return QStringLiteral("<code>%1</code>").arg(text.toHtmlEscaped());
}

QString magnitudeText(const CellMagnitude& largest)
{
    const trace::Magnitude& m = largest.magnitude;
    return Text::tr(
               "run %1 against the reference: %2 of %3 elements, %4 ULP, max |\u0394| %5, rel. L2 "
               "%6")
        .arg(largest.run)
        .arg(m.differing)
        .arg(m.of)
        .arg(QString::fromStdString(audit::formatUlp(m.maxUlp)), differenceText(m.maxAbs),
             differenceText(m.relativeL2));
}

} // namespace

std::optional<CellMagnitude> largestMagnitude(const compare::Comparison& comparison,
                                              std::int64_t column, int op)
{
    std::optional<CellMagnitude> largest;
    for (const int run : comparison.runs()) {
        const trace::Column* record = columnOf(comparison, run, column);
        const trace::Magnitude* entry =
            record != nullptr ? entryOf(record->magnitudes, op) : nullptr;
        if (entry != nullptr &&
            (!largest || !(entry->relativeL2 <= largest->magnitude.relativeL2))) {
            largest = CellMagnitude{run, *entry};
        }
    }
    return largest;
}

QString stepText(const compare::Comparison& comparison, std::int64_t column)
{
    return QString::fromStdString(audit::placeText(comparison, column));
}

QString cellSentence(const compare::Comparison& comparison, std::int64_t column, int op)
{
    const auto& ops = comparison.snapshot().ops;
    if (column < 0 || column >= comparison.columns() || op < 0 ||
        op >= static_cast<int>(std::min<std::int64_t>(comparison.ops(),
                                                      static_cast<std::int64_t>(ops.size())))) {
        return Text::tr("no cell");
    }
    return Text::tr("%1, %2: %3")
        .arg(stepText(comparison, column),
             QString::fromStdString(ops[static_cast<std::size_t>(op)].name),
             stateText(comparison.cell(column, op)));
}

QString cellToolTip(const compare::Comparison& comparison, std::int64_t column, int op,
                    const QString& heading)
{
    const OpInfo& info = comparison.snapshot().ops[static_cast<std::size_t>(op)];
    QString html = QStringLiteral("<div style='white-space:pre'>");
    if (!heading.isEmpty()) {
        html += heading.toHtmlEscaped() + QLatin1String("<br>");
    }
    html +=
        QStringLiteral("<b>%1</b> \u00b7 %2<br>%3 %4 \u00b7 %5")
            .arg(QString::fromStdString(info.name).toHtmlEscaped(),
                 stepText(comparison, column).toHtmlEscaped(),
                 QString::fromStdString(info.kind).toHtmlEscaped(), shapeText(info).toHtmlEscaped(),
                 stateText(comparison.cell(column, op)).toHtmlEscaped());
    const auto classes = comparison.classesAt(column, op);
    constexpr std::size_t kMost = 6;
    html += QLatin1String("<table>");
    for (std::size_t i = 0; i < std::min(classes.size(), kMost); ++i) {
        html += tableRow(QStringLiteral("<b>%1</b>").arg(className(static_cast<int>(i))),
                         runsText(classes[i].runs), code(hashText(classes[i].hash)));
    }
    html += QLatin1String("</table>");
    if (classes.size() > kMost) {
        html += Text::tr("and %1 more classes").arg(classes.size() - kMost) + QLatin1String("<br>");
    }
    if (const auto largest = largestMagnitude(comparison, column, op)) {
        html += magnitudeText(*largest).toHtmlEscaped();
    } else if (comparison.cell(column, op).classes > 1) {
        html += Text::tr("magnitude not recorded");
    }
    for (const int run : comparison.runs()) {
        const trace::Column* record = columnOf(comparison, run, column);
        if (const auto* bad = record != nullptr ? entryOf(record->nonFinite, op) : nullptr) {
            html +=
                QLatin1String("<br>") +
                Text::tr("run %1: %2 NaN, %3 infinite").arg(run).arg(bad->nan).arg(bad->infinite);
        }
    }
    return html + QLatin1String("</div>");
}

QString driftToolTip(const compare::Comparison& comparison, int run, std::int64_t column)
{
    const compare::Drift drift = comparison.drift(run, column);
    QString html =
        QStringLiteral("<div style='white-space:pre'><b>%1</b> \u00b7 %2<br>")
            .arg(Text::tr("run %1").arg(run), stepText(comparison, column).toHtmlEscaped());
    if (!drift.recorded) {
        html += Text::tr("no logits recorded here");
    } else if (run == comparison.reference()) {
        html += Text::tr("the reference run");
    } else {
        html += Text::tr("max |\u0394 logit| %1 \u00b7 %2 ULP \u00b7 KL %3")
                    .arg(differenceText(drift.maxAbs),
                         QString::fromStdString(audit::formatUlp(drift.maxUlp)),
                         differenceText(drift.kl))
                    .toHtmlEscaped();
        if (!drift.sameInput) {
            html +=
                QLatin1String("<br>") +
                Text::tr("other tokens before this step: the texts have parted").toHtmlEscaped();
        }
    }
    return html + QLatin1String("</div>");
}

} // namespace ulp::views
