// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_panel.h"

#include <algorithm>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>

namespace ulp::views {
namespace {

void repolish(QWidget* widget, const char* property, bool value)
{
    if (widget->property(property).toBool() != value) {
        widget->setProperty(property, value);
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
    }
}

template <typename T>
void addChoice(QComboBox* box, const QString& text, T value)
{
    box->addItem(text, static_cast<int>(value));
}

template <typename T>
T choiceOf(const QComboBox* box)
{
    return static_cast<T>(box->currentData().toInt());
}

void choose(QComboBox* box, int value)
{
    const int index = box->findData(value);
    box->setCurrentIndex(std::max(index, 0));
}

} // namespace

RunPanel::RunPanel(QWidget* parent) : QWidget(parent)
{
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(12, 8, 12, 2);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    buildRunRows();
    buildOrderRows();
    m_filling = false;
    refreshErrors();
}

void RunPanel::addSection(const QString& title)
{
    auto* label = new QLabel(title.toUpper(), this);
    label->setProperty("role", "section");
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setToolTip(title);
    const int row = m_grid->rowCount();
    m_grid->addWidget(label, row, 0, 1, 2);
    m_grid->setRowMinimumHeight(row, row > 1 ? 26 : 18);
}

void RunPanel::addRow(RunField field, const QString& label, QWidget* editor, const QString& help)
{
    Row row;
    row.text = label;
    row.label = new QLabel(label, this);
    row.label->setProperty("role", "muted");
    row.label->setBuddy(editor);
    row.editor = editor;
    row.error = new QLabel(this);
    row.error->setProperty("role", "error");
    row.error->setWordWrap(true);
    row.error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row.error->hide();
    editor->setToolTip(help);
    editor->setAccessibleName(label);
    editor->setAccessibleDescription(help);
    editor->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    editor->setMinimumWidth(60);
    const int at = m_grid->rowCount();
    m_grid->addWidget(row.label, at, 0);
    m_grid->addWidget(editor, at, 1);
    m_grid->addWidget(row.error, at + 1, 0, 1, 2);
    m_rows[field] = row;
}

void RunPanel::buildRunRows()
{
    addSection(tr("Run"));
    m_model = new QComboBox(this);
    m_model->addItem(tr("choose…"));
    m_model->insertSeparator(1);
    m_model->addItem(tr("Built-in model"));
    m_model->addItem(tr("Open model…"));
    connect(m_model, &QComboBox::activated, this, [this](int index) {
        m_model->setCurrentIndex(0); // the first entry shows what is chosen, the others do things
        if (index == 2) {
            emit demoModelRequested();
        } else if (index == 3) {
            emit openModelRequested();
        }
    });
    addRow(RunField::Model, tr("Model"), m_model, tr("The GGUF file that is run."));

    m_prompt = new QPlainTextEdit(this);
    m_prompt->setTabChangesFocus(true);
    m_prompt->setPlaceholderText(tr("What the model continues"));
    m_prompt->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_prompt->setObjectName(QStringLiteral("prompt")); // two lines, by the style sheet
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &RunPanel::edited);
    addRow(RunField::Prompt, tr("Prompt"), m_prompt, tr("The text that every run continues."));

    m_special = new QComboBox(this);
    m_special->addItem(tr("as text"), 0);
    m_special->addItem(tr("parsed"), 1);
    connect(m_special, &QComboBox::currentIndexChanged, this, &RunPanel::edited);
    addRow(RunField::Special, tr("Special"), m_special,
           tr("Whether special tokens written in the prompt, such as <|im_start|>, become that "
              "token or stay plain text."));

    m_steps = new QSpinBox(this);
    m_steps->setRange(1, 1000000);
    connect(m_steps, &QSpinBox::valueChanged, this, &RunPanel::edited);
    addRow(RunField::Steps, tr("Steps"), m_steps, tr("How many tokens each run generates."));

    m_runs = new QSpinBox(this);
    m_runs->setRange(1, 1000);
    connect(m_runs, &QSpinBox::valueChanged, this, &RunPanel::edited);
    addRow(RunField::Runs, tr("Runs"), m_runs,
           tr("How often the prompt is run. Run 0 is the reference."));

    m_temperature = new QDoubleSpinBox(this);
    m_temperature->setLocale(QLocale::c());
    m_temperature->setRange(0.0, 5.0);
    m_temperature->setSingleStep(0.1);
    m_temperature->setSpecialValueText(tr("greedy"));
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &RunPanel::edited);
    addRow(RunField::Temperature, tr("Temperature"), m_temperature,
           tr("0 takes the most likely token; above 0 tokens are drawn from a generator keyed by "
              "seed, sequence and step."));

    m_seed = new QLineEdit(this);
    connect(m_seed, &QLineEdit::textEdited, this, &RunPanel::edited);
    addRow(RunField::Seed, tr("Seed"), m_seed,
           tr("Fixes the random draws, and the other prompts of a batch."));
}

