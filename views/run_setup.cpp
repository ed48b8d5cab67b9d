// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_setup.h"

#include <algorithm>

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace ulp::views {
namespace {

struct SetupText {
    Q_DECLARE_TR_FUNCTIONS(RunSetup)
};

/// Collects what is wrong with one setup; each check adds at most one line to a field.
class Checker {
  public:
    Checker(const RunSetup& setup, const RunLimits& limits) : m_setup(setup), m_limits(limits) {}

    std::vector<FieldError> check()
    {
        checkInput();
        checkLists();
        checkChoices();
        return std::move(m_errors);
    }

  private:
    void add(RunField field, const QString& message) { m_errors.push_back({field, message}); }

    void checkInput()
    {
        const RunSettings& s = m_setup.settings;
        if (m_setup.modelPath.isEmpty()) {
            add(RunField::Model, SetupText::tr("Choose a model."));
        }
        if (m_setup.prompt.isEmpty()) {
            add(RunField::Prompt, SetupText::tr("Write a prompt."));
        }
        if (m_limits.context > 0 && m_limits.promptTokens + s.steps > m_limits.context) {
            add(RunField::Steps,
                SetupText::tr("Prompt (%1) and steps do not fit the context of %2 tokens.")
                    .arg(m_limits.promptTokens)
                    .arg(m_limits.context));
        }
        if (m_setup.runs < 2) {
            add(RunField::Runs,
                SetupText::tr("One run has nothing to be compared with; use 2 or more."));
        }
    }

    void checkLists()
    {
        checkList(RunField::Threads, m_setup.threads, 0, 256);
        checkList(RunField::Batch, m_setup.batch, 1, 256);
        checkList(RunField::PrefillChunk, m_setup.prefillChunk, 1, 65536);
        const auto combinations =
            m_setup.threads.size() * m_setup.batch.size() * m_setup.prefillChunk.size();
        if (m_errors.empty() && combinations > static_cast<std::size_t>(m_setup.runs)) {
            add(RunField::Runs,
                SetupText::tr("The lists below have %1 combinations; use at least as many runs.")
                    .arg(combinations));
        }
    }

    void checkList(RunField field, const std::vector<int>& values, int low, int high)
    {
        if (values.empty()) {
            add(field, SetupText::tr("Write a number, or several with commas."));
            return;
        }
        for (const int value : values) {
            if (value < low || value > high) {
                add(field, SetupText::tr("%1 is out of range; use %2 to %3.")
                               .arg(value)
                               .arg(low)
                               .arg(high));
                return;
            }
        }
    }

    void checkChoices()
    {
        const RunSettings& s = m_setup.settings;
        if (s.reductionChunk % 32 != 0 || s.reductionChunk < 0) {
            add(RunField::ReductionChunk,
                SetupText::tr("The chunk is a multiple of 32, or 0 for auto."));
        }
        const auto& policies = supportedPolicies();
        if (std::find(policies.begin(), policies.end(), s.policy) == policies.end()) {
            add(RunField::Policy,
                SetupText::tr("This build has no “%1”.").arg(policyText(s.policy)));
        }
        if (s.isa != Isa::Auto && !m_limits.isas.empty() &&
            std::find(m_limits.isas.begin(), m_limits.isas.end(), s.isa) == m_limits.isas.end()) {
            add(RunField::Isa, SetupText::tr("This processor cannot run these kernels."));
        }
        if (s.device == Device::Cuda && !m_limits.cuda) {
            add(RunField::Device, SetupText::tr("This build has no CUDA device; use CPU."));
        }
    }

    const RunSetup& m_setup;
    const RunLimits& m_limits;
    std::vector<FieldError> m_errors;
};

} // namespace

std::vector<RunSettings> RunSetup::runSettings() const
{
    std::vector<RunSettings> all;
    const auto count = static_cast<std::size_t>(std::max(runs, 0));
    if (threads.empty() || batch.empty() || prefillChunk.empty()) {
        return all;
    }
    for (std::size_t i = 0; i < count; ++i) {
        RunSettings one = settings;
        std::size_t rest = i;
        one.threads = threads[rest % threads.size()];
        rest /= threads.size();
        one.batch = batch[rest % batch.size()];
        rest /= batch.size();
        one.prefillChunk = prefillChunk[rest % prefillChunk.size()];
        all.push_back(one);
    }
    return all;
}

std::vector<FieldError> checkSetup(const RunSetup& setup, const RunLimits& limits)
{
    return Checker(setup, limits).check();
}

std::vector<RunField> changedFields(const RunSetup& now, const RunSetup& before)
{
    std::vector<RunField> fields;
    const auto note = [&fields](bool changed, RunField field) {
        if (changed) {
            fields.push_back(field);
        }
    };
    const RunSettings& a = now.settings;
    const RunSettings& b = before.settings;
    note(now.modelPath != before.modelPath, RunField::Model);
    note(now.prompt != before.prompt, RunField::Prompt);
    note(now.parseSpecial != before.parseSpecial, RunField::Special);
    note(a.steps != b.steps, RunField::Steps);
    note(now.runs != before.runs, RunField::Runs);
    note(a.temperature != b.temperature, RunField::Temperature);
    note(a.seed != b.seed, RunField::Seed);
    note(a.policy != b.policy, RunField::Policy);
    note(a.opPolicies != b.opPolicies, RunField::OpPolicies);
    note(now.threads != before.threads, RunField::Threads);
    note(now.batch != before.batch, RunField::Batch);
    note(now.prefillChunk != before.prefillChunk, RunField::PrefillChunk);
    note(a.reductionChunk != b.reductionChunk, RunField::ReductionChunk);
    note(a.activation != b.activation, RunField::Activation);
    note(a.isa != b.isa, RunField::Isa);
    note(a.device != b.device, RunField::Device);
    return fields;
}

std::vector<int> parseNumberList(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<int> numbers;
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        bool good = false;
        const int number = word == QLatin1String("auto") ? 0 : word.toInt(&good);
        if (!good && word != QLatin1String("auto")) {
            return {};
        }
        numbers.push_back(number);
    }
    return numbers;
}

QString numberListText(const std::vector<int>& numbers)
{
    QStringList words;
    for (const int number : numbers) {
        words << QString::number(number);
    }
    return words.join(QStringLiteral(", "));
}

Result<std::vector<OpPolicy>> parseOpPolicies(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<OpPolicy> policies;
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        auto entry = parseOpPolicy(word.toStdString());
        if (!entry) {
            return entry.error();
        }
        policies.push_back(*entry);
    }
    return policies;
}

QString opPoliciesText(const std::vector<OpPolicy>& policies)
{
    QStringList words;
    for (const OpPolicy& entry : policies) {
        words << QString::fromStdString(entry.pattern) + QLatin1Char('=') +
                     policyText(entry.policy);
    }
    return words.join(QStringLiteral(", "));
}

QString policyText(Policy policy)
{
    const std::string_view name = toString(policy);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace ulp::views
