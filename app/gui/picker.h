// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A list that one types into: the command palette and "go to step or op". Words may stand in any
// order; Enter takes the selected entry, Esc goes away. Thread-safety: GUI thread. Ownership: Qt's;
// deletes itself when closed.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QString>

class QLineEdit;
class QListWidget;

namespace ulp::gui {

struct PickerEntry {
    QString text;
    QString detail; // right: the key, the layer
    bool enabled = true;
    std::function<void()> take;
};

class Picker : public QDialog {
    Q_OBJECT

  public:
    Picker(const QString& hint, std::vector<PickerEntry> entries, QWidget* parent);
    /// Entries for what was typed, before the fixed ones, e.g. "step 12".
    void setTyped(std::function<std::vector<PickerEntry>(const QString&)> typed);
    void setText(const QString& text);
    [[nodiscard]] int shownEntries() const;
    [[nodiscard]] const std::vector<PickerEntry>& entries() const { return m_entries; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void refresh();
    void take(int row);

    std::vector<PickerEntry> m_entries;
    std::function<std::vector<PickerEntry>(const QString&)> m_typed;
    std::vector<PickerEntry> m_shown;
    QLineEdit* m_edit = nullptr;
    QListWidget* m_list = nullptr;
};

} // namespace ulp::gui