void RunPanel::buildOrderRows()
{
    addSection(tr("What may change the order"));
    const auto combo = [this]() {
        auto* box = new QComboBox(this);
        connect(box, &QComboBox::currentIndexChanged, this, &RunPanel::edited);
        return box;
    };
    const auto line = [this]() {
        auto* edit = new QLineEdit(this);
        connect(edit, &QLineEdit::textEdited, this, &RunPanel::edited);
        return edit;
    };
    m_policy = combo();
    for (const Policy policy : supportedPolicies()) {
        addChoice(m_policy, policyText(policy), policy);
    }
    addRow(RunField::Policy, tr("Policy"), m_policy,
           tr("Who takes which chunk of a sum, and in which order partial sums are merged."));
    m_opPolicies = line();
    m_opPolicies->setPlaceholderText(tr("ffn_out-*=atomic"));
    addRow(RunField::OpPolicies, tr("Per op"), m_opPolicies,
           tr("Policies for single ops: a name or glob, an equals sign, a policy; several with "
              "commas. The last match wins."));
    m_threads = line();
    addRow(RunField::Threads, tr("Threads"), m_threads,
           tr("Threads that share each sum; auto takes one for each core. Several values, such as "
              "1, 2, are taken by the runs in turn."));
    m_batch = line();
    addRow(RunField::Batch, tr("Batch"), m_batch,
           tr("Sequences decoded together; the first is recorded. Several values are taken by the "
              "runs in turn."));
    m_prefill = line();
    addRow(RunField::PrefillChunk, tr("Prefill cut"), m_prefill,
           tr("How many prompt tokens go through the model at once. Several values are taken by "
              "the runs in turn."));
    m_chunk = combo();
    m_chunk->addItem(tr("auto"), 0);
    for (const int chunk : {32, 64, 128, 256, 512, 1024}) {
        m_chunk->addItem(QString::number(chunk), chunk);
    }
    addRow(RunField::ReductionChunk, tr("Chunk"), m_chunk,
           tr("Elements of a sum that are added before partial sums are merged."));
    m_activation = combo();
    addChoice(m_activation, QStringLiteral("f32"), Precision::F32);
    addChoice(m_activation, QStringLiteral("bf16"), Precision::Bf16);
    addChoice(m_activation, QStringLiteral("f16"), Precision::F16);
    addRow(RunField::Activation, tr("Activations"), m_activation,
           tr("Every op output is rounded to this format. Coarser formats let small differences "
              "flip tokens sooner."));
    m_isa = combo();
    addChoice(m_isa, tr("auto"), Isa::Auto);
    addChoice(m_isa, tr("portable"), Isa::Portable);
    addChoice(m_isa, QStringLiteral("AVX2"), Isa::Avx2);
    addChoice(m_isa, QStringLiteral("AVX-512"), Isa::Avx512);
    addRow(RunField::Isa, tr("Kernel set"), m_isa,
           tr("The instruction set of the kernels. Under ordered it changes no bit."));
    m_device = combo();
    addChoice(m_device, QStringLiteral("CPU"), Device::Cpu);
    addChoice(m_device, QStringLiteral("CUDA"), Device::Cuda);
    addRow(RunField::Device, tr("Device"), m_device, tr("Where the sums are computed."));
}

RunSetup RunPanel::setup() const
{
    RunSetup now = m_base;
    now.prompt = m_prompt->toPlainText();
    now.parseSpecial = m_special->currentIndex() == 1;
    now.runs = m_runs->value();
    now.threads = parseNumberList(m_threads->text());
    now.batch = parseNumberList(m_batch->text());
    now.prefillChunk = parseNumberList(m_prefill->text());
    now.settings.steps = m_steps->value();
    now.settings.temperature = static_cast<float>(m_temperature->value());
    now.settings.seed = m_seed->text().toULongLong();
    now.settings.policy = choiceOf<Policy>(m_policy);
    if (auto policies = parseOpPolicies(m_opPolicies->text())) {
        now.settings.opPolicies = *policies;
    }
    now.settings.reductionChunk = m_chunk->currentData().toInt();
    now.settings.activation = choiceOf<Precision>(m_activation);
    now.settings.isa = choiceOf<Isa>(m_isa);
    now.settings.device = choiceOf<Device>(m_device);
    return now;
}

