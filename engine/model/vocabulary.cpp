// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/vocabulary.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ulp::model {
namespace {

/// Tokens that end a turn or a text under these names in the models that people run, whatever their
/// metadata says; some files mark them as ordinary tokens. The list is llama.cpp's, with the names
/// of padding and file separators of fill-in-the-middle models, which end a text as well.
constexpr std::array<std::string_view, 32> kEndNames{
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "</s>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "[e~[",
    "<\xEF\xBD\x9C"
    "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>", // DeepSeek
    "<|fim_pad|>",
    "<fim-pad>",
    "<fim_pad>",
    "<PAD>",
    "[PAD]",
    "<|fim_repo|>",
    "<|repo_name|>",
    "<fim-repo>",
    "<REPO>",
    "<reponame>",
    "<|file_sep|>"};
constexpr std::array<std::string_view, 3> kEndKeys{
    "tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"};
constexpr std::uint32_t kNoToken = 0xFFFFFFFFU; // how some files write "none"

} // namespace

Result<Vocabulary> Vocabulary::read(std::shared_ptr<const GgufFile> file, bool addBosDefault)
{
    Vocabulary vocabulary;
    vocabulary.m_file = std::move(file);
    if (auto done = vocabulary.readTokens(); !done) {
        return done.error();
    }
    if (auto done = vocabulary.readTypes(); !done) {
        return done.error();
    }
    if (auto done = vocabulary.readSpecialIds(addBosDefault); !done) {
        return done.error();
    }
    vocabulary.indexTokens();
    vocabulary.readStripping();
    return vocabulary;
}

Result<void> Vocabulary::readTokens()
{
    constexpr std::string_view kKey = "tokenizer.ggml.tokens";
    auto texts = m_file->get<std::vector<std::string_view>>(kKey);
    if (!texts) {
        return texts.error();
    }
    if (texts->empty() || texts->size() > std::numeric_limits<std::int32_t>::max()) {
        return m_file->badKey(kKey, "a vocabulary of " + std::to_string(texts->size()) +
                                        " tokens cannot be used");
    }
    m_texts = *std::move(texts);
    return {};
}

Result<void> Vocabulary::readTypes()
{
    constexpr std::string_view kKey = "tokenizer.ggml.token_type";
    // A file without types has ordinary tokens only, as the format says.
    const auto types = m_file->get<std::vector<std::int32_t>>(
        kKey,
        std::vector<std::int32_t>(m_texts.size(), static_cast<std::int32_t>(TokenType::Normal)));
    if (!types) {
        return types.error();
    }
    if (types->size() != m_texts.size()) {
        return m_file->badKey(kKey, "has " + std::to_string(types->size()) + " entries for " +
                                        std::to_string(m_texts.size()) + " tokens");
    }
    m_types.reserve(types->size());
    for (std::size_t i = 0; i < types->size(); ++i) {
        if ((*types)[i] < 0 || (*types)[i] > static_cast<std::int32_t>(TokenType::Byte)) {
            return m_file->badKey(kKey, "token " + std::to_string(i) + " has type number " +
                                            std::to_string((*types)[i]) +
                                            ", which GGUF does not define");
        }
        m_types.push_back(static_cast<TokenType>((*types)[i]));
    }
    return {};
}

Result<std::int32_t> Vocabulary::readId(std::string_view key) const
{
    const auto id = m_file->get<std::uint32_t>(key, kNoToken);
    if (!id) {
        return id.error();
    }
    if (*id != kNoToken && *id >= m_texts.size()) {
        return m_file->badKey(key, "token " + std::to_string(*id) +
                                       " is outside the vocabulary of " +
                                       std::to_string(m_texts.size()) + " tokens");
    }
    return *id == kNoToken ? -1 : static_cast<std::int32_t>(*id);
}

Result<void> Vocabulary::readSpecialIds(bool addBosDefault)
{
    constexpr std::string_view kBosKey = "tokenizer.ggml.bos_token_id";
    constexpr std::string_view kAddBosKey = "tokenizer.ggml.add_bos_token";
    constexpr std::string_view kAddEosKey = "tokenizer.ggml.add_eos_token";
    const auto bos = readId(kBosKey);
    if (!bos) {
        return bos.error();
    }
    m_bos = *bos;
    for (const std::string_view key : kEndKeys) {
        const auto id = readId(key);
        if (!id) {
            return id.error();
        }
        if (*id >= 0) {
            m_ends.push_back(*id);
            m_eos = key == kEndKeys.front() ? *id : m_eos;
        }
    }
    const auto addBos = m_file->get<bool>(kAddBosKey, addBosDefault && m_bos >= 0);
    const auto addEos = m_file->get<bool>(kAddEosKey, false);
    if (!addBos || !addEos) {
        return addBos ? addEos.error() : addBos.error();
    }
    if ((*addBos && m_bos < 0) || (*addEos && m_eos < 0)) {
        return m_file->badKey(*addBos && m_bos < 0 ? kAddBosKey : kAddEosKey,
                              "is true, but the metadata names no such token");
    }
    m_addBos = *addBos;
    m_addEos = *addEos;
    return {};
}

void Vocabulary::indexTokens()
{
    m_ordinary.reserve(m_texts.size());
    for (std::int32_t token = 0; token < size(); ++token) {
        TokenType& type = m_types[static_cast<std::size_t>(token)];
        const std::string_view text = m_texts[static_cast<std::size_t>(token)];
        if (std::ranges::find(kEndNames, text) != kEndNames.end()) {
            m_ends.push_back(token);
            type = TokenType::Control;
        }
        if (text.empty()) {
            continue;
        }
        m_longest = std::max(m_longest, text.size());
        if (isSpecial(token)) {
            insertSpecial(text, token);
        } else if (type != TokenType::Byte) {
            m_ordinary[text] = token;
        }
    }
    std::ranges::sort(m_ends);
    dropHarmonyEnd();
}

void Vocabulary::dropHarmonyEnd()
{
    // Where <|return|> or <|flush|> ends a text, <|end|> only ends one of its messages.
    const auto ends = [this](std::string_view name) {
        return std::ranges::any_of(m_ends, [&](std::int32_t t) { return text(t) == name; });
    };
    if ((ends("<|return|>") && ends("<|call|>")) ||
        (ends("<|flush|>") && (ends("<|call|>") || ends("<|calls|>")))) {
        std::erase_if(m_ends, [this](std::int32_t t) { return text(t) == "<|end|>"; });
    }
}

void Vocabulary::readStripping()
{
    // GGUF does not carry this attribute of Phi-3's added tokens; llama.cpp knows them by the
    // model's name too.
    const auto given = m_file->get<std::string>("general.name", std::string());
    std::string name = given ? *given : std::string(); // another type: told with the other keys
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    m_stripsAfterSpecials =
        name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
}

bool Vocabulary::stripsAfter(const Fragment& special) const
{
    return m_stripsAfterSpecials && special.text != "<unk>" && special.text != "<s>" &&
           special.text != "<|endoftext|>";
}

std::int32_t Vocabulary::find(std::string_view text) const
{
    if (text.size() > m_longest) {
        return -1; // spares the hash of a long text
    }
    const auto found = m_ordinary.find(text);
    return found == m_ordinary.end() ? -1 : found->second;
}

bool Vocabulary::endsGeneration(std::int32_t token) const
{
    return std::ranges::binary_search(m_ends, token);
}

void Vocabulary::insertSpecial(std::string_view text, std::int32_t token)
{
    std::uint32_t node = 0;
    m_trieStarts[static_cast<unsigned char>(text.front())] = true;
    for (const char c : text) {
        const std::uint64_t edge =
            (static_cast<std::uint64_t>(node) << 8U) | static_cast<unsigned char>(c);
        const auto [found, isNew] =
            m_trie.emplace(edge, static_cast<std::uint32_t>(m_trieToken.size()));
        if (isNew) {
            m_trieToken.push_back(-1);
        }
        node = found->second;
    }
    // Of two special tokens with one text the first stays.
    if (m_trieToken[node] < 0) {
        m_trieToken[node] = token;
    }
}

Fragment Vocabulary::specialAt(std::string_view text, std::size_t at, std::size_t controlEnd) const
{
    Fragment longest;
    std::uint32_t node = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const auto found = m_trie.find((static_cast<std::uint64_t>(node) << 8U) |
                                       static_cast<unsigned char>(text[i]));
        if (found == m_trie.end()) {
            break;
        }
        node = found->second;
        const std::int32_t token = m_trieToken[node];
        if (token >= 0 && (i < controlEnd || !isHidden(token))) {
            longest = {text.substr(at, i + 1 - at), token};
        }
    }
    return longest;
}

std::vector<Fragment> Vocabulary::cutAtSpecials(std::string_view text, bool parseSpecial,
                                                std::span<const ByteRange> quoted) const
{
    std::vector<Fragment> fragments;
    std::size_t plain = 0;
    std::size_t at = 0;
    const auto endPlain = [&] {
        if (at > plain) {
            fragments.push_back({text.substr(plain, at - plain), -1});
        }
    };
    // Up to where a control token that starts here may reach: the next quoted range, or nowhere.
    const auto controlEnd = [&] {
        while (!quoted.empty() && quoted.front().end <= at) {
            quoted = quoted.subspan(1);
        }
        const std::size_t end = quoted.empty() ? text.size() : quoted.front().begin;
        return parseSpecial ? end : 0;
    };
    while (at < text.size()) {
        const Fragment special = m_trieStarts[static_cast<unsigned char>(text[at])]
                                     ? specialAt(text, at, controlEnd())
                                     : Fragment{};
        if (special.token < 0) {
            ++at;
            continue;
        }
        endPlain();
        fragments.push_back(special);
        at += special.text.size();
        if (stripsAfter(special)) {
            at = std::min(text.find_first_not_of(" \t\n\v\f\r", at), text.size());
        }
        plain = at;
    }
    endPlain();
    return fragments;
}

} // namespace ulp::model
