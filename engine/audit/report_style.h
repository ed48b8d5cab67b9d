// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The style sheet of the HTML report, light and dark, as one constant: a report is one file.
// Thread-safety: a constant.
#pragma once

namespace ulp::audit {

extern const char* const kReportStyle;

} // namespace ulp::audit
