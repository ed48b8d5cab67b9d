// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The files opened last, newest first, missing ones marked in words. The model opens no files: who
// owns it says which exist. Thread-safety: GUI thread. Ownership: by value.
#pragma once

#include <vector>

#include <QAbstractListModel>
#include <QString>

namespace ulp::views {

struct RecentFile {
    QString path;
    bool isTrace = false; // else a model
    bool missing = false;
    bool operator==(const RecentFile&) const = default;
};

class RecentFilesModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { PathRole = Qt::UserRole + 1, IsTraceRole, MissingRole };

    explicit RecentFilesModel(QObject* parent = nullptr);
    void setFiles(const std::vector<RecentFile>& files);
    [[nodiscard]] const std::vector<RecentFile>& files() const { return m_files; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

  private:
    std::vector<RecentFile> m_files;
};

} // namespace ulp::views
