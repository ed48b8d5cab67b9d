// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_pdf.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QTextDocument>
#include <QUrl>

#include "engine/audit/coverage.h"
#include "engine/audit/format.h"
#include "engine/audit/settings_text.h"
#include "engine/audit/verdict_text.h"
#include "views/axis.h"
#include "views/cell_tables.h"
#include "views/divergence_heatmap.h"
#include "views/text_format.h"
#include "views/theme.h"

namespace ulp::gui {
namespace {

constexpr int kMostRows = 24; // longer tables end in a pointer to the JSON report
constexpr int kResolution = 144;
constexpr QSize kMapSize(1000, 560);  // of the widget that paints it
constexpr QSize kMapOnPage(670, 375); // in the document's pixels, 96 to an inch

struct PdfText {
    Q_DECLARE_TR_FUNCTIONS(Pdf)
};

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString cell(const QString& text, const char* tag = "td")
{
    return QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), text);
}

QString pairTable(const std::vector<std::pair<QString, QString>>& rows)
{
    QString html = QStringLiteral("<table cellpadding=\"3\" width=\"100%\">");
    for (const auto& [name, value] : rows) {
        html += QStringLiteral("<tr><td width=\"26%\"><span class=\"muted\">%1</span></td>"
                               "<td>%2</td></tr>")
                    .arg(name, value);
    }
    return html + QStringLiteral("</table>");
}

QString modelSection(const compare::Comparison& c)
{
    const trace::Snapshot& s = c.snapshot();
    return QStringLiteral("<h2>%1</h2>").arg(PdfText::tr("What was run")) +
           pairTable({{PdfText::tr("model"), escaped(s.model.name)},
                      {PdfText::tr("file"), escaped(s.model.path)},
                      {QStringLiteral("SHA-256"),
                       QStringLiteral("<code>%1</code>").arg(escaped(s.model.sha256))},
                      {PdfText::tr("prompt"), escaped(audit::visibleText(s.prompt))},
                      {PdfText::tr("recorded"), escaped(s.created)},
                      {PdfText::tr("contract"), QString::number(s.contract)},
                      {PdfText::tr("cells"), PdfText::tr("%1 runs × %2 columns × %3 ops")
                                                 .arg(c.runs().size())
                                                 .arg(c.columns())
                                                 .arg(c.ops())}});
}

QString settingsSection(const compare::Comparison& c)
{
    std::vector<std::pair<QString, QString>> rows;
    const auto& runs = c.snapshot().runs;
    if (runs.empty()) {
        return {};
    }
    const auto varied = audit::variedSettings(c);
    const auto& reference = *runs[static_cast<std::size_t>(c.reference())];
    for (const audit::SettingText& setting : audit::settingTexts(reference.settings)) {
        const auto it = std::find_if(varied.begin(), varied.end(),
                                     [&](const auto& v) { return v.name == setting.name; });
        rows.emplace_back(escaped(setting.name),
                          it == varied.end() ? escaped(setting.value)
                                             : QStringLiteral("<b>%1</b> %2")
                                                   .arg(escaped(audit::join(it->values, ", ")),
                                                        PdfText::tr("(varied between the runs)")));
    }
    return QStringLiteral("<h2>%1</h2>").arg(PdfText::tr("Settings")) + pairTable(rows);
}

QString mapSection(const compare::Comparison& c)
{
    if (c.ops() == 0 || c.columns() == 0) {
        return {};
    }
    return QStringLiteral("<h2>%1</h2><p><img src=\"map.png\" width=\"%3\" height=\"%4\"></p>"
                          "<p class=\"muted\">%2</p>")
        .arg(PdfText::tr("Divergence: ops by steps"),
             PdfText::tr(
                 "Grey: same bits. Blue: two classes. Orange: three or more. Outlined: the output "
                 "differs although all inputs were equal. Hatched: NaN or infinity. Dotted: not "
                 "recorded. Each row shows the worst of its ops."))
        .arg(kMapOnPage.width())
        .arg(kMapOnPage.height());
}

