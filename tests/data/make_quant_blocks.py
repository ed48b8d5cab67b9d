#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes quant_blocks.txt: rows of two random blocks of every block format, and what the decoders of
# the field's own package "gguf" (PyPI) make of them. A line: format, the blocks' bytes, the float32
# results, all in hexadecimal. Run from this folder: python3 make_quant_blocks.py
import gguf
import numpy as np
from gguf import quants

HALF_FIELDS = {  # byte offsets of float16 fields, which must be numbers
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
    "IQ4_NL": [0], "IQ4_XS": [0], "MXFP4": [],
}


def random_block(name, size, random, exponent):
    block = random.integers(0, 256, size=size, dtype=np.uint8)
    for at in HALF_FIELDS[name]:
        block[at:at + 2] = np.frombuffer(np.float16(random.normal() * 0.05).tobytes(), np.uint8)
    if name == "MXFP4":
        block[0] = exponent
    return block


def main():
    random = np.random.default_rng(11)
    with open("quant_blocks.txt", "w", encoding="ascii") as out:
        for name in HALF_FIELDS:
            kind = getattr(gguf.GGMLQuantizationType, name)
            size = gguf.GGML_QUANT_SIZES[kind][1]
            for exponents in [(125, 131), (0, 1), (2, 250)] if name == "MXFP4" else [(0, 0)]:
                row = np.concatenate([random_block(name, size, random, e) for e in exponents])
                values = quants.dequantize(row[None, :], kind)[0].astype("<f4")
                bits = " ".join(f"{b:08x}" for b in values.view("<u4"))
                out.write(f"{name} {row.tobytes().hex()} {bits}\n")


main()
