// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Byte-level byte-pair encoding as GGUF's `gpt2` vocabularies carry it: the text is cut into words
// by a named pre-tokenizer, every byte becomes one printable character, and neighbours merge by the
// rank of their pair. Ids equal llama.cpp's. A vocabulary may lack a byte (SmolLM2's lacks 21 that
// hardly occur); a text that needs it is refused rather than shortened.
// Thread-safety: const after creation. Ownership: keeps the file that the vocabulary views.
#pragma once

#include <array>
#include <string>
#include <unordered_map>

#include "engine/model/pre_tokenizer.h"
#include "engine/model/vocabulary_tokenizer.h"

namespace ulp::model {

class BpeTokenizer final : public VocabularyTokenizer {
  public:
    static Result<std::unique_ptr<const Tokenizer>> create(std::shared_ptr<const GgufFile> file);

    [[nodiscard]] std::string piece(std::int32_t token, bool special) const override;
    [[nodiscard]] std::string decode(std::span<const std::int32_t> tokens,
                                     bool special) const override;
    [[nodiscard]] std::string_view kind() const override { return m_kind; }

  private:
    struct Rank {
        std::int32_t rank = 0;
        std::int32_t token = -1;
    };
    BpeTokenizer(Vocabulary vocabulary, PreTokenizer words, std::string kind)
        : VocabularyTokenizer(std::move(vocabulary)), m_words(std::move(words)),
          m_kind(std::move(kind))
    {
    }
    Result<void> readMerges(const GgufFile& file);
    Result<void> encodePlain(std::string_view text, bool afterSpecial,
                             std::vector<std::int32_t>& tokens) const override;
    /// The piece that stands for exactly these bytes; -1: none.
    [[nodiscard]] std::int32_t findBytes(std::string_view bytes) const;
    Result<void> encodeWord(std::string_view word, std::vector<std::int32_t>& tokens) const;

    PreTokenizer m_words;
    std::string m_kind;                               // "gpt2 (byte-level BPE, smollm)"
    std::array<std::int32_t, 256> m_byteToken{};      // -1: none
    std::unordered_map<std::uint64_t, Rank> m_merges; // left << 32 | right
};

} // namespace ulp::model
