// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a text into the words inside which byte-level BPE merges, by the regular expressions that go
// with a pre-tokenizer's name. Exact Unicode classes come from PCRE2.
// Thread-safety: const after create(), use from any thread. Ownership: owns the compiled
// expressions; the words are views into the caller's text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace ulp::model {

class PreTokenizer {
  public:
    /// Errors: Unsupported for a name that is not in the table, listing those that are.
    static Result<PreTokenizer> create(std::string_view name);
    PreTokenizer(PreTokenizer&&) noexcept;
    PreTokenizer& operator=(PreTokenizer&&) noexcept;
    ~PreTokenizer();

    /// The words of `text`, in order and without gaps. Stretches that are not UTF-8 are words of
    /// their own. Error: Internal, when the library gives up.
    [[nodiscard]] Result<std::vector<std::string_view>> words(std::string_view text) const;

    /// A word that is a piece stays whole, whatever the merges make of it.
    [[nodiscard]] bool wholeWords() const { return m_wholeWords; }
    /// What a file without tokenizer.ggml.add_bos_token means.
    [[nodiscard]] bool addBos() const { return m_addBos; }

  private:
    struct Expression;
    PreTokenizer() = default;
    std::vector<std::unique_ptr<const Expression>> m_expressions; // applied one after the other
    bool m_wholeWords = false;
    bool m_addBos = false;
};

} // namespace ulp::model
