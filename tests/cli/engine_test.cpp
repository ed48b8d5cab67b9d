// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands that run a model, on the one that comes with the program.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace ulp::test {
namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

Json parse(const ProcessResult& result)
{
    const Json document = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << result.out << result.err;
    return document;
}

Arguments run(const Arguments& more)
{
    Arguments all{"run", "--prompt", "Once upon a time", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void expectKeys(const Json& object, const std::vector<const char*>& keys)
{
    for (const char* key : keys) {
        EXPECT_TRUE(object.contains(key)) << key;
    }
}

TEST(RunCommand, OrderedGivesOneTraceHashWhateverRunsIt)
{
    std::string hash;
    for (const Arguments& settings :
         {Arguments{}, Arguments{"--threads", "1"}, Arguments{"--threads", "3"},
          Arguments{"--prefill-chunk", "1"}, Arguments{"--prefill-chunk", "3"},
          Arguments{"--batch", "3", "--threads", "2"}, Arguments{"--isa", "portable"}}) {
        Arguments arguments = run({"--steps", "12"});
        arguments.insert(arguments.end(), settings.begin(), settings.end());
        const auto result = cli(arguments);
        ASSERT_EQ(result.exitCode, 0) << result.err;
        const Json document = parse(result);
        const std::string own = document["runs"][0]["trace_hash"];
        hash = hash.empty() ? own : hash;
        EXPECT_EQ(own, hash) << Json(settings).dump();
    }
    // The negative control: another chunk is another specification, and another sum.
    const Json other =
        parse(cli(run({"--steps", "12", "--policy", "thread-split", "--threads", "3"})));
    EXPECT_NE(other["runs"][0]["trace_hash"], hash);
}

TEST(RunCommand, PrintsTheKeysThatScriptsRelyOn)
{
    const auto result = cli(run({"--steps", "5", "--runs", "2"}));
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    expectKeys(document,
               {"trace", "runs", "steps", "ops", "cells", "unique_outputs", "unique_traces",
                "divergent_cells", "first_divergence", "first_token_divergence"});
    expectKeys(document["runs"][1],
               {"run", "status", "policy", "threads", "batch", "prefill_chunk", "isa", "device",
                "prompt_tokens", "tokens", "text", "output_sha256", "trace_hash", "nonfinite_cells",
                "prefill_tokens_per_second", "decode_tokens_per_second"});
    EXPECT_EQ(document["runs"].size(), 2U);
    EXPECT_EQ(document["steps"], 5);
    EXPECT_EQ(document["cells"], 5 * document["ops"].get<int>());
    EXPECT_EQ(document["unique_traces"], 1);
    EXPECT_TRUE(document["trace"].is_null());
    EXPECT_EQ(document["runs"][0]["status"], "complete");
    EXPECT_NE(document["runs"][0]["isa"], "auto");
    EXPECT_GT(document["runs"][0]["threads"], 0);
    EXPECT_EQ(document["runs"][0]["tokens"].size(), 5U);
    EXPECT_EQ(result.err, "");
}

TEST(RunCommand, TextAndItsTokensAreTheSamePrompt)
{
    const Json text = parse(cli(run({"--steps", "3"})));
    std::string ids;
    for (const auto& id : text["runs"][0]["prompt_tokens"]) {
        ids += (ids.empty() ? "" : ",") + id.dump();
    }
    const Json tokens = parse(cli({"run", "--tokens", ids, "--steps", "3", "--json"}));
    EXPECT_EQ(tokens["runs"][0]["trace_hash"], text["runs"][0]["trace_hash"]);

    const TemporaryFolder folder;
    writeFile(folder.file("prompt.txt"), "Once upon a time");
    const Json file =
        parse(cli({"run", "--prompt-file", folder.file("prompt.txt"), "--steps", "3", "--json"}));
    EXPECT_EQ(file["runs"][0]["trace_hash"], text["runs"][0]["trace_hash"]);
}

TEST(RunCommand, APlantedUlpIsNamedByCompare)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("planted.ulp");
    const auto result = cli(run({"--steps", "12", "--runs", "3", "--threads", "2", "--perturb",
                                 "ffn_out-2@9:5:1", "--out", path}));
    ASSERT_EQ(result.exitCode, 1) << result.err;
    for (const Json& document : {parse(result), parse(cli({"compare", path, "--json"}))}) {
        const Json& first = document["first_divergence"];
        EXPECT_EQ(first["op"], "ffn_out-2");
        EXPECT_EQ(first["position"], 9);
        EXPECT_EQ(first["kind"], "origin");
        EXPECT_EQ(first["classes"], Json::parse("[[1,2],[0]]"));
        EXPECT_EQ(first["magnitude"]["differing"], 1);
        EXPECT_EQ(first["magnitude"]["max_ulp"], 1);
        EXPECT_EQ(document["trace"], path);
    }
    EXPECT_EQ(cli({"verify", path}).exitCode, 0);
    const auto html =
        cli({"report", path, "--format", "html", "--out", folder.file("planted.html")});
    EXPECT_EQ(html.exitCode, 0) << html.err;
    EXPECT_NE(readFile(folder.file("planted.html")).find("ffn_out-2"), std::string::npos);
}

TEST(RunCommand, SingleRunsInTwoTracesCompareAsOneSession)
{
    const TemporaryFolder folder;
    const std::string a = folder.file("a.ulp");
    const std::string b = folder.file("b.ulp");
    const std::string c = folder.file("c.ulp");
    EXPECT_EQ(cli(run({"--steps", "8", "--threads", "1", "--out", a})).exitCode, 0);
    EXPECT_EQ(cli(run({"--steps", "8", "--threads", "3", "--out", b})).exitCode, 0);
    EXPECT_EQ(cli(run({"--steps", "8", "--perturb", "Qcur-1@6", "--out", c})).exitCode, 0);
    EXPECT_EQ(cli({"compare", a, b}).exitCode, 0);
    const auto diverged = cli({"compare", a, b, c, "--json"});
    EXPECT_EQ(diverged.exitCode, 1) << diverged.err;
    EXPECT_EQ(parse(diverged)["first_divergence"]["op"], "Qcur-1");
    EXPECT_EQ(parse(diverged)["first_divergence"]["classes"], Json::parse("[[0,1],[2]]"));
}

TEST(RunCommand, WrongNamesInsideAModelAreRefused)
{
    for (const Arguments& bad :
         {Arguments{"--perturb", "no_such_op@3"}, Arguments{"--op-policy", "no_such_op*=atomic"},
          Arguments{"--reduction-chunk", "33"}, Arguments{"--threads", "-1"},
          Arguments{"--batch", "0"}, Arguments{"--prefill-chunk", "0"},
          Arguments{"--temperature", "-1"}}) {
        const auto result = cli(run(bad));
        EXPECT_EQ(result.exitCode, 2) << Json(bad).dump() << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_NE(result.err.find(';'), std::string::npos) << "no remedy in: " << result.err;
    }
    EXPECT_EQ(cli({"run", "--tokens", "1,99999999", "--json"}).exitCode, 2);
}

TEST(RunCommand, FaultsThatCannotBePlantedAreRefused)
{
    // "1,2,3" and 4 steps: positions 0 to 5, logits from position 2 on.
    for (const char* fault : {"ffn_out-1@6", "ffn_out-1@99999", "ffn_out-1@3:0:0",
                              "result_output@1", "result_norm@0"}) {
        const auto result = cli({"run", "--tokens", "1,2,3", "--steps", "4", "--perturb", fault});
        EXPECT_EQ(result.exitCode, 2) << fault << result.err;
        EXPECT_NE(result.err.find(';'), std::string::npos) << "no remedy in: " << result.err;
    }
    for (const char* fault : {"ffn_out-1@5", "ffn_out-1@0", "result_output@2"}) {
        const auto result = cli({"run", "--tokens", "1,2,3", "--steps", "4", "--runs", "2",
                                 "--ignore-eos", "--perturb", fault});
        EXPECT_EQ(result.exitCode, 1) << fault << result.err;
    }
}

TEST(RunCommand, OverwritingLosesNothingButATrace)
{
    const TemporaryFolder folder;
    const std::string model = folder.file("model.gguf");
    writeFile(model, "GGUF and what follows");
    const std::string notes = folder.file("notes.txt");
    writeFile(notes, "SQLite format 3 is mentioned here only");
    for (const std::string& path : {model, notes}) {
        const std::string before = readFile(path);
        const auto result = cli(run({"--steps", "3", "--out", path, "--overwrite"}));
        EXPECT_EQ(result.exitCode, 2) << result.err;
        EXPECT_NE(result.err.find("not a trace"), std::string::npos) << result.err;
        EXPECT_EQ(readFile(path), before);
    }
    // A run that is refused has replaced nothing.
    const std::string trace = folder.file("a.ulp");
    EXPECT_EQ(cli(run({"--steps", "3", "--out", trace})).exitCode, 0);
    const std::string before = readFile(trace);
    const auto refused = cli(run({"--perturb", "ffn_out-1@99999", "--out", trace, "--overwrite"}));
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_EQ(readFile(trace), before);
    const std::string fresh = folder.file("fresh.ulp");
    EXPECT_EQ(cli(run({"--perturb", "ffn_out-1@99999", "--out", fresh})).exitCode, 2);
    EXPECT_FALSE(std::filesystem::exists(fresh));
}

TEST(RunCommand, WithoutHashesTokensRemain)
{
    const Json hashed = parse(cli(run({"--steps", "6"})));
    const Json plain = parse(cli(run({"--steps", "6", "--no-hash"})));
    EXPECT_EQ(plain["runs"][0]["tokens"], hashed["runs"][0]["tokens"]);
}

TEST(RunCommand, WhatWasNotHashedIsNoDifference)
{
    const TemporaryFolder folder;
    const std::string plain = folder.file("plain.ulp");
    const std::string hashed = folder.file("hashed.ulp");
    EXPECT_EQ(cli(run({"--steps", "4", "--no-hash", "--out", plain})).exitCode, 0);
    EXPECT_EQ(cli(run({"--steps", "4", "--out", hashed})).exitCode, 0);
    for (const Arguments& order : {Arguments{"compare", plain, hashed, "--json"},
                                   Arguments{"compare", hashed, plain, "--json"}}) {
        const auto result = cli(order);
        EXPECT_EQ(result.exitCode, 0) << result.out;
        EXPECT_EQ(parse(result)["unique_traces"], 1);
    }
}

TEST(RunCommand, TheLastTokenIsPartOfTheTraceHash)
{
    // One step: nothing but the choice itself can tell these apart.
    std::set<std::string> hashes;
    std::set<int> tokens;
    for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
        const Json document =
            parse(cli(run({"--steps", "1", "--temperature", "5", "--seed", seed, "--json"})));
        tokens.insert(document["runs"][0]["tokens"][0].get<int>());
        hashes.insert(document["runs"][0]["trace_hash"].get<std::string>());
    }
    EXPECT_GT(tokens.size(), 1U);
    EXPECT_EQ(hashes.size(), tokens.size());
}

