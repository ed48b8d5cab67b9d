// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compact_table.h"

#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include "views/text_table_model.h"
#include "views/theme.h"

namespace ulp::views {
namespace {
constexpr int kSwatch = 9;
}

QColor classSwatch(int classIndex)
{
    const Theme& theme = currentTheme();
    return classIndex == 0 ? theme.classOne : classLine(theme, classIndex);
}

/// Where it was painted; invalid when the cell has none.
QRect SwatchDelegate::paintCheckBox(QPainter* painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const
{
    const QVariant state = index.data(Qt::CheckStateRole);
    if (!state.isValid()) {
        return {};
    }
    QStyleOptionViewItem box = option;
    initStyleOption(&box, index);
    const QStyle* style = option.widget->style();
    box.rect = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &box, option.widget);
    box.state = QStyle::State_Enabled |
                (state.toInt() == Qt::Checked ? QStyle::State_On : QStyle::State_Off);
    style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, option.widget);
    return box.rect;
}

void SwatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    QStyleOptionViewItem shown = option;
    if ((option.state & QStyle::State_Selected) != 0) {
        painter->fillRect(option.rect, option.palette.highlight());
    }
    if (index.data(TextTableModel::MonospaceRole).toBool()) {
        const bool bold = index.data(Qt::FontRole).value<QFont>().bold();
        shown.font = monospaceFont();
        shown.font.setBold(bold);
    }
    const QVariant swatch = index.data(TextTableModel::SwatchRole);
    const QRect check = paintCheckBox(painter, option, index);
    if (check.isValid()) {
        shown.rect.setLeft(check.right() + 2);
    }
    const bool hasSwatch = swatch.isValid() && swatch.toInt() >= 0;
    if (hasSwatch) {
        shown.rect.adjust(kSwatch + 5, 0, 0, 0);
    }
    // FontRole would win over the monospace font, so the text is drawn here.
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    painter->save();
    painter->setPen(currentTheme().border);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (hasSwatch) {
        const QRectF box(option.rect.left() + 4, option.rect.center().y() - kSwatch / 2.0 + 1,
                         kSwatch, kSwatch);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(swatch.toInt() == 0 ? QPen(currentTheme().missing) : QPen(Qt::NoPen));
        painter->setBrush(classSwatch(swatch.toInt()));
        painter->drawRoundedRect(box, 2, 2);
    }
    QFont font = shown.font;
    font.setBold(index.data(Qt::FontRole).value<QFont>().bold());
    painter->setFont(font);
    painter->setPen(selected ? option.palette.highlightedText().color() : currentTheme().text);
    const QRect text = shown.rect.adjusted(4, 0, -2, 0);
    const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    painter->drawText(text, static_cast<int>(alignment),
                      QFontMetrics(font).elidedText(index.data(Qt::DisplayRole).toString(),
                                                    Qt::ElideRight, text.width()));
    painter->restore();
}

QSize SwatchDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont font = index.data(TextTableModel::MonospaceRole).toBool() ? monospaceFont() : option.font;
    font.setBold(index.data(Qt::FontRole).value<QFont>().bold());
    const QFontMetrics metrics(font);
    const bool hasSwatch = index.data(TextTableModel::SwatchRole).toInt() >= 0 &&
                           index.data(TextTableModel::SwatchRole).isValid();
    const bool hasCheck = index.data(Qt::CheckStateRole).isValid();
    return {metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) + 12 +
                (hasSwatch ? kSwatch + 5 : 0) + (hasCheck ? 22 : 0),
            metrics.height() + 7};
}

CompactTable::CompactTable(QAbstractItemModel* model, int mostRows, QWidget* parent)
    : QTableView(parent), m_mostRows(mostRows)
{
    setModel(model);
    setItemDelegate(new SwatchDelegate(this));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    verticalHeader()->setMinimumSectionSize(10);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setMinimumSectionSize(30);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(model, &QAbstractItemModel::modelReset, this, &CompactTable::fitRows);
    connect(model, &QAbstractItemModel::rowsInserted, this, &CompactTable::fitRows);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &CompactTable::fitRows);
}

void CompactTable::fitRows()
{
    updateGeometry();
}

QSize CompactTable::sizeHint() const
{
    const int rows = std::clamp(model()->rowCount(), 1, m_mostRows);
    return {180, horizontalHeader()->sizeHint().height() +
                     rows * verticalHeader()->defaultSectionSize() + 2};
}

QSize CompactTable::minimumSizeHint() const
{
    return {80, sizeHint().height()};
}

void CompactTable::copySelection() const
{
    QString text;
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(),
              [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) {
            cells << row.siblingAtColumn(column).data(Qt::DisplayRole).toString();
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    if (!text.isEmpty()) {
        QGuiApplication::clipboard()->setText(text);
    }
}

void CompactTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace ulp::views
