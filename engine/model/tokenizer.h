// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text to token ids and back, from the vocabulary in the GGUF file.
// Thread-safety: const after creation, use from any thread. Ownership: the caller owns the
// tokenizer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/gguf.h"

namespace ulp::model {

/// Bytes [begin, end) of a text.
struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const ByteRange&) const = default;
};

struct EncodeOptions {
    bool addBos = true;                     // as the model's metadata says; false: never
    bool parseSpecial = false;              // special tokens written in the text become that token
    std::span<const ByteRange> quoted = {}; // but not where they touch these; ascending
};

class Tokenizer {
  public:
    virtual ~Tokenizer() = default;
    /// Chosen by tokenizer.ggml.model and tokenizer.ggml.pre; unknown ones are refused by name.
    static Result<std::unique_ptr<const Tokenizer>> create(const GgufFile& file);

    /// Invalid UTF-8 is handled byte by byte (byte fallback or byte-level pieces), never lost.
    [[nodiscard]] virtual Result<std::vector<std::int32_t>>
    encode(std::string_view text, const EncodeOptions& options) const = 0;
    /// The bytes one token adds to the text (not necessarily valid UTF-8 alone); control tokens
    /// give their written form when `special`, else nothing.
    [[nodiscard]] virtual std::string piece(std::int32_t token, bool special) const = 0;
    /// The text of a whole sequence; decode(encode(s)) == s for every s.
    [[nodiscard]] virtual std::string decode(std::span<const std::int32_t> tokens,
                                             bool special) const = 0;

    [[nodiscard]] virtual std::int32_t size() const = 0;
    [[nodiscard]] virtual std::int32_t bos() const = 0; // -1: none
    [[nodiscard]] virtual std::int32_t eos() const = 0; // -1: none
    /// EOS, EOT and whatever else ends generation.
    [[nodiscard]] virtual bool endsGeneration(std::int32_t token) const = 0;
    [[nodiscard]] virtual std::string_view kind() const = 0; // "llama (SentencePiece)"
};

} // namespace ulp::model
