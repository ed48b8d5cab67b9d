# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the SentencePiece BPE vocabulary on stories of the grammar.

BPE, not unigram: the "llama" tokenizer of GGUF readers merges pairs by score, which is exactly SentencePiece's BPE.
"""
import argparse
import pathlib

import sentencepiece as spm

from grammar import Corpus

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?'\"-:;()"


def lines(seed, stories):
    corpus = Corpus(seed)
    for _ in range(stories):
        for i, paragraph in enumerate(corpus.story()[0].split("\n")):
            # A paragraph that follows a newline has no space before its first word. The quote in front makes the
            # trainer learn such words too ("Then" as well as " Then"); the newline itself becomes the byte <0x0A>.
            yield paragraph if i == 0 else '"' + paragraph


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", type=pathlib.Path, required=True, help="folder for tokenizer.model")
    a.add_argument("--vocab", type=int, default=1536)
    a.add_argument("--stories", type=int, default=20000)
    a.add_argument("--seed", type=int, default=20260001)
    args = a.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    spm.SentencePieceTrainer.train(
        sentence_iterator=lines(args.seed, args.stories), model_prefix=str(args.work / "tokenizer"),
        vocab_size=args.vocab, model_type="bpe", byte_fallback=True, character_coverage=1.0,
        required_chars=LETTERS, normalization_rule_name="identity", remove_extra_whitespaces=False,
        add_dummy_prefix=True, split_digits=True, unk_id=0, bos_id=1, eos_id=2, pad_id=-1,
        num_threads=1, minloglevel=1)


if __name__ == "__main__":
    main()
