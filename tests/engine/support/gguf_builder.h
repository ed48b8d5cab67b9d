// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes GGUF files in memory for tests: any metadata, any tensors, right or (on purpose) wrong;
// and whole small llama models with random weights of every supported format.
//
//     auto bytes = ulp::test::makeTinyLlama({.layers = 3, .type = numeric::WeightType::Q4_1});
//     auto file = model::GgufFile::fromBytes(bytes, "tiny");
//     ulp::test::TemporaryFile onDisk(bytes); // for Model::load, which takes a path
//
// Thread-safety: one thread for each builder. Ownership: owns what it was given.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/gguf.h"
#include "engine/numeric/weight_type.h"
#include "tests/engine/support/quant_fields.h"
#include "tests/engine/support/temporary_file.h"

namespace ulp::test {

using Bytes = std::vector<std::byte>;

/// Appends the little-endian bytes of a number.
template <typename T>
void put(Bytes& out, T value)
{
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    out.insert(out.end(), raw, raw + sizeof(T));
}
inline void putString(Bytes& out, std::string_view text)
{
    put(out, static_cast<std::uint64_t>(text.size()));
    const auto* raw = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), raw, raw + text.size());
}

/// A small generator with the same numbers everywhere (splitmix64).
class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    /// Uniform in [-1, 1).
    float signedUnit()
    {
        return static_cast<float>(static_cast<std::int64_t>(next()) >> 40U) / 8388608.0F;
    }

  private:
    std::uint64_t m_state;
};

class GgufBuilder {
  public:
    using Type = model::GgufType;

    std::uint32_t magic = 0x46554747;
    std::uint32_t version = 3;
    std::uint64_t alignment = 32; // of the layout; also set() general.alignment to declare it

