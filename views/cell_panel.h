// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The right panel: everything about the cell under the cursor. Kind, shape and inputs, classes with
// runs and hashes, magnitude by run, magnitude by layer at this step, and the top logits of two
// runs side by side; copied as text, JSON or the command that prints it. Thread-safety: GUI thread.
// Ownership: Qt's; the cursor model outlives the panel.
#pragma once

#include <QScrollArea>

#include "engine/compare/comparison.h"
#include "views/cursor.h"

class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace ulp::views {

class CompactTable;
class TextTableModel;

class CellPanel : public QScrollArea {
    Q_OBJECT

  public:
    explicit CellPanel(CursorModel* cursor, QWidget* parent = nullptr);
    void setComparison(const compare::ComparisonPtr& comparison);
    /// The chart of magnitude by layer; the panel gives it its place and its heading.
    void setChart(QWidget* chart);
    void copyAsText() const;
    void copyAsJson() const;
    void copyAsCommand() const;

  private:
    QLabel* addSection(QVBoxLayout* layout, const QString& title);
    void buildFields(QVBoxLayout* layout);
    void showCell();

    CursorModel* m_cursor;
    compare::ComparisonPtr m_comparison;
    QLabel* m_title = nullptr;
    QToolButton* m_copy = nullptr;
    QWidget* m_body = nullptr;
    QLabel* m_empty = nullptr;
    QLineEdit* m_kind = nullptr;
    QLineEdit* m_shape = nullptr;
    QLineEdit* m_inputs = nullptr;
    QLabel* m_magnitudeTitle = nullptr;
    QLabel* m_magnitudeNote = nullptr;
    QLabel* m_chartTitle = nullptr;
    QLabel* m_logitsTitle = nullptr;
    TextTableModel* m_classes = nullptr;
    TextTableModel* m_magnitudes = nullptr;
    TextTableModel* m_logits = nullptr;
    CompactTable* m_magnitudeTable = nullptr;
    CompactTable* m_logitsTable = nullptr;
    QVBoxLayout* m_chartSlot = nullptr;
};

} // namespace ulp::views
