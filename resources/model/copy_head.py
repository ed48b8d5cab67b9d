# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives a half-trained checkpoint a first draft of heads that copy names.

After two million tokens the model tells good stories about the wrong people: that a name must be the name from before
is what a transformer learns late and all at once, and this training is short. Up to then the heads of the first block
look everywhere alike. So one of its key-value groups is written by hand: keys that light up on names, values that say
which name it was, an output that adds a little of that name's embedding. Training goes on from there and does with it
what it likes. Writes NAME-copy.pt.
"""
import argparse
import pathlib

import numpy as np
import sentencepiece as spm
import torch

import lexicon as lx
from grammar import Corpus
from model import Config

GROUP, DIM = 0, 30                     # DIM: the slowest pair of RoPE, nearly the same at every distance
SPACE = "\u2581"


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", type=pathlib.Path, required=True)
    a.add_argument("--name", default="model")
    a.add_argument("--seed", type=int, default=20260004)
    a.add_argument("--score", type=float, default=8.0, help="how much more a name weighs in the attention, in nats")
    a.add_argument("--gain", type=float, default=0.6, help="how much of a name's embedding is added")
    args = a.parse_args()
    torch.set_num_threads(1)
    state = torch.load(args.work / (args.name + ".pt"), weights_only=False)
    sp = spm.SentencePieceProcessor(model_file=str(args.work / "tokenizer.model"))
    c = Config(**state["config"])
    corpus, count = Corpus(args.seed), np.zeros(c.vocab)
    for _ in range(300):
        np.add.at(count, [1] + sp.encode(corpus.story()[0]) + [2], 1)
    names = set(lx.GIRLS + lx.BOYS + lx.SHE_BEASTS + lx.HE_BEASTS)
    own = np.array([sp.id_to_piece(i).strip(SPACE) in names and count[i] > 0 for i in range(c.vocab)])

    w = {n: t.detach().double().numpy() for n, t in state["average"].items()}
    e, p = w["token_embd.weight"], "blk.0."
    x = e / np.sqrt((e * e).mean(1, keepdims=True) + c.eps) * w[p + "attn_norm.weight"]
    weight = np.sqrt(count + 0.1)[:, None]

    def linear(target):                # the direction that best tells `target` from the normalised embedding
        return np.linalg.solve((x * weight).T @ (x * weight) + np.eye(c.width), (x * weight).T @ (weight[:, 0] * target))
    one, is_name = linear(np.ones(c.vocab)), linear(own.astype(float))
    one /= np.average(x @ one, weights=count)
    is_name /= np.average((x @ is_name)[own], weights=count[own])
    scale = np.sqrt(args.score * np.sqrt(c.head))
    code = np.linalg.svd(x[own] - x[own].mean(0), full_matrices=False)[2][:c.head]
    values = x[own] @ code.T
    # from the values back to the name's embedding, as far as it differs from the others'; nothing from other words
    other = count * ~own
    every = x @ code.T
    left = np.concatenate([values * 1.0, every[other > 0] * np.sqrt(other[other > 0] / other.sum())[:, None] * 2])
    right = np.concatenate([e[own] - e[own].mean(0), np.zeros(((other > 0).sum(), c.width))])
    lift = args.gain * np.linalg.solve(left.T @ left + 1e-3 * np.eye(c.head), left.T @ right)      # head x width

    share = c.heads // c.kv_heads
    kv = slice(GROUP * c.head, (GROUP + 1) * c.head)
    w[p + "attn_k.weight"][kv] *= 0.2
    w[p + "attn_k.weight"][GROUP * c.head + DIM] = scale * is_name
    w[p + "attn_v.weight"][kv] = code
    for h in range(GROUP * share, (GROUP + 1) * share):
        q = slice(h * c.head, (h + 1) * c.head)
        w[p + "attn_q.weight"][q] *= 0.2
        w[p + "attn_q.weight"][h * c.head + DIM] = scale * one
        w[p + "attn_output.weight"][:, q] = lift.T / share
    print(f"constant {np.average(x @ one, weights=count):.2f}, names {np.average((x @ is_name)[own], weights=count[own]):.2f}, "
          f"others {np.average((x @ is_name)[~own], weights=count[~own]):.3f}; adds {np.linalg.norm(values @ lift, axis=1).mean():.2f} "
          f"to embeddings of {np.linalg.norm(e[own], axis=1).mean():.2f}")
    for key in ("model", "average"):
        state[key] = {n: torch.tensor(t, dtype=torch.float32) for n, t in w.items()}
    torch.save(state, args.work / (args.name + "-copy.pt"))


if __name__ == "__main__":
    main()
