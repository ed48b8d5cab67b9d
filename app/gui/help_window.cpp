// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help_window.h"

#include <vector>

#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>

#include "app/gui/actions.h"
#include "views/theme.h"

namespace ulp::gui {
namespace {

/// The first line of a page is its title.
QString titleOf(const QString& page)
{
    return page.section(QLatin1Char('\n'), 0, 0).remove(QLatin1Char('#')).trimmed();
}

/// Tables from Markdown come with heavy frames; they should look like the program's own.
void calmTables(QTextDocument* document)
{
    for (QTextFrame* frame : document->rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(0);
            format.setCellPadding(4);
            format.setCellSpacing(0);
            format.setTopMargin(8);
            format.setBottomMargin(10);
            table->setFormat(format);
        }
    }
}

/// The importer takes the colour of links from the desktop, which knows nothing of our theme.
void colourLinks(QTextDocument* document)
{
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        std::vector<QTextCursor> links;
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            if (fragment.charFormat().isAnchor()) {
                QTextCursor cursor(document);
                cursor.setPosition(fragment.position());
                cursor.setPosition(fragment.position() + fragment.length(),
                                   QTextCursor::KeepAnchor);
                links.push_back(cursor);
            }
        }
        QTextCharFormat format;
        format.setForeground(views::currentTheme().link);
        for (QTextCursor& link : links) {
            link.mergeCharFormat(format);
        }
    }
}

} // namespace

QStringList helpTopics()
{
    return {QStringLiteral("start"),    QStringLiteral("run"),     QStringLiteral("map"),
            QStringLiteral("tokens"),   QStringLiteral("cell"),    QStringLiteral("sessions"),
            QStringLiteral("policies"), QStringLiteral("sweep"),   QStringLiteral("models"),
            QStringLiteral("filter"),   QStringLiteral("reports"), QStringLiteral("keyboard")};
}

QString helpPage(const QString& topic)
{
    QFile file(QStringLiteral(":/help/%1.md").arg(topic));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QString text = QString::fromUtf8(file.readAll());
    // The SPDX head of the file is for people who read the source.
    if (text.startsWith(QLatin1String("<!--"))) {
        text.remove(0, text.indexOf(QLatin1String("-->")) + 3);
    }
    return text.trimmed().replace(QLatin1String("{{keyboard}}"), Actions::keyboardTable());
}

QString helpTopicOf(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        const QString topic = widget->property("helpTopic").toString();
        if (!topic.isEmpty()) {
            return topic;
        }
    }
    return QStringLiteral("start");
}

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Ulpscope help"));
    resize(860, 620);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_topics = new QListWidget(this);
    m_topics->setObjectName(QStringLiteral("topics"));
    m_topics->setFixedWidth(200);
    m_topics->setFrameShape(QFrame::NoFrame);
    m_page = new QTextBrowser(this);
    m_page->setObjectName(QStringLiteral("page"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->document()->setDocumentMargin(20);
    m_page->setOpenLinks(false);
    layout->addWidget(m_topics);
    layout->addWidget(m_page, 1);
    for (const QString& topic : helpTopics()) {
        auto* item = new QListWidgetItem(titleOf(helpPage(topic)), m_topics);
        item->setData(Qt::UserRole, topic);
    }
    connect(m_topics, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) {
            m_page->setMarkdown(helpPage(item->data(Qt::UserRole).toString()));
            calmTables(m_page->document());
            colourLinks(m_page->document());
        }
    });
    connect(m_page, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& url) { showTopic(url.path().remove(QStringLiteral(".md"))); });
}

void HelpWindow::showTopic(const QString& topic)
{
    const auto row = helpTopics().indexOf(topic);
    m_topics->setCurrentRow(static_cast<int>(row < 0 ? 0 : row));
    show();
    raise();
    activateWindow();
}

} // namespace ulp::gui
