// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each architecture asks of a file: every missing, mistyped or impossible key and tensor is a
// named problem. The files are the tiny models of tests/data with one thing changed.
#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/model/model.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::model {
namespace {

using test::Bytes;
using test::GgufBuilder;

/// The value of an entry as the file had it.
Bytes valueOf(const GgufEntry& entry)
{
    Bytes out;
    if (const auto* array = std::get_if<GgufArray>(&entry.value)) {
        test::put(out, static_cast<std::uint32_t>(array->elementType));
        test::put(out, array->count);
        for (const std::string_view text : array->strings) {
            test::putString(out, text);
        }
        out.insert(out.end(), array->data.begin(), array->data.end());
    } else if (const auto* text = std::get_if<std::string_view>(&entry.value)) {
        test::putString(out, *text);
    } else if (const auto* flag = std::get_if<bool>(&entry.value)) {
        test::put(out, static_cast<std::uint8_t>(*flag ? 1 : 0));
    } else if (const auto* number = std::get_if<double>(&entry.value)) {
        test::put(out, static_cast<float>(*number)); // the writer of these files knows no f64
    } else if (const auto* whole = std::get_if<std::uint64_t>(&entry.value)) {
        test::put(out, static_cast<std::uint32_t>(*whole)); // nor u64 and the small ones
    }
    return out;
}

GgufBuilder tiny(const std::string& name)
{
    const auto file = GgufFile::open(ULP_TEST_DATA_DIR "/models/tiny-" + name + ".gguf");
    EXPECT_TRUE(file) << file.error().text();
    GgufBuilder b;
    for (const GgufEntry& entry : (*file)->entries()) {
        b.raw(entry.key, static_cast<std::uint32_t>(entry.type), valueOf(entry));
    }
    for (const GgufTensor& t : (*file)->tensors()) {
        b.tensor(t.name, std::vector<std::uint64_t>(t.dims.begin(), t.dims.end()), t.type,
                 Bytes(t.data.begin(), t.data.end()));
    }
    return b;
}

ModelDescription described(const GgufBuilder& builder)
{
    const auto file = GgufFile::fromBytes(builder.build(), "made.gguf");
    EXPECT_TRUE(file) << file.error().text();
    return file ? *Model::describe(**file) : ModelDescription();
}

void expectProblem(const GgufBuilder& builder, const std::string& text)
{
    std::string all;
    for (const Error& problem : described(builder).problems) {
        all += problem.text() + "\n";
    }
    EXPECT_NE(all.find(text), std::string::npos) << "wanted: " << text << "\ngot: " << all;
}

struct Case {
    std::string name;
    std::string arch;
    std::vector<std::string> requiredKeys;    // besides those of all
    std::vector<std::string> requiredTensors; // some that only this architecture has
};

std::vector<Case> allCases()
{
    const std::string rms = "attention.layer_norm_rms_epsilon";
    return {
        {"llama", "llama", {rms}, {"blk.1.ffn_gate.weight"}},
        {"qwen2", "qwen2", {rms}, {"blk.1.attn_q.bias", "blk.0.attn_v.bias"}},
        {"qwen3", "qwen3", {rms}, {"blk.1.attn_q_norm.weight", "blk.0.attn_k_norm.weight"}},
        {"qwen3moe",
         "qwen3moe",
         {rms, "expert_count", "expert_used_count"},
         {"blk.0.ffn_gate_inp.weight", "blk.1.ffn_down_exps.weight"}},
        {"gemma2", "gemma2", {rms}, {"blk.1.post_ffw_norm.weight"}},
        {"gemma3", "gemma3", {rms}, {"blk.1.post_attention_norm.weight"}},
        {"phi3", "phi3", {rms}, {"blk.0.attn_qkv.weight"}},
        {"gpt2",
         "gpt2",
         {"attention.layer_norm_epsilon"},
         {"position_embd.weight", "output_norm.bias", "blk.1.ffn_up.bias", "blk.0.attn_norm.bias"}},
    };
}

class Metadata : public testing::TestWithParam<Case> {
  protected:
    [[nodiscard]] std::string key(const std::string& suffix) const
    {
        return GetParam().arch + "." + suffix;
    }
    [[nodiscard]] static GgufBuilder tiny() { return model::tiny(GetParam().name); }
};

TEST_P(Metadata, TheFileAsItIsRuns)
{
    const ModelDescription d = described(tiny());
    EXPECT_TRUE(d.problems.empty()) << d.problems.front().text();
    EXPECT_EQ(d.hyper.architecture, GetParam().arch);
}

TEST_P(Metadata, MissingAndMistypedKeysAreNamed)
{
    std::vector<std::string> keys{"block_count", "embedding_length", "feed_forward_length",
                                  "context_length", "attention.head_count"};
    keys.insert(keys.end(), GetParam().requiredKeys.begin(), GetParam().requiredKeys.end());
    for (const std::string& suffix : keys) {
        expectProblem(tiny().remove(key(suffix)), key(suffix) + ": the metadata has no such key");
        expectProblem(tiny().string(key(suffix), "x"), key(suffix) + ": is string, but must be");
    }
}

TEST_P(Metadata, SizesThatCannotBeAreRefused)
{
    expectProblem(tiny().u32(key("block_count"), 1U << 30U), "is 1073741824, not between 1 and");
    expectProblem(tiny().u32(key("block_count"), 3), "missing: 'blk.2.");
    expectProblem(tiny().i32(key("embedding_length"), -32), "is -32");
    expectProblem(tiny().u32(key("attention.head_count"), 0), "is 0, not between 1 and");
    expectProblem(tiny().u32(key("attention.head_count_kv"), 3), "4 heads cannot share 3");
    const bool experts = GetParam().arch == "qwen3moe";
    expectProblem(
        tiny().u32(key(experts ? "expert_feed_forward_length" : "feed_forward_length"), 45),
        "has shape [");
}

TEST_P(Metadata, TensorsAreThoseOfTheArchitecture)
{
    for (const std::string& name : GetParam().requiredTensors) {
        expectProblem(tiny().removeTensor(name), "1 tensor missing: '" + name + "'");
    }
    expectProblem(tiny().tensor("blk.0.attn_sinks.weight", {4}, 0, Bytes(16)),
                  "'blk.0.attn_sinks.weight'");
}

INSTANTIATE_TEST_SUITE_P(All, Metadata, testing::ValuesIn(allCases()),
                         [](const auto& param) { return param.param.name; });

TEST(MetadataOf, Windows)
{
    const std::string window = "gemma3.attention.sliding_window";
    const std::string pattern = "gemma3.attention.sliding_window_pattern";
    expectProblem(tiny("gemma3").i32(window, -1), window + ": is -1, not a number of positions");
    expectProblem(tiny("gemma3").u32(pattern, 0), pattern + ": is 0");
    expectProblem(tiny("gemma3").f32s(pattern, {1.0F, 0.0F}), "not of one bool for each of 2");
    expectProblem(tiny("gemma3").f32("gemma3.rope.freq_base_swa", 0.0F), "not a positive number");
    expectProblem(tiny("qwen2").u32("qwen2.attention.sliding_window", 5), "sliding_window' is set");
    auto b = tiny("gemma3");
    b.array<std::uint8_t>(pattern, GgufType::Bool, {0, 1});
    const ModelDescription d = described(b);
    EXPECT_TRUE(d.problems.empty());
    EXPECT_FALSE(d.hyper.hasWindow(0));
    EXPECT_TRUE(d.hyper.hasWindow(1));
    const ModelDescription none = described(tiny("gemma3").remove(window));
    EXPECT_TRUE(none.problems.empty());
    EXPECT_FALSE(none.hyper.hasWindow(0));
}

TEST(MetadataOf, Caps)
{
    expectProblem(tiny("gemma2").f32("gemma2.attn_logit_softcapping", -1.0F),
                  "attn_logit_softcapping: is not a positive number");
    expectProblem(tiny("qwen3").f32("qwen3.final_logit_softcapping", 30.0F),
                  "'final_logit_softcapping' is set");
    const ModelDescription d = described(tiny("gemma2")
                                             .remove("gemma2.attn_logit_softcapping")
                                             .remove("gemma2.final_logit_softcapping"));
    EXPECT_EQ(d.hyper.attentionCap, 50.0F);
    EXPECT_EQ(d.hyper.logitCap, 30.0F);
}

TEST(MetadataOf, Experts)
{
    const std::string used = "qwen3moe.expert_used_count";
    expectProblem(tiny("qwen3moe").u32(used, 8), used + ": 8 of 7 experts cannot be used");
    expectProblem(tiny("qwen3moe").u32("qwen3moe.expert_count", 6), "[32, 20, 6]");
    expectProblem(tiny("qwen3moe").u32("qwen3moe.expert_count", 4000000000U), "is 4000000000");
    expectProblem(tiny("llama").u32("llama.expert_count", 8), "'expert_count' is set");
}

TEST(MetadataOf, RopeScaling)
{
    const std::string type = "rope.scaling.type";
    expectProblem(tiny("phi3").removeTensor("rope_factors_long.weight"),
                  "need a tensor 'rope_factors_long.weight'");
    expectProblem(tiny("phi3").f32("phi3.rope.scaling.attn_factor", -1.0F), "positive");
    expectProblem(tiny("phi3").u32("phi3.rope.dimension_count", 10), "is 10");
    expectProblem(tiny("qwen2-yarn").u32("qwen2.rope.scaling.original_context_length", 0), "is 0");
    expectProblem(tiny("qwen2-yarn").f32("qwen2.rope.scaling.factor", -2.0F), "positive");
    expectProblem(tiny("qwen2-yarn").f32("qwen2.rope.scaling.yarn_beta_fast", 0.0F), "positive");
    expectProblem(tiny("qwen2-yarn").f32("qwen2.rope.scaling.yarn_log_multiplier", 0.1F),
                  "yarn_log_multiplier' is set");
    expectProblem(tiny("qwen2").string("qwen2." + type, "dynamic"), "RoPE scaling 'dynamic'");
    expectProblem(tiny("llama").f32("llama.rope.scaling.attn_factor", 1.1F), "attn_factor' is set");
}

TEST(MetadataOf, GemmaOf27BillionScalesByItsWidth)
{
    auto b = tiny("gemma2").u32("gemma2.block_count", 46).u32("gemma2.attention.head_count", 2);
    b.u32("gemma2.attention.head_count_kv", 2).u32("gemma2.attention.key_length", 8);
    EXPECT_EQ(described(b).hyper.attentionScale, 0.25F); // 1 / sqrt(32 / 2)
    b.u32("gemma2.block_count", 26);
    EXPECT_EQ(described(b).hyper.attentionScale, 1.0F / std::sqrt(8.0F));
}

} // namespace
} // namespace ulp::model