    GgufBuilder& u32(std::string_view key, std::uint32_t v) { return scalar(key, Type::U32, v); }
    GgufBuilder& u64(std::string_view key, std::uint64_t v) { return scalar(key, Type::U64, v); }
    GgufBuilder& i32(std::string_view key, std::int32_t v) { return scalar(key, Type::I32, v); }
    GgufBuilder& f32(std::string_view key, float v) { return scalar(key, Type::F32, v); }
    GgufBuilder& boolean(std::string_view key, bool v)
    {
        return scalar(key, Type::Bool, static_cast<std::uint8_t>(v ? 1 : 0));
    }
    GgufBuilder& string(std::string_view key, std::string_view v)
    {
        Bytes value;
        putString(value, v);
        return raw(key, static_cast<std::uint32_t>(Type::String), std::move(value));
    }
    GgufBuilder& strings(std::string_view key, const std::vector<std::string>& values)
    {
        Bytes value;
        put(value, static_cast<std::uint32_t>(Type::String));
        put(value, static_cast<std::uint64_t>(values.size()));
        for (const auto& v : values) {
            putString(value, v);
        }
        return raw(key, static_cast<std::uint32_t>(Type::Array), std::move(value));
    }
    GgufBuilder& f32s(std::string_view key, const std::vector<float>& values)
    {
        return array(key, Type::F32, values);
    }
    GgufBuilder& i32s(std::string_view key, const std::vector<std::int32_t>& values)
    {
        return array(key, Type::I32, values);
    }
    template <typename T>
    GgufBuilder& scalar(std::string_view key, Type type, T v)
    {
        Bytes value;
        put(value, v);
        return raw(key, static_cast<std::uint32_t>(type), std::move(value));
    }
    template <typename T>
    GgufBuilder& array(std::string_view key, Type elementType, const std::vector<T>& values)
    {
        Bytes value;
        put(value, static_cast<std::uint32_t>(elementType));
        put(value, static_cast<std::uint64_t>(values.size()));
        for (const T& v : values) {
            put(value, v);
        }
        return raw(key, static_cast<std::uint32_t>(Type::Array), std::move(value));
    }
    /// Any type number and value bytes; replaces an entry of the same key.
    GgufBuilder& raw(std::string_view key, std::uint32_t type, Bytes value)
    {
        remove(key);
        m_entries.push_back({std::string(key), type, std::move(value)});
        return *this;
    }
    /// A second entry although there may be one of that key.
    GgufBuilder& duplicate(std::string_view key)
    {
        for (const Entry& entry : m_entries) {
            if (entry.key == key) {
                m_entries.push_back(Entry(entry));
                break;
            }
        }
        return *this;
    }
    GgufBuilder& remove(std::string_view key)
    {
        std::erase_if(m_entries, [key](const Entry& e) { return e.key == key; });
        return *this;
    }

    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> dims; // dims[0] runs fastest
        std::uint32_t type = 0;
        Bytes data;
        std::int64_t offset = -1; // in the data section; -1: laid out behind the one before
    };
    GgufBuilder& tensor(std::string name, std::vector<std::uint64_t> dims, std::uint32_t type,
                        Bytes data)
    {
        m_tensors.push_back({std::move(name), std::move(dims), type, std::move(data), -1});
        return *this;
    }
    GgufBuilder& removeTensor(std::string_view name)
    {
        std::erase_if(m_tensors, [name](const Tensor& t) { return t.name == name; });
        return *this;
    }
    /// For breaking things on purpose; nullptr if there is none.
    Tensor* find(std::string_view name)
    {
        for (Tensor& t : m_tensors) {
            if (t.name == name) {
                return &t;
            }
        }
        return nullptr;
    }

    /// Bytes before the tensor data (header, metadata, tensor list).
    [[nodiscard]] std::size_t headBytes() const { return head().size(); }
    [[nodiscard]] Bytes build() const
    {
        Bytes out = head();
        if (m_tensors.empty()) {
            return out;
        }
        pad(out);
        const std::size_t start = out.size();
        for (const Tensor& t : m_tensors) {
            if (t.offset < 0) {
                out.insert(out.end(), t.data.begin(), t.data.end());
                pad(out);
            } else if (const std::size_t end =
                           start + static_cast<std::size_t>(t.offset) + t.data.size();
                       static_cast<std::uint64_t>(t.offset) < (1U << 30U)) {
                out.resize(std::max(out.size(), end));
            }
        }
        return out;
    }

  private:
    struct Entry {
        std::string key;
        std::uint32_t type;
        Bytes value;
    };

    void pad(Bytes& out) const { out.resize((out.size() + alignment - 1) / alignment * alignment); }

    [[nodiscard]] Bytes head() const
    {
        Bytes out;
        put(out, magic);
        put(out, version);
        put(out, static_cast<std::uint64_t>(m_tensors.size()));
        put(out, static_cast<std::uint64_t>(m_entries.size()));
        for (const Entry& e : m_entries) {
            putString(out, e.key);
            put(out, e.type);
            out.insert(out.end(), e.value.begin(), e.value.end());
        }
        std::uint64_t offset = 0;
        for (const Tensor& t : m_tensors) {
            putString(out, t.name);
            put(out, static_cast<std::uint32_t>(t.dims.size()));
            for (const std::uint64_t dim : t.dims) {
                put(out, dim);
            }
            put(out, t.type);
            put(out, t.offset < 0 ? offset : static_cast<std::uint64_t>(t.offset));
            offset += (t.data.size() + alignment - 1) / alignment * alignment;
        }
        return out;
    }

    std::vector<Entry> m_entries;
    std::vector<Tensor> m_tensors;
};

/// The f16 nearest to zero of `x` for |x| in [2^-14, 1); smaller ones become zero.
inline std::uint16_t truncatedHalf(float x)
{
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const auto exponent = static_cast<std::int32_t>((bits >> 23U) & 0xFFU) - 127 + 15;
    const std::uint32_t sign = (bits >> 16U) & 0x8000U;
    if (exponent < 1) {
        return static_cast<std::uint16_t>(sign);
    }
    return static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(exponent) << 10U) |
                                      ((bits >> 13U) & 0x3FFU));
}

