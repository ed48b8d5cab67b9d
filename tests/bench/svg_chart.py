# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars and lines as SVG, with nothing but the standard library.

Series differ by dash and hatch as well as by colour (Okabe and Ito's palette), so that the pictures
can be read in black and white.
"""
import html
import math

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "12 4", "4 2", "1 2")
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 44, 96


def nice_ticks(top, count=5):
    """Ascending ticks from 0 to at least `top`, at 1, 2 or 5 times a power of ten."""
    if top <= 0:
        return [0, 1]
    rough = top / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    return [i * step for i in range(math.ceil(top / step - 1e-9) + 1)]


def number(value):
    return f"{value:g}"


class Canvas:
    """The frame of a chart: title, value axis from 0, legend."""

    def __init__(self, title, unit, top, series):
        self.ticks = nice_ticks(top)
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        ]
        self.text(WIDTH / 2, 22, title, "middle", 'font-size="15"')
        for tick in self.ticks:
            y = self.y(tick)
            self.parts.append(
                f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            self.text(LEFT - 6, y + 4, number(tick), "end")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.text(18, middle, unit, "middle", f'transform="rotate(-90 18 {middle})"')
        for i, name in enumerate(series):
            x = LEFT + i % 3 * (WIDTH - LEFT - RIGHT) / 3
            y = HEIGHT - 34 + i // 3 * 18
            self.parts.append(
                f'<line x1="{x}" x2="{x + 26}" y1="{y - 4}" y2="{y - 4}" stroke="{colour(i)}" '
                f'stroke-width="4" stroke-dasharray="{dash(i)}"/>')
            self.text(x + 32, y, name)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.ticks[-1] * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, text, anchor="start", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>'
                          f"{html.escape(text)}</text>")

    def write(self, path):
        path.write_text("\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def colour(i):
    return COLOURS[i % len(COLOURS)]


def dash(i):
    return DASHES[i % len(DASHES)]


def bars(path, title, unit, groups, series):
    """groups: names along the axis. series: {name: [value or None for each group]}"""
    values = [v for column in series.values() for v in column if v is not None]
    canvas = Canvas(title, unit, max(values, default=1), series)
    room = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    width = room * 0.8 / max(1, len(series))
    for g, group in enumerate(groups):
        for s, column in enumerate(series.values()):
            if column[g] is None:
                continue
            x = LEFT + g * room + room * 0.1 + s * width
            y = canvas.y(column[g])
            canvas.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width * 0.9:.1f}" '
                f'height="{HEIGHT - BOTTOM - y:.1f}" fill="{colour(s)}" fill-opacity="0.75" '
                f'stroke="{colour(s)}" stroke-dasharray="{dash(s)}" stroke-width="2"/>')
            canvas.text(x + width * 0.45, y - 4, f"{column[g]:.2f}", "middle", 'font-size="9"')
        canvas.text(LEFT + (g + 0.5) * room, HEIGHT - BOTTOM + 18, group, "middle",
                    'font-size="10"')
    canvas.write(path)


def lines(path, title, x_label, unit, series):
    """series: {name: [(x > 0, y)]}; the x axis is logarithmic to base 2."""
    points = [p for line in series.values() for p in line]
    if not points:
        return
    canvas = Canvas(title, unit, max(y for _, y in points), series)
    low = math.log2(min(x for x, _ in points))
    span = math.log2(max(x for x, _ in points)) - low or 1.0

    def place(x):
        return LEFT + 12 + (math.log2(x) - low) / span * (WIDTH - LEFT - RIGHT - 24)

    for x in sorted({x for x, _ in points}):
        canvas.text(place(x), HEIGHT - BOTTOM + 18, number(x), "middle")
    canvas.text(WIDTH / 2, HEIGHT - BOTTOM + 38, x_label, "middle")
    for i, line in enumerate(series.values()):
        shape = " ".join(f"{place(x):.1f},{canvas.y(y):.1f}" for x, y in sorted(line))
        canvas.parts.append(f'<polyline points="{shape}" fill="none" stroke="{colour(i)}" '
                            f'stroke-width="2" stroke-dasharray="{dash(i)}"/>')
        for x, y in line:
            canvas.parts.append(f'<circle cx="{place(x):.1f}" cy="{canvas.y(y):.1f}" r="3" '
                                f'fill="{colour(i)}"/>')
    canvas.write(path)
