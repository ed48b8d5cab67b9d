#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write words.json: how the published pre-tokenizers cut texts, by another engine.

The expressions are those of the models' own tokenizer.json files, run by the `tokenizers` package
(Oniguruma), so that neither our spelling of them nor PCRE2 judges itself. Words are given by their
lengths in bytes. usage: make_words.py words.json   (needs: pip install tokenizers)
"""
import json
import random
import sys

from tokenizers import Regex, pre_tokenizers as pt

SHORT = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
END = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = (  # the letters with case that DeepSeek LLM lists
    r"A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF}"
    r"\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}"
    r"\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5}"
    r"\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}"
    r"\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}"
    r"\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}"
    r"\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}"
    r"\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}"
    r"\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}"
    r"\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}"
    r"\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}"
    r"\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}"
    r"\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}"
    r"\x{1E900}-\x{1E943}"
)
HAN = "[一-龥ࠀ-一가-퟿]+"
KANA = "[一-龥぀-ゟ゠-ヿ]+"
BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"


def cl100k(digits):
    return SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|" + digits + r"| ?[^\s\p{L}\p{N}]+[\r\n]*" + END


def o200k(suffix, digits):
    return (
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{suffix}|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{suffix}"
        rf"|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*" + END
    )


def split(pattern):
    return pt.Split(Regex(pattern), "isolated")


SCHEMES = {
    "default": [pt.Split(Regex(r"[\p{P}$+<=>^~|]+"), "isolated"), split(GPT2), split(r"\p{N}+"),
                split("[0-9][0-9][0-9]")],
    "gpt-2": [split(GPT2)],
    "smollm": [pt.Digits(individual_digits=True), split(GPT2)],
    "llama-bpe": [split(cl100k(r"\p{N}{1,3}"))],
    "dbrx": [split(cl100k(r"\p{N}{1,3}"))],
    "qwen2": [split(cl100k(r"\p{N}"))],
    "qwen35": [split(SHORT + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*" + END)],
    "deepseek-llm": [split("[\r\n]"), split(rf"\s?[{CASED}]+"), split(r"\s?[!-/:-~！-／：-～‘-‟　-。]+"),
                     split(r"\s+$"), split(HAN), pt.Digits(individual_digits=False)],
    "deepseek-coder": [split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split(HAN),
                       pt.Digits(individual_digits=True)],
    "deepseek-v3": [split(r"\p{N}{1,3}"), split(KANA),
                    split("[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
                          r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*" + END)],
    "falcon": [pt.Punctuation("contiguous"), split(GPT2), split("[0-9][0-9][0-9]")],
    "tekken": [split(o200k("", r"\p{N}"))],
    "gpt-4o": [split(o200k(SHORT + "?", r"\p{N}{1,3}"))],
    "bloom": [split(BLOOM)],
    "viking": [split(BLOOM), pt.Digits(individual_digits=True)],
    "bailingmoe": [split(r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}"
                         r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+")],
    "seed-coder": [split(SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+" + END)],
    "youtu": [split("[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|" + KANA), split(o200k(SHORT + "?", r"\p{N}"))],
}

FIXED = [
    "", " ", "  ", "\t", "\n", "\n\n", "\t\n", "Hello, y'all! How are you 😁 ?我想在apple工作1314151天～",
    "I've  2 cats,\tyes\n", "WE'LL don'T 'S it'ſ HeLLoWorld camelCase HTTPServer iPhone15", "3 33 333 3333 33333 1,234.5",
    "éÉ ÀÉ naïve Ångström ŁÓDŹ ǅ ǆ ᾈ", "हिन्दी नमस्ते ภาษาไทย বাংলা", "κόσμε привет Привет ПРИВЕТ",
    "ﷺ Ⅷ ½ ² ٣٤ १२३ 𝟙𝟚 ①", "a\u00a0\u3000b \u2028c\u180ed\u200be\u0085f\ufeffg", "x == y && (a->b) || \"q\" `c` ~ ^ $1 <= >= ###",
    "    leading\n\n  \r\n two \n \n lines\r\n", "ナイト、テスト。漢字とかな 한국어 ㄱㄴ ㄅㄆ", "http://a.b/c_d?e=f&g#h/i//\n/", "🚀👩‍👩‍👧‍👦🏽 e\u0301\u0302 \u0301x",
    "_under__score_ snake_case -dash--", "end with spaces   ", "中文，标点！“引号”…—", "a(b|c)d.e,f!g?h…i。j，k、l।m۔n،o",
]


def random_texts(count):
    rng = random.Random(20261201)
    # Blocks of the first plane and above; surrogates left out.
    pools = [(0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x52F), (0x590, 0x6FF), (0x900, 0xDFF), (0xE00, 0x11FF),
             (0x2000, 0x2BFF), (0x3000, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xADFF), (0xFF00, 0xFFEF), (0x1F300, 0x1F6FF)]
    bits = [" ", "  ", "\n", "\r\n", "\t", "'s", "'LL", "12", "2026", "abc", "ABC", "é", "\u0301", "漢", "!?", "/"]
    for _ in range(count):
        text = ""
        while len(text) < rng.randrange(1, 60):
            low, high = rng.choice(pools)
            text += rng.choice(bits) if rng.random() < 0.5 else chr(rng.randint(low, high))
        yield text


def main():
    texts = FIXED + list(random_texts(120))
    words = {}
    for name, steps in SCHEMES.items():
        cutter = pt.Sequence(steps)
        # Offsets count characters; the lengths wanted are of bytes.
        words[name] = [[len(text[a:b].encode()) for _, (a, b) in cutter.pre_tokenize_str(text)] for text in texts]
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write('{"texts":' + json.dumps(texts) + ',\n"words":{\n')
        out.write(",\n".join(json.dumps(k) + ":" + json.dumps(v, separators=(",", ":")) for k, v in words.items()))
        out.write("\n}}\n")


main()
