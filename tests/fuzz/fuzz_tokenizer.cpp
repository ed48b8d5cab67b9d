// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as a text: every tokenizer gives them back exactly.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "engine/model/tokenizer.h"
#include "tests/fuzz/vocabularies.h"

namespace {

using ulp::model::Tokenizer;

std::unique_ptr<const Tokenizer> make(const ulp::test::GgufBuilder& builder)
{
    const auto file = ulp::model::GgufFile::fromBytes(builder.build(), "vocabulary");
    auto tokenizer = file ? Tokenizer::create(**file) : file.error();
    if (!tokenizer) {
        std::abort();
    }
    return *std::move(tokenizer);
}

void expectRoundTrip(const Tokenizer& tokenizer, std::string_view text)
{
    for (const bool special : {false, true}) {
        const auto tokens = tokenizer.encode(text, {false, special});
        if (!tokens || tokenizer.decode(*tokens, special) != text) {
            std::abort();
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto spm = make(ulp::test::spmVocabulary());
    static const auto gpt2 = make(ulp::test::bpeVocabulary("gpt-2"));
    static const auto smollm = make(ulp::test::bpeVocabulary("smollm"));
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    expectRoundTrip(*spm, text);
    expectRoundTrip(*gpt2, text);
    expectRoundTrip(*smollm, text);
    return 0;
}
