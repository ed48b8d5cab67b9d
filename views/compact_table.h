// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that is as tall as its rows, up to a limit, without grid and frame: how every table of
// the side panels looks. Ctrl+C copies the selected rows. Thread-safety: GUI thread. Ownership:
// Qt's; the model is the caller's.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>

namespace ulp::views {

/// The colour that stands for a class beside its name: class A has the map's "same bits".
[[nodiscard]] QColor classSwatch(int classIndex);

/// Paints a class swatch before the text and hashes in a monospace font (TextTableModel's roles).
class SwatchDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

  private:
    QRect paintCheckBox(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const;
};

class CompactTable : public QTableView {
    Q_OBJECT

  public:
    CompactTable(QAbstractItemModel* model, int mostRows, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    void copySelection() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void fitRows();
    int m_mostRows;
};

} // namespace ulp::views
