// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The test classes of this folder; each registers itself by a static Registered<T>.
// Thread-safety: static initialisation and main() only. Ownership: objects belong to the caller.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QObject>

namespace ulp::test {

inline std::vector<std::function<std::unique_ptr<QObject>()>>& testClasses()
{
    static std::vector<std::function<std::unique_ptr<QObject>()>> classes;
    return classes;
}

template <typename T>
struct Registered {
    Registered()
    {
        testClasses().push_back([] { return std::make_unique<T>(); });
    }
};

} // namespace ulp::test
