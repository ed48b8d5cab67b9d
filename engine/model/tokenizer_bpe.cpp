// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer_bpe.h"

#include <limits>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/model/merge_symbols.h"

namespace ulp::model {
namespace {

/// GPT-2's printable stand-in for each byte (openai/gpt-2, bytes_to_unicode): printable Latin-1
/// stands for itself, the others follow from U+0100 in order.
struct ByteAlphabet {
    static constexpr std::size_t kCharacters = 0x100 + 68;
    std::array<char32_t, 256> characterOf{};
    std::array<std::int16_t, kCharacters> byteOf{}; // -1: none

    ByteAlphabet()
    {
        byteOf.fill(-1);
        char32_t next = 0x100;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool printable =
                (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            characterOf[byte] = printable ? byte : next++;
            byteOf[characterOf[byte]] = static_cast<std::int16_t>(byte);
        }
    }
};

const ByteAlphabet& byteAlphabet()
{
    static const ByteAlphabet alphabet;
    return alphabet;
}

/// The bytes that a token's characters stand for; a character outside the alphabet stands for
/// itself.
std::string bytesOf(std::string_view text)
{
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8::codePointLength(text, at);
        const char32_t character =
            length == 0 ? char32_t{ByteAlphabet::kCharacters} : utf8::decode(text, at, length);
        const std::size_t step = length == 0 ? 1 : length;
        if (character < ByteAlphabet::kCharacters && byteAlphabet().byteOf[character] >= 0) {
            bytes += static_cast<char>(byteAlphabet().byteOf[character]);
        } else {
            bytes += text.substr(at, step);
        }
        at += step;
    }
    return bytes;
}

constexpr std::uint64_t pairKey(std::int32_t left, std::int32_t right)
{
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32U) |
           static_cast<std::uint32_t>(right);
}

} // namespace

Result<std::unique_ptr<const Tokenizer>> BpeTokenizer::create(std::shared_ptr<const GgufFile> file)
{
    constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
    constexpr std::string_view kPrefixKey = "tokenizer.ggml.add_space_prefix";
    if (!file->has(kPreKey)) {
        return file->badKey(
            kPreKey, "the file does not name its pre-tokenizer, and guessing it would change the "
                     "tokens");
    }
    const auto name = file->get<std::string>(kPreKey);
    if (!name) {
        return name.error();
    }
    auto words = PreTokenizer::create(*name);
    if (!words) {
        Error error = words.error();
        error.where = file->path() + ": " + std::string(kPreKey);
        return error;
    }
    const auto prefix = file->get<bool>(kPrefixKey, false);
    if (!prefix) {
        return prefix.error();
    }
    if (*prefix) {
        return makeError(ErrorCode::Unsupported,
                         "a space prefix is not supported for byte-level BPE vocabularies",
                         file->path() + ": " + std::string(kPrefixKey), "use another model");
    }
    auto vocabulary = Vocabulary::read(file, words->addBos());
    if (!vocabulary) {
        return vocabulary.error();
    }
    std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer(
        *std::move(vocabulary), *std::move(words), "gpt2 (byte-level BPE, " + *name + ")"));
    if (auto done = tokenizer->readMerges(*file); !done) {
        return done.error();
    }
    return std::unique_ptr<const Tokenizer>(std::move(tokenizer));
}

