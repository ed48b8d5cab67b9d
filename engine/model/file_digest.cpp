// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/file_digest.h"

#include <algorithm>

namespace ulp::model {

FileDigest::FileDigest(const GgufFile& file) : m_file(file), m_thread([this] { work(); }) {}

FileDigest::~FileDigest()
{
    m_stop.store(true);
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void FileDigest::work()
{
    constexpr std::size_t kWindow = std::size_t{4} << 20;
    std::uint64_t done = 0;
    for (const auto bytes : m_file.parts()) {
        for (std::size_t at = 0; at < bytes.size() && !m_stop.load();) {
            const auto window = bytes.subspan(at, std::min(kWindow, bytes.size() - at));
            m_sha256.update(window.data(), window.size());
            m_file.release(window); // else the whole file would count as memory of this process
            at += window.size();
            done += window.size();
            m_done.store(done);
        }
    }
}

std::string FileDigest::finish()
{
    m_thread.join();
    return m_sha256.finish();
}

} // namespace ulp::model
