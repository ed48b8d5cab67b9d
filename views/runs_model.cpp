// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs_model.h"

#include <algorithm>

#include <QFont>

#include "engine/audit/settings_text.h"
#include "views/run_setup.h"
#include "views/text_table_model.h"
#include "views/theme.h"

namespace ulp::views {

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunsModel::setComparison(const compare::ComparisonPtr& comparison)
{
    const int before = rowCount();
    const int after = comparison ? static_cast<int>(comparison->snapshot().runs.size()) : 0;
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_comparison = comparison;
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_comparison = comparison;
        endRemoveRows();
    } else {
        m_comparison = comparison;
    }
    if (after > 0) {
        emit dataChanged(index(0, 0), index(after - 1, ColumnCount - 1));
    }
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_comparison
               ? 0
               : static_cast<int>(m_comparison->snapshot().runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

int RunsModel::classOf(int run) const
{
    int index = 0;
    for (const compare::RunClass& group : m_comparison->runClasses()) {
        if (std::find(group.runs.begin(), group.runs.end(), run) != group.runs.end()) {
            return index;
        }
        ++index;
    }
    return -1;
}

QString RunsModel::settingsText(int run) const
{
    const RunSettings& s = m_comparison->snapshot().runs[static_cast<std::size_t>(run)]->settings;
    const auto& all = m_comparison->snapshot().runs;
    const bool mixed = std::any_of(all.begin(), all.end(), [&s](const auto& other) {
        return other->settings.policy != s.policy;
    });
    const QString threads = tr("%1t", "threads, short").arg(s.threads);
    return mixed ? policyText(s.policy) + QStringLiteral(", ") + threads : threads;
}

QString RunsModel::stateText(int run) const
{
    const auto& record = *m_comparison->snapshot().runs[static_cast<std::size_t>(run)];
    switch (record.status) {
    case trace::RunStatus::Running:
        return tr("running");
    case trace::RunStatus::Complete:
        return tr("%1 tok/s").arg(record.decodeTokensPerSecond, 0, 'f', 0);
    case trace::RunStatus::Cancelled:
        return tr("stopped");
    case trace::RunStatus::Failed:
        return tr("failed");
    case trace::RunStatus::Incomplete:
        return tr("cut short");
    }
    return {};
}

QString RunsModel::toolTip(int run) const
{
    const auto& record = *m_comparison->snapshot().runs[static_cast<std::size_t>(run)];
    QStringList lines;
    for (const audit::SettingText& setting : audit::settingTexts(record.settings)) {
        lines << QString::fromStdString(setting.name + ": " + setting.value);
    }
    if (!record.traceHash.empty()) {
        lines << tr("trace hash: %1").arg(QString::fromStdString(record.traceHash));
    }
    if (!record.error.empty()) {
        lines << QString::fromStdString(record.error);
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const int run = index.row();
    const int group = classOf(run);
    const bool reference = run == m_comparison->reference();
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case RunColumn:
            return reference ? tr("%1 ref").arg(run) : QString::number(run);
        case ClassColumn:
            return group < 0 ? QStringLiteral("–") : className(group);
        case SettingsColumn:
            return settingsText(run);
        default:
            return stateText(run);
        }
    case Qt::CheckStateRole:
        if (index.column() == RunColumn) {
            return group < 0 ? Qt::Unchecked : Qt::Checked;
        }
        return {};
    case Qt::ToolTipRole:
        return toolTip(run);
    case Qt::FontRole:
        if (reference && index.column() == RunColumn) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    case TextTableModel::SwatchRole:
        return index.column() == ClassColumn ? group : -1;
    default:
        return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != RunColumn) {
        return false;
    }
    emit visibilityRequested(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == RunColumn) {
        flags |= Qt::ItemIsUserCheckable;
    }
    return flags;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case RunColumn:
        return tr("run");
    case ClassColumn:
        return tr("class");
    case SettingsColumn:
        return tr("how");
    case StateColumn:
        return tr("state");
    default:
        return {};
    }
}

} // namespace ulp::views