/// Random bytes, then the fields that must be numbers.
inline void putRandomBlock(Bytes& out, const numeric::WeightTypeInfo& info, float scale,
                           Random& random)
{
    const std::size_t block = out.size();
    for (std::int64_t i = 0; i < info.blockBytes; ++i) {
        put(out, static_cast<std::uint8_t>(random.next()));
    }
    for (const HalfField& field : halfFields(info.type)) {
        const float unit = scale * (1.5F + random.signedUnit()) / 2.0F;
        const std::uint16_t bits =
            truncatedHalf(field.minimum ? unit / 63.0F : unit / largestInteger(info.type));
        std::memcpy(out.data() + block + field.offset, &bits, sizeof bits);
    }
    if (info.type == numeric::WeightType::Mxfp4) { // 2^(e - 128) times up to 12
        out[block] = static_cast<std::byte>(128 + std::ilogb(scale) - 3);
    }
}

/// Random weights of about +-`scale` in the given format.
inline Bytes randomWeights(numeric::WeightType type, std::int64_t elements, float scale,
                           Random& random)
{
    const auto& info = numeric::weightTypeInfo(type);
    Bytes out;
    const auto putHalf = [&](float x) { put(out, truncatedHalf(x)); };
    for (std::int64_t i = 0; i < elements; i += info.blockElements) {
        switch (type) {
        case numeric::WeightType::F32:
            put(out, scale * random.signedUnit());
            break;
        case numeric::WeightType::F16:
            putHalf(scale * random.signedUnit());
            break;
        case numeric::WeightType::Bf16:
            put(out, static_cast<std::uint16_t>(
                         std::bit_cast<std::uint32_t>(scale * random.signedUnit()) >> 16U));
            break;
        case numeric::WeightType::Q8_0: // scale, then 32 signed bytes
            putHalf(scale * (1.5F + random.signedUnit()) / 127.0F / 2.0F);
            break;
        case numeric::WeightType::Q4_0: // scale, then 32 nibbles of value - 8
            putHalf(scale * (1.5F + random.signedUnit()) / 8.0F / 2.0F);
            break;
        case numeric::WeightType::Q4_1: // scale, minimum, then 32 nibbles
            putHalf(scale * (1.5F + random.signedUnit()) / 8.0F / 2.0F);
            putHalf(-scale * (1.5F + 0.5F * random.signedUnit()) / 2.0F);
            break;
        default:
            putRandomBlock(out, info, scale, random);
            break;
        }
        while (info.quantised && out.size() % static_cast<std::size_t>(info.blockBytes) != 0) {
            put(out, static_cast<std::uint8_t>(random.next()));
        }
    }
    return out;
}

struct TinyLlama {
    int layers = 2;
    std::int64_t width = 64;
    std::int64_t heads = 4;
    std::int64_t kvHeads = 2;
    std::int64_t headDim = 0; // 0: width / heads
    std::int64_t ffn = 96;
    std::int64_t vocab = 320; // at least 286: three control tokens, 256 bytes, 27 letters
    std::int64_t context = 256;
    numeric::WeightType type = numeric::WeightType::F32; // of the matrices in the layers
    numeric::WeightType embeddingType = numeric::WeightType::F32;
    numeric::WeightType outputType = numeric::WeightType::F32;
    bool tied = false; // no output matrix of its own
    std::uint64_t seed = 1;
    float ropeBase = 10000.0F;
    float normEpsilon = 1e-5F;
};

/// A SentencePiece vocabulary: <unk>, <s>, </s>, 256 bytes, U+2581, a to z, then pairs of letters
/// and pairs behind U+2581, best first.
inline void addTinyVocabulary(GgufBuilder& b, std::int64_t vocab)
{
    assert(vocab >= 286);
    const std::string space = "\xE2\x96\x81";
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
    std::vector<std::int32_t> types{2, 3, 3};
    constexpr std::string_view kHex = "0123456789ABCDEF";
    for (unsigned i = 0; i < 256; ++i) {
        tokens.push_back(std::string("<0x") + kHex[i >> 4U] + kHex[i & 15U] + ">");
        types.push_back(6);
    }
    const auto letter = [](std::int64_t i) {
        return std::string(1, static_cast<char>('a' + i % 26));
    };
    tokens.push_back(space);
    for (std::int64_t i = 0; i < 26; ++i) {
        tokens.push_back(letter(i));
    }
    for (std::int64_t i = 0; static_cast<std::int64_t>(tokens.size()) < vocab; ++i) {
        // 7 and 11 have no factor in common with 26: neighbours differ in both letters.
        const std::string pair = letter(i * 7) + letter(i * 11 + i / 26);
        tokens.push_back((i / 676 % 2 == 0 ? "" : space) + pair +
                         (i / 1352 == 0 ? "" : letter(i / 1352) + letter(i / 35152)));
    }
    types.resize(tokens.size(), 1);
    std::vector<float> scores(tokens.size(), 0.0F);
    for (std::size_t i = 259; i < tokens.size(); ++i) {
        scores[i] = i < 286 ? -1e6F : -static_cast<float>(i - 286);
    }
    b.string("tokenizer.ggml.model", "llama").string("tokenizer.ggml.pre", "default");
    b.strings("tokenizer.ggml.tokens", tokens).f32s("tokenizer.ggml.scores", scores);
    b.i32s("tokenizer.ggml.token_type", types);
    b.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    b.u32("tokenizer.ggml.unknown_token_id", 0);
    b.boolean("tokenizer.ggml.add_bos_token", true);
    b.boolean("tokenizer.ggml.add_eos_token", false);
}

