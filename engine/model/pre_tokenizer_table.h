// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pre-tokenizers by the name that GGUF's tokenizer.ggml.pre gives: the expressions that cut a
// text into words, and what else the name implies. The expressions are those that the models were
// published with (pre_tokenizer in their tokenizer.json); the names and their grouping are
// llama.cpp's (src/llama-vocab.cpp). Thread-safety: constant data. Ownership: static.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace ulp::model {

struct PreTokenizerScheme {
    std::string_view names; // separated by spaces
    /// Each cuts the words that the one before it left; null: none.
    std::array<const char*, 6> expressions;
    bool wholeWords = false; // a word that is a piece stays whole, whatever the merges make of it
    bool addBos = false;     // what a missing tokenizer.ggml.add_bos_token means
};

/// The scheme of a name; nullptr for one that is not in the table.
[[nodiscard]] const PreTokenizerScheme* findPreTokenizer(std::string_view name);
/// All names, with commas between them.
[[nodiscard]] std::string preTokenizerNames();
[[nodiscard]] std::span<const PreTokenizerScheme> preTokenizerSchemes();

} // namespace ulp::model
