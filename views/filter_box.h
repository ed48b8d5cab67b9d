// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter's input: completes words while one types, shows an error inside the box where it
// stands, and emits only filters that parse. Thread-safety: GUI thread. Ownership: Qt's.
#pragma once

#include <vector>

#include <QLineEdit>

#include "engine/base/op_info.h"
#include "views/filter.h"

class QCompleter;
class QStringListModel;

namespace ulp::views {

class FilterBox : public QLineEdit {
    Q_OBJECT

  public:
    explicit FilterBox(QWidget* parent = nullptr);
    void setOps(const std::vector<OpInfo>& ops);
    [[nodiscard]] const Filter& filter() const { return m_filter; }
    [[nodiscard]] QString errorText() const;
    /// Takes the last word away; false when there is none.
    bool popTerm();
    void removeTerm(int index);
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    void filterChanged();
    /// Enter: the filter is as wanted; the keyboard goes back to the map.
    void entered();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void parse();
    void offerCompletions();
    void complete(const QString& word);

    std::vector<OpInfo> m_ops;
    Filter m_filter;
    std::optional<FilterError> m_error;
    QCompleter* m_completer = nullptr;
    QStringListModel* m_words = nullptr;
};

} // namespace ulp::views
