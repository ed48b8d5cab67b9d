// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small table of ready-made texts: the model behind the class, magnitude and top-logits tables of
// the cell panel. It tells its views only what changed, so that a live session keeps selections.
// Thread-safety: GUI thread. Ownership: by value.
#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

namespace ulp::views {

struct TableCell {
    QString text;
    QString toolTip;
    bool monospace = false;
    bool right = false;  // numbers
    bool strong = false; // the row the eye should find
    int swatch = -1;     // index of a class whose colour is shown before the text
    bool operator==(const TableCell&) const = default;
};

using TableRows = std::vector<std::vector<TableCell>>; // every row as long as the header

class TextTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role { SwatchRole = Qt::UserRole + 1, MonospaceRole };

    explicit TextTableModel(QObject* parent = nullptr);
    void setContent(const QStringList& header, const TableRows& rows);
    /// Header and rows with tabs between the cells; for the clipboard.
    [[nodiscard]] QString plainText() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

  private:
    QStringList m_header;
    TableRows m_rows;
};

} // namespace ulp::views
