// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small vocabularies with a token of every type, for the fuzz targets and their corpus.
// Thread-safety: pure. Ownership: by value.
#pragma once

#include <string>
#include <vector>

#include "engine/base/utf8.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::test {

inline GgufBuilder spmVocabulary()
{
    GgufBuilder b;
    addTinyVocabulary(b, 700);
    return b;
}

/// The 256 bytes, a few merges, a control and a user-defined token.
inline GgufBuilder bpeVocabulary(const std::string& preTokenizer)
{
    std::vector<std::string> texts;
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
        const bool printable =
            (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        texts.emplace_back();
        utf8::append(texts.back(), printable ? byte : next++);
    }
    const std::string space = "\xC4\xA0";
    const std::vector<std::string> pieces{"on", "ce", "once", space + "t", space + "th"};
    texts.insert(texts.end(), pieces.begin(), pieces.end());
    texts.insert(texts.end(), {"<|im_end|>", "<user>"});
    std::vector<std::int32_t> types(texts.size(), 1);
    types[types.size() - 2] = 3;
    types.back() = 4;
    GgufBuilder b;
    b.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", preTokenizer);
    b.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", types);
    b.strings("tokenizer.ggml.merges", {"o n", "c e", "on ce", space + " t", space + "t h"});
    return b;
}

} // namespace ulp::test
