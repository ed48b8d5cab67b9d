// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/snapshot.h"

#include <array>
#include <utility>

namespace ulp::trace {
namespace {

constexpr std::array<std::pair<RunStatus, std::string_view>, 5> kStatusNames{{
    {RunStatus::Running, "running"},
    {RunStatus::Complete, "complete"},
    {RunStatus::Cancelled, "cancelled"},
    {RunStatus::Failed, "failed"},
    {RunStatus::Incomplete, "incomplete"},
}};

} // namespace

std::string_view toString(RunStatus status)
{
    for (const auto& [value, name] : kStatusNames) {
        if (value == status) {
            return name;
        }
    }
    return "?";
}

RunStatus parseRunStatus(std::string_view name)
{
    for (const auto& [value, known] : kStatusNames) {
        if (known == name) {
            return value;
        }
    }
    return RunStatus::Incomplete;
}

} // namespace ulp::trace
