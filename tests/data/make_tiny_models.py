#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes one tiny random model of each architecture with the GGUF writer of the field.

    pip install gguf numpy
    python3 tests/data/make_tiny_models.py [FOLDER]

The files are committed (tests/data/models), so that tests need no Python. Sizes are odd on purpose:
heads that share keys and values, rotated dimensions that are not all of a head, windows shorter and
longer than a KV chunk of 64, caps so low that they bend every score. Norm weights, biases and RoPE
factors differ from element to element: a swapped or forgotten one shows.
"""
import pathlib
import sys

import gguf
import numpy as np

WIDTH = 32
HEADS = 4
KV_HEADS = 2
FFN = 44
LAYERS = 2
CONTEXT = 160
VOCAB = 286


class Tiny:
    def __init__(self, folder, arch, seed, name=None, head_dim=8, rope_dims=None):
        self.arch = arch
        self.head_dim = head_dim
        self.path = folder / f"tiny-{name or arch}.gguf"
        self.random = np.random.Generator(np.random.PCG64(seed))
        self.writer = gguf.GGUFWriter(self.path, arch)
        w = self.writer
        w.add_name(f"tiny {name or arch}")
        w.add_block_count(LAYERS)
        w.add_context_length(CONTEXT)
        w.add_embedding_length(WIDTH)
        w.add_feed_forward_length(FFN)
        w.add_head_count(HEADS)
        if arch == "gpt2":
            w.add_layer_norm_eps(1e-3)
        else:
            w.add_head_count_kv(KV_HEADS)
            w.add_layer_norm_rms_eps(1e-3)
            w.add_rope_dimension_count(rope_dims or head_dim)
        if head_dim != WIDTH // HEADS:
            w.add_key_length(head_dim)
            w.add_value_length(head_dim)
        self.vocabulary()

    def vocabulary(self):
        tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)]
        tokens += ["\u2581"] + [chr(ord("a") + i) for i in range(26)]
        types = [2, 3, 3] + [6] * 256 + [1] * 27
        assert len(tokens) == VOCAB
        self.writer.add_tokenizer_model("llama")
        self.writer.add_token_list(tokens)
        self.writer.add_token_scores([0.0] * len(tokens))
        self.writer.add_token_types(types)
        self.writer.add_bos_token_id(1)
        self.writer.add_eos_token_id(2)

    def matrix(self, name, rows, k, *more):
        values = self.random.standard_normal((*more, rows, k)) * 1.3 / np.sqrt(k)
        self.writer.add_tensor(name + ".weight", values.astype(np.float16))

    def f32(self, name, values):
        self.writer.add_tensor(name, np.asarray(values, dtype=np.float32))

    def norm(self, name, n, bias=False):
        self.f32(name + ".weight", self.random.uniform(0.5, 1.5, n))
        if bias:
            self.f32(name + ".bias", self.random.uniform(-0.3, 0.3, n))

    def bias(self, name, n):
        self.f32(name + ".bias", self.random.uniform(-0.5, 0.5, n))

    def head(self, tied, layer_norm=False):
        self.matrix("token_embd", VOCAB, WIDTH)
        self.norm("output_norm", WIDTH, layer_norm)
        if not tied:
            self.matrix("output", VOCAB, WIDTH)

    def layers(self, *, qkv_bias=False, qk_norm=False, post_norms=False, experts=0, expert_ffn=0,
               fused=False, layer_norm=False, gate=True):
        q = HEADS * self.head_dim
        kv = (HEADS if self.arch == "gpt2" else KV_HEADS) * self.head_dim
        for i in range(LAYERS):
            p = f"blk.{i}."
            self.norm(p + "attn_norm", WIDTH, layer_norm)
            parts = [("attn_qkv", q + 2 * kv)] if fused else [
                ("attn_q", q), ("attn_k", kv), ("attn_v", kv)]
            for part, rows in parts:
                self.matrix(p + part, rows, WIDTH)
                if qkv_bias:
                    self.bias(p + part, rows)
            if qk_norm:
                self.norm(p + "attn_q_norm", self.head_dim)
                self.norm(p + "attn_k_norm", self.head_dim)
            self.matrix(p + "attn_output", WIDTH, q)
            if layer_norm:
                self.bias(p + "attn_output", WIDTH)
            if post_norms:
                self.norm(p + "post_attention_norm", WIDTH)
            self.norm(p + "ffn_norm", WIDTH, layer_norm)
            if experts:
                self.f32(p + "ffn_gate_inp.weight",
                         self.random.standard_normal((experts, WIDTH)) / np.sqrt(WIDTH) * 2)
                self.matrix(p + "ffn_gate_exps", expert_ffn, WIDTH, experts)
                self.matrix(p + "ffn_up_exps", expert_ffn, WIDTH, experts)
                self.matrix(p + "ffn_down_exps", WIDTH, expert_ffn, experts)
            else:
                if gate and not fused:
                    self.matrix(p + "ffn_gate", FFN, WIDTH)
                self.matrix(p + "ffn_up", 2 * FFN if gate and fused else FFN, WIDTH)
                self.matrix(p + "ffn_down", WIDTH, FFN)
                if layer_norm:
                    self.bias(p + "ffn_up", FFN)
                    self.bias(p + "ffn_down", WIDTH)
            if post_norms:
                self.norm(p + "post_ffw_norm", WIDTH)

    def close(self):
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()
        print(f"{self.path.name}: {self.path.stat().st_size} bytes")


def write_llama(folder):
    m = Tiny(folder, "llama", 1)
    m.writer.add_rope_freq_base(5000.0)
    m.head(tied=False)
    m.f32("rope_freqs.weight", [1.0, 1.0, 2.5, 8.0])  # what llama3 scaling becomes in a file
    m.layers()
    m.close()


def write_llama_linear(folder):
    m = Tiny(folder, "llama", 2, "llama-linear")
    m.writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    m.writer.add_rope_scaling_factor(4.0)
    m.head(tied=True)
    m.layers()
    m.close()


def write_qwen2(folder):
    m = Tiny(folder, "qwen2", 3)
    m.writer.add_rope_freq_base(20000.0)
    m.head(tied=True)
    m.layers(qkv_bias=True)
    m.close()


def write_qwen2_yarn(folder):
    m = Tiny(folder, "qwen2", 4, "qwen2-yarn", head_dim=16)
    m.writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    m.writer.add_rope_scaling_factor(4.0)
    m.writer.add_rope_scaling_orig_ctx_len(40)
    m.writer.add_rope_freq_base(500.0)
    m.head(tied=True)
    m.layers(qkv_bias=True)
    m.close()


def write_qwen3(folder):
    m = Tiny(folder, "qwen3", 5, head_dim=12)
    m.head(tied=True)
    m.layers(qk_norm=True)
    m.close()


def write_qwen3moe(folder):
    m = Tiny(folder, "qwen3moe", 6)
    m.writer.add_expert_count(7)
    m.writer.add_expert_used_count(3)
    m.writer.add_expert_feed_forward_length(20)
    m.head(tied=True)
    m.layers(qk_norm=True, experts=7, expert_ffn=20)
    m.close()


def write_gemma2(folder):
    m = Tiny(folder, "gemma2", 7)
    m.writer.add_sliding_window(5)
    m.writer.add_attn_logit_softcapping(1.5)
    m.writer.add_final_logit_softcapping(2.5)
    m.head(tied=True)
    m.layers(post_norms=True)
    m.close()


def write_gemma3(folder):
    m = Tiny(folder, "gemma3", 8, head_dim=16)
    m.writer.add_sliding_window(70)
    m.writer.add_uint32("gemma3.attention.sliding_window_pattern", 2)
    m.writer.add_rope_freq_base(1000000.0)
    m.writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    m.writer.add_rope_scaling_factor(8.0)  # of the layers that see everything
    m.head(tied=True)
    m.layers(post_norms=True, qk_norm=True)
    m.close()


def write_phi3(folder):
    m = Tiny(folder, "phi3", 9, rope_dims=6)
    m.writer.add_sliding_window(66)
    m.writer.add_rope_scaling_type(gguf.RopeScalingType.LONGROPE)
    m.writer.add_rope_scaling_orig_ctx_len(40)
    m.writer.add_rope_scaling_attn_factors(1.19)
    m.head(tied=False)
    m.f32("rope_factors_short.weight", [1.0, 1.1, 1.4])
    m.f32("rope_factors_long.weight", [1.2, 3.0, 7.5])
    m.layers(fused=True)
    m.close()


def write_gpt2(folder):
    m = Tiny(folder, "gpt2", 10)
    m.head(tied=True, layer_norm=True)
    m.matrix("position_embd", CONTEXT, WIDTH)
    m.layers(fused=True, qkv_bias=True, layer_norm=True, gate=False)
    m.close()


def main():
    default = pathlib.Path(__file__).resolve().parent / "models"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    folder.mkdir(parents=True, exist_ok=True)
    for write in (write_llama, write_llama_linear, write_qwen2, write_qwen2_yarn, write_qwen3,
                  write_qwen3moe, write_gemma2, write_gemma3, write_phi3, write_gpt2):
        write(folder)


if __name__ == "__main__":
    main()