/// The builder of a whole model, to be changed before build().
inline GgufBuilder tinyLlamaBuilder(const TinyLlama& o)
{
    GgufBuilder b;
    const std::int64_t headDim = o.headDim > 0 ? o.headDim : o.width / o.heads;
    const auto u = [](std::int64_t v) { return static_cast<std::uint32_t>(v); };
    b.string("general.architecture", "llama").string("general.name", "tiny test model");
    b.u32("llama.block_count", u(o.layers)).u32("llama.context_length", u(o.context));
    b.u32("llama.embedding_length", u(o.width)).u32("llama.feed_forward_length", u(o.ffn));
    b.u32("llama.attention.head_count", u(o.heads));
    b.u32("llama.attention.head_count_kv", u(o.kvHeads));
    b.u32("llama.rope.dimension_count", u(headDim)).f32("llama.rope.freq_base", o.ropeBase);
    if (headDim * o.heads != o.width) {
        b.u32("llama.attention.key_length", u(headDim));
        b.u32("llama.attention.value_length", u(headDim));
    }
    b.f32("llama.attention.layer_norm_rms_epsilon", o.normEpsilon);
    addTinyVocabulary(b, o.vocab);

    Random random(o.seed);
    const auto matrix = [&](const std::string& name, std::int64_t rows, std::int64_t k,
                            numeric::WeightType type) {
        const float scale = 1.7F / std::sqrt(static_cast<float>(k)); // keeps magnitudes near 1
        b.tensor(name, {static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(rows)},
                 static_cast<std::uint32_t>(type), randomWeights(type, rows * k, scale, random));
    };
    const auto norm = [&](const std::string& name) {
        Bytes data;
        for (std::int64_t i = 0; i < o.width; ++i) {
            put(data, 1.0F + 0.25F * random.signedUnit());
        }
        b.tensor(name, {static_cast<std::uint64_t>(o.width)}, 0, std::move(data));
    };
    matrix("token_embd.weight", o.vocab, o.width, o.embeddingType);
    for (int i = 0; i < o.layers; ++i) {
        const std::string p = "blk." + std::to_string(i) + ".";
        norm(p + "attn_norm.weight");
        matrix(p + "attn_q.weight", o.heads * headDim, o.width, o.type);
        matrix(p + "attn_k.weight", o.kvHeads * headDim, o.width, o.type);
        matrix(p + "attn_v.weight", o.kvHeads * headDim, o.width, o.type);
        matrix(p + "attn_output.weight", o.width, o.heads * headDim, o.type);
        norm(p + "ffn_norm.weight");
        matrix(p + "ffn_gate.weight", o.ffn, o.width, o.type);
        matrix(p + "ffn_up.weight", o.ffn, o.width, o.type);
        matrix(p + "ffn_down.weight", o.width, o.ffn, o.type);
    }
    norm("output_norm.weight");
    if (!o.tied) {
        matrix("output.weight", o.vocab, o.width, o.outputType);
    }
    return b;
}

[[nodiscard]] inline Bytes makeTinyLlama(const TinyLlama& options = {})
{
    return tinyLlamaBuilder(options).build();
}

} // namespace ulp::test
