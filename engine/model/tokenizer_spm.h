// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// SentencePiece's byte-pair encoding as GGUF's `llama` vocabularies carry it: spaces become U+2581,
// code points merge by the highest score of the piece they make, what is left over falls back to
// byte tokens. Ids equal llama.cpp's, with one exception made for exact round trips: U+2581 written
// in the text itself becomes byte tokens (there, it turns into a space), and so does plain text
// that spells a byte or control token. Text normalisation of the original trainer (NFKC, runs of
// spaces) is not applied, as llama.cpp does not. Thread-safety: const after creation. Ownership:
// keeps the file that the vocabulary views.
#pragma once

#include <array>

#include "engine/model/vocabulary_tokenizer.h"

namespace ulp::model {

class SpmTokenizer final : public VocabularyTokenizer {
  public:
    static Result<std::unique_ptr<const Tokenizer>> create(std::shared_ptr<const GgufFile> file);

    [[nodiscard]] std::string piece(std::int32_t token, bool special) const override;
    [[nodiscard]] std::string decode(std::span<const std::int32_t> tokens,
                                     bool special) const override;
    [[nodiscard]] std::string_view kind() const override { return "llama (SentencePiece)"; }

  private:
    explicit SpmTokenizer(Vocabulary vocabulary) : VocabularyTokenizer(std::move(vocabulary)) {}
    Result<void> readBytesAndScores(const GgufFile& file);
    Result<void> encodePlain(std::string_view text, bool afterSpecial,
                             std::vector<std::int32_t>& tokens) const override;
    Result<void> appendBytes(std::string_view bytes, std::vector<std::int32_t>& tokens) const;

    std::vector<float> m_scores;
    std::array<std::int32_t, 256> m_byteToken{}; // -1: none
    std::vector<std::int16_t> m_byteOf;          // by token; -1: not a byte token
    bool m_addSpacePrefix = true;
};

} // namespace ulp::model
