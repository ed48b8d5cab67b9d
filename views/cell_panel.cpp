// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cell_panel.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/cell_tables.h"
#include "views/compact_table.h"
#include "views/text_format.h"
#include "views/text_table_model.h"
#include "views/theme.h"

namespace ulp::views {
namespace {
constexpr int kMostRows = 10;
}

CellPanel::CellPanel(CursorModel* cursor, QWidget* parent) : QScrollArea(parent), m_cursor(cursor)
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Cell"));
    auto* content = new QWidget(this);
    auto* outer = new QVBoxLayout(content);
    outer->setContentsMargins(12, 10, 12, 10);
    outer->setSpacing(4);

    auto* head = new QHBoxLayout;
    m_title = new QLabel(content);
    m_title->setProperty("role", "section");
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy = new QToolButton(content);
    m_copy->setText(tr("Copy"));
    m_copy->setProperty("flat", true);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_copy);
    menu->addAction(tr("As text"), this, &CellPanel::copyAsText);
    menu->addAction(tr("As JSON"), this, &CellPanel::copyAsJson);
    menu->addAction(tr("As command"), this, &CellPanel::copyAsCommand);
    m_copy->setMenu(menu);
    head->addWidget(m_title, 1);
    head->addWidget(m_copy);
    outer->addLayout(head);

    m_empty = new QLabel(tr("Move the cursor over the map to see a cell: who shares its bits, how "
                            "far the others are, and why."),
                         content);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "muted");
    outer->addWidget(m_empty);

    m_body = new QWidget(content);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(4);
    buildFields(body);
    outer->addWidget(m_body);
    outer->addStretch(1);
    setWidget(content);
    connect(m_cursor, &CursorModel::cursorChanged, this, &CellPanel::showCell);
    showCell();
}

QLabel* CellPanel::addSection(QVBoxLayout* layout, const QString& title)
{
    auto* label = new QLabel(title, m_body);
    label->setProperty("role", "section");
    label->setContentsMargins(0, 12, 0, 2);
    layout->addWidget(label);
    return label;
}

void CellPanel::buildFields(QVBoxLayout* layout)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnMinimumWidth(0, 64);
    const auto field = [this, grid](const QString& name) {
        auto* label = new QLabel(name, m_body);
        label->setProperty("role", "muted");
        auto* value = new QLineEdit(m_body);
        value->setReadOnly(true);
        value->setAccessibleName(name);
        label->setBuddy(value);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(value, row, 1);
        return value;
    };
    m_kind = field(tr("Kind"));
    m_shape = field(tr("Shape"));
    m_inputs = field(tr("Inputs"));
    layout->addLayout(grid);
    layout->addSpacing(8);

    m_classes = new TextTableModel(this);
    layout->addWidget(new CompactTable(m_classes, kMostRows, m_body));
    m_magnitudeTitle = addSection(layout, {});
    m_magnitudes = new TextTableModel(this);
    m_magnitudeTable = new CompactTable(m_magnitudes, kMostRows, m_body);
    layout->addWidget(m_magnitudeTable);
    m_magnitudeNote = new QLabel(m_body);
    m_magnitudeNote->setProperty("role", "muted");
    m_magnitudeNote->setWordWrap(true);
    layout->addWidget(m_magnitudeNote);
    m_chartTitle = addSection(layout, {});
    m_chartTitle->hide();
    m_chartSlot = new QVBoxLayout;
    layout->addLayout(m_chartSlot);
    m_logitsTitle = addSection(layout, tr("Top logits").toUpper());
    m_logits = new TextTableModel(this);
    m_logitsTable = new CompactTable(m_logits, kMostRows, m_body);
    layout->addWidget(m_logitsTable);
}

void CellPanel::setChart(QWidget* chart)
{
    chart->setParent(m_body);
    m_chartSlot->addWidget(chart);
    m_chartTitle->show();
}

void CellPanel::setComparison(const compare::ComparisonPtr& comparison)
{
    m_comparison = comparison;
    showCell();
}

void CellPanel::showCell()
{
    const CellCursor cell = m_cursor->cursor();
    const bool inside = m_comparison && isInside(cell, *m_comparison);
    m_body->setVisible(inside);
    m_empty->setVisible(!inside);
    m_copy->setEnabled(inside);
    if (!inside) {
        m_title->setText(tr("Cell").toUpper());
        return;
    }
    const compare::Comparison& comparison = *m_comparison;
    m_title->setText(tr("Cell: %1").arg(cellTitle(comparison, cell)).toUpper());
    const auto show = [](QLineEdit* field, const QString& text) {
        if (field->text() != text) {
            field->setText(text);
            field->setToolTip(text);
            field->setCursorPosition(0);
        }
    };
    show(m_kind, kindText(comparison, cell));
    show(m_shape, shapeText(comparison.snapshot().ops[static_cast<std::size_t>(cell.op)]));
    show(m_inputs, inputsText(comparison, cell));
    m_classes->setContent(classHeader(), classRows(comparison, cell));

    const TableRows magnitudes = magnitudeRows(comparison, cell);
    m_magnitudes->setContent(magnitudeHeader(), magnitudes);
    m_magnitudeTitle->setText(tr("Magnitude against run %1").arg(comparison.reference()).toUpper());
    m_magnitudeTable->setVisible(!magnitudes.empty());
    m_magnitudeNote->setVisible(magnitudes.empty());
    m_magnitudeNote->setText(comparison.cell(cell.column, cell.op).classes > 1
                                 ? tr("The bits differ; by how much was not recorded.")
                                 : tr("Nothing differs here."));
    m_chartTitle->setText(
        tr("Magnitude by layer, %1").arg(placeText(comparison, cell.column)).toUpper());

    const int other = logitsPartner(comparison, cell);
    const TableRows logits = logitsRows(comparison, cell, other);
    m_logits->setContent(logitsHeader(comparison, other), logits);
    m_logitsTitle->setVisible(!logits.empty());
    m_logitsTable->setVisible(!logits.empty());
}

void CellPanel::copyAsText() const
{
    if (m_body->isVisibleTo(this)) {
        QGuiApplication::clipboard()->setText(cellAsText(*m_comparison, m_cursor->cursor()));
    }
}

void CellPanel::copyAsJson() const
{
    if (m_body->isVisibleTo(this)) {
        QGuiApplication::clipboard()->setText(cellAsJson(*m_comparison, m_cursor->cursor()));
    }
}

void CellPanel::copyAsCommand() const
{
    if (m_comparison) {
        QGuiApplication::clipboard()->setText(cellAsCommand(*m_comparison));
    }
}

} // namespace ulp::views