Result<void> BpeTokenizer::readMerges(const GgufFile& file)
{
    constexpr std::string_view kKey = "tokenizer.ggml.merges";
    const auto merges = file.get<std::vector<std::string_view>>(kKey);
    if (!merges) {
        return merges.error();
    }
    if (merges->size() > std::numeric_limits<std::int32_t>::max()) {
        return file.badKey(kKey, "has too many merges");
    }
    for (std::size_t byte = 0; byte < m_byteToken.size(); ++byte) {
        std::string character;
        utf8::append(character, byteAlphabet().characterOf[byte]);
        m_byteToken[byte] = vocabulary().find(character);
    }
    m_merges.reserve(merges->size());
    for (std::size_t i = 0; i < merges->size(); ++i) {
        const std::string_view merge = (*merges)[i];
        // A space is written U+0120 inside a piece, so the first one after a character separates.
        const std::size_t space = merge.find(' ', 1);
        if (space == std::string_view::npos) {
            return file.badKey(kKey, "merge " + std::to_string(i) + " '" + utf8::repaired(merge) +
                                         "' is not a pair");
        }
        const std::string_view leftText = merge.substr(0, space);
        const std::string_view rightText = merge.substr(space + 1);
        const std::int32_t left = vocabulary().find(leftText);
        const std::int32_t right = vocabulary().find(rightText);
        const std::int32_t whole =
            vocabulary().find(std::string(leftText) + std::string(rightText));
        if (left < 0 || right < 0 || whole < 0) {
            return file.badKey(kKey, "merge " + std::to_string(i) + " '" + utf8::repaired(merge) +
                                         "' joins or makes a piece that is not in the vocabulary");
        }
        m_merges.emplace(pairKey(left, right), Rank{static_cast<std::int32_t>(i), whole});
    }
    return {};
}

Result<void> BpeTokenizer::encodePlain(std::string_view text, bool /*afterSpecial*/,
                                       std::vector<std::int32_t>& tokens) const
{
    const auto words = m_words.words(text);
    if (!words) {
        return words.error();
    }
    for (const std::string_view word : *words) {
        if (auto done = encodeWord(word, tokens); !done) {
            return done;
        }
    }
    return {};
}

std::int32_t BpeTokenizer::findBytes(std::string_view bytes) const
{
    if (bytes.size() > vocabulary().longestText()) {
        return -1; // a character of the alphabet is at least as long as its byte
    }
    std::string text;
    for (const char c : bytes) {
        utf8::append(text, byteAlphabet().characterOf[static_cast<unsigned char>(c)]);
    }
    return vocabulary().find(text);
}

Result<void> BpeTokenizer::encodeWord(std::string_view word,
                                      std::vector<std::int32_t>& tokens) const
{
    if (m_words.wholeWords()) {
        if (const std::int32_t whole = findBytes(word); whole >= 0) {
            tokens.push_back(whole);
            return {};
        }
    }
    std::vector<Symbol> symbols(word.size());
    for (std::size_t i = 0; i < word.size(); ++i) {
        const auto byte = static_cast<unsigned char>(word[i]);
        symbols[i].begin = static_cast<std::uint32_t>(i);
        symbols[i].length = 1;
        symbols[i].token = m_byteToken[byte];
        if (symbols[i].token < 0) {
            return makeError(ErrorCode::BadInput,
                             "this model's vocabulary has no token for byte " +
                                 std::to_string(byte),
                             {}, "leave it out of the text");
        }
    }
    linkSymbols(symbols);
    mergeSymbols(symbols, [this](const Symbol& left, const Symbol& right) -> std::optional<Merge> {
        const auto found = m_merges.find(pairKey(left.token, right.token));
        if (found == m_merges.end()) {
            return std::nullopt;
        }
        return Merge{static_cast<double>(found->second.rank), found->second.token};
    });
    for (const Symbol& symbol : symbols) {
        if (symbol.length > 0) {
            tokens.push_back(symbol.token);
        }
    }
    return {};
}

std::string BpeTokenizer::piece(std::int32_t token, bool special) const
{
    if (!vocabulary().contains(token) || (vocabulary().isHidden(token) && !special)) {
        return {};
    }
    const std::string_view text = vocabulary().text(token);
    return vocabulary().isSpecial(token) ? std::string(text) : bytesOf(text);
}

std::string BpeTokenizer::decode(std::span<const std::int32_t> tokens, bool special) const
{
    std::string text;
    for (const std::int32_t token : tokens) {
        text += piece(token, special);
    }
    return text;
}

} // namespace ulp::model
