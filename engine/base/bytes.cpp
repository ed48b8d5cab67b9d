// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/bytes.h"

#include <array>
#include <cstdio>

namespace ulp {

std::span<const std::byte> asBytes(std::string_view text)
{
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string describeBytes(std::uint64_t count)
{
    constexpr std::array kUnits{"KB", "MB", "GB", "TB", "PB", "EB"};
    if (count < 1000) {
        return std::to_string(count) + (count == 1 ? " byte" : " bytes");
    }
    double value = static_cast<double>(count) / 1000.0;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < kUnits.size()) {
        value /= 1000.0;
        ++unit;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, kUnits[unit]);
    return text.data();
}

} // namespace ulp
