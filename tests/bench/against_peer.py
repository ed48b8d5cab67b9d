#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures whole-program speed, and llama.cpp's beside it if a llama-bench binary is given.

    against_peer.py --cli BUILD/bin/ulpscope-cli --peer llama.cpp/build/bin/llama-bench \\
                    --out FOLDER MODEL.gguf [MODEL.gguf ...]

Ours and the peer's runs alternate, since memory bandwidth of a shared machine drifts within
minutes: what counts is the median of the ratios of neighbours, not the ratio of medians. Decode
starts from one token on both sides. Ours runs under `ordered` with hashing on, the peer with its
defaults. Writes pairs.csv (every single measurement), table.md and one SVG for each thread count.

With --curves instead: prefill against prompt length, decode against context, and the throughput of
sequences decoded together; writes curves.csv, curves.md and three SVGs.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys

import svg_chart

LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
BATCHES = (1, 2, 4, 8, 16)
DEPTH_STEPS = 17  # tokens decoded at each context of a curve


class Failed(Exception):
    pass


def command(arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        tail = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        raise Failed(f"{' '.join(map(str, arguments))}: {tail[0]}")
    return json.loads(done.stdout)


class Ours:
    """ulpscope-cli; every call loads the model, warms up with one run and measures the next."""

    def __init__(self, cli):
        self.cli = cli
        self.facts = {}  # of the last call

    def bench(self, model, threads, prompt, generate, hashing=True):
        self.facts = command(
            [self.cli, "bench", "--model", model, "--threads", threads, "--prompt-tokens", prompt,
             "--gen-tokens", generate, "--repetitions", 1, "--json"] +
            ([] if hashing else ["--no-hash"]))
        return (self.facts["prefill_tokens_per_second"]["median"],
                self.facts["decode_tokens_per_second"]["median"])

    def prefill(self, model, threads, tokens):
        return self.bench(model, threads, tokens, 2)[0]

    def decode(self, model, threads, tokens):
        return self.bench(model, threads, 1, tokens)[1]

    def batch(self, model, threads, batch, steps):
        """Tokens of all sequences together, each second of decoding."""
        result = command([self.cli, "run", "--model", model, "--threads", threads, "--tokens", "1",
                          "--steps", steps, "--runs", 2, "--batch", batch, "--ignore-eos",
                          "--keep-reference", "off", "--json"])
        return batch * result["runs"][-1]["decode_tokens_per_second"]

    def context(self, model):
        return command([self.cli, "info", model, "--json"])["context_length"]


class Peer:
    def __init__(self, binary):
        self.binary = binary

    def rate(self, model, threads, *test):
        result = command([self.binary, "-m", model, "-t", threads, "-r", 1, "-o", "json", *test])
        return result[-1]["avg_ts"]

    def prefill(self, model, threads, tokens):
        return self.rate(model, threads, "-p", tokens, "-n", 0)

    def decode(self, model, threads, tokens, depth=0):
        return self.rate(model, threads, "-p", 0, "-n", tokens, "-d", depth)


def measure_pairs(args, ours, peer):
    """Rows of (model, threads, what, pair, ours, peer or None); facts by (model, threads)."""
    rows, facts = [], {}
    for model in args.models:
        for threads in args.threads:
            for pair in range(args.pairs):
                for what, size in (("prefill", args.prompt), ("decode", args.gen)):
                    own = getattr(ours, what)(model, threads, size)
                    theirs = getattr(peer, what)(model, threads, size) if peer else None
                    rows.append((model.stem, threads, what, pair, own, theirs))
                    print(*rows[-1], file=sys.stderr, flush=True)
            facts[model.stem, threads] = ours.facts
    return rows, facts


def spread(values):
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{statistics.median(values):.1f} ({min(values):.1f}–{max(values):.1f})"


def ratio_of(rows, model, threads, what):
    ratios = [r[4] / r[5] for r in rows if r[:3] == (model, threads, what) and r[5]]
    return statistics.median(ratios) if ratios else None


def write_pairs(out, rows, facts, with_peer):
    write_csv(out / "pairs.csv", ("model", "threads", "what", "pair", "ours", "peer"), rows)
    text = ["| model | threads | what | ours, tokens/s | peer, tokens/s | ratio |",
            "|---|---|---|---|---|---|"]
    for key in dict.fromkeys(r[:3] for r in rows):
        of_key = [r for r in rows if r[:3] == key]
        ratio = ratio_of(rows, *key)
        text.append(f"| {key[0]} | {key[1]} | {key[2]} | {spread([r[4] for r in of_key])} | "
                    f"{spread([r[5] for r in of_key]) if with_peer else ''} | "
                    f"{'' if ratio is None else f'{ratio:.2f}'} |")
    text += ["", "| model | threads | load, s | peak memory, MiB | ISA |", "|---|---|---|---|---|"]
    for (model, threads), fact in facts.items():
        text.append(f"| {model} | {threads} | {fact['load_seconds']:.2f} | "
                    f"{fact['peak_rss_bytes'] / 2**20:.0f} | {fact['isa']} |")
    (out / "table.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    if not with_peer:
        return
    models = list(dict.fromkeys(r[0] for r in rows))
    for threads in dict.fromkeys(r[1] for r in rows):
        columns = {what: [ratio_of(rows, model, threads, what) for model in models]
                   for what in ("prefill", "decode")}
        noun = "thread" if threads == 1 else "threads"
        svg_chart.bars(out / f"ratios-{threads}.svg", f"Ours over the peer, {threads} {noun}",
                       "ratio of tokens/s", models, columns)


def measure_curves(args, ours, peer):
    """Rows of (curve, who, model, threads, x, tokens each second)."""
    rows = []

    def add(*row):
        rows.append(row)
        print(*row, file=sys.stderr, flush=True)

    for model in args.models:
        room = ours.context(model)
        for threads in args.threads:
            for length in (n for n in LENGTHS if n <= min(args.longest, room - DEPTH_STEPS)):
                prefill, decode = ours.bench(model, threads, length, DEPTH_STEPS)
                add("prefill", "ours", model.stem, threads, length, prefill)
                add("decode", "ours", model.stem, threads, length, decode)
                if peer:
                    add("prefill", "peer", model.stem, threads, length,
                        peer.prefill(model, threads, length))
                    add("decode", "peer", model.stem, threads, length,
                        peer.decode(model, threads, DEPTH_STEPS - 1, length))
            for batch in BATCHES:
                add("batch", "ours", model.stem, threads, batch,
                    ours.batch(model, threads, batch, args.gen))
    return rows


def write_curves(out, rows):
    head = ("curve", "who", "model", "threads", "x", "tokens_per_second")
    write_csv(out / "curves.csv", head, rows)
    titles = {"prefill": ("Prefill against prompt length", "tokens in the prompt"),
              "decode": ("Decode against context", "tokens before"),
              "batch": ("Sequences decoded together", "sequences")}
    text = []
    for curve, (title, x_label) in titles.items():
        series = {}
        for _, who, model, threads, x, rate in (r for r in rows if r[0] == curve):
            series.setdefault(f"{model} {who} {threads}t", []).append((x, rate))
        svg_chart.lines(out / f"curve-{curve}.svg", title, x_label, "tokens/s", series)
        xs = sorted({r[4] for r in rows if r[0] == curve})
        text += [f"{title}, tokens/s", "", "| | " + " | ".join(map(str, xs)) + " |",
                 "|---" * (len(xs) + 1) + "|"]
        for name, line in series.items():
            at = dict(line)
            cells = (f"{at[x]:.1f}" if x in at else "" for x in xs)
            text.append(f"| {name} | " + " | ".join(cells) + " |")
        text.append("")
    (out / "curves.md").write_text("\n".join(text), encoding="utf-8")


def write_csv(path, head, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--cli", required=True, type=pathlib.Path, help="our ulpscope-cli")
    parser.add_argument("--peer", type=pathlib.Path, help="a llama-bench binary")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for the results")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--prompt", type=int, default=512, help="tokens of prefill")
    parser.add_argument("--gen", type=int, default=64, help="tokens of decode")
    parser.add_argument("--curves", action="store_true")
    parser.add_argument("--longest", type=int, default=8192, help="longest prompt of a curve")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    ours, peer = Ours(args.cli), Peer(args.peer) if args.peer else None
    try:
        if args.curves:
            rows = measure_curves(args, ours, peer)
            write_curves(args.out, rows)
            print((args.out / "curves.md").read_text(encoding="utf-8"))
        else:
            rows, facts = measure_pairs(args, ours, peer)
            write_pairs(args.out, rows, facts, peer is not None)
            print((args.out / "table.md").read_text(encoding="utf-8"))
    except Failed as failure:
        print(f"against_peer.py: {failure}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
