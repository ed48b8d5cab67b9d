// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The left panel: what to run, then what may change the order. A setting that differs from the
// session before is marked; what cannot run is refused beside its field, before Run. The panel
// starts nothing: it emits what is wanted. Thread-safety: GUI thread. Ownership: Qt's.
#pragma once

#include <map>
#include <optional>

#include <QWidget>

#include "views/run_setup.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ulp::views {

class RunPanel : public QWidget {
    Q_OBJECT

  public:
    explicit RunPanel(QWidget* parent = nullptr);

    [[nodiscard]] RunSetup setup() const;
    void setSetup(const RunSetup& setup);
    void setLimits(const RunLimits& limits);
    /// The session before this one; its differing settings are marked. `title` names it.
    void setPrevious(const RunSetup& previous, const QString& title);
    /// An error of the engine, shown beside the field it belongs to; cleared by the next edit.
    void showError(RunField field, const QString& message);
    void setPolicy(Policy policy);
    [[nodiscard]] bool valid() const { return m_valid; }
    /// While a session runs the settings can be read, not changed.
    void setLocked(bool locked);
    void focusPrompt();

  signals:
    void setupChanged(); // any edit; valid() is up to date
    void openModelRequested();
    void demoModelRequested();

  private:
    struct Row {
        QString text; // of the label, without its mark
        QLabel* label = nullptr;
        QWidget* editor = nullptr;
        QLabel* error = nullptr;
    };
    void buildRunRows();
    void buildOrderRows();
    void addSection(const QString& title);
    void addRow(RunField field, const QString& label, QWidget* editor, const QString& help);
    void edited();
    void refreshMarks();
    void refreshErrors();
    void setRowError(RunField field, const QString& message);

    QGridLayout* m_grid = nullptr;
    std::map<RunField, Row> m_rows;
    QComboBox* m_model = nullptr;
    QPlainTextEdit* m_prompt = nullptr;
    QComboBox* m_special = nullptr;
    QSpinBox* m_steps = nullptr;
    QSpinBox* m_runs = nullptr;
    QDoubleSpinBox* m_temperature = nullptr;
    QLineEdit* m_seed = nullptr;
    QComboBox* m_policy = nullptr;
    QLineEdit* m_opPolicies = nullptr;
    QLineEdit* m_threads = nullptr;
    QLineEdit* m_batch = nullptr;
    QLineEdit* m_prefill = nullptr;
    QComboBox* m_chunk = nullptr;
    QComboBox* m_activation = nullptr;
    QComboBox* m_isa = nullptr;
    QComboBox* m_device = nullptr;

    RunSetup m_base; // what has no editor: model path, ignoreEos, perturbation
    RunLimits m_limits;
    std::optional<RunSetup> m_previous;
    QString m_previousTitle;
    std::map<RunField, QString> m_engineErrors;
    bool m_valid = false;
    bool m_filling = true; // widgets change without the user: while built and in setSetup()
};

} // namespace ulp::views
