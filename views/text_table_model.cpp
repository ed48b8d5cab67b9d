// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text_table_model.h"

#include <QFont>

namespace ulp::views {

TextTableModel::TextTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void TextTableModel::setContent(const QStringList& header, const TableRows& rows)
{
    if (header != m_header || rows.size() != m_rows.size()) {
        beginResetModel();
        m_header = header;
        m_rows = rows;
        endResetModel();
        return;
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row] != m_rows[row]) {
            m_rows[row] = rows[row];
            const int at = static_cast<int>(row);
            emit dataChanged(index(at, 0), index(at, columnCount() - 1));
        }
    }
}

QString TextTableModel::plainText() const
{
    QString text = m_header.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const auto& row : m_rows) {
        QStringList cells;
        for (const TableCell& cell : row) {
            cells << cell.text;
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_header.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto& row = m_rows[static_cast<std::size_t>(index.row())];
    const TableCell& cell = row[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.toolTip.isEmpty() ? QVariant() : QVariant(cell.toolTip);
    case Qt::TextAlignmentRole:
        return static_cast<int>((cell.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        if (cell.strong) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    case SwatchRole:
        return cell.swatch;
    case MonospaceRole:
        return cell.monospace;
    default:
        return {};
    }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_header.size()) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return m_header.at(section);
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    }
    return {};
}

} // namespace ulp::views
