# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a checkpoint as GGUF: matrices F16, norms F32, names and metadata as llama.cpp has them."""
import argparse
import pathlib

import gguf
import numpy as np
import sentencepiece as spm
import torch

from model import Config


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", type=pathlib.Path, required=True, help="folder with tokenizer.model and the checkpoint")
    a.add_argument("--name", default="model")
    a.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent / "ulpscope-stories.gguf")
    a.add_argument("--last", action="store_true", help="the last weights instead of their running average")
    args = a.parse_args()

    state = torch.load(args.work / (args.name + ".pt"), weights_only=False)
    c = Config(**state["config"])
    weights = state["model"] if args.last else state["average"]

    w = gguf.GGUFWriter(str(args.out), "llama")
    w.add_name("Ulpscope Stories")
    w.add_author("Ulpscope contributors")
    w.add_organization("Ulpscope")
    w.add_version("1.0")
    w.add_description("A very small story teller, trained on the stories of a hand-written grammar. Made to be inspected.")
    w.add_license("GPL-3.0-or-later")
    w.add_languages(["en"])
    w.add_tags(["text-generation", "stories", "demo"])
    w.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    w.add_quantization_version(gguf.GGML_QUANT_VERSION)
    w.add_context_length(c.context)
    w.add_embedding_length(c.width)
    w.add_block_count(c.layers)
    w.add_feed_forward_length(c.ffn)
    w.add_head_count(c.heads)
    w.add_head_count_kv(c.kv_heads)
    w.add_key_length(c.head)
    w.add_value_length(c.head)
    w.add_layer_norm_rms_eps(c.eps)
    w.add_rope_freq_base(c.rope_base)
    w.add_rope_dimension_count(c.head)
    w.add_vocab_size(c.vocab)

    sp = spm.SentencePieceProcessor(model_file=str(args.work / "tokenizer.model"))
    tokens, scores, types = [], [], []
    for i in range(sp.vocab_size()):
        kind = gguf.TokenType.NORMAL
        if sp.is_unknown(i):
            kind = gguf.TokenType.UNKNOWN
        elif sp.is_control(i):
            kind = gguf.TokenType.CONTROL
        elif sp.is_byte(i):
            kind = gguf.TokenType.BYTE
        tokens.append(sp.id_to_piece(i).encode("utf-8"))
        scores.append(sp.get_score(i))
        types.append(kind)
    w.add_tokenizer_model("llama")
    w.add_tokenizer_pre("default")
    w.add_token_list(tokens)
    w.add_token_scores(scores)
    w.add_token_types(types)
    w.add_bos_token_id(sp.bos_id())
    w.add_eos_token_id(sp.eos_id())
    w.add_unk_token_id(sp.unk_id())
    w.add_add_bos_token(True)
    w.add_add_eos_token(False)
    w.add_add_space_prefix(True)

    order = ["token_embd.weight", "output_norm.weight"] + [n for n in weights if n.startswith("blk.")]
    assert sorted(order) == sorted(weights)
    for name in order:
        array = weights[name].detach().float().numpy()
        w.add_tensor(name, array.astype(np.float16 if array.ndim == 2 else np.float32))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    size = args.out.stat().st_size
    print(f"{args.out.name}: {size} bytes, {len(order)} tensors")
    assert size <= 4_000_000


if __name__ == "__main__":
    main()
