// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the colours and patterns of the divergence map mean. Thread-safety: GUI thread. Ownership:
// Qt's.
#pragma once

#include <QWidget>

namespace ulp::views {

class Legend : public QWidget {
    Q_OBJECT

  public:
    explicit Legend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] int lineHeight() const;
};

} // namespace ulp::views
