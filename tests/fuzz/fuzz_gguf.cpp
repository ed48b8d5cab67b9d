// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as a GGUF file: opened, described, its tensors read and its vocabulary used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "engine/model/model.h"

namespace {

/// Reads both ends of every view, for the sanitizer to judge.
void touch(std::span<const std::byte> bytes)
{
    if (!bytes.empty()) {
        static volatile std::byte sink;
        sink = bytes.front() ^ bytes.back();
    }
}

void useVocabulary(const ulp::model::GgufFile& file)
{
    const auto tokenizer = ulp::model::Tokenizer::create(file);
    if (!tokenizer) {
        return;
    }
    for (const bool special : {false, true}) {
        const auto tokens = (*tokenizer)->encode("Once <s> upon\n a 1984 \xFF", {true, special});
        if (tokens) {
            (void)(*tokenizer)->decode(*tokens, special);
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto file = ulp::model::GgufFile::fromBytes(
        {reinterpret_cast<const std::byte*>(data), size}, "fuzz.gguf");
    if (!file) {
        return file.error().message.empty() ? std::abort(), 0 : 0;
    }
    for (const auto& entry : (*file)->entries()) {
        if (const auto* array = std::get_if<ulp::model::GgufArray>(&entry.value)) {
            touch(array->data);
        }
    }
    for (const auto& tensor : (*file)->tensors()) {
        touch(tensor.data);
    }
    if (!ulp::model::Model::describe(**file)) {
        std::abort();
    }
    useVocabulary(**file);
    return 0;
}
