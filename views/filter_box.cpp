// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter_box.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>
#include <QStyle>

#include "views/theme.h"

namespace ulp::views {

FilterBox::FilterBox(QWidget* parent) : QLineEdit(parent)
{
    setPlaceholderText(tr("Filter: layer 2..5 attn diverged (Ctrl+F)"));
    setAccessibleName(tr("Filter"));
    setToolTip(tr("Words are ANDed: layer 2..5, step 10..40, an op name or glob, diverged, origin, "
                  "nan, ulp>8; a minus excludes."));
    m_words = new QStringListModel(this);
    m_completer = new QCompleter(m_words, this);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(12);
    connect(m_completer, QOverload<const QString&>::of(&QCompleter::activated), this,
            &FilterBox::complete);
    connect(this, &QLineEdit::textChanged, this, &FilterBox::parse);
    connect(this, &QLineEdit::textEdited, this, &FilterBox::offerCompletions);
}

void FilterBox::setOps(const std::vector<OpInfo>& ops)
{
    if (ops != m_ops) {
        m_ops = ops;
        parse();
    }
}

QString FilterBox::errorText() const
{
    return m_error ? m_error->message : QString();
}

bool FilterBox::popTerm()
{
    if (text().trimmed().isEmpty()) {
        return false;
    }
    setText(withoutLastTerm(text()));
    return true;
}

QSize FilterBox::sizeHint() const
{
    return {140, QLineEdit::sizeHint().height()};
}

void FilterBox::removeTerm(int index)
{
    const auto at = static_cast<std::size_t>(index);
    if (index >= 0 && at < m_filter.terms.size()) {
        const FilterTerm& term = m_filter.terms[at];
        QString rest = text();
        rest.remove(term.start, term.length);
        setText(rest.simplified());
    }
}

void FilterBox::parse()
{
    FilterParse result = parseFilter(text(), &m_ops);
    m_filter = std::move(result.filter);
    m_error = std::move(result.error);
    const bool wrong = m_error.has_value();
    if (property("invalid").toBool() != wrong) {
        setProperty("invalid", wrong);
        style()->unpolish(this);
        style()->polish(this);
    }
    setAccessibleDescription(errorText());
    update();
    emit filterChanged();
}

void FilterBox::offerCompletions()
{
    const QStringList words = filterCompletions(text(), cursorPosition(), m_ops);
    const bool started = cursorPosition() > 0 && !text().at(cursorPosition() - 1).isSpace();
    if (words.isEmpty() || !started) {
        m_completer->popup()->hide();
        return;
    }
    m_words->setStringList(words);
    QRect where = cursorRect();
    where.setWidth(180);
    m_completer->complete(where);
}

void FilterBox::complete(const QString& word)
{
    const int cursor = cursorPosition();
    const auto begin = text().left(cursor).lastIndexOf(QLatin1Char(' ')) + 1;
    const bool open = word.endsWith(QLatin1Char(' ')) || word.endsWith(QLatin1Char('>'));
    const QString inserted = open ? word : word + QLatin1Char(' ');
    setText(text().left(begin) + inserted + text().mid(cursor));
    setCursorPosition(static_cast<int>(begin + inserted.size()));
}

void FilterBox::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->popup()->isVisible() &&
        (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
         event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab)) {
        event->ignore(); // the popup takes it
        return;
    }
    QLineEdit::keyPressEvent(event);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit entered();
    }
}

void FilterBox::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (!m_error) {
        return;
    }
    QPainter painter(this);
    painter.setFont(scaledFont(-1));
    painter.setPen(currentTheme().failed.text);
    const int used = fontMetrics().horizontalAdvance(text()) + 20;
    const QRect room(used, 0, width() - used - 30, height());
    if (room.width() > 40) {
        painter.drawText(
            room, Qt::AlignRight | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(m_error->message, Qt::ElideRight, room.width()));
    }
}

} // namespace ulp::views
