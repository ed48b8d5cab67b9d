// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// compare, report, info and verify on traces whose content is known.
#include <algorithm>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/trace/trace_file.h"
#include "tests/cli/process.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::test {
namespace {

using Json = nlohmann::json;

Json parse(const ProcessResult& result)
{
    const Json document = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << result.out << result.err;
    return document;
}

std::string saved(const TemporaryFolder& folder, const std::string& name,
                  const SessionOptions& options)
{
    const std::string path = folder.file(name);
    const auto written = trace::saveTrace(*makeSession(options), path);
    EXPECT_TRUE(written) << (written ? "" : written.error().text());
    return path;
}

SessionOptions oneDivergence()
{
    SessionOptions options;
    options.runs = 3;
    options.divergences.push_back({1, 3, "ffn_out-2", 1, false});
    return options;
}

void expectKeys(const Json& object, const std::vector<const char*>& keys)
{
    for (const char* key : keys) {
        EXPECT_TRUE(object.contains(key)) << key;
    }
}

TEST(CompareCommand, SameBitsIsZero)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "same.ulp", SessionOptions{});
    const auto result = cli({"compare", path, "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    EXPECT_EQ(document["unique_traces"], 1);
    EXPECT_EQ(document["divergent_cells"], 0);
    EXPECT_TRUE(document["first_divergence"].is_null());
    EXPECT_TRUE(document["first_token_divergence"].is_null());
    EXPECT_EQ(document["trace"], path);
    EXPECT_EQ(result.err, "");
}

TEST(CompareCommand, NamesTheFirstDivergenceAndExitsWithOne)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const auto result = cli({"compare", path, "--json"});
    EXPECT_EQ(result.exitCode, 1) << result.err;
    const Json document = parse(result);
    expectKeys(document,
               {"trace", "runs", "steps", "ops", "cells", "unique_outputs", "unique_traces",
                "divergent_cells", "first_divergence", "first_token_divergence"});
    expectKeys(document["runs"][0],
               {"run", "status", "policy", "threads", "batch", "prefill_chunk", "isa", "device",
                "prompt_tokens", "tokens", "text", "output_sha256", "trace_hash", "nonfinite_cells",
                "prefill_tokens_per_second", "decode_tokens_per_second"});
    const Json& first = document["first_divergence"];
    expectKeys(first, {"step", "position", "op", "layer", "classes", "kind", "magnitude"});
    expectKeys(first["magnitude"], {"differing", "of", "max_ulp", "max_abs", "relative_l2"});
    EXPECT_EQ(first["op"], "ffn_out-2");
    EXPECT_EQ(first["layer"], 2);
    EXPECT_EQ(first["step"], 3);
    EXPECT_EQ(first["kind"], "origin");
    EXPECT_EQ(first["classes"], Json::parse("[[0,2],[1]]"));
    EXPECT_EQ(document["unique_traces"], 2);
    EXPECT_EQ(document["runs"][0]["trace_hash"], document["runs"][2]["trace_hash"]);
    EXPECT_NE(document["runs"][0]["trace_hash"], document["runs"][1]["trace_hash"]);

    const auto text = cli({"compare", path});
    EXPECT_EQ(text.exitCode, 1);
    EXPECT_NE(text.out.find("bits part first at step 3 in ffn_out-2"), std::string::npos)
        << text.out;
}

TEST(CompareCommand, TokenDivergenceListsRunsByToken)
{
    const TemporaryFolder folder;
    auto options = oneDivergence();
    options.flips.push_back({1, 7, 1});
    const auto result = cli({"compare", saved(folder, "flip.ulp", options), "--json"});
    EXPECT_EQ(result.exitCode, 1);
    const Json first = parse(result)["first_token_divergence"];
    expectKeys(first, {"step", "tokens", "margin"});
    EXPECT_EQ(first["step"], 7);
    ASSERT_EQ(first["tokens"].size(), 2U);
    EXPECT_EQ(first["tokens"][0][1], Json::parse("[0,2]"));
    EXPECT_EQ(first["tokens"][1][1], Json::parse("[1]"));
}

TEST(CompareCommand, SeveralTracesAreComparedRunByRun)
{
    const TemporaryFolder folder;
    const auto a = saved(folder, "a.ulp", SessionOptions{});
    const auto b = saved(folder, "b.ulp", oneDivergence());
    const auto same = cli({"compare", a, a, "--json"});
    EXPECT_EQ(same.exitCode, 0) << same.err;
    EXPECT_EQ(parse(same)["runs"].size(), 8U);
    const auto both = cli({"compare", a, b, "--json"});
    EXPECT_EQ(both.exitCode, 1) << both.err;
    const Json document = parse(both);
    EXPECT_EQ(document["runs"].size(), 7U);
    EXPECT_EQ(document["first_divergence"]["op"], "ffn_out-2");
    EXPECT_EQ(document["first_divergence"]["classes"], Json::parse("[[0,1,2,3,4,6],[5]]"));
    // The reference cells of both traces are equal, so the magnitude still holds.
    EXPECT_FALSE(document["first_divergence"]["magnitude"].is_null());
    EXPECT_EQ(document["traces"][1]["runs"], Json::parse("[4,5,6]"));
}

