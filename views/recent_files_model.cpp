// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/recent_files_model.h"

#include <QFileInfo>

namespace ulp::views {

RecentFilesModel::RecentFilesModel(QObject* parent) : QAbstractListModel(parent) {}

void RecentFilesModel::setFiles(const std::vector<RecentFile>& files)
{
    if (files != m_files) {
        beginResetModel();
        m_files = files;
        endResetModel();
    }
}

int RecentFilesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_files.size());
}

QVariant RecentFilesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RecentFile& file = m_files[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: {
        const QString name = QFileInfo(file.path).fileName();
        return file.missing ? tr("%1 (missing)").arg(name) : name;
    }
    case Qt::ToolTipRole:
        return file.missing ? tr("%1 is no longer there").arg(file.path) : file.path;
    case PathRole:
        return file.path;
    case IsTraceRole:
        return file.isTrace;
    case MissingRole:
        return file.missing;
    default:
        return {};
    }
}

Qt::ItemFlags RecentFilesModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    return index.isValid() && m_files[static_cast<std::size_t>(index.row())].missing
               ? flags & ~Qt::ItemIsEnabled
               : flags;
}

} // namespace ulp::views
