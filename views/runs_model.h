// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The runs of a session: shown or hidden (a check box), which one is the reference, the class, the
// settings and how far it came. The model changes nothing itself; it emits what is wanted.
// Thread-safety: GUI thread. Ownership: shares the snapshot.
#pragma once

#include <set>
#include <vector>

#include <QAbstractTableModel>

#include "engine/compare/comparison.h"

namespace ulp::views {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { RunColumn, ClassColumn, SettingsColumn, StateColumn, ColumnCount };

    explicit RunsModel(QObject* parent = nullptr);
    void setComparison(const compare::ComparisonPtr& comparison);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

  signals:
    void visibilityRequested(int run, bool visible);

  private:
    [[nodiscard]] int classOf(int run) const; // -1: hidden
    [[nodiscard]] QString settingsText(int run) const;
    [[nodiscard]] QString stateText(int run) const;
    [[nodiscard]] QString toolTip(int run) const;

    compare::ComparisonPtr m_comparison;
};

} // namespace ulp::views
