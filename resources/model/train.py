# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the demo model on the CPU: Muon for the matrices, AdamW for the rest.

The learning rate warms up, stays, and falls to zero over the last third, so that the length of a run can still be
changed (--resume with other --steps) until the fall begins. Rows are cut in two for the first part of the run, which is
cheaper, and whole afterwards.

Every row of a batch starts at the beginning of a story and holds as many stories as fit, each between BOS and EOS.
No story is seen twice. A checkpoint is written now and then; --resume goes on from it.
"""
import argparse
import contextlib
import dataclasses
import json
import pathlib
import time

import numpy as np
import sentencepiece as spm
import torch
import torch.nn.functional as F

from grammar import Corpus
from model import Config, Llama


def rows(seed, tokenizer, length, count):
    """-> (count, length + 1) token ids, and the grammar's nats per token (an upper bound of its entropy)."""
    corpus, out = Corpus(seed), np.zeros((count, length + 1), np.uint16)
    nats = tokens = 0
    for i in range(count):
        line = []
        while len(line) < length + 1:
            text, n = corpus.story()
            ids = [1] + tokenizer.encode(text) + [2]
            line += ids
            nats, tokens = nats + n, tokens + len(ids)
        out[i] = line[:length + 1]
    return out, nats / tokens


class Muon(torch.optim.Optimizer):
    """Momentum, made orthogonal by five Newton-Schulz steps (Jordan et al., 2024)."""

    def __init__(self, params, lr, momentum=0.95, decay=0.5):
        super().__init__(params, dict(lr=lr, momentum=momentum, decay=decay))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                s = self.state[p]
                if "m" not in s:
                    s["m"] = torch.zeros_like(p)
                s["m"].lerp_(p.grad, 1 - g["momentum"])
                u = p.grad.lerp(s["m"], g["momentum"])
                tall = u.shape[0] > u.shape[1]
                u = u.T if tall else u
                u = (u / (u.norm() + 1e-7)).bfloat16()
                for _ in range(5):
                    a = u @ u.T
                    u = 3.4445 * u + (-4.7750 * a + 2.0315 * a @ a) @ u
                u = (u.T if tall else u).float()
                p.mul_(1 - g["lr"] * g["decay"])
                p.add_(u, alpha=-g["lr"] * 0.2 * max(p.shape) ** 0.5)


def loss_of(model, batch, cast):
    with cast():
        logits = model(batch[:, :-1])
    return F.cross_entropy(logits.float().flatten(0, 1), batch[:, 1:].flatten())


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", type=pathlib.Path, required=True, help="folder with tokenizer.model, for checkpoints")
    a.add_argument("--name", default="model")
    a.add_argument("--steps", type=int, default=2800)
    a.add_argument("--until", type=int, help="stop early, with the schedule of the whole run")
    a.add_argument("--batch", type=int, default=4, help="rows per step")
    a.add_argument("--lr", type=float, default=0.001)
    a.add_argument("--seed", type=int, default=20260002)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--short", type=int, default=1500, help="steps with rows cut in two")
    a.add_argument("--save", type=int, default=200, help="steps between checkpoints")
    a.add_argument("--fp32", action="store_true", help="no bfloat16 in the products")
    a.add_argument("--compile", action="store_true")
    a.add_argument("--resume", action="store_true")
    args = a.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    tokenizer = spm.SentencePieceProcessor(model_file=str(args.work / "tokenizer.model"))
    c = Config(vocab=tokenizer.vocab_size())
    model = Llama(c)
    matrices = [p for n, p in model.named_parameters() if n.startswith("blk") and p.dim() == 2]
    norms = [p for p in model.parameters() if p.dim() == 1]
    optimizers = [Muon(matrices, lr=args.lr), torch.optim.AdamW([model.token_embd.weight], lr=args.lr * 4, betas=(0.9, 0.98), weight_decay=0.0),
                  torch.optim.AdamW(norms, lr=args.lr * 0.1, betas=(0.9, 0.98), weight_decay=0.0)]
    average = {n: p.detach().clone() for n, p in model.named_parameters()}     # EMA
    cast = (lambda: contextlib.nullcontext()) if args.fp32 else (lambda: torch.autocast("cpu", torch.bfloat16))
    forward = torch.compile(model, dynamic=False) if args.compile else model

    train, bound = rows(args.seed, tokenizer, c.context, args.steps * args.batch)
    val, _ = rows(args.seed + 1, tokenizer, c.context, 32)
    train, val = torch.from_numpy(train.astype(np.int16)), torch.from_numpy(val.astype(np.int64))
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {train.shape[0] * c.context} tokens to train on, "
          f"grammar's choices: {bound:.4f} nats per token", flush=True)

    base = [o.param_groups[0]["lr"] for o in optimizers]
    path = args.work / (args.name + ".pt")
    first = 0
    spent = 0.0
    if args.resume and path.exists():
        state = torch.load(path, weights_only=False)
        model.load_state_dict(state["model"])
        average = state["average"]
        for o, s in zip(optimizers, state["optimizers"]):
            o.load_state_dict(s)
        first, spent = state["step"], state["seconds"]
    started = time.time() - spent

    def evaluate(weights=None):
        keep = {n: p.detach().clone() for n, p in model.named_parameters()}
        with torch.no_grad():
            if weights:
                for n, p in model.named_parameters():
                    p.copy_(weights[n])
            total = sum(loss_of(model, val[i:i + 4], cast).item() for i in range(0, len(val), 4)) / (len(val) / 4)
            for n, p in model.named_parameters():
                p.copy_(keep[n])
        return total

    def save(step, **more):
        torch.save(dict(model=model.state_dict(), average=average, optimizers=[o.state_dict() for o in optimizers],
                        step=step, seconds=time.time() - started, config=dataclasses.asdict(c), bound=bound, **more), path)

    running = None
    last = min(args.steps, args.until or args.steps)
    for step in range(first, last):
        scale = min(1.0, (step + 1) / 50, (args.steps - step) / (args.steps / 3))
        for o, lr in zip(optimizers, base):
            o.param_groups[0]["lr"] = lr * scale
        batch = train[step * args.batch:(step + 1) * args.batch].long()
        parts = 2 if step < args.short else 1
        batch = batch.unfold(1, c.context // parts + 1, c.context // parts).flatten(0, 1)
        loss = loss_of(forward, batch, cast)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for o in optimizers:
            o.step()
            o.zero_grad(set_to_none=True)
        keep = min(0.995, (step + 1) / (step + 20))
        with torch.no_grad():
            for n, p in model.named_parameters():
                average[n].lerp_(p, 1 - keep)
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        done = step + 1
        if done % 20 == 0:
            spent = time.time() - started
            print(f"step {done}/{args.steps} loss {loss.item():.4f} running {running:.4f} "
                  f"{done * args.batch * c.context / spent:.0f} tokens/s {spent:.0f} s", flush=True)
        if done % args.save == 0 or done == last:
            v, va = evaluate(), evaluate(average)
            print(f"step {done} validation {v:.4f}, of the average {va:.4f}", flush=True)
            save(done, train_loss=running, val_loss=v, val_average=va)
    print(json.dumps(dict(train=running, val=evaluate(), val_average=evaluate(average), bound=bound,
                          seconds=time.time() - started)))


if __name__ == "__main__":
    main()