TEST(CompareCommand, TracesOfDifferentModelsAreRefused)
{
    const TemporaryFolder folder;
    SessionOptions other;
    other.modelSha256 = std::string(64, 'b');
    const auto a = saved(folder, "a.ulp", SessionOptions{});
    const auto b = saved(folder, "b.ulp", other);
    const auto result = cli({"compare", a, b});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_NE(result.err.find(b), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("different models"), std::string::npos) << result.err;
}

TEST(ReportCommand, WritesEveryFormat)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    for (const char* format : {"html", "json", "csv"}) {
        const std::string out = folder.file(std::string("r.") + format);
        const auto result = cli({"report", path, "--format", format, "--out", out, "--json"});
        EXPECT_EQ(result.exitCode, 0) << result.err;
        EXPECT_EQ(parse(result)["bytes"], std::filesystem::file_size(out));
    }
    const Json report = Json::parse(readFile(folder.file("r.json")));
    EXPECT_EQ(report["first_divergence"]["op"], "ffn_out-2");
    EXPECT_EQ(report["digest"].get<std::string>().size(), 64U);
    EXPECT_EQ(readFile(folder.file("r.html")).find("<!DOCTYPE html>"), 0U);
    EXPECT_EQ(readFile(folder.file("r.csv")).find("run,step,position,op,"), 0U);
}

TEST(ReportCommand, NeverWritesOverATraceOrIntoNowhere)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const std::string before = readFile(path);
    const auto over = cli({"report", path, "--format", "html", "--out", path});
    EXPECT_EQ(over.exitCode, 2);
    EXPECT_NE(over.err.find("is a trace"), std::string::npos) << over.err;
    EXPECT_EQ(readFile(path), before);
    const auto nowhere =
        cli({"report", path, "--format", "html", "--out", folder.file("no/such/folder.html")});
    EXPECT_EQ(nowhere.exitCode, 2);
    EXPECT_NE(nowhere.err.find("no/such/folder.html"), std::string::npos) << nowhere.err;
}

TEST(InfoCommand, DescribesATrace)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const auto result = cli({"info", path, "--json"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    const Json document = parse(result);
    EXPECT_EQ(document["format"], "ulp");
    EXPECT_EQ(document["runs"].size(), 3U);
    EXPECT_EQ(document["runs"][0]["policy"], "atomic");
    EXPECT_EQ(document["incomplete"], false);
    EXPECT_EQ(cli({"info", path}).exitCode, 0);
}

TEST(VerifyCommand, FindsAChangedByteAnywhere)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const auto intact = cli({"verify", path, "--json"});
    EXPECT_EQ(intact.exitCode, 0) << intact.err << intact.out;
    const Json report = parse(intact);
    expectKeys(report, {"ok", "rows", "chain_head", "problems"});
    EXPECT_EQ(report["ok"], true);
    EXPECT_GT(report["rows"], 0);

    const std::string bytes = readFile(path);
    std::mt19937 random(5);
    for (int i = 0; i < 24; ++i) {
        std::string changed = bytes;
        const std::size_t at = random() % changed.size();
        changed[at] = static_cast<char>(changed[at] ^ (1 << (random() % 8)));
        const std::string bad = folder.file("changed.ulp");
        writeFile(bad, changed);
        const auto result = cli({"verify", bad});
        EXPECT_TRUE(result.exitCode == 1 || result.exitCode == 2)
            << "byte " << at << ": " << result.exitCode << result.out << result.err;
    }
}

TEST(TraceCommands, ACutTraceIsAnErrorNotACrash)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const std::string bytes = readFile(path);
    for (const std::size_t size : {std::size_t{15}, std::size_t{99}, std::size_t{100},
                                   std::size_t{4096}, bytes.size() / 2, bytes.size() - 1}) {
        const std::string cut = folder.file("cut.ulp");
        writeFile(cut, bytes.substr(0, size));
        for (const char* command : {"compare", "info", "verify"}) {
            const auto result = cli({command, cut});
            // The last byte may lie in unused space: then only the seal knows that it is gone.
            const bool verify = std::string(command) == "verify";
            EXPECT_LE(result.exitCode, 2) << command << " at " << size << result.err;
            EXPECT_TRUE(result.exitCode == 2 || size == bytes.size() - 1 || verify)
                << command << " at " << size << ": " << result.exitCode << " " << result.err;
            EXPECT_TRUE(!verify || result.exitCode > 0) << "at " << size;
        }
    }
}

TEST(TraceCommands, ReadingNeverChangesTheFile)
{
    const TemporaryFolder folder;
    const auto path = saved(folder, "one.ulp", oneDivergence());
    const std::string before = readFile(path);
    EXPECT_EQ(cli({"compare", path}).exitCode, 1);
    EXPECT_EQ(cli({"info", path}).exitCode, 0);
    EXPECT_EQ(cli({"verify", path}).exitCode, 0);
    EXPECT_EQ(cli({"report", path, "--format", "csv", "--out", folder.file("r.csv")}).exitCode, 0);
    EXPECT_EQ(readFile(path), before);
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"one.ulp", "r.csv"}));
}

} // namespace
} // namespace ulp::test
