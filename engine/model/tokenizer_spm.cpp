// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order of merges and the places of the space prefix follow llama.cpp's llm_tokenizer_spm.
#include "engine/model/tokenizer_spm.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/model/merge_symbols.h"

namespace ulp::model {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81"; // U+2581

/// The byte that "<0xAB>" stands for, or -1.
std::int16_t byteFromText(std::string_view text)
{
    unsigned value = 0;
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>') {
        return -1;
    }
    const auto [end, code] = std::from_chars(text.data() + 3, text.data() + 5, value, 16);
    return code == std::errc() && end == text.data() + 5 ? static_cast<std::int16_t>(value)
                                                         : std::int16_t{-1};
}

/// The text with its spaces marked, and its symbols: one for each code point.
struct Marked {
    std::string text;
    std::vector<Symbol> symbols;
};

Marked markSpaces(std::string_view text, bool prefix)
{
    Marked marked;
    marked.text.reserve(text.size() + text.size() / 2 + kSpaceMark.size());
    const auto append = [&marked](std::string_view bytes, bool frozen) {
        Symbol symbol;
        symbol.begin = static_cast<std::uint32_t>(marked.text.size());
        symbol.length = static_cast<std::uint32_t>(bytes.size());
        symbol.frozen = frozen;
        marked.symbols.push_back(symbol);
        marked.text += bytes;
    };
    if (prefix) {
        append(kSpaceMark, false);
    }
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8::codePointLength(text, at);
        const std::string_view bytes = text.substr(at, length == 0 ? 1 : length);
        if (bytes == " ") {
            append(kSpaceMark, false);
        } else {
            // A mark in the text and a stray byte are no pieces: they go through as bytes.
            append(bytes, length == 0 || bytes == kSpaceMark);
        }
        at += bytes.size();
    }
    linkSymbols(marked.symbols);
    return marked;
}

} // namespace

Result<std::unique_ptr<const Tokenizer>> SpmTokenizer::create(std::shared_ptr<const GgufFile> file)
{
    auto vocabulary = Vocabulary::read(file, true);
    if (!vocabulary) {
        return vocabulary.error();
    }
    std::unique_ptr<SpmTokenizer> tokenizer(new SpmTokenizer(*std::move(vocabulary)));
    if (auto done = tokenizer->readBytesAndScores(*file); !done) {
        return done.error();
    }
    return std::unique_ptr<const Tokenizer>(std::move(tokenizer));
}

Result<void> SpmTokenizer::readBytesAndScores(const GgufFile& file)
{
    constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
    auto scores = file.get<std::vector<float>>(kScoresKey);
    if (!scores) {
        return scores.error();
    }
    const auto prefix = file.get<bool>("tokenizer.ggml.add_space_prefix", true);
    if (!prefix) {
        return prefix.error();
    }
    m_addSpacePrefix = *prefix;
    if (scores->size() != static_cast<std::size_t>(size())) {
        return file.badKey(kScoresKey, "has " + std::to_string(scores->size()) + " entries for " +
                                           std::to_string(size()) + " tokens");
    }
    m_scores = *std::move(scores);
    m_byteToken.fill(-1);
    m_byteOf.assign(m_scores.size(), -1);
    for (std::int32_t token = 0; token < size(); ++token) {
        const auto index = static_cast<std::size_t>(token);
        if (std::isnan(m_scores[index])) {
            return file.badKey(kScoresKey,
                               "the score of token " + std::to_string(token) + " is not a number");
        }
        if (vocabulary().type(token) != TokenType::Byte) {
            continue;
        }
        m_byteOf[index] = byteFromText(vocabulary().text(token));
        if (m_byteOf[index] < 0) {
            return file.badKey(
                "tokenizer.ggml.tokens",
                "token " + std::to_string(token) + " is a byte token, but its text '" +
                    utf8::repaired(vocabulary().text(token)) + "' is not of the form <0x00>");
        }
        m_byteToken[static_cast<std::size_t>(m_byteOf[index])] = token;
    }
    return {};
}

Result<void> SpmTokenizer::encodePlain(std::string_view text, bool afterSpecial,
                                       std::vector<std::int32_t>& tokens) const
{
    Marked marked = markSpaces(text, m_addSpacePrefix && afterSpecial);
    const std::string_view whole = marked.text;
    for (Symbol& symbol : marked.symbols) {
        symbol.token =
            symbol.frozen ? -1 : vocabulary().find(whole.substr(symbol.begin, symbol.length));
    }
    mergeSymbols(
        marked.symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<Merge> {
            const std::int32_t token = vocabulary().find(
                whole.substr(left.begin, std::size_t{left.length} + right.length));
            if (token < 0) {
                return std::nullopt;
            }
            return Merge{-static_cast<double>(m_scores[static_cast<std::size_t>(token)]), token};
        });
    for (std::int32_t i = 0; i >= 0; i = marked.symbols[static_cast<std::size_t>(i)].next) {
        const Symbol& symbol = marked.symbols[static_cast<std::size_t>(i)];
        if (symbol.token >= 0) {
            tokens.push_back(symbol.token);
            continue;
        }
        std::string_view bytes = whole.substr(symbol.begin, symbol.length);
        if (!symbol.frozen && bytes == kSpaceMark) {
            bytes = " "; // a vocabulary without a piece for the space
        }
        if (auto done = appendBytes(bytes, tokens); !done) {
            return done;
        }
    }
    return {};
}

Result<void> SpmTokenizer::appendBytes(std::string_view bytes,
                                       std::vector<std::int32_t>& tokens) const
{
    for (const char c : bytes) {
        const std::int32_t token = m_byteToken[static_cast<unsigned char>(c)];
        if (token < 0) {
            return makeError(ErrorCode::BadInput,
                             "the vocabulary has neither a piece nor byte tokens for '" +
                                 utf8::repaired(bytes) + "'",
                             {}, "leave it out of the text");
        }
        tokens.push_back(token);
    }
    return {};
}

std::string SpmTokenizer::piece(std::int32_t token, bool special) const
{
    if (!vocabulary().contains(token) || (vocabulary().isHidden(token) && !special)) {
        return {};
    }
    if (const std::int16_t byte = m_byteOf[static_cast<std::size_t>(token)]; byte >= 0) {
        return std::string(1, static_cast<char>(byte));
    }
    std::string text(vocabulary().text(token));
    if (vocabulary().isSpecial(token)) {
        return text; // found in the raw text, so given back raw
    }
    for (std::size_t at = 0; (at = text.find(kSpaceMark, at)) != std::string::npos; ++at) {
        text.replace(at, kSpaceMark.size(), " ");
    }
    return text;
}

std::string SpmTokenizer::decode(std::span<const std::int32_t> tokens, bool special) const
{
    std::string text;
    // The space that encode() put in front of the first plain text, and of each one that follows a
    // special token, goes again.
    bool strip = m_addSpacePrefix;
    for (const std::int32_t token : tokens) {
        std::string part = piece(token, special);
        if (vocabulary().contains(token) && vocabulary().isSpecial(token)) {
            strip = m_addSpacePrefix;
        } else {
            if (strip && part.starts_with(' ')) {
                part.erase(0, 1);
            }
            strip = false;
        }
        text += part;
    }
    return text;
}

} // namespace ulp::model
