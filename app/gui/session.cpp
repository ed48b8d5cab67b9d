// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"

#include <algorithm>
#include <set>

#include <QCoreApplication>
#include <QFileInfo>

namespace ulp::gui {
namespace {

constexpr std::size_t kMostSessions = 8;

QString policiesOf(const trace::Snapshot& snapshot)
{
    std::set<Policy> policies;
    for (const auto& run : snapshot.runs) {
        policies.insert(run->settings.policy);
    }
    return policies.size() == 1 ? views::policyText(*policies.begin())
                                : QCoreApplication::translate("Session", "several policies");
}

} // namespace

QString Session::title() const
{
    const QString name = number > 0
                             ? QCoreApplication::translate("Session", "session %1").arg(number)
                             : QFileInfo(file).fileName();
    const auto known = snapshot();
    const bool fromTrace = number == 0;
    if (fromTrace && !known) {
        return name;
    }
    const QString policy =
        fromTrace ? policiesOf(*known) : views::policyText(setup.settings.policy);
    const int runs = fromTrace ? static_cast<int>(known->runs.size()) : setup.runs;
    return QStringLiteral("%1 · %2 · %3")
        .arg(name, policy, QCoreApplication::translate("Session", "%n run(s)", nullptr, runs));
}

views::RunSetup setupOf(const trace::Snapshot& snapshot)
{
    views::RunSetup setup;
    setup.modelPath = QString::fromStdString(snapshot.model.path);
    setup.modelName = QString::fromStdString(snapshot.model.name);
    // Beyond that a line edit holds up the whole window; such a prompt comes from a file anyway.
    constexpr std::size_t kMostEditable = 200'000;
    if (snapshot.prompt.size() <= kMostEditable) {
        setup.prompt = QString::fromStdString(snapshot.prompt);
    }
    setup.runs = static_cast<int>(snapshot.runs.size());
    if (!snapshot.runs.empty()) {
        setup.settings = snapshot.runs.front()->settings;
    }
    const auto distinct = [&snapshot](int RunSettings::*member, int fallback) {
        std::vector<int> values;
        for (const auto& run : snapshot.runs) {
            const int value = run->settings.*member;
            if (std::find(values.begin(), values.end(), value) == values.end()) {
                values.push_back(value);
            }
        }
        return values.empty() ? std::vector<int>{fallback} : values;
    };
    setup.threads = distinct(&RunSettings::threads, 0);
    setup.batch = distinct(&RunSettings::batch, 1);
    setup.prefillChunk = distinct(&RunSettings::prefillChunk, 512);
    return setup;
}

SessionStore::SessionStore(QObject* parent) : QObject(parent) {}

Session& SessionStore::add(SessionState state)
{
    auto session = std::make_unique<Session>();
    session->id = m_nextId++;
    session->state = state;
    if (state == SessionState::Running) {
        session->number = m_nextNumber++;
        session->timer.start();
    }
    m_sessions.push_back(std::move(session));
    trim();
    return *m_sessions.back();
}

Session* SessionStore::find(int id)
{
    const auto it = std::find_if(m_sessions.begin(), m_sessions.end(),
                                 [id](const auto& session) { return session->id == id; });
    return it == m_sessions.end() ? nullptr : it->get();
}

void SessionStore::remove(int id)
{
    const auto it = std::find_if(m_sessions.begin(), m_sessions.end(),
                                 [id](const auto& session) { return session->id == id; });
    if (it != m_sessions.end()) {
        m_sessions.erase(it);
        emit removed(id);
    }
}

Session* SessionStore::lastRun()
{
    const auto it = std::find_if(m_sessions.rbegin(), m_sessions.rend(),
                                 [](const auto& session) { return session->number > 0; });
    return it == m_sessions.rend() ? nullptr : it->get();
}

void SessionStore::trim()
{
    while (m_sessions.size() > kMostSessions) {
        const auto oldest = std::find_if(m_sessions.begin(), m_sessions.end(),
                                         [](const auto& s) { return !s->running(); });
        if (oldest == m_sessions.end() || oldest + 1 == m_sessions.end()) {
            return;
        }
        const int id = (*oldest)->id;
        m_sessions.erase(oldest);
        emit removed(id);
    }
}

} // namespace ulp::gui
