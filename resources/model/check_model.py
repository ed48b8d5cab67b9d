# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the GGUF back and checks it without the training code: a second forward pass in NumPy, a second tokenizer.

With --work it also compares logits with the PyTorch checkpoint and the tokenizer with SentencePiece. With --tell it
writes a story.
"""
import argparse
import pathlib
import sys

import gguf
import numpy as np

SPACE = "\u2581"


class Model:
    """The forward pass in float32 (or float64), straight from the tensors of the file, one token at a time."""

    def __init__(self, path, dtype=np.float32):
        self.r = gguf.GGUFReader(str(path))
        self.t = {t.name: np.array(t.data).reshape(tuple(int(x) for x in reversed(t.shape))).astype(dtype)
                  for t in self.r.tensors}
        self.types = {t.name: t.tensor_type for t in self.r.tensors}
        g = lambda key: self.r.get_field("llama." + key).contents()
        self.layers, self.heads, self.kv = g("block_count"), g("attention.head_count"), g("attention.head_count_kv")
        self.width, self.ffn, self.context = g("embedding_length"), g("feed_forward_length"), g("context_length")
        self.eps, self.base = g("attention.layer_norm_rms_epsilon"), g("rope.freq_base")
        self.head = self.width // self.heads
        self.dtype = dtype
        self.reset()

    def reset(self):
        self.k = [[] for _ in range(self.layers)]
        self.v = [[] for _ in range(self.layers)]

    def norm(self, x, w):
        return x / np.sqrt(np.mean(x * x) + self.eps, dtype=self.dtype) * self.t[w]

    def rope(self, x, pos):
        angle = pos * self.base ** (-np.arange(0, self.head, 2) / self.head)
        cos, sin = np.cos(angle).astype(self.dtype), np.sin(angle).astype(self.dtype)
        out = np.empty_like(x)
        out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
        out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
        return out

    def step(self, token):
        x = self.t["token_embd.weight"][token]
        for i in range(self.layers):
            p = f"blk.{i}."
            y = self.norm(x, p + "attn_norm.weight")
            pos = len(self.k[i])
            q = self.rope((self.t[p + "attn_q.weight"] @ y).reshape(self.heads, -1), pos)
            self.k[i].append(self.rope((self.t[p + "attn_k.weight"] @ y).reshape(self.kv, -1), pos))
            self.v[i].append((self.t[p + "attn_v.weight"] @ y).reshape(self.kv, -1))
            keys, values, out = np.stack(self.k[i]), np.stack(self.v[i]), []
            for h in range(self.heads):
                group = h // (self.heads // self.kv)
                s = keys[:, group] @ q[h] / np.sqrt(self.head).astype(self.dtype)
                s = np.exp(s - s.max())
                out.append((s / s.sum()) @ values[:, group])
            x = x + self.t[p + "attn_output.weight"] @ np.concatenate(out)
            y = self.norm(x, p + "ffn_norm.weight")
            gate = self.t[p + "ffn_gate.weight"] @ y
            x = x + self.t[p + "ffn_down.weight"] @ (gate / (1 + np.exp(-gate)) * (self.t[p + "ffn_up.weight"] @ y))
        return self.t["token_embd.weight"] @ self.norm(x, "output_norm.weight")


class Tokenizer:
    """Merges the neighbours with the best score, first from the left, until nothing merges; bytes for the rest."""

    def __init__(self, reader):
        self.pieces = reader.get_field("tokenizer.ggml.tokens").contents()
        self.scores = reader.get_field("tokenizer.ggml.scores").contents()
        self.types = reader.get_field("tokenizer.ggml.token_type").contents()
        self.ids = {p: i for i, p in enumerate(self.pieces) if self.types[i] == gguf.TokenType.NORMAL}
        self.byte = {int(p[3:5], 16): i for i, p in enumerate(self.pieces) if self.types[i] == gguf.TokenType.BYTE}

    def encode(self, text):
        parts = list((" " + text).replace(" ", SPACE)) if text else []
        while True:
            best = max(((self.scores[self.ids[a + b]], -i) for i, (a, b) in enumerate(zip(parts, parts[1:]))
                        if a + b in self.ids), default=None)
            if best is None:
                break
            i = -best[1]
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
        out = []
        for p in parts:
            out += [self.ids[p]] if p in self.ids else [self.byte[b] for b in p.encode("utf-8")]
        return out

    def decode(self, ids):
        raw = b""
        for i in ids:
            if self.types[i] == gguf.TokenType.BYTE:
                raw += bytes([int(self.pieces[i][3:5], 16)])
            elif self.types[i] == gguf.TokenType.NORMAL:
                raw += self.pieces[i].replace(SPACE, " ").encode("utf-8")
        text = raw.decode("utf-8", "replace")
        return text[1:] if text.startswith(" ") else text


def tell(model, tokenizer, prompt, steps):
    """Greedy -> (ids after the prompt, margins between the best and the second best logit)."""
    model.reset()
    for t in [1] + tokenizer.encode(prompt):
        logits = model.step(t)
    ids, margins = [], []
    for _ in range(steps):
        order = np.argsort(-logits, kind="stable")
        ids.append(int(order[0]))
        margins.append(float(logits[order[0]] - logits[order[1]]))
        logits = model.step(ids[-1])
    return ids, margins


def longest_repeat(ids):
    """The length of the longest run of tokens that occurs twice."""
    n, best, row = len(ids), 0, [0] * (len(ids) + 1)
    for i in range(n):
        new = [0] * (n + 1)
        for j in range(i):
            if ids[i] == ids[j]:
                new[j + 1] = row[j] + 1
        best, row = max(best, max(new)), new
    return best


def check(ok, what):
    print(("ok    " if ok else "WRONG ") + what)
    if not ok:
        sys.exit(1)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model", type=pathlib.Path, default=pathlib.Path(__file__).parent / "ulpscope-stories.gguf")
    a.add_argument("--work", type=pathlib.Path, help="folder with tokenizer.model and the checkpoint")
    a.add_argument("--name", default="model")
    a.add_argument("--last", action="store_true")
    a.add_argument("--tell", metavar="PROMPT")
    a.add_argument("--steps", type=int, default=500)
    args = a.parse_args()

    model = Model(args.model)
    tokenizer = Tokenizer(model.r)
    if args.tell is not None:
        ids, margins = tell(model, tokenizer, args.tell, args.steps)
        pieces, out = [], []
        for i in tokenizer.encode(args.tell) + ids:
            if i == 2:
                out.append(tokenizer.decode(pieces))
                pieces = []
            else:
                pieces.append(i)
        print("\n---\n".join(out + [tokenizer.decode(pieces)]))
        print(f"\n{len(ids)} tokens, {sum(m < 0.05 for m in margins)} with a margin below 0.05, "
              f"{sum(m < 0.01 for m in margins)} below 0.01, least {min(margins):.6f}")
        return

    check(args.model.stat().st_size <= 4_000_000, f"file size {args.model.stat().st_size} is at most 4000000")
    check(all((model.types[n] == gguf.GGMLQuantizationType.F16) == (t.ndim == 2) for n, t in model.t.items()),
          "matrices are F16, norms are F32")
    check(all(d % 32 == 0 for t in model.t.values() for d in t.shape), "every width is a multiple of 32")
    check(model.layers >= 6 and model.kv < model.heads and model.context >= 1024, "layers, grouped heads, context")
    check(all(np.isfinite(t).all() for t in model.t.values()), "all weights are finite")
    check(len(tokenizer.byte) == 256 and len(tokenizer.pieces) == model.t["token_embd.weight"].shape[0], "256 bytes, one row a piece")

    from grammar import Corpus
    corpus = Corpus(99)
    texts = [corpus.story()[0] for _ in range(5)]
    odd = ["Once upon a time", "", " two  spaces ", "na\u00efve \U0001f98a 42%\n\ttab", "Zxqj"]
    for text in texts + odd:
        check(tokenizer.decode(tokenizer.encode(text)) == text, f"round trip of {text[:30]!r}")
    if args.work:
        import sentencepiece as spm
        import torch
        from model import Config, Llama
        sp = spm.SentencePieceProcessor(model_file=str(args.work / "tokenizer.model"))
        for text in texts + odd:
            check(tokenizer.encode(text) == sp.encode(text), f"same ids as SentencePiece for {text[:30]!r}")
        state = torch.load(args.work / (args.name + ".pt"), weights_only=False)
        net = Llama(Config(**state["config"]))
        net.load_state_dict(state["model"] if args.last else state["average"])
        ids = [1] + sp.encode(texts[0]) + [2, 1] + sp.encode(texts[1])
        ids = ids[:600]
        def compare(what, limit):
            with torch.no_grad():
                want = net(torch.tensor([ids]))[0].numpy()
            model.reset()
            got = np.stack([model.step(t) for t in ids])
            diff = float(np.abs(want - got).max())
            same = int((want.argmax(1) == got.argmax(1)).sum())
            check(diff < limit, f"logits of {what}: largest difference {diff:.2e}, same winner at {same} of {len(ids)} steps")
        compare("the checkpoint", 0.2)
        with torch.no_grad():
            for p in net.parameters():
                if p.dim() == 2:
                    p.copy_(p.half().float())
        compare("the checkpoint rounded to F16", 2e-3)
    ids, margins = tell(model, tokenizer, "Once upon a time", 800)
    longest = longest_repeat(ids)
    check(longest < 100, f"800 greedy tokens do not loop: {len(set(ids))} different pieces, "
                         f"the longest passage that comes twice has {longest} tokens")


if __name__ == "__main__":
    main()
