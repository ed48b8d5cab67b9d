// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Describing and loading llama models: what the metadata means, what is refused and how it is
// named, identity, progress and cancelling.
#include <algorithm>
#include <filesystem>

#include <xxhash.h>

#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/base/sha256.h"
#include "engine/model/model.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/real_model.h"

namespace ulp::model {
namespace {

using test::Bytes;
using test::GgufBuilder;
using test::TinyLlama;

ModelDescription described(const GgufBuilder& builder)
{
    const auto file = GgufFile::fromBytes(builder.build(), "m.gguf");
    EXPECT_TRUE(file) << file.error().text();
    const auto description = Model::describe(**file);
    EXPECT_TRUE(description) << description.error().text();
    return *description;
}

/// The only problem of the file is one that says `part`; and it keeps the file from loading.
void expectProblem(const GgufBuilder& builder, const std::string& part)
{
    const ModelDescription description = described(builder);
    ASSERT_EQ(description.problems.size(), 1U)
        << part << ": " << (description.problems.empty() ? "" : description.problems[1].text());
    const Error& error = description.problems.front();
    EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
    EXPECT_EQ(error.where.rfind("m.gguf", 0), 0U) << error.text();
    EXPECT_FALSE(error.remedy.empty()) << error.text();
    const test::TemporaryFile onDisk(builder.build());
    const auto model = Model::load(onDisk.path(), {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, error.message);
}

GgufBuilder tiny(const TinyLlama& options = {})
{
    return test::tinyLlamaBuilder(options);
}

std::shared_ptr<const Model> loaded(const Bytes& bytes, const LoadOptions& options = {})
{
    const test::TemporaryFile onDisk(bytes);
    const auto model = Model::load(onDisk.path(), options);
    EXPECT_TRUE(model) << model.error().text();
    return model ? *model : nullptr;
}

TEST(Model, DescribesWhatTheMetadataSays)
{
    const ModelDescription d = described(tiny({.layers = 3,
                                               .width = 96,
                                               .heads = 6,
                                               .kvHeads = 2,
                                               .ffn = 160,
                                               .vocab = 300,
                                               .context = 77,
                                               .type = numeric::WeightType::Q4_1,
                                               .embeddingType = numeric::WeightType::Q8_0,
                                               .tied = true,
                                               .ropeBase = 500000.0F,
                                               .normEpsilon = 1e-6F}));
    EXPECT_TRUE(d.problems.empty()) << d.problems.front().text();
    const HyperParameters& h = d.hyper;
    EXPECT_EQ(h.architecture, "llama");
    EXPECT_EQ(h.name, "tiny test model");
    EXPECT_EQ(h.layers, 3);
    EXPECT_EQ(h.width, 96);
    EXPECT_EQ(h.ffnWidth, 160);
    EXPECT_EQ(h.heads, 6);
    EXPECT_EQ(h.kvHeads, 2);
    EXPECT_EQ(h.headDim, 16);
    EXPECT_EQ(h.vocab, 300);
    EXPECT_EQ(h.context, 77);
    EXPECT_EQ(h.normEpsilon, 1e-6F);
    EXPECT_EQ(h.rope.dims, 16);
    EXPECT_EQ(h.rope.base, 500000.0F);
    EXPECT_EQ(h.rope.linearScale, 1.0F);
    EXPECT_EQ(h.rope.pairing, kernels::RopePairing::Interleaved);
    const std::int64_t layer = 2 * 96 + 2 * 96 * 96 + 2 * 96 * 32 + 3 * 96 * 160;
    EXPECT_EQ(d.parameters, 300 * 96 + 96 + 3 * layer);
    using Counts = std::vector<std::pair<std::string, int>>;
    EXPECT_EQ(d.typeCounts, (Counts{{"Q4_1", 21}, {"F32", 7}, {"Q8_0", 1}}));
}

TEST(Model, DefaultsOfMissingKeysAreThoseOfTheFormat)
{
    const ModelDescription d = described(tiny({.kvHeads = 4})
                                             .remove("llama.attention.head_count_kv")
                                             .remove("llama.rope.dimension_count")
                                             .remove("llama.rope.freq_base")
                                             .remove("general.name"));
    EXPECT_TRUE(d.problems.empty()) << d.problems.front().text();
    EXPECT_EQ(d.hyper.kvHeads, 4);
    EXPECT_EQ(d.hyper.rope.dims, 16);
    EXPECT_EQ(d.hyper.rope.base, 10000.0F);
}

TEST(Model, AHeadMayBeWiderOrNarrowerThanItsShareOfTheWidth)
{
    for (const std::int64_t headDim : {std::int64_t{8}, std::int64_t{32}}) {
        const ModelDescription d = described(tiny({.headDim = headDim}));
        EXPECT_TRUE(d.problems.empty()) << d.problems.front().text();
        EXPECT_EQ(d.hyper.headDim, headDim);
    }
}

TEST(Model, RopeScalingIsUnderstoodOrRefused)
{
    constexpr const char* kType = "llama.rope.scaling.type";
    constexpr const char* kFactor = "llama.rope.scaling.factor";
    const auto scaleOf = [](const GgufBuilder& b) {
        const ModelDescription d = described(b);
        EXPECT_TRUE(d.problems.empty()) << d.problems.front().text();
        return d.hyper.rope.linearScale;
    };
    EXPECT_EQ(scaleOf(tiny().string(kType, "linear").f32(kFactor, 4.0F)), 0.25F);
    EXPECT_EQ(scaleOf(tiny().f32(kFactor, 4.0F)), 0.25F);
    EXPECT_EQ(scaleOf(tiny().f32("llama.rope.scale_linear", 2.0F)), 0.5F);
    EXPECT_EQ(scaleOf(tiny().string(kType, "none").f32(kFactor, 4.0F)), 1.0F);
    EXPECT_EQ(scaleOf(tiny().f32(kFactor, 0.0F)), 1.0F);
    expectProblem(tiny().f32(kFactor, -2.0F), "not a positive number");
    expectProblem(tiny().string(kType, "dynamic").f32(kFactor, 4.0F), "RoPE scaling 'dynamic'");
    expectProblem(tiny().string(kType, "llama3"), "no tensor 'rope_freqs.weight'");
}

TEST(Model, FrequencyFactorsAreLoaded)
{
    Bytes factors;
    for (int i = 0; i < 8; ++i) {
        test::put(factors, 1.0F + static_cast<float>(i));
    }
    auto b = tiny().string("llama.rope.scaling.type", "llama3");
    b.tensor("rope_freqs.weight", {8}, 0, factors);
    const auto model = loaded(b.build());
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->hyper().rope.frequencyFactors, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
    expectProblem(tiny().tensor("rope_freqs.weight", {4}, 0, Bytes(16)), "has shape [4]");
}

TEST(Model, MissingAndWrongKeysAreNamed)
{
    for (const char* key :
         {"llama.block_count", "llama.embedding_length", "llama.feed_forward_length",
          "llama.context_length", "llama.attention.head_count",
          "llama.attention.layer_norm_rms_epsilon"}) {
        expectProblem(tiny().remove(key), std::string(key) + ": the metadata has no such key");
        expectProblem(tiny().string(key, "x"), std::string(key) + ": is string, but must be");
    }
    expectProblem(tiny().remove("general.architecture"), "general.architecture");
    expectProblem(tiny().remove("tokenizer.ggml.model"), "tokenizer.ggml.model");
    expectProblem(tiny().i32("general.name", 3), "general.name: is i32");
}

TEST(Model, AbsurdSizesAreRefused)
{
    expectProblem(tiny().u32("llama.block_count", 0), "is 0, not between 1 and");
    expectProblem(tiny().u32("llama.block_count", 4000000000U), "llama.block_count: is 4000000000");
    expectProblem(tiny().i32("llama.embedding_length", -64), "is -64");
    expectProblem(tiny().u64("llama.context_length", std::uint64_t{1} << 63U), "out of range");
    expectProblem(tiny().u32("llama.vocab_size", 7), "is 7, but the vocabulary has 320 tokens");
    expectProblem(tiny().f32("llama.attention.layer_norm_rms_epsilon", 0.0F), "positive");
    expectProblem(tiny().f32("llama.rope.freq_base", -1.0F), "llama.rope.freq_base");
    expectProblem(tiny().f32("llama.rope.freq_base", std::numeric_limits<float>::infinity()),
                  "not a positive number");
}

TEST(Model, HeadsMustDivide)
{
    expectProblem(tiny().u32("llama.attention.head_count_kv", 3), "4 heads cannot share 3");
    expectProblem(
        tiny().u32("llama.attention.head_count", 5).u32("llama.attention.head_count_kv", 5),
        "64 does not divide by 5 heads");
    expectProblem(tiny().u32("llama.rope.dimension_count", 7), "llama.rope.dimension_count: is 7");
    expectProblem(tiny().u32("llama.rope.dimension_count", 18), "is 18");
    expectProblem(tiny().u32("llama.attention.value_length", 8), "values of 8 elements");
    expectProblem(tiny().i32s("llama.attention.head_count", {4, 4}), "is array of i32");
}

TEST(Model, WhatIsNotSupportedIsRefusedByName)
{
    expectProblem(tiny().string("general.architecture", "mamba"),
                  "architecture 'mamba' is not supported by this version");
    expectProblem(tiny().u32("llama.expert_count", 8), "'expert_count' is set");
    expectProblem(tiny().u32("llama.attention.sliding_window", 512), "'attention.sliding_window'");
    expectProblem(tiny().f32("llama.logit_scale", 0.5F), "'logit_scale' is set");
    expectProblem(tiny().boolean("llama.attention.causal", false), "'attention.causal' is set");
    expectProblem(tiny().string("tokenizer.ggml.model", "bert"), "tokenizer 'bert'");
    const ModelDescription neutral = described(tiny()
                                                   .u32("llama.expert_count", 0)
                                                   .f32("llama.logit_scale", 1.0F)
                                                   .boolean("llama.attention.causal", true));
    EXPECT_TRUE(neutral.problems.empty());
}

TEST(Model, AnotherArchitectureIsStillDescribed)
{
    GgufBuilder b;
    b.string("general.architecture", "mamba").u32("mamba.context_length", 32768);
    b.strings("tokenizer.ggml.tokens", {"a", "b"}).tensor("t", {4, 4}, 0, Bytes(64));
    const ModelDescription d = described(b);
    ASSERT_FALSE(d.problems.empty());
    EXPECT_NE(d.problems.front().message.find("'mamba'"), std::string::npos);
    EXPECT_EQ(d.hyper.context, 32768);
    EXPECT_EQ(d.hyper.vocab, 2);
    EXPECT_EQ(d.parameters, 16);
}

TEST(Model, TensorsMustBeThoseOfTheArchitecture)
{
    expectProblem(tiny().removeTensor("blk.1.ffn_up.weight"),
                  "1 tensor missing: 'blk.1.ffn_up.weight'");
    expectProblem(tiny().removeTensor("token_embd.weight"), "'token_embd.weight'");
    expectProblem(tiny().tensor("blk.0.attn_q.bias", {64}, 0, Bytes(256)), "'blk.0.attn_q.bias'");
    expectProblem(tiny().tensor("blk.2.attn_q.weight", {64}, 0, Bytes(256)),
                  "'blk.2.attn_q.weight'");
    auto wide = tiny();
    wide.find("blk.1.ffn_down.weight")->dims = {64, 96};
    expectProblem(wide, "has shape [64, 96], but the metadata asks for [96, 64]");
    constexpr std::uint32_t kIq2Xxs = 16;
    auto b = tiny({.width = 256, .ffn = 256});
    b.find("blk.0.attn_q.weight")->type = kIq2Xxs;
    expectProblem(b, "tensor type IQ2_XXS is not supported by this version (1 tensor: "
                     "'blk.0.attn_q.weight')");
    b = tiny();
    *b.find("output_norm.weight") = {"output_norm.weight", {64}, 8, Bytes(68), -1};
    expectProblem(b, "a vector of a quantised type");
}

TEST(Model, LoadsEveryTypeAndGivesEmbeddings)
{
    using numeric::WeightType;
    for (const WeightType type : {WeightType::F32, WeightType::F16, WeightType::Bf16,
                                  WeightType::Q8_0, WeightType::Q4_0, WeightType::Q4_1}) {
        for (const bool tied : {false, true}) {
            const Bytes bytes = test::makeTinyLlama(
                {.type = type, .embeddingType = type, .outputType = type, .tied = tied});
            const auto model = loaded(bytes, {.threads = 2});
            ASSERT_NE(model, nullptr);
            EXPECT_EQ(model->tiedOutput(), tied);
            EXPECT_EQ(model->output().matrix.rows(), 320);
            EXPECT_EQ(model->output().matrix.k(), 64);
            EXPECT_EQ(model->output().matrix.type(), type);
            EXPECT_EQ(model->layer(1).k.matrix.rows(), 32);
            EXPECT_EQ(model->layer(1).down.matrix.k(), 96);
            EXPECT_EQ(model->outputNorm().weight.size(), 64U);
            EXPECT_EQ(model->tokenizer().size(), 320);

            const GgufTensor* embedding = model->file().findTensor("token_embd.weight");
            const std::size_t rowBytes = embedding->data.size() / 320;
            for (const std::int32_t token : {0, 1, 319}) {
                std::vector<float> expected(64);
                std::vector<float> got(64);
                numeric::dequantiseRow(
                    type, embedding->data.data() + rowBytes * static_cast<std::size_t>(token), 64,
                    expected.data());
                model->embed(token, got.data());
                EXPECT_EQ(got, expected);
            }
        }
    }
}

TEST(Model, FloatWeightsTakeAnyWidth)
{
    const auto model =
        loaded(test::makeTinyLlama({.width = 36, .heads = 6, .kvHeads = 3, .ffn = 172}));
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->layer(0).down.matrix.k(), 172);
    EXPECT_EQ(model->hyper().headDim, 6);
}

TEST(Model, KnowsTheFileAndEachTensorByDigest)
{
    const Bytes bytes = test::makeTinyLlama({.type = numeric::WeightType::Q8_0});
    for (const int threads : {1, 2, 5}) {
        const auto model = loaded(bytes, {.threads = threads});
        ASSERT_NE(model, nullptr);
        EXPECT_EQ(model->sha256(), sha256Hex(asText(bytes)));
        ASSERT_EQ(model->tensorDigests().size(), model->file().tensors().size());
        for (std::size_t i = 0; i < model->tensorDigests().size(); ++i) {
            const auto data = model->file().tensors()[i].data;
            EXPECT_EQ(model->tensorDigests()[i], XXH3_64bits(data.data(), data.size()));
        }
    }
    const auto without = loaded(bytes, {.digests = false});
    ASSERT_NE(without, nullptr);
    EXPECT_EQ(without->sha256(), "");
    EXPECT_TRUE(without->tensorDigests().empty());
    Bytes changed = bytes;
    changed.back() ^= std::byte{1};
    EXPECT_NE(loaded(changed)->sha256(), sha256Hex(asText(bytes)));
}

TEST(Model, ReportsProgressAndStopsOnRequest)
{
    const test::TemporaryFile onDisk(test::makeTinyLlama());
    std::vector<double> seen;
    const auto model = Model::load(onDisk.path(), {.progress = [&](double fraction) {
                                       seen.push_back(fraction);
                                       return true;
                                   }});
    ASSERT_TRUE(model);
    ASSERT_GT(seen.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GE(seen.front(), 0.0);
    EXPECT_LE(seen.back(), 1.0);
    for (const std::size_t stopAt : {std::size_t{0}, std::size_t{1}, seen.size() / 2}) {
        std::size_t calls = 0;
        const auto stopped =
            Model::load(onDisk.path(), {.progress = [&](double) { return calls++ < stopAt; }});
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
        EXPECT_EQ(calls, stopAt + 1); // asked no more after the refusal
    }
}

TEST(Model, TheDefaultChunkCutsTheWidthIntoAtLeastEight)
{
    const auto chunkOf = [](std::int64_t width) {
        const auto model = loaded(test::makeTinyLlama({.layers = 1,
                                                       .width = width,
                                                       .heads = 2,
                                                       .kvHeads = 1,
                                                       .headDim = 2,
                                                       .ffn = 8,
                                                       .vocab = 286,
                                                       .tied = true}));
        return model->defaultReductionChunk();
    };
    EXPECT_EQ(chunkOf(64), 32);
    EXPECT_EQ(chunkOf(448), 32);
    EXPECT_EQ(chunkOf(512), 64);
    EXPECT_EQ(chunkOf(1024), 128);
    EXPECT_EQ(chunkOf(2048), 256);
    EXPECT_EQ(chunkOf(4096), 256);
}

TEST(Model, AFileThatIsNotThereIsAnError)
{
    const auto model = Model::load("/nonexistent/model.gguf", {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::BadInput);
}

void expectLoads(const std::filesystem::path& path, const std::string& hint)
{
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "no file " << path << hint;
    }
    const auto model = Model::load(path.string(), {.threads = 2});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ((*model)->sha256().size(), 64U);
    const auto& tokenizer = (*model)->tokenizer();
    const auto ids = tokenizer.encode("Once upon a time, there was a little cat.", {});
    ASSERT_TRUE(ids) << ids.error().text();
    EXPECT_LT(ids->size(), 42U); // fewer than one token for each byte: pieces were found
    EXPECT_EQ(tokenizer.decode(*ids, false), "Once upon a time, there was a little cat.");
}

TEST(Model, LoadsTheBuiltInModel)
{
    expectLoads(ULP_DEMO_MODEL, "");
}

TEST(Model, LoadsStories260K)
{
    expectLoads(std::string(ULP_TEST_SHARED_DIR) + "/models/stories260K/stories260K.gguf", "");
}

TEST(Model, LoadsSmolLM2)
{
    expectLoads(test::smollm2Path(), "; packaging/get-smollm2 gets it");
}

} // namespace
} // namespace ulp::model
