#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes GGUF models of random weights in the shape of TinyLlama-1.1B, for timing only.

Speed does not depend on what the weights say, so nothing has to be downloaded or quantised. Needs
the packages `gguf` and `numpy` from PyPI. About 2.2 GB for f16, 0.65 GB for the 4-bit formats.
"""
import argparse
import pathlib

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

LAYERS, WIDTH, FFN, HEADS, KV_HEADS, VOCAB = 22, 2048, 5632, 32, 4, 32000
KV_WIDTH = WIDTH // HEADS * KV_HEADS
SIGMA = 0.02  # of the weights: about what training leaves, so activations stay in range
FORMATS = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "q4_k_m")


def half(value, count):
    return np.full((count, 1), value, np.float16).view(np.uint8)


def blocks(kind, count, rng):
    """`count` blocks of random levels under plausible scales: [count, bytes of a block]"""
    def levels(size):
        return rng.integers(0, 256, (count, size), dtype=np.uint8)

    if kind == Type.Q8_0:
        return np.hstack([half(SIGMA / 73, count), levels(32)])
    if kind == Type.Q4_0:
        return np.hstack([half(SIGMA / 4.6, count), levels(16)])
    if kind == Type.Q4_1:
        return np.hstack([half(SIGMA / 4.6, count), half(-SIGMA * 1.63, count), levels(16)])
    if kind == Type.Q4_K:
        # The mean of scale * level is that of minimum, 6-bit both: dmin = 7.5 d.
        d = SIGMA / (4.6 * 36)
        return np.hstack([half(d, count), half(7.5 * d, count), levels(12 + 128)])
    assert kind == Type.Q6_K
    return np.hstack([levels(128 + 64 + 16), half(SIGMA / (18.5 * 73), count)])


def matrix(kind, rows, columns, rng):
    if kind in (Type.F32, Type.F16, Type.BF16):
        values = rng.standard_normal((rows, columns), dtype=np.float32) * np.float32(SIGMA)
        if kind == Type.BF16:
            return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
        return values.astype(np.float16) if kind == Type.F16 else values
    elements = gguf.GGML_QUANT_SIZES[kind][0]
    return blocks(kind, rows * columns // elements, rng).reshape(rows, -1)


def finer(layer):
    """Layers whose value and down matrices get six bits in llama.cpp's Q4_K_M (use_more_bits)."""
    eighth = LAYERS // 8
    return layer < eighth or layer >= 7 * LAYERS // 8 or (layer - eighth) % 3 == 2


def types_of(name):
    """(type of most matrices, of the output, of value and down in some layers)"""
    if name == "q4_k_m":
        return Type.Q4_K, Type.Q6_K, Type.Q6_K
    kind = Type[name.upper()]
    return kind, kind, kind


def vocabulary(writer):
    tokens = [b"<unk>", b"<s>", b"</s>"] + [f"<0x{i:02X}>".encode() for i in range(256)]
    types = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * 2 + [gguf.TokenType.BYTE] * 256
    while len(tokens) < VOCAB:
        tokens.append(f"t{len(tokens)}".encode())
        types.append(gguf.TokenType.NORMAL)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * VOCAB)
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)


def make(path, name, context, seed):
    rng = np.random.default_rng(seed)
    most, output, some = types_of(name)
    writer = gguf.GGUFWriter(path, "llama", use_temp_file=True)
    writer.add_name(f"random 1.1B {name}")
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FFN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(VOCAB)
    vocabulary(writer)

    def add(tensor, kind, rows, columns):
        raw = None if kind in (Type.F32, Type.F16) else kind
        writer.add_tensor(tensor, matrix(kind, rows, columns, rng), raw_dtype=raw)

    ones = np.ones(WIDTH, np.float32)
    add("token_embd.weight", most, VOCAB, WIDTH)
    writer.add_tensor("output_norm.weight", ones)
    add("output.weight", output, VOCAB, WIDTH)
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        picked = some if finer(layer) else most
        writer.add_tensor(block + "attn_norm.weight", ones)
        writer.add_tensor(block + "ffn_norm.weight", ones)
        add(block + "attn_q.weight", most, WIDTH, WIDTH)
        add(block + "attn_k.weight", most, KV_WIDTH, WIDTH)
        add(block + "attn_v.weight", picked, KV_WIDTH, WIDTH)
        add(block + "attn_output.weight", most, WIDTH, WIDTH)
        add(block + "ffn_gate.weight", most, FFN, WIDTH)
        add(block + "ffn_up.weight", most, FFN, WIDTH)
        add(block + "ffn_down.weight", picked, WIDTH, FFN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="where the files go")
    parser.add_argument("formats", nargs="+", choices=FORMATS)
    parser.add_argument("--context", type=int, default=8192, help="context length to declare")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.formats:
        path = args.folder / f"random-1.1b-{name}.gguf"
        make(path, name, args.context, args.seed)
        print(path)


if __name__ == "__main__":
    main()
