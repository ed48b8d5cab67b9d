#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes exact_sums.txt: sums of products of float32 numbers with the correctly rounded float32 result,
# by rational arithmetic that shares nothing with the engine. A line: result, then pairs of factors, all
# as the hexadecimal bits of float32. Run from this folder: python3 make_exact_sums.py
import random
import struct
from fractions import Fraction


def value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_of(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def nearest(x):
    """The bits of the float32 nearest to a rational, ties to even."""
    if x == 0:
        return 0
    sign = 0x80000000 if x < 0 else 0
    x = abs(x)
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** exponent > x:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)
    count = x / unit
    whole = count.numerator // count.denominator
    rest = count - whole
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1):
        whole += 1
    rounded = whole * unit
    if rounded >= Fraction(2) ** 128:
        return sign | 0x7F800000
    return sign | bits_of(float(rounded))


def line(pairs):
    total = sum((Fraction(value(a)) * Fraction(value(b)) for a, b in pairs), Fraction(0))
    return " ".join(f"{x:08x}" for x in [nearest(total)] + [bits for pair in pairs for bits in pair])


def any_finite(rng, low=0, high=254):
    return rng.getrandbits(1) << 31 | rng.randint(low, high) << 23 | rng.getrandbits(23)


def main():
    rng = random.Random(20261201)
    one = bits_of(1.0)
    cases = []
    for _ in range(60):  # everything, from subnormal to the largest
        cases.append([(any_finite(rng), any_finite(rng)) for _ in range(rng.randint(1, 9))])
    for _ in range(60):  # of one size, as in a model
        cases.append([(any_finite(rng, 120, 130), any_finite(rng, 120, 130)) for _ in range(rng.randint(2, 20))])
    for _ in range(60):  # large terms that cancel exactly, leaving small ones
        pairs = [(any_finite(rng, 100, 200), any_finite(rng, 100, 170)) for _ in range(4)]
        pairs += [(a ^ 0x80000000, b) for a, b in pairs]
        pairs += [(any_finite(rng, 0, 60), any_finite(rng, 0, 80)) for _ in range(rng.randint(0, 3))]
        rng.shuffle(pairs)
        cases.append(pairs)
    for _ in range(40):  # ties, and ties disturbed from far below, around normal and subnormal numbers
        exponent = rng.randint(1, 60)
        base = exponent << 23 | rng.getrandbits(23)
        half = bits_of(2.0 ** (exponent - 127 - 24)) if exponent > 25 else None
        pairs = [(base, one)]
        if half is None:
            pairs += [(1, bits_of(0.5))]
        else:
            pairs += [(half, one)]
        if rng.random() < 0.7:
            pairs += [(rng.getrandbits(1) << 31 | 1, rng.choice([1, bits_of(2.0**-100)]))]
        cases.append(pairs)
    top = 0x7F7FFFFF
    halfway = bits_of(2.0**103)  # half a unit of the largest float32
    for extra in ([], [(halfway, one)], [(halfway, one), (0x80000001, 1)], [(halfway, one), (1, 1)]):
        cases.append([(top, one)] + extra)
        cases.append([(top | 0x80000000, one)] + [(a ^ 0x80000000, b) for a, b in extra])
    cases += [[(top, top)] * 6, [(top, top), (top | 0x80000000, top), (one, one)]]
    cases += [[(1, 1)], [(0x80000001, 1)], [(1, bits_of(0.5))], [(3, bits_of(0.5))], [(0x80000000, one)], [(0, one)]]
    with open("exact_sums.txt", "w", encoding="ascii") as out:
        out.write("\n".join(line(pairs) for pairs in cases) + "\n")


main()
