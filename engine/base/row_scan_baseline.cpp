// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#define ULP_ROW_SCAN_TABLE kRowScanBaseline
#include "engine/base/row_scan_body.inc"
