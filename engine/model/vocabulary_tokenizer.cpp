// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/vocabulary_tokenizer.h"

#include <new>

namespace ulp::model {

Result<std::vector<std::int32_t>> VocabularyTokenizer::encode(std::string_view text,
                                                              const EncodeOptions& options) const
{
    // Far beyond any context, and far below where the 32-bit symbol positions would end.
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    if (text.size() > kMostBytes) {
        return makeError(ErrorCode::BadUsage, "the text is longer than 64 MiB", {}, "shorten it");
    }
    try {
        std::vector<std::int32_t> tokens;
        if (options.addBos && m_vocabulary.addBos()) {
            tokens.push_back(bos());
        }
        bool afterSpecial = true;
        for (const Fragment& fragment :
             m_vocabulary.cutAtSpecials(text, options.parseSpecial, options.quoted)) {
            if (fragment.token >= 0) {
                tokens.push_back(fragment.token);
            } else if (auto done = encodePlain(fragment.text, afterSpecial, tokens); !done) {
                return done.error();
            }
            afterSpecial = fragment.token >= 0;
        }
        if (options.addBos && m_vocabulary.addEos()) {
            tokens.push_back(eos());
        }
        return tokens;
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory to encode the text", {},
                         "shorten it");
    }
}

} // namespace ulp::model
