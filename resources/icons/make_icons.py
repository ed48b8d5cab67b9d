#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the arrows of combo and spin boxes and the program's icon as PNG files beside this script.

The style sheet needs pictures for the arrows, and PNG works where Qt's SVG plugin is not installed.
"""
import pathlib
import struct
import zlib

COLOURS = {"light": (0x5C, 0x66, 0x78), "dark": (0x9F, 0xA8, 0xB8)}
SHAPES = {"down": [(1.5, 3.0), (4.0, 5.5), (6.5, 3.0)], "up": [(1.5, 5.0), (4.0, 2.5), (6.5, 5.0)]}
HALF_WIDTH = 0.6
SAMPLES = 6


def distance(x, y, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)))
    return ((x - a[0] - t * dx) ** 2 + (y - a[1] - t * dy) ** 2) ** 0.5


def coverage(px, py, scale, points):
    hits = 0
    for i in range(SAMPLES):
        for j in range(SAMPLES):
            x = (px + (i + 0.5) / SAMPLES) / scale
            y = (py + (j + 0.5) / SAMPLES) / scale
            near = min(distance(x, y, a, b) for a, b in zip(points, points[1:]))
            hits += near <= HALF_WIDTH
    return round(255 * hits / SAMPLES**2)


# The icon is a divergence map in small: same bits, two classes, three or more.
ICON = ["00012", "00112", "01122", "01222", "11212"]
ICON_COLOURS = {" ": (0, 0, 0, 0), "0": (0xE2, 0xE5, 0xEA, 255), "1": (0x00, 0x72, 0xB2, 255),
                "2": (0xE6, 0x9F, 0x00, 255), "frame": (0x1C, 0x1F, 0x24, 255)}


def icon_pixel(x, y):
    """Colour at a place of the unit square; the frame has round corners."""
    corner = 0.18
    dx, dy = max(corner - x, x - 1 + corner, 0), max(corner - y, y - 1 + corner, 0)
    if dx * dx + dy * dy > corner * corner:
        return ICON_COLOURS[" "]
    u, v = (x - 0.12) / 0.76 * 5, (y - 0.12) / 0.76 * 5
    if not (0 <= u < 5 and 0 <= v < 5) or u % 1 > 0.9 or v % 1 > 0.9:
        return ICON_COLOURS["frame"]
    return ICON_COLOURS[ICON[int(v)][int(u)]]


def icon(size):
    rows = []
    for py in range(size):
        row = bytearray()
        for px in range(size):
            samples = [icon_pixel((px + (i + 0.5) / 4) / size, (py + (j + 0.5) / 4) / size)
                       for i in range(4) for j in range(4)]
            alpha = sum(s[3] for s in samples)
            row += bytes(round(sum(s[c] * s[3] for s in samples) / alpha) if alpha else 0
                         for c in range(3)) + bytes((round(alpha / 16),))
        rows.append(bytes(row))
    return png(size, rows)


def png(size, rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data, 9))
            + chunk(b"IEND", b""))


def main():
    folder = pathlib.Path(__file__).parent
    for theme, colour in COLOURS.items():
        for shape, points in SHAPES.items():
            for scale, suffix in ((1, ""), (2, "@2x")):
                size = 8 * scale
                rows = [b"".join(bytes((*colour, coverage(x, y, scale, points)))
                                 for x in range(size)) for y in range(size)]
                (folder / f"{shape}-{theme}{suffix}.png").write_bytes(png(size, rows))
    for size in (48, 256):
        (folder / f"ulpscope-{size}.png").write_bytes(icon(size))


if __name__ == "__main__":
    main()
