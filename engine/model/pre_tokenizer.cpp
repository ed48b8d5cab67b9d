// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/pre_tokenizer.h"

#include <array>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "engine/base/utf8.h"
#include "engine/model/pre_tokenizer_table.h"

namespace ulp::model {
namespace {

using MatchData = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

std::string libraryMessage(int code)
{
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

} // namespace

struct PreTokenizer::Expression {
    pcre2_code* code = nullptr;

    explicit Expression(pcre2_code* compiled) : code(compiled) {}
    Expression(const Expression&) = delete;
    Expression& operator=(const Expression&) = delete;
    ~Expression() { pcre2_code_free(code); }

    /// Cuts valid UTF-8 at every match: matches and what lies between them.
    Result<void> cut(std::string_view text, std::vector<std::string_view>& words) const;
};

PreTokenizer::PreTokenizer(PreTokenizer&&) noexcept = default;
PreTokenizer& PreTokenizer::operator=(PreTokenizer&&) noexcept = default;
PreTokenizer::~PreTokenizer() = default;

Result<PreTokenizer> PreTokenizer::create(std::string_view name)
{
    const PreTokenizerScheme* scheme = findPreTokenizer(name);
    if (scheme == nullptr) {
        return makeError(ErrorCode::Unsupported,
                         "pre-tokenizer '" + utf8::repaired(name) +
                             "' is not supported by this version",
                         {}, "use a model with one of " + preTokenizerNames());
    }
    PreTokenizer result;
    result.m_wholeWords = scheme->wholeWords;
    result.m_addBos = scheme->addBos;
    for (const char* pattern : scheme->expressions) {
        if (pattern == nullptr) {
            continue;
        }
        int error = 0;
        std::size_t offset = 0;
        pcre2_code* code =
            pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                          PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr);
        if (code == nullptr) {
            return makeError(ErrorCode::Internal,
                             "the regular-expression library refused a pre-tokenizer: " +
                                 libraryMessage(error));
        }
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // without it: the same matches, slower
        result.m_expressions.push_back(std::make_unique<const Expression>(code));
    }
    return result;
}

Result<void> PreTokenizer::Expression::cut(std::string_view text,
                                           std::vector<std::string_view>& words) const
{
    const MatchData match(pcre2_match_data_create_from_pattern(code, nullptr),
                          &pcre2_match_data_free);
    std::size_t at = 0;
    while (match != nullptr && at < text.size()) {
        // The text was checked once; checking it on every call would make this quadratic.
        const int found = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                      at, PCRE2_NO_UTF_CHECK, match.get(), nullptr);
        if (found == PCRE2_ERROR_NOMATCH) {
            break;
        }
        if (found < 0) {
            return makeError(ErrorCode::Internal,
                             "the regular-expression library gave up: " + libraryMessage(found));
        }
        const std::size_t* bounds = pcre2_get_ovector_pointer(match.get());
        if (bounds[0] > at) {
            words.push_back(text.substr(at, bounds[0] - at));
        }
        words.push_back(text.substr(bounds[0], bounds[1] - bounds[0]));
        at = bounds[1];
    }
    if (at < text.size()) {
        words.push_back(text.substr(at));
    }
    return {};
}

Result<std::vector<std::string_view>> PreTokenizer::words(std::string_view text) const
{
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const std::size_t valid = utf8::validPrefix(text);
        std::vector<std::string_view> words;
        if (valid > 0) {
            words.push_back(text.substr(0, valid));
        }
        for (const auto& expression : m_expressions) {
            std::vector<std::string_view> finer;
            for (const std::string_view word : words) {
                if (auto done = expression->cut(word, finer); !done) {
                    return done.error();
                }
            }
            words = std::move(finer);
        }
        all.insert(all.end(), words.begin(), words.end());
        text.remove_prefix(valid);
        const std::size_t invalid = utf8::invalidPrefix(text);
        if (invalid > 0) {
            all.push_back(text.substr(0, invalid));
            text.remove_prefix(invalid);
        }
    }
    return all;
}

} // namespace ulp::model
