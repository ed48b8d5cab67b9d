# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo model in PyTorch: the llama architecture, small."""
import dataclasses

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass
class Config:
    vocab: int = 1536
    width: int = 192
    layers: int = 6
    heads: int = 6
    kv_heads: int = 2
    ffn: int = 288
    context: int = 1024
    rope_base: float = 10000.0
    eps: float = 1e-5

    @property
    def head(self):
        return self.width // self.heads


class RMSNorm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return F.rms_norm(x.float(), x.shape[-1:], self.weight, self.eps)


def rope(x, cos, sin):
    """Rotates the neighbours (x0, x1), (x2, x3), ...: the pairing of llama in GGUF, so no row needs moving later."""
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.attn_norm, self.ffn_norm = RMSNorm(c.width, c.eps), RMSNorm(c.width, c.eps)
        self.attn_q = nn.Linear(c.width, c.heads * c.head, bias=False)
        self.attn_k = nn.Linear(c.width, c.kv_heads * c.head, bias=False)
        self.attn_v = nn.Linear(c.width, c.kv_heads * c.head, bias=False)
        self.attn_output = nn.Linear(c.heads * c.head, c.width, bias=False)
        self.ffn_gate = nn.Linear(c.width, c.ffn, bias=False)
        self.ffn_up = nn.Linear(c.width, c.ffn, bias=False)
        self.ffn_down = nn.Linear(c.ffn, c.width, bias=False)

    def forward(self, x, cos, sin):
        c, (b, t, _) = self.c, x.shape
        y = self.attn_norm(x)
        q = rope(self.attn_q(y).view(b, t, c.heads, c.head).transpose(1, 2), cos, sin)
        k = rope(self.attn_k(y).view(b, t, c.kv_heads, c.head).transpose(1, 2), cos, sin)
        v = self.attn_v(y).view(b, t, c.kv_heads, c.head).transpose(1, 2)
        group = c.heads // c.kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        y = F.scaled_dot_product_attention(q.to(v.dtype), k.to(v.dtype), v, is_causal=True)
        x = x + self.attn_output(y.transpose(1, 2).reshape(b, t, -1))
        y = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))


class Llama(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.token_embd = nn.Embedding(c.vocab, c.width)      # also the output matrix (tied)
        self.blk = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.output_norm = RMSNorm(c.width, c.eps)
        inv = c.rope_base ** (-torch.arange(0, c.head, 2, dtype=torch.float64) / c.head)
        angle = torch.arange(c.context, dtype=torch.float64)[:, None] * inv
        self.register_buffer("cos", angle.cos().float(), persistent=False)
        self.register_buffer("sin", angle.sin().float(), persistent=False)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                # Rows of size one, so that a word is not drowned by what the blocks add and can still be copied from.
                std = 1.0 if name.startswith("token_embd") else p.shape[1] ** -0.5
                if "attn_output" in name or "ffn_down" in name:
                    std /= (2 * c.layers) ** 0.5
                nn.init.normal_(p, std=std)
        nn.init.constant_(self.output_norm.weight, c.width ** -0.5)    # the same rows are the output matrix

    def forward(self, ids):
        t = ids.shape[1]
        x = self.token_embd(ids)
        for block in self.blk:
            x = block(x, self.cos[:t], self.sin[:t])
        return F.linear(self.output_norm(x), self.token_embd.weight)
