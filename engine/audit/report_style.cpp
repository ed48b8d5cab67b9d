// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/report_style.h"

namespace ulp::audit {

const char* const kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f6f7f9; --line: #dde2e9; --ink: #16202b; --muted: #566173;
  --accent: #0b57d0;
  --same: #e4e8ee; --two: #2f6fd0; --many: #e0801f; --alert: #b3261e; --blank: #f6f7f9;
  --good-bg: #dff3e4; --good-ink: #14532d; --warn-bg: #fdf0c4; --warn-ink: #5f4700;
  --bad-bg: #fde3cf; --bad-ink: #7a2e00; --fail-bg: #fbdcda; --fail-ink: #8c1d18;
  --k1: #16202b; --k2: #0072b2; --k3: #d55e00; --k4: #008060; --k5: #b0528c; --k6: #8a6d00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12161c; --panel: #1a2028; --line: #2d3642; --ink: #e8edf4; --muted: #a3afbf;
    --accent: #8ab4f8;
    --same: #2c3540; --two: #5b9bf5; --many: #f2a03d; --alert: #ff8a80; --blank: #171c23;
    --good-bg: #173d26; --good-ink: #b9f0c9; --warn-bg: #463a10; --warn-ink: #fbe38e;
    --bad-bg: #4a2a12; --bad-ink: #ffcb9e; --fail-bg: #4c1d1a; --fail-ink: #ffb4ab;
    --k1: #e8edf4; --k2: #56b4e9; --k3: #f0883e; --k4: #3ecf9b; --k5: #e09bc4; --k6: #e0c04c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); line-height: 1.5;
  font: 15px/1.5 Inter, "Segoe UI", "Noto Sans", "DejaVu Sans", system-ui, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 28px 28px 64px; }
header .brand { color: var(--muted); font-size: 13px; letter-spacing: .02em; }
h1 { font-size: 24px; line-height: 1.25; margin: 4px 0 14px; font-weight: 650;
  overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 38px 0 6px; font-weight: 650; }
h3 { font-size: 14px; margin: 18px 0 6px; font-weight: 650; }
p { margin: 6px 0; }
.lead { color: var(--muted); margin: 0 0 12px; max-width: 92ch; }
.verdict { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center;
  border: 1px solid var(--line); background: var(--panel); border-radius: 12px;
  padding: 14px 16px; }
.verdict .part + .part { border-left: 1px solid var(--line); padding-left: 14px; }
.badge { border-radius: 999px; padding: 4px 13px; font-weight: 650; }
.badge.good { background: var(--good-bg); color: var(--good-ink); }
.badge.warn { background: var(--warn-bg); color: var(--warn-ink); }
.badge.bad { background: var(--bad-bg); color: var(--bad-ink); }
.badge.fail { background: var(--fail-bg); color: var(--fail-ink); }
.badge.idle { background: var(--same); color: var(--ink); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px;
  margin: 14px 0 0; padding: 0; }
.facts div { border: 1px solid var(--line); border-radius: 10px; padding: 9px 13px; }
.facts dt { color: var(--muted); font-size: 12.5px; }
.facts dd { white-space: nowrap; margin: 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts dd small { font-size: 13px; font-weight: 400; color: var(--muted); }
.scroll { overflow-x: auto; }
svg { display: block; }
svg text { fill: var(--muted); font-size: 11px; font-family: inherit; }
svg text.small { font-size: 8.5px; }
svg text.strong { fill: var(--ink); font-weight: 600; }
.c1 { fill: var(--same); } .c2 { fill: var(--two); } .c3 { fill: var(--many); }
.blank { fill: var(--blank); } .dot { fill: var(--muted); }
.hatch { stroke: var(--alert); stroke-width: 2; } .hatchback { fill: var(--bg); }
.gridline { stroke: var(--bg); stroke-width: 1; } .rule { stroke: var(--line); stroke-width: 1; }
.split { stroke: var(--muted); stroke-width: 1; }
.origin { fill: none; stroke: var(--ink); stroke-width: 1.4; }
.mark { fill: var(--ink); } .markline { stroke: var(--ink); stroke-dasharray: 3 3; }
.line { fill: none; stroke-width: 1.7; stroke-linejoin: round; }
.later { stroke-dasharray: 2 3; opacity: .75; }
.k1 { stroke: var(--k1); } .k2 { stroke: var(--k2); } .k3 { stroke: var(--k3); }
.k4 { stroke: var(--k4); } .k5 { stroke: var(--k5); } .k6 { stroke: var(--k6); }
.flip { fill: var(--alert); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0 0; padding: 0;
  list-style: none; color: var(--muted); font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 7px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px;
  font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--muted); font-weight: 500; font-size: 12.5px;
  border-bottom: 1px solid var(--line); padding: 5px 14px 5px 0; white-space: nowrap;
  vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: 5px 14px 5px 0; vertical-align: top; }
th.n, td.n { text-align: right; }
td.key { color: var(--muted); white-space: nowrap; width: 190px; }
td.wide { overflow-wrap: anywhere; }
tr.varied td { background: var(--warn-bg); color: var(--warn-ink); }
tr.varied td:first-child { box-shadow: -8px 0 0 var(--warn-bg); }
code, .mono { font-family: "JetBrains Mono", "DejaVu Sans Mono", ui-monospace, monospace;
  font-size: 12.5px; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 14px; overflow-x: auto; margin: 8px 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.more { color: var(--muted); font-size: 13px; margin: 6px 0 0; }
.two-up { display: grid; grid-template-columns: repeat(auto-fit, minmax(330px, 1fr)); gap: 8px 36px; }
.tokens { border: 1px solid var(--line); border-radius: 10px; padding: 8px 14px 12px;
  overflow-x: auto; }
.tokens table { width: auto; margin: 6px 0 0; }
.tokens td { border: 0; padding: 2px 0; white-space: pre; line-height: 1.45;
  font-family: "JetBrains Mono", "DejaVu Sans Mono", ui-monospace, monospace; font-size: 12.5px; }
.tokens td.who { color: var(--muted); padding-right: 16px; font-family: inherit;
  font-size: 12px; min-width: 96px; }
.tokens .flipped { outline: 2px solid var(--many); outline-offset: 1px; border-radius: 3px;
  background: var(--bad-bg); color: var(--bad-ink); }
.tokens .tie { text-decoration: underline dotted var(--two) 2px; text-underline-offset: 3px; }
.tokens .after { color: var(--muted); }
details > summary { cursor: pointer; color: var(--accent); margin: 10px 0; }
ul.plain { padding-left: 20px; margin: 6px 0; } ul.plain li { margin: 4px 0; max-width: 90ch; }
footer { margin-top: 44px; border-top: 1px solid var(--line); padding-top: 12px;
  color: var(--muted); font-size: 13px; }
@media print {
  main { max-width: none; padding: 0; } h2 { break-after: avoid; } tr, svg { break-inside: avoid; }
}
)css";

} // namespace ulp::audit