void RunPanel::setSetup(const RunSetup& setup)
{
    m_filling = true;
    m_base = setup;
    m_model->setItemText(0, setup.modelPath.isEmpty() ? tr("choose…")
                            : setup.modelName.isEmpty()
                                ? QFileInfo(setup.modelPath).completeBaseName()
                                : setup.modelName);
    m_model->setToolTip(setup.modelPath);
    if (m_prompt->toPlainText() != setup.prompt) {
        m_prompt->setPlainText(setup.prompt);
    }
    m_special->setCurrentIndex(setup.parseSpecial ? 1 : 0);
    m_steps->setValue(setup.settings.steps);
    m_runs->setValue(setup.runs);
    m_temperature->setValue(static_cast<double>(setup.settings.temperature));
    m_seed->setText(QString::number(setup.settings.seed));
    choose(m_policy, static_cast<int>(setup.settings.policy));
    m_opPolicies->setText(opPoliciesText(setup.settings.opPolicies));
    m_threads->setText(numberListText(setup.threads));
    m_batch->setText(numberListText(setup.batch));
    m_prefill->setText(numberListText(setup.prefillChunk));
    if (m_chunk->findData(setup.settings.reductionChunk) < 0) {
        m_chunk->addItem(QString::number(setup.settings.reductionChunk),
                         setup.settings.reductionChunk);
    }
    choose(m_chunk, setup.settings.reductionChunk);
    choose(m_activation, static_cast<int>(setup.settings.activation));
    choose(m_isa, static_cast<int>(setup.settings.isa));
    choose(m_device, static_cast<int>(setup.settings.device));
    m_filling = false;
    edited();
}

void RunPanel::setLimits(const RunLimits& limits)
{
    m_limits = limits;
    m_chunk->setItemText(0, limits.defaultChunk > 0 ? tr("auto (%1)").arg(limits.defaultChunk)
                                                    : tr("auto"));
    m_threads->setPlaceholderText(tr("auto (%1)").arg(limits.cores));
    if (!limits.isas.empty()) {
        const int best = m_isa->findData(static_cast<int>(limits.isas.back()));
        m_isa->setItemText(0, tr("auto (%1)").arg(best > 0 ? m_isa->itemText(best) : QString()));
    }
    refreshErrors();
}

void RunPanel::setPrevious(const RunSetup& previous, const QString& title)
{
    m_previous = previous;
    m_previousTitle = title;
    refreshMarks();
}

void RunPanel::showError(RunField field, const QString& message)
{
    m_engineErrors[field] = message;
    refreshErrors();
}

void RunPanel::setPolicy(Policy policy)
{
    choose(m_policy, static_cast<int>(policy));
}

void RunPanel::setLocked(bool locked)
{
    for (const auto& [field, row] : m_rows) {
        row.editor->setEnabled(!locked);
    }
    m_seed->setEnabled(!locked);
}

void RunPanel::focusPrompt()
{
    m_prompt->setFocus(Qt::ShortcutFocusReason);
    m_prompt->selectAll();
}

void RunPanel::edited()
{
    if (m_filling) {
        return;
    }
    m_engineErrors.clear();
    refreshErrors();
    refreshMarks();
    emit setupChanged();
}

void RunPanel::refreshMarks()
{
    if (!m_previous) {
        return;
    }
    const auto fields = changedFields(setup(), *m_previous);
    for (const auto& [field, row] : m_rows) {
        const bool changed = std::find(fields.begin(), fields.end(), field) != fields.end();
        repolish(row.editor, "changed", changed);
        row.label->setToolTip(changed ? tr("Differs from %1").arg(m_previousTitle) : QString());
        row.label->setText(changed ? row.text + QStringLiteral(" •") : row.text);
    }
}

void RunPanel::refreshErrors()
{
    std::map<RunField, QString> messages;
    for (const FieldError& error : checkSetup(setup(), m_limits)) {
        messages.emplace(error.field, error.message);
    }
    if (auto policies = parseOpPolicies(m_opPolicies->text()); !policies) {
        messages[RunField::OpPolicies] = QString::fromStdString(policies.error().text());
    }
    bool seedFits = false;
    m_seed->text().toULongLong(&seedFits);
    if (!m_seed->text().isEmpty() && !seedFits) {
        messages[RunField::Seed] = tr("The seed is a whole number from 0.");
    }
    for (const auto& [field, message] : m_engineErrors) {
        messages[field] = message;
    }
    m_valid = messages.empty();
    for (const auto& [field, row] : m_rows) {
        const auto it = messages.find(field);
        setRowError(field, it == messages.end() ? QString() : it->second);
    }
}

void RunPanel::setRowError(RunField field, const QString& message)
{
    const Row& row = m_rows.at(field);
    row.error->setText(message);
    row.error->setVisible(!message.isEmpty());
    repolish(row.editor, "invalid", !message.isEmpty());
}

} // namespace ulp::views
