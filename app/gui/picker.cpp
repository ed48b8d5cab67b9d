// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/picker.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "views/theme.h"

namespace ulp::gui {
namespace {

constexpr int kMostShown = 200;
constexpr int kDetailRole = Qt::UserRole + 1;

class EntryDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const auto& theme = views::currentTheme();
        painter->save();
        if (selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accent);
            painter->drawRoundedRect(option.rect.adjusted(4, 0, -4, 0), 4, 4);
        }
        const QRect text = option.rect.adjusted(14, 0, -14, 0);
        painter->setPen(selected ? theme.accentText : enabled ? theme.text : theme.textFaded);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->setPen(selected ? theme.accentText : theme.textMuted);
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kDetailRole).toString());
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& /*index*/) const override
    {
        return {200, option.fontMetrics.height() + 12};
    }
};

bool hasAllWords(const QString& text, const QString& typed)
{
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace

Picker::Picker(const QString& hint, std::vector<PickerEntry> entries, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_entries(std::move(entries))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("picker"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_edit = new QLineEdit(this);
    m_edit->setPlaceholderText(hint);
    m_edit->setAccessibleName(hint);
    m_edit->installEventFilter(this);
    m_list = new QListWidget(this);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    connect(m_edit, &QLineEdit::textChanged, this, &Picker::refresh);
    connect(m_list, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { take(m_list->row(item)); });
    resize(560, 420);
    refresh();
}

void Picker::setTyped(std::function<std::vector<PickerEntry>(const QString&)> typed)
{
    m_typed = std::move(typed);
    refresh();
}

void Picker::setText(const QString& text)
{
    m_edit->setText(text);
}

int Picker::shownEntries() const
{
    return static_cast<int>(m_shown.size());
}

void Picker::refresh()
{
    m_shown.clear();
    if (m_typed) {
        m_shown = m_typed(m_edit->text());
    }
    for (const PickerEntry& entry : m_entries) {
        if (static_cast<int>(m_shown.size()) >= kMostShown) {
            break;
        }
        if (hasAllWords(entry.text + QLatin1Char(' ') + entry.detail, m_edit->text())) {
            m_shown.push_back(entry);
        }
    }
    m_list->clear();
    if (m_shown.empty()) {
        auto* nothing = new QListWidgetItem(tr("Nothing matches"), m_list);
        nothing->setFlags(nothing->flags() & ~Qt::ItemIsEnabled);
    }
    for (const PickerEntry& entry : m_shown) {
        auto* item = new QListWidgetItem(entry.text, m_list);
        item->setData(kDetailRole, entry.detail);
        if (!entry.enabled) {
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        }
    }
    m_list->setCurrentRow(0);
}

void Picker::take(int row)
{
    if (row < 0 || row >= static_cast<int>(m_shown.size()) ||
        !m_shown[static_cast<std::size_t>(row)].enabled) {
        return;
    }
    const auto action = m_shown[static_cast<std::size_t>(row)].take;
    close(); // first: the action may open something else
    if (action) {
        action();
    }
}

bool Picker::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_edit || event->type() != QEvent::KeyPress) {
        return QDialog::eventFilter(watched, event);
    }
    const int count = std::max(m_list->count(), 1);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        m_list->setCurrentRow((m_list->currentRow() + 1) % count);
        return true;
    case Qt::Key_Up:
        m_list->setCurrentRow((m_list->currentRow() + count - 1) % count);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take(m_list->currentRow());
        return true;
    default:
        return false;
    }
}

void Picker::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    if (const QWidget* window = parentWidget()) {
        const QPoint top = window->mapToGlobal(QPoint((window->width() - width()) / 2, 60));
        move(top);
    }
    m_edit->setFocus();
}

} // namespace ulp::gui
