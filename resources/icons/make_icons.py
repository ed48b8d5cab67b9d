#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the small arrows of combo and spin boxes as PNG files beside this script.

The style sheet needs pictures for them, and PNG works where Qt's SVG plugin is not installed.
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


if __name__ == "__main__":
    main()
