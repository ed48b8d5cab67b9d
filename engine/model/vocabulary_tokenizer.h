// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every tokenizer over a vocabulary does alike: special tokens are cut out of the text first,
// BOS and EOS are added as the file says. The kinds differ in how plain text between them encodes.
// Thread-safety: const after creation. Ownership: keeps the file that the vocabulary views.
#pragma once

#include <utility>

#include "engine/model/tokenizer.h"
#include "engine/model/vocabulary.h"

namespace ulp::model {

class VocabularyTokenizer : public Tokenizer {
  public:
    [[nodiscard]] Result<std::vector<std::int32_t>>
    encode(std::string_view text, const EncodeOptions& options) const final;
    [[nodiscard]] std::int32_t size() const final { return m_vocabulary.size(); }
    [[nodiscard]] std::int32_t bos() const final { return m_vocabulary.bos(); }
    [[nodiscard]] std::int32_t eos() const final { return m_vocabulary.eos(); }
    [[nodiscard]] bool endsGeneration(std::int32_t token) const final
    {
        return m_vocabulary.endsGeneration(token);
    }

  protected:
    explicit VocabularyTokenizer(Vocabulary vocabulary) : m_vocabulary(std::move(vocabulary)) {}
    [[nodiscard]] const Vocabulary& vocabulary() const { return m_vocabulary; }

  private:
    /// Appends the tokens of text without special tokens in it. `afterSpecial`: it is the first
    /// text, or a special token precedes it.
    virtual Result<void> encodePlain(std::string_view text, bool afterSpecial,
                                     std::vector<std::int32_t>& tokens) const = 0;

    Vocabulary m_vocabulary;
};

} // namespace ulp::model
