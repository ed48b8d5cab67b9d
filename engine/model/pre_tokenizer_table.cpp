// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/pre_tokenizer_table.h"

namespace ulp::model {
namespace {

// The property White_Space (PropList.txt of Unicode), for use inside a class. PCRE2's own \s also
// takes U+180E, which has not been a space since Unicode 6.3 and was none to the tokenizers'
// trainers.
#define ULP_SP                                                                                     \
    "\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}"       \
    "\\x{3000}"
// The end that most share: line breaks with the spaces before them, then runs of spaces without the
// last one, which goes with the next word.
#define ULP_SPACES "|[" ULP_SP "]+(?![^" ULP_SP "])|[" ULP_SP "]+"
#define ULP_LINES "|[" ULP_SP "]*[\\r\\n]+" ULP_SPACES
// GPT-2's expression (openai/gpt-2, src/encoder.py), which most byte-level vocabularies share.
#define ULP_GPT2                                                                                   \
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^" ULP_SP "\\p{L}\\p{N}]+" ULP_SPACES
// English contractions in either case. The published (?i:) would also take U+017F for an s;
// llama.cpp does not.
#define ULP_SHORT "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
// The family of cl100k (openai/tiktoken): words with one character in front, DIGITS, punctuation.
#define ULP_CL100K(DIGITS)                                                                         \
    ULP_SHORT "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" DIGITS "| ?[^" ULP_SP                              \
              "\\p{L}\\p{N}]+[\\r\\n]*" ULP_LINES
// The family of o200k: words split where lower case turns to upper. llama.cpp approximates these
// classes (no marks, ASCII case only); here they are as published.
#define ULP_UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define ULP_LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define ULP_O200K(SUFFIX, DIGITS)                                                                  \
    "[^\\r\\n\\p{L}\\p{N}]?" ULP_UPPER "*" ULP_LOWER "+" SUFFIX                                    \
    "|[^\\r\\n\\p{L}\\p{N}]?" ULP_UPPER "+" ULP_LOWER "*" SUFFIX "|" DIGITS "| ?[^" ULP_SP         \
    "\\p{L}\\p{N}]+[\\r\\n/]*" ULP_LINES
// The letters with case that DeepSeek LLM lists one by one.
#define ULP_CASED                                                                                  \
    "A-Za-z\\x{B5}\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{1BA}\\x{1BC}-\\x{1BF}"                 \
    "\\x{1C4}-\\x{293}\\x{295}-\\x{2AF}\\x{370}-\\x{373}\\x{376}\\x{377}\\x{37B}-\\x{37D}"         \
    "\\x{37F}\\x{386}\\x{388}-\\x{38A}\\x{38C}\\x{38E}-\\x{3A1}\\x{3A3}-\\x{3F5}"                  \
    "\\x{3F7}-\\x{481}\\x{48A}-\\x{52F}\\x{531}-\\x{556}\\x{10A0}-\\x{10C5}"                       \
    "\\x{13A0}-\\x{13F5}\\x{13F8}-\\x{13FD}\\x{1C90}-\\x{1CBA}\\x{1CBD}-\\x{1CBF}"                 \
    "\\x{1D00}-\\x{1D2B}\\x{1D6B}-\\x{1D77}\\x{1D79}-\\x{1D9A}\\x{1E00}-\\x{1F15}"                 \
    "\\x{1F18}-\\x{1F1D}\\x{1F20}-\\x{1F45}\\x{1F48}-\\x{1F4D}\\x{1F50}-\\x{1F57}"                 \
    "\\x{1F59}\\x{1F5B}\\x{1F5D}\\x{1F5F}-\\x{1F7D}\\x{1F80}-\\x{1FB4}\\x{1FB6}-\\x{1FBC}"         \
    "\\x{1FBE}\\x{1FC2}-\\x{1FC4}\\x{1FC6}-\\x{1FCC}\\x{1FD0}-\\x{1FD3}"                           \
    "\\x{1FD6}-\\x{1FDB}\\x{1FE0}-\\x{1FEC}\\x{1FF2}-\\x{1FF4}\\x{1FF6}-\\x{1FFC}"                 \
    "\\x{2102}\\x{2107}\\x{210A}-\\x{2113}\\x{2115}\\x{2119}-\\x{211D}\\x{2124}\\x{2126}"          \
    "\\x{2128}\\x{212A}-\\x{212D}\\x{212F}-\\x{2134}\\x{2139}\\x{213C}-\\x{213F}"                  \
    "\\x{2145}-\\x{2149}\\x{214E}\\x{2183}\\x{2184}\\x{2C00}-\\x{2C7B}\\x{2C7E}-\\x{2CE4}"         \
    "\\x{2CEB}-\\x{2CEE}\\x{2CF2}\\x{2CF3}\\x{A640}-\\x{A66D}\\x{A680}-\\x{A69B}"                  \
    "\\x{A722}-\\x{A76F}\\x{A771}-\\x{A787}\\x{A78B}-\\x{A78E}\\x{AB70}-\\x{ABBF}"                 \
    "\\x{FB00}-\\x{FB06}\\x{FB13}-\\x{FB17}\\x{FF21}-\\x{FF3A}\\x{FF41}-\\x{FF5A}"                 \
    "\\x{10400}-\\x{1044F}\\x{104B0}-\\x{104D3}\\x{104D8}-\\x{104FB}\\x{10C80}-\\x{10CB2}"         \
    "\\x{10CC0}-\\x{10CF2}\\x{118A0}-\\x{118DF}\\x{1E900}-\\x{1E943}"
#define ULP_HAN_AND_ON "[\\x{4E00}-\\x{9FA5}\\x{800}-\\x{4E00}\\x{AC00}-\\x{D7FF}]+"
#define ULP_HAN_AND_KANA "[\\x{4E00}-\\x{9FA5}\\x{3040}-\\x{309F}\\x{30A0}-\\x{30FF}]+"
#define ULP_BLOOM                                                                                  \
    " ?[^(" ULP_SP "|.,!?\\x{2026}\\x{3002}\\x{FF0C}\\x{3001}\\x{964}\\x{6D4}\\x{60C})]+"
#define ULP_ASCII_PUNCTUATION "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]"

constexpr std::array kSchemes{
    // What llama.cpp gave files from before pre-tokenizers had names; it is what "default" means.
    PreTokenizerScheme{"default", {"[\\p{P}$+<=>^~|]+", ULP_GPT2, "\\p{N}+", "[0-9][0-9][0-9]"}},
    PreTokenizerScheme{"gpt-2 phi-2 mpt olmo jais trillion granite-docling exaone4 gigachat "
                       "a.x-4.0 mellum",
                       {ULP_GPT2}},
    // Every digit is a word of its own.
    PreTokenizerScheme{"smollm starcoder refact command-r codeshell exaone minerva-7b mellum2",
                       {"\\p{N}", ULP_GPT2}},
    PreTokenizerScheme{"llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2",
                       {ULP_CL100K("\\p{N}{1,3}")},
                       true,
                       true},
    PreTokenizerScheme{"dbrx smaug-bpe glm4 chatglm-bpe", {ULP_CL100K("\\p{N}{1,3}")}},
    PreTokenizerScheme{"qwen2 deepseek-r1-qwen stablelm2 megrez hunyuan solar-open kormo grok-2",
                       {ULP_CL100K("\\p{N}")}},
    PreTokenizerScheme{"qwen35",
                       {ULP_SHORT "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^" ULP_SP
                                  "\\p{L}\\p{M}\\p{N}]+[\\r\\n]*" ULP_LINES}},
    // The lookbehind changes no match: it keeps a long run of spaces from being tried at each.
    PreTokenizerScheme{"deepseek-llm",
                       {"[\\r\\n]", "[" ULP_SP "]?[" ULP_CASED "]+",
                        "[" ULP_SP "]?[!-/:-~\\x{FF01}-\\x{FF0F}\\x{FF1A}-\\x{FF5E}\\x{2018}-"
                        "\\x{201F}\\x{3000}-\\x{3002}]+",
                        "(?<![" ULP_SP "])[" ULP_SP "]+\\z", ULP_HAN_AND_ON, "\\p{N}+"}},
    PreTokenizerScheme{
        "deepseek-coder",
        {"[\\r\\n]", "[" ULP_SP "]?\\p{L}+", "[" ULP_SP "]?\\p{P}+", ULP_HAN_AND_ON, "\\p{N}"}},
    PreTokenizerScheme{"deepseek-v3 hunyuan-dense joyai-llm",
                       {"\\p{N}{1,3}", ULP_HAN_AND_KANA,
                        ULP_ASCII_PUNCTUATION
                        "[A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
                        "?[\\p{P}\\p{S}]+[\\r\\n]*" ULP_LINES}},
    PreTokenizerScheme{"falcon", {"[\\p{P}$+<=>^~|`]+", ULP_GPT2, "[0-9][0-9][0-9]"}},
    PreTokenizerScheme{"tekken", {ULP_O200K("", "\\p{N}")}, true, true},
    PreTokenizerScheme{"gpt-4o llama4 kanana2 minimax-m2",
                       {ULP_O200K(ULP_SHORT "?", "\\p{N}{1,3}")}},
    PreTokenizerScheme{"bloom poro-chat gpt3-finnish", {ULP_BLOOM}},
    PreTokenizerScheme{"viking", {ULP_BLOOM, "\\p{N}"}},
    PreTokenizerScheme{
        "bailingmoe bailingmoe2 llada-moe",
        {"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| "
         "?[^" ULP_SP "\\p{L}\\p{N}]++[\\r\\n]*|[" ULP_SP "]*[\\r\\n]" ULP_SPACES}},
    PreTokenizerScheme{"seed-coder",
                       {ULP_SHORT "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^" ULP_SP
                                  "\\p{L}\\p{N}\\r\\n]+" ULP_LINES}},
    PreTokenizerScheme{
        "youtu",
        {"[\\x{AC00}-\\x{D7A3}\\x{3131}-\\x{318E}]+|[\\x{FF01}\\x{2026}\\x{201C}\\x{201D}\\x{2018}"
         "\\x{2019}\\x{2014}\\x{FF1A}\\x{FF1B}\\x{FF0C}\\x{3001}-\\x{303F}\\x{FE30}-\\x{FE4F}]+"
         "|[\\x{3105}-\\x{312F}]+|" ULP_HAN_AND_KANA,
         ULP_O200K(ULP_SHORT "?", "\\p{N}")},
        true},
};

#undef ULP_SP
#undef ULP_SPACES
#undef ULP_LINES
#undef ULP_GPT2
#undef ULP_SHORT
#undef ULP_CL100K
#undef ULP_UPPER
#undef ULP_LOWER
#undef ULP_O200K
#undef ULP_CASED
#undef ULP_HAN_AND_ON
#undef ULP_HAN_AND_KANA
#undef ULP_BLOOM
#undef ULP_ASCII_PUNCTUATION

/// Calls `visit(name)` for each name of a scheme until it returns true.
template <typename Visit>
bool anyName(const PreTokenizerScheme& scheme, Visit&& visit)
{
    for (std::string_view rest = scheme.names; !rest.empty();) {
        const std::size_t end = rest.find(' ');
        if (visit(rest.substr(0, end))) {
            return true;
        }
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
    return false;
}

} // namespace

const PreTokenizerScheme* findPreTokenizer(std::string_view name)
{
    for (const PreTokenizerScheme& scheme : kSchemes) {
        if (anyName(scheme, [&](std::string_view one) { return one == name; })) {
            return &scheme;
        }
    }
    return nullptr;
}

std::string preTokenizerNames()
{
    std::string all;
    for (const PreTokenizerScheme& scheme : kSchemes) {
        anyName(scheme, [&](std::string_view one) {
            all += (all.empty() ? "" : ", ") + std::string(one);
            return false;
        });
    }
    return all;
}

std::span<const PreTokenizerScheme> preTokenizerSchemes()
{
    return kSchemes;
}

} // namespace ulp::model
