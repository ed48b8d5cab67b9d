// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chat templates of the models that people run, without a template engine: the family is told
// by what the GGUF file's own template (tokenizer.chat_template) contains, and the conversation of
// one system text and one user text is written as that template would write it, up to where the
// answer begins. BOS is left to the tokenizer. What the user and the system text hold is marked, so
// that a special token spelled in them stays text.
// Thread-safety: pure functions and plain values. Ownership: by value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/gguf.h"
#include "engine/model/tokenizer.h"

namespace ulp::model {

struct ChatPrompt {
    std::string text;
    std::vector<ByteRange> quoted; // of the system and user texts in `text`; ascending
};

class ChatTemplate {
  public:
    /// Errors: Unsupported, for a file without a template and for one of no known family; both
    /// offer the raw prompt.
    static Result<ChatTemplate> of(const GgufFile& file);
    /// Of the text of a template; `endToken` is the text of EOS. `where` goes into errors.
    static Result<ChatTemplate> fromText(std::string_view text, std::string endToken,
                                         const std::string& where);

    [[nodiscard]] std::string_view family() const; // "chatml"
    /// Whether the template itself writes BOS.
    [[nodiscard]] bool writesBos() const { return m_writesBos; }
    /// `system`: nothing takes the template's own text, if it has one. Error: BadUsage, where the
    /// family has no place for a system text.
    [[nodiscard]] Result<ChatPrompt> apply(const std::optional<std::string>& system,
                                           std::string_view user) const;
    /// The prompt as token ids, BOS as the file or its template has it.
    [[nodiscard]] Result<std::vector<std::int32_t>> encode(const Tokenizer& tokenizer,
                                                           const std::optional<std::string>& system,
                                                           std::string_view user) const;

  private:
    struct Family;
    struct Table;
    const Family* m_family = nullptr;
    bool m_writesBos = false;
    std::string m_endToken;  // its text
    std::string m_ownSystem; // what the template says when no system text is given
};

} // namespace ulp::model
