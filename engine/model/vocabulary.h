// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tokens of a GGUF file and what they are for: texts, types, special ids, what ends generation,
// and the search for special tokens in a text. Shared by all tokenizers.
// Thread-safety: const after read(), use from any thread. Ownership: owns its tables; the token
// texts are views into the GgufFile that it keeps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/gguf.h"
#include "engine/model/tokenizer.h"

namespace ulp::model {

/// Values are the type numbers of the format.
enum class TokenType : std::int32_t {
    Undefined = 0,
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6,
};

/// A piece of a text: plain text, or one special token that was written in it.
struct Fragment {
    std::string_view text;
    std::int32_t token = -1; // -1: plain text
};

class Vocabulary {
  public:
    /// Errors: BadInput, naming the key. `addBosDefault`: what a missing add_bos_token means.
    static Result<Vocabulary> read(std::shared_ptr<const GgufFile> file, bool addBosDefault);

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(m_texts.size()); }
    [[nodiscard]] bool contains(std::int32_t token) const { return token >= 0 && token < size(); }
    [[nodiscard]] std::string_view text(std::int32_t token) const
    {
        return m_texts[static_cast<std::size_t>(token)];
    }
    [[nodiscard]] TokenType type(std::int32_t token) const
    {
        return m_types[static_cast<std::size_t>(token)];
    }
    /// Control and unknown tokens: no part of the text that a model writes.
    [[nodiscard]] bool isHidden(std::int32_t token) const
    {
        return type(token) == TokenType::Control || type(token) == TokenType::Unknown;
    }
    /// Tokens that are searched for in the raw text: their text is not made of pieces.
    [[nodiscard]] bool isSpecial(std::int32_t token) const
    {
        return isHidden(token) || type(token) == TokenType::UserDefined;
    }
    /// The ordinary token with exactly this text (the last of equals); -1: none. Special and byte
    /// tokens are never found: plain text that spells one stays plain text.
    [[nodiscard]] std::int32_t find(std::string_view text) const;
    [[nodiscard]] std::size_t longestText() const { return m_longest; } // bytes

    [[nodiscard]] std::int32_t bos() const { return m_bos; } // -1: none
    [[nodiscard]] std::int32_t eos() const { return m_eos; } // -1: none
    [[nodiscard]] bool addBos() const { return m_addBos; }
    [[nodiscard]] bool addEos() const { return m_addEos; }
    [[nodiscard]] bool endsGeneration(std::int32_t token) const;

    /// Cuts `text` at user-defined tokens, and with `parseSpecial` also at control tokens: the
    /// longest one at the leftmost place wins. White space after one goes where the model was
    /// trained so (Phi-3).
    /// No control token is found where it would touch one of the ranges `quoted` (ascending).
    [[nodiscard]] std::vector<Fragment> cutAtSpecials(std::string_view text, bool parseSpecial,
                                                      std::span<const ByteRange> quoted = {}) const;

  private:
    Result<void> readTokens();
    Result<void> readTypes();
    Result<void> readSpecialIds(bool addBosDefault);
    Result<std::int32_t> readId(std::string_view key) const;
    void indexTokens();
    void dropHarmonyEnd();
    void readStripping();
    [[nodiscard]] bool stripsAfter(const Fragment& special) const;
    void insertSpecial(std::string_view text, std::int32_t token);
    /// `controlEnd`: control tokens end there at the latest.
    [[nodiscard]] Fragment specialAt(std::string_view text, std::size_t at,
                                     std::size_t controlEnd) const;

    std::shared_ptr<const GgufFile> m_file;
    std::vector<std::string_view> m_texts;
    std::vector<TokenType> m_types;
    std::unordered_map<std::string_view, std::int32_t> m_ordinary;
    std::size_t m_longest = 0;
    std::int32_t m_bos = -1;
    std::int32_t m_eos = -1;
    bool m_addBos = false;
    bool m_addEos = false;
    bool m_stripsAfterSpecials = false;
    std::vector<std::int32_t> m_ends;
    // A trie over the texts of special tokens: (node << 8 | byte) -> node; node 0 is the root.
    std::unordered_map<std::uint64_t, std::uint32_t> m_trie;
    std::vector<std::int32_t> m_trieToken{-1}; // by node
    std::array<bool, 256> m_trieStarts{};      // bytes that leave the root
};

} // namespace ulp::model
