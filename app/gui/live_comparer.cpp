// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/live_comparer.h"
#include "engine/compare/near_tie.h"

#include <algorithm>

#include "views/token_strip.h"

namespace ulp::gui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kShortestPause = std::chrono::milliseconds(40); // 25 updates a second
constexpr int kPauseFactor = 8; // a live comparison may cost one part in so many of a core

} // namespace

LiveComparer::LiveComparer(Deliver deliver)
    : m_deliver(std::move(deliver)), m_thread([this] { work(); })
{
}

LiveComparer::~LiveComparer()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void LiveComparer::update(int session, trace::SnapshotPtr snapshot,
                          const worker::Progress& progress, bool finished)
{
    {
        const std::lock_guard lock(m_mutex);
        Entry& entry = m_entries[session];
        entry.snapshot = std::move(snapshot);
        entry.progress = progress;
        entry.finished = finished;
        entry.dirty = true;
    }
    m_wake.notify_all();
}

void LiveComparer::setOptions(int session, const compare::Options& options)
{
    {
        const std::lock_guard lock(m_mutex);
        Entry& entry = m_entries[session];
        entry.options = options;
        entry.dirty = entry.snapshot != nullptr;
    }
    m_wake.notify_all();
}

void LiveComparer::forget(int session)
{
    const std::lock_guard lock(m_mutex);
    m_entries.erase(session);
}

std::map<int, LiveComparer::Entry>::iterator LiveComparer::nextDirty()
{
    return std::find_if(m_entries.begin(), m_entries.end(),
                        [](const auto& entry) { return entry.second.dirty; });
}

/// Something that need not wait for the pause between live updates.
bool LiveComparer::urgent() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const auto& entry) {
        return entry.second.dirty && entry.second.finished;
    });
}

void LiveComparer::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stop || nextDirty() != m_entries.end(); });
        if (m_stop) {
            return;
        }
        const auto it = nextDirty();
        it->second.dirty = false;
        const int session = it->first;
        const Entry entry = it->second;
        lock.unlock();

        const auto begin = Clock::now();
        SessionUpdate update;
        update.session = session;
        update.comparison = compare::Comparison::compute(entry.snapshot, entry.options);
        update.driftSeen = compare::largestDrift(*update.comparison);
        update.progress = entry.progress;
        update.finished = entry.finished;
        const auto cost = Clock::now() - begin;
        m_deliver(std::move(update));

        lock.lock();
        const auto pause = std::max<Clock::duration>(kShortestPause, cost * kPauseFactor);
        m_wake.wait_until(lock, begin + pause, [this] { return m_stop || urgent(); });
    }
}

} // namespace ulp::gui
