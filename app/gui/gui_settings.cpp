// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gui_settings.h"

#include <algorithm>

#include <QFileInfo>

namespace ulp::gui {
namespace {

constexpr int kMostRecent = 12;

template <typename T, typename Parse>
T parsedOr(const QSettings& settings, const char* key, T fallback, Parse parse)
{
    const auto parsed = parse(settings.value(QLatin1String(key)).toString().toStdString());
    return parsed ? *parsed : fallback;
}

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::vector<int> listOr(const QSettings& settings, const char* key, const std::vector<int>& other)
{
    const auto values = views::parseNumberList(settings.value(QLatin1String(key)).toString());
    return values.empty() ? other : values;
}

} // namespace

GuiSettings::GuiSettings()
    : m_settings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("ulpscope"),
                 QStringLiteral("ulpscope"))
{
}

AppearanceChoice GuiSettings::appearance() const
{
    const QString name = m_settings.value(QStringLiteral("appearance")).toString();
    return name == QLatin1String("dark")    ? AppearanceChoice::Dark
           : name == QLatin1String("light") ? AppearanceChoice::Light
                                            : AppearanceChoice::System;
}

void GuiSettings::setAppearance(AppearanceChoice choice)
{
    m_settings.setValue(QStringLiteral("appearance"),
                        choice == AppearanceChoice::Dark    ? QStringLiteral("dark")
                        : choice == AppearanceChoice::Light ? QStringLiteral("light")
                                                            : QStringLiteral("system"));
}

QString GuiSettings::language() const
{
    return m_settings.value(QStringLiteral("language")).toString();
}

void GuiSettings::setLanguage(const QString& language)
{
    m_settings.setValue(QStringLiteral("language"), language);
}

std::vector<views::RecentFile> GuiSettings::recentFiles() const
{
    std::vector<views::RecentFile> files;
    for (const QString& path : m_settings.value(QStringLiteral("recent")).toStringList()) {
        views::RecentFile file;
        file.path = path;
        file.isTrace = path.endsWith(QLatin1String(".ulp"));
        file.missing = !QFileInfo::exists(path);
        files.push_back(file);
    }
    return files;
}

void GuiSettings::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = m_settings.value(QStringLiteral("recent")).toStringList();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    while (paths.size() > kMostRecent) {
        paths.removeLast();
    }
    m_settings.setValue(QStringLiteral("recent"), paths);
}

void GuiSettings::clearRecentFiles()
{
    m_settings.remove(QStringLiteral("recent"));
}

QString GuiSettings::layoutKey(const QString& name) const
{
    return QStringLiteral("layout%1/%2").arg(kLayoutVersion).arg(name);
}

QByteArray GuiSettings::layout(const QString& name) const
{
    return m_settings.value(layoutKey(name)).toByteArray();
}

void GuiSettings::setLayout(const QString& name, const QByteArray& state)
{
    m_settings.setValue(layoutKey(name), state);
}

bool GuiSettings::shown(const QString& name, bool fallback) const
{
    return m_settings.value(layoutKey(QStringLiteral("shown/") + name), fallback).toBool();
}

void GuiSettings::setShown(const QString& name, bool shown)
{
    m_settings.setValue(layoutKey(QStringLiteral("shown/") + name), shown);
}

views::RunSetup GuiSettings::lastSetup() const
{
    views::RunSetup setup;
    setup.settings.policy = Policy::Atomic;
    setup.threads = {2};
    setup.prompt = m_settings.value(QStringLiteral("run/prompt")).toString();
    setup.runs = m_settings.value(QStringLiteral("run/runs"), setup.runs).toInt();
    setup.threads = listOr(m_settings, "run/threads", setup.threads);
    setup.batch = listOr(m_settings, "run/batch", setup.batch);
    setup.prefillChunk = listOr(m_settings, "run/prefill", setup.prefillChunk);
    RunSettings& s = setup.settings;
    s.steps = m_settings.value(QStringLiteral("run/steps"), s.steps).toInt();
    s.reductionChunk = m_settings.value(QStringLiteral("run/chunk"), 0).toInt();
    s.policy = parsedOr(m_settings, "run/policy", s.policy, parsePolicy);
    s.activation = parsedOr(m_settings, "run/activation", s.activation, parsePrecision);
    s.isa = parsedOr(m_settings, "run/isa", s.isa, parseIsa);
    return setup;
}

void GuiSettings::setLastSetup(const views::RunSetup& setup)
{
    const RunSettings& s = setup.settings;
    m_settings.setValue(QStringLiteral("run/prompt"), setup.prompt);
    m_settings.setValue(QStringLiteral("run/runs"), setup.runs);
    m_settings.setValue(QStringLiteral("run/threads"), views::numberListText(setup.threads));
    m_settings.setValue(QStringLiteral("run/batch"), views::numberListText(setup.batch));
    m_settings.setValue(QStringLiteral("run/prefill"), views::numberListText(setup.prefillChunk));
    m_settings.setValue(QStringLiteral("run/steps"), s.steps);
    m_settings.setValue(QStringLiteral("run/chunk"), s.reductionChunk);
    m_settings.setValue(QStringLiteral("run/policy"), textOf(toString(s.policy)));
    m_settings.setValue(QStringLiteral("run/activation"), textOf(toString(s.activation)));
    m_settings.setValue(QStringLiteral("run/isa"), textOf(toString(s.isa)));
}

} // namespace ulp::gui
