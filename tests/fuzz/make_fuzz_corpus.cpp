// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the inputs that fuzzing starts from: make_fuzz_corpus FOLDER fills FOLDER/gguf with small
// whole files and FOLDER/text with short texts.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/vocabularies.h"

namespace {

void write(const std::filesystem::path& path, std::span<const std::byte> bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 2) {
        std::fputs("usage: make_fuzz_corpus FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder / "gguf");
    std::filesystem::create_directories(folder / "text");
    using ulp::numeric::WeightType;
    for (const WeightType type : {WeightType::F32, WeightType::F16, WeightType::Bf16,
                                  WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1}) {
        const auto bytes = ulp::test::makeTinyLlama({.layers = 1,
                                                     .width = 32,
                                                     .heads = 1,
                                                     .kvHeads = 1,
                                                     .ffn = 32,
                                                     .vocab = 286,
                                                     .type = type,
                                                     .embeddingType = type,
                                                     .tied = true});
        write(folder / "gguf" / ulp::numeric::weightTypeInfo(type).name, bytes);
    }
    write(folder / "gguf" / "spm", ulp::test::spmVocabulary().build());
    write(folder / "gguf" / "gpt-2", ulp::test::bpeVocabulary("gpt-2").build());
    const std::string texts[] = {"Once upon a time", "<|im_end|> 1984's\n\n <user>",
                                 "\xE2\x96\x81 \xC3\xA9\xFF <s></s>  \t"};
    for (const std::string& text : texts) {
        write(folder / "text" / std::to_string(text.size()),
              {reinterpret_cast<const std::byte*>(text.data()), text.size()});
    }
    return 0;
}
