// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Working memory that a thread keeps from call to call, so that a decode step allocates nothing.
// Thread-safety: one thread at a time; meant to be thread_local. Ownership: owns its bytes, which
// grow on demand, never shrink and are not preserved when they grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace ulp::kernels {

class Scratch {
  public:
    Scratch() = default;
    ~Scratch() { release(); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// At least `count` objects, 64-byte aligned, content unspecified.
    template <typename T>
    T* get(std::int64_t count)
    {
        const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
        if (bytes > m_bytes) {
            release();
            m_data = static_cast<std::byte*>(::operator new(bytes, kAlignment));
            m_bytes = bytes;
        }
        return reinterpret_cast<T*>(m_data);
    }

  private:
    static constexpr std::align_val_t kAlignment{64};

    void release()
    {
        ::operator delete(m_data, kAlignment);
        m_data = nullptr;
        m_bytes = 0;
    }

    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace ulp::kernels