TEST(RunCommand, OverwriteReplacesATrace)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a.ulp");
    EXPECT_EQ(cli(run({"--steps", "3", "--out", path})).exitCode, 0);
    EXPECT_EQ(cli(run({"--steps", "5", "--out", path})).exitCode, 2);
    EXPECT_EQ(parse(cli({"compare", path, "--json"}))["steps"], 3);
    EXPECT_EQ(cli(run({"--steps", "5", "--out", path, "--overwrite"})).exitCode, 0);
    EXPECT_EQ(parse(cli({"compare", path, "--json"}))["steps"], 5);
}

/// Waits until a recording in progress shows some columns to another process.
bool waitForColumns(const std::string& path)
{
    for (int i = 0; i < 600; ++i) {
        if (std::filesystem::exists(path)) {
            const auto info = cli({"info", path, "--json"});
            const Json document = Json::parse(info.out, nullptr, false);
            if (info.exitCode == 0 && document.is_object() && document["columns"] > 8) {
                return true;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
}

TEST(RunCommand, InterruptKeepsTheTrace)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("long.ulp");
    Process process({"ulpscope-cli", "run", "--prompt", "Once upon a time", "--steps", "900",
                     "--ignore-eos", "--runs", "50", "--out", path});
    ASSERT_TRUE(waitForColumns(path));
    process.signal(SIGINT);
    const auto result = process.wait();
    EXPECT_EQ(result.exitCode, 130) << result.err;
    const auto compared = cli({"compare", path, "--json"});
    EXPECT_EQ(compared.exitCode, 0) << compared.err; // compared as far as they came
    const Json runs = parse(compared)["runs"];
    ASSERT_FALSE(runs.empty());
    EXPECT_EQ(runs.back()["status"], "cancelled");
    EXPECT_EQ(cli({"verify", path}).exitCode, 0);
}

TEST(RunCommand, AKilledRecordingOpensMarkedIncomplete)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("killed.ulp");
    {
        Process process({"ulpscope-cli", "run", "--prompt", "Once upon a time", "--steps", "900",
                         "--ignore-eos", "--runs", "50", "--out", path});
        ASSERT_TRUE(waitForColumns(path));
        process.signal(SIGKILL);
        EXPECT_EQ(process.wait().exitCode, 128 + SIGKILL);
    }
    const auto info = cli({"info", path, "--json"});
    EXPECT_EQ(info.exitCode, 0) << info.err;
    const Json document = parse(info);
    EXPECT_EQ(document["incomplete"], true);
    EXPECT_GT(document["columns"], 1);
}

TEST(ScoreCommand, GivesAPredictionAfterEveryToken)
{
    const auto result = cli({"score", "--prompt", "Once upon a time", "--top", "3", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    expectKeys(document, {"tokens", "mean_nll", "perplexity", "positions"});
    ASSERT_EQ(document["positions"].size(), document["tokens"].size());
    const double nll = document["mean_nll"];
    EXPECT_GT(nll, 0.0);
    EXPECT_NEAR(document["perplexity"], std::exp(nll), 1e-9 * std::exp(nll));
    for (const Json& position : document["positions"]) {
        ASSERT_EQ(position["top"].size(), 3U);
        EXPECT_GE(position["top"][0][1], position["top"][1][1]);
        EXPECT_GE(position["log_sum_exp"], position["top"][0][1]);
    }
    const auto chunked = cli({"score", "--prompt", "Once upon a time", "--top", "3", "--json",
                              "--prefill-chunk", "2", "--threads", "1"});
    EXPECT_EQ(chunked.out, result.out);
}

TEST(TokenizeCommand, GivesIdsAndPieces)
{
    const auto result = cli({"tokenize", "--text", "Once upon a time", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    EXPECT_EQ(document["tokens"].size(), document["pieces"].size());
    const Json bare = parse(cli({"tokenize", "--text", "Once upon a time", "--no-bos", "--json"}));
    EXPECT_EQ(bare["tokens"].size() + 1, document["tokens"].size());
    const auto broken = cli({"tokenize", "--text", "\xFF\xFE", "--json"});
    EXPECT_EQ(broken.exitCode, 0) << broken.err;
    parse(broken);
}

TEST(InfoCommand, DescribesTheModel)
{
    const auto result = cli({"info", ULP_DEMO_MODEL, "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    expectKeys(document, {"format", "architecture", "parameters", "context_length", "vocab",
                          "tensors", "types", "sha256", "ops", "kv_cache_bytes_per_position",
                          "rope_scaling", "window", "experts", "head_dim"});
    EXPECT_EQ(document["kv_cache_bytes_per_position"], 8 * document["layers"].get<int>() *
                                                           document["kv_heads"].get<int>() *
                                                           document["head_dim"].get<int>());
    EXPECT_EQ(document["ops"], 3 + 15 * document["layers"].get<int>());
    EXPECT_EQ(document["format"], "gguf");
    EXPECT_EQ(document["architecture"], "llama");
    EXPECT_GE(document["context_length"], 1024);
    int tensors = 0;
    for (const auto& [type, count] : document["types"].items()) {
        tensors += count.get<int>();
    }
    EXPECT_EQ(tensors, document["tensors"]);
    EXPECT_EQ(document["sha256"].get<std::string>().size(), 64U);
    EXPECT_EQ(document["runs_here"], true);
}

TEST(InfoCommand, ACutModelIsAnErrorWithAPlace)
{
    const TemporaryFolder folder;
    const std::string bytes = readFile(ULP_DEMO_MODEL);
    ASSERT_GT(bytes.size(), 100000U);
    for (const std::size_t size : {std::size_t{3}, std::size_t{4}, std::size_t{23},
                                   std::size_t{200}, std::size_t{20000}, bytes.size() - 1}) {
        const std::string cut = folder.file("cut.gguf");
        writeFile(cut, bytes.substr(0, size));
        for (const Arguments& arguments :
             {Arguments{"info", cut}, Arguments{"run", "--prompt", "a", "--model", cut}}) {
            const auto result = cli(arguments);
            EXPECT_EQ(result.exitCode, 2) << size << result.err;
            EXPECT_NE(result.err.find(cut), std::string::npos) << result.err;
        }
    }
}

TEST(BenchCommand, MeasuresWithAndWithoutHashing)
{
    for (const bool hashing : {true, false}) {
        Arguments arguments{"bench", "--prompt-tokens", "8", "--gen-tokens",
                            "4",     "--repetitions",   "2", "--json"};
        if (!hashing) {
            arguments.emplace_back("--no-hash");
        }
        const auto result = cli(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.err;
        const Json document = parse(result);
        expectKeys(document, {"model", "threads", "policy", "hashing", "repetitions",
                              "prefill_tokens_per_second", "decode_tokens_per_second",
                              "peak_rss_bytes", "load_seconds"});
        EXPECT_EQ(document["hashing"], hashing);
        for (const char* rate : {"prefill_tokens_per_second", "decode_tokens_per_second"}) {
            EXPECT_GT(document[rate]["min"], 0.0);
            EXPECT_LE(document[rate]["min"], document[rate]["median"]);
            EXPECT_LE(document[rate]["median"], document[rate]["max"]);
        }
        EXPECT_GT(document["peak_rss_bytes"], 1000000);
    }
}

TEST(BenchCommand, PricesDeterminismByOp)
{
    const auto result = cli({"bench", "--price", "--prompt-tokens", "6", "--gen-tokens", "2",
                             "--repetitions", "1", "--threads", "1", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    expectKeys(document, {"model", "threads", "isa", "repetitions", "phases", "left_out"});
    ASSERT_EQ(document["phases"].size(), 2U);
    for (const Json& phase : document["phases"]) {
        expectKeys(phase, {"phase", "tokens", "policies", "fastest", "price", "ops"});
        EXPECT_EQ(phase["policies"][0]["policy"], "ordered");
        EXPECT_EQ(phase["policies"][0]["speedup"], 1.0);
        double best = 0.0;
        for (const Json& policy : phase["policies"]) {
            EXPECT_GT(policy["tokens_per_second"], 0.0);
            EXPECT_NE(policy["policy"], "exact");
            if (policy["policy"] != "ordered" && policy["policy"] != "vendor") {
                best = std::max(best, policy["speedup"].get<double>());
            }
        }
        EXPECT_NEAR(phase["price"].get<double>(), best - 1.0, 1e-9);
        double share = 0.0;
        for (const Json& op : phase["ops"]) {
            expectKeys(op, {"op", "kind", "share", "fastest", "price", "speedups"});
            share += op["share"].get<double>();
        }
        EXPECT_GT(share, 0.1); // most of the time is in sums; the two are measured apart
    }
    EXPECT_EQ(cli({"bench", "--price", "--policy", "ordered"}).exitCode, 2);
}

TEST(SelfcheckCommand, WhatMustRepeatDoes)
{
    const auto result = cli({"selfcheck", "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    EXPECT_EQ(document["ok"], true);
    ASSERT_FALSE(document["kernels"].empty());
    std::set<std::string> policies;
    std::set<std::string> formats;
    bool chance = false;
    for (const Json& kernel : document["kernels"]) {
        expectKeys(kernel, {"op", "format", "isa", "policy", "repeats", "distinct", "expected",
                            "seen", "shapes", "ok"});
        EXPECT_FALSE(kernel.contains("wrong_at")) << kernel.dump();
        EXPECT_EQ(kernel["seen"], kernel["distinct"] == 1 ? "same" : "varies");
        if (kernel["policy"] == "ordered" || kernel["policy"] == "exact") {
            EXPECT_EQ(kernel["matches_reference"], true) << kernel.dump();
        }
        if (kernel["op"] == "matmul") {
            formats.insert(kernel["format"]);
            EXPECT_GE(kernel["shapes"], 10);
        }
        policies.insert(kernel["policy"]);
        chance |= kernel["expected"] == "varies";
    }
    EXPECT_TRUE(chance);
    for (const char* policy : {"ordered", "atomic", "thread-split", "batch-split", "exact"}) {
        EXPECT_TRUE(policies.contains(policy)) << policy;
    }
    for (const char* format : {"f32", "bf16", "q8_0", "q4_1"}) {
        EXPECT_TRUE(formats.contains(format)) << format;
    }
}

} // namespace
} // namespace ulp::test
