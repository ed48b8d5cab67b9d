// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer.h"

#include <new>

#include "engine/base/utf8.h"
#include "engine/model/tokenizer_bpe.h"
#include "engine/model/tokenizer_spm.h"

namespace ulp::model {
namespace {

Error unsupported(const GgufFile& file, std::string_view key, std::string_view what,
                  std::string_view name, std::string_view remedy)
{
    return makeError(ErrorCode::Unsupported,
                     std::string(what) + " '" + utf8::repaired(name) +
                         "' is not supported by this version",
                     file.path() + ": " + std::string(key), std::string(remedy));
}

Result<std::unique_ptr<const Tokenizer>> createByName(const GgufFile& file)
{
    constexpr std::string_view kModelKey = "tokenizer.ggml.model";
    constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
    const auto model = file.get<std::string_view>(kModelKey);
    if (!model) {
        return model.error();
    }
    if (*model == "gpt2") {
        return BpeTokenizer::create(file.shared_from_this());
    }
    if (*model != "llama") {
        return unsupported(file, kModelKey, "tokenizer", *model,
                           "use a model with a 'llama' or 'gpt2' tokenizer");
    }
    const auto pre = file.get<std::string_view>(kPreKey, "default");
    if (!pre) {
        return pre.error();
    }
    if (*pre != "default") {
        return unsupported(file, kPreKey, "SentencePiece pre-tokenizer", *pre,
                           "use a model whose pre-tokenizer is 'default'");
    }
    return SpmTokenizer::create(file.shared_from_this());
}

} // namespace

Result<std::unique_ptr<const Tokenizer>> Tokenizer::create(const GgufFile& file)
{
    try {
        return createByName(file);
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Internal, "not enough memory for the vocabulary", file.path(),
                         "close other programs");
    }
}

} // namespace ulp::model
