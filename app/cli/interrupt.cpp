// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <csignal>
#include <cstdlib>

#include <pthread.h>

#include "app/cli/console.h"

namespace ulp::cli {
namespace {

constexpr int kStopWaiting = SIGUSR1; // sent by the destructor to its own thread only

sigset_t waitedSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, kStopWaiting);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t set = waitedSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_thread = std::thread([this] { wait(); });
}

Interrupt::~Interrupt()
{
    pthread_kill(m_thread.native_handle(), kStopWaiting);
    m_thread.join();
    const sigset_t set = waitedSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interrupt::onSignal(std::function<void()> handler)
{
    const std::lock_guard lock(m_mutex);
    m_handler = std::move(handler);
    if (m_received && m_handler) {
        m_handler();
    }
}

void Interrupt::wait()
{
    const sigset_t set = waitedSignals();
    for (;;) {
        int number = 0;
        if (sigwait(&set, &number) != 0) {
            continue;
        }
        if (number == kStopWaiting) {
            return;
        }
        if (m_received.exchange(true)) {
            std::_Exit(static_cast<int>(Exit::Interrupted));
        }
        const std::lock_guard lock(m_mutex);
        if (m_handler) {
            m_handler();
        }
    }
}

} // namespace ulp::cli