QString tableHtml(const QStringList& header, const views::TableRows& rows)
{
    QString html = QStringLiteral("<table cellpadding=\"3\" width=\"100%\"><tr>");
    for (const QString& name : header) {
        html += QStringLiteral("<th align=\"left\">%1</th>").arg(name.toHtmlEscaped());
    }
    html += QStringLiteral("</tr>");
    int count = 0;
    for (const auto& row : rows) {
        if (count++ == kMostRows) {
            html +=
                QStringLiteral("<tr><td colspan=\"%1\"><span class=\"muted\">%2</span></td></tr>")
                    .arg(header.size())
                    .arg(PdfText::tr("… the JSON report has all %1 rows").arg(rows.size()));
            break;
        }
        html += QStringLiteral("<tr>");
        for (const views::TableCell& value : row) {
            const QString text = value.text.toHtmlEscaped();
            html += cell(value.monospace ? QStringLiteral("<code>%1</code>").arg(text) : text);
        }
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

QString firstSection(const compare::Comparison& c)
{
    if (!c.first()) {
        return {};
    }
    const views::CellCursor at{c.reference(), c.first()->op, c.first()->column};
    return QStringLiteral("<h2>%1</h2><p><b>%2</b>: %3; %4</p>")
               .arg(PdfText::tr("First divergence"), views::cellTitle(c, at).toHtmlEscaped(),
                    views::kindText(c, at).toHtmlEscaped(),
                    PdfText::tr("inputs %1").arg(views::inputsText(c, at).toHtmlEscaped())) +
           tableHtml(views::classHeader(), views::classRows(c, at)) +
           tableHtml(views::magnitudeHeader(), views::magnitudeRows(c, at));
}

QString runsSection(const compare::Comparison& c)
{
    views::TableRows rows;
    for (const int run : c.runs()) {
        const auto& record = *c.snapshot().runs[static_cast<std::size_t>(run)];
        std::size_t group = 0;
        while (group < c.runClasses().size()) {
            const auto& members = c.runClasses()[group].runs;
            if (std::find(members.begin(), members.end(), run) != members.end()) {
                break;
            }
            ++group;
        }
        const auto text = [](const QString& value, bool mono = false) {
            views::TableCell result;
            result.text = value;
            result.monospace = mono;
            return result;
        };
        const std::string_view status = trace::toString(record.status);
        rows.push_back(
            {text(QString::number(run)), text(views::className(static_cast<int>(group))),
             text(QString::fromUtf8(status.data(), static_cast<qsizetype>(status.size()))),
             text(QString::number(record.columnCount)),
             text(QString::number(c.nonFiniteCells(run))),
             text(QString::fromStdString(record.traceHash).left(16), true)});
    }
    return QStringLiteral("<h2>%1</h2>").arg(PdfText::tr("Runs")) +
           tableHtml({PdfText::tr("run"), PdfText::tr("class"), PdfText::tr("status"),
                      PdfText::tr("columns"), PdfText::tr("non-finite cells"),
                      PdfText::tr("trace hash (first 16 digits)")},
                     rows);
}

QString environmentSection(const compare::Comparison& c)
{
    std::vector<std::pair<QString, QString>> rows;
    for (const auto& [key, value] : c.snapshot().fingerprint) {
        rows.emplace_back(escaped(key), escaped(value));
    }
    return QStringLiteral("<h2>%1</h2>").arg(PdfText::tr("Environment")) + pairTable(rows);
}

QString notCheckedSection(const compare::Comparison& c)
{
    QString html = QStringLiteral("<h2>%1</h2><ul>").arg(PdfText::tr("What was not checked"));
    for (const std::string& sentence : audit::notChecked(c)) {
        html += QStringLiteral("<li>%1</li>").arg(escaped(sentence));
    }
    return html + QStringLiteral("</ul>");
}

void paintPages(QTextDocument& document, QPdfWriter& writer, QPainter& painter)
{
    const QSizeF page = document.pageSize();
    const int pages = document.pageCount();
    for (int i = 0; i < pages; ++i) {
        if (i > 0) {
            writer.newPage();
        }
        painter.save();
        painter.translate(0, -i * page.height());
        document.drawContents(&painter, QRectF(0, i * page.height(), page.width(), page.height()));
        painter.restore();
        painter.setPen(Qt::gray);
        painter.drawText(QRectF(0, page.height(), page.width(), 40),
                         Qt::AlignRight | Qt::AlignVCenter,
                         PdfText::tr("Ulpscope · page %1 of %2").arg(i + 1).arg(pages));
    }
}

} // namespace

QImage reportMap(const compare::ComparisonPtr& comparison)
{
    if (comparison->ops() == 0 || comparison->columns() == 0) {
        return {};
    }
    views::StepAxis axis;
    views::CursorModel cursor;
    axis.setComparisons({comparison});
    views::DivergenceHeatmap map;
    map.setStepAxis(&axis);
    map.setCursorModel(&cursor);
    map.setComparison(comparison);
    QImage image = map.grabImage(kMapSize, 2.0, views::Appearance::Light);
    image.setDevicePixelRatio(1.0); // the document gives its size
    return image;
}

QString pdfHtml(const compare::Comparison& c)
{
    return QStringLiteral("<h1>%1</h1><p class=\"verdict\">%2</p>")
               .arg(PdfText::tr("Ulpscope report"), escaped(audit::verdictSentence(c))) +
           mapSection(c) + firstSection(c) + runsSection(c) + modelSection(c) + settingsSection(c) +
           environmentSection(c) + notCheckedSection(c);
}

Result<void> writePdf(const compare::Comparison& comparison, const QImage& map, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return makeError(ErrorCode::Io, file.errorString().toStdString(), path.toStdString(),
                         "choose a folder that can be written to");
    }
    {
        QPdfWriter writer(&file);
        writer.setResolution(kResolution);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(16, 16, 16, 20), QPageLayout::Millimeter);
        writer.setTitle(QStringLiteral("Ulpscope report"));
        writer.setCreator(QStringLiteral("Ulpscope"));
        QTextDocument document;
        document.documentLayout()->setPaintDevice(&writer);
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPointSizeF(8.5);
        document.setDefaultFont(font);
        document.setDocumentMargin(0);
        document.setDefaultStyleSheet(QStringLiteral(
            "h1 { font-size: 18pt; } h2 { font-size: 11pt; margin-top: 14px; }"
            ".muted { color: #5c6678; } .verdict { font-size: 11pt; }"
            "th { color: #5c6678; } code { font-family: 'DejaVu Sans Mono', monospace; }"));
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("map.png")), map);
        document.setPageSize(QSizeF(writer.width(), writer.height()));
        document.setHtml(pdfHtml(comparison));
        QPainter painter(&writer);
        painter.setFont(font);
        paintPages(document, writer, painter);
    }
    if (!file.commit()) {
        return makeError(ErrorCode::Io, file.errorString().toStdString(), path.toStdString(),
                         "free some space or choose another folder");
    }
    return {};
}

} // namespace ulp::gui
