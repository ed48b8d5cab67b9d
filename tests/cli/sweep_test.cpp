// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `sweep` on the built-in model: what it finds, and what it must not claim.
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

Arguments sweep(const Arguments& more)
{
    Arguments all{"sweep", "--prompt", "Once upon a time there was"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

Json sweepJson(const Arguments& more, int exitCode)
{
    Arguments all = sweep(more);
    all.emplace_back("--json");
    const auto result = cli(all);
    EXPECT_EQ(result.exitCode, exitCode) << result.err;
    Json document = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << result.out;
    return document;
}

std::vector<std::pair<int, int>> switches(const Json& document)
{
    std::vector<std::pair<int, int>> all;
    for (const Json& point : document["switch_points"]) {
        EXPECT_EQ(point["exact"], true);
        all.emplace_back(point["below"], point["above"]);
    }
    return all;
}

TEST(SweepCommand, OrderedIsOneClassOverEverythingThatMustNotMatter)
{
    const Json document =
        sweepJson({"--steps", "6", "--axis", "threads=1,3", "--axis", "batch=1,4", "--axis",
                   "companions=steady,joining", "--axis", "prefill-chunk=2,64", "--axis",
                   "cache=cold,reused", "--axis", "hash=on,off"},
                  0);
    EXPECT_EQ(document["classes"], 1);
    EXPECT_EQ(document["cells"].size(), 64U);
    EXPECT_EQ(document["extra_runs"].size(), 0U);
    EXPECT_EQ(document["axes"]["prefill_chunk"], Json::parse("[2,64]"));
    EXPECT_EQ(document["axes"]["hash"], Json::parse(R"(["on","off"])"));
    std::set<std::string> hashes;
    std::set<std::string> outputs;
    for (const Json& cell : document["cells"]) {
        EXPECT_EQ(cell["class"], "A");
        outputs.insert(cell["output_hash"]);
        // What was not hashed has no trace hash to show.
        EXPECT_EQ(cell["trace_hash"].is_null(), cell["hash"] == "off");
        if (cell["hash"] == "on") {
            hashes.insert(cell["trace_hash"]);
        }
    }
    EXPECT_EQ(hashes.size(), 1U);
    EXPECT_EQ(outputs.size(), 1U);
    for (const Json& effect : document["axis_effects"]) {
        EXPECT_EQ(effect["changes_class"], false);
        EXPECT_EQ(effect["lines"], 32);
    }
}

TEST(SweepCommand, BatchSplitSwitchesWhereItsRuleSays)
{
    // One token in a pass: the rows of a pass are the sequences of the batch.
    const Json document = sweepJson({"--steps", "3", "--policy", "batch-split", "--prefill-chunk",
                                     "1", "--axis", "batch=1,16", "--axis", "threads=1,2"},
                                    1);
    using Pairs = std::vector<std::pair<int, int>>;
    const Pairs once{{1, 2}, {2, 3}, {4, 5}, {8, 9}};
    Pairs both = once;
    both.insert(both.end(), once.begin(), once.end());
    EXPECT_EQ(switches(document), both);
    EXPECT_EQ(document["switch_points"][7]["at"], Json::parse(R"({"threads":2})"));
    EXPECT_EQ(document["axis_effects"][0]["changes_class"], true);
    EXPECT_EQ(document["axis_effects"][1]["changes_class"], false);
    EXPECT_EQ(document["classes"], 2);
}

TEST(SweepCommand, ThreadSplitAndThePolicyAxis)
{
    const Json document = sweepJson(
        {"--steps", "4", "--axis", "policy=ordered,thread-split", "--axis", "threads=1..3"}, 1);
    EXPECT_EQ(document["axis_effects"][0]["differing"], 3);
    EXPECT_EQ(document["axis_effects"][1]["differing"], 1);
    EXPECT_EQ(document["axis_effects"][1]["lines"], 2);
    for (const Json& point : document["switch_points"]) {
        EXPECT_EQ(point["at"]["policy"], "thread-split");
    }
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(document["cells"][i]["class"], "A");
    }
}

TEST(SweepCommand, APlantedFaultIsAClassOfItsOwnAndTheTraceNamesIt)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("sweep.ulp");
    const Json document = sweepJson({"--steps", "4", "--axis", "perturb=none,ffn_out-2@4:0:1",
                                     "--axis", "batch=1,2", "--out", path},
                                    1);
    EXPECT_EQ(document["classes"], 2);
    EXPECT_EQ(document["trace"], path);
    const auto compared = cli({"compare", path, "--json"});
    EXPECT_EQ(compared.exitCode, 1) << compared.err;
    const Json first = Json::parse(compared.out)["first_divergence"];
    EXPECT_EQ(first["op"], "ffn_out-2");
    EXPECT_EQ(first["position"], 4);
    EXPECT_EQ(first["kind"], "origin");
    EXPECT_EQ(cli({"verify", path}).exitCode, 0);
}

TEST(SweepCommand, UnhashedCellsAreToldApartByTheirLogits)
{
    const Json document = sweepJson(
        {"--steps", "4", "--no-hash", "--axis", "policy=ordered,thread-split", "--threads", "3"},
        1);
    EXPECT_EQ(document["classes"], 2);
    EXPECT_TRUE(document["cells"][0]["trace_hash"].is_null());
    EXPECT_NE(document["cells"][0]["output_hash"], document["cells"][1]["output_hash"]);
}

TEST(SweepCommand, RepeatsOfACellAreRunsOfIt)
{
    const Json document = sweepJson({"--steps", "3", "--axis", "threads=1,2", "--runs", "3"}, 0);
    EXPECT_EQ(document["cells"][1]["runs"], Json::parse("[3,4,5]"));
}

TEST(SweepCommand, PrintsAMapForPeople)
{
    const auto result = cli(
        sweep({"--steps", "3", "--axis", "threads=1,2", "--axis", "policy=ordered,thread-split"}));
    EXPECT_EQ(result.exitCode, 1) << result.err;
    for (const char* words :
         {"threads \\ policy  ordered  thread-split", "classes among 4 cells",
          "class changes between threads 1 and 2", "threads: changes the class on 1 of 2 lines"}) {
        EXPECT_NE(result.out.find(words), std::string::npos) << words << "\n" << result.out;
    }
}

TEST(SweepCommand, NonsenseIsRefusedBeforeAModelIsLoaded)
{
    const auto refused = [](const Arguments& more, const std::string& word) {
        Arguments all = sweep(more);
        all.insert(all.end(), {"--model", "/nonexistent.gguf"});
        const auto result = cli(all);
        EXPECT_EQ(result.exitCode, 2) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_NE(result.err.find(word), std::string::npos) << word << " not in: " << result.err;
    };
    refused({}, "--axis");
    refused({"--axis", "colour=red"}, "--axis");
    refused({"--axis", "threads=1..9999999"}, "more than 10000");
    refused({"--axis", "seed=1..5000", "--axis", "batch=1..3"}, "more than 10000");
    refused({"--axis", "seed=1..5000", "--runs", "3"}, "more than 10000");
    refused({"--axis", "batch=1", "--axis", "batch=2"}, "twice");
    refused({"--axis", "batch=1,1"}, "twice");
    refused({"--axis", "batch=1", "--companions", "shy"}, "--companions");
    refused({"--axis", "batch=1", "--cache", "warm"}, "--cache");
}

TEST(SweepCommand, ACellThatCannotRunStopsTheSweepBeforeItBegins)
{
    for (const char* axis :
         {"batch=1,0", "reduction-chunk=64,33", "policy=ordered,orderly", "device=cpu,cuda",
          "perturb=none,no_such_op@3", "perturb=none,ffn_out-1@9999"}) {
        const auto result = cli(sweep({"--steps", "2", "--axis", axis}));
        EXPECT_EQ(result.exitCode, 2) << axis << result.err;
        EXPECT_EQ(result.out, "") << axis;
    }
}

TEST(SweepCommand, InterruptMapsWhatIsDone)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("long.ulp");
    Process process({"ulpscope-cli", "sweep", "--prompt", "Once upon a time", "--steps", "60",
                     "--ignore-eos", "--axis", "seed=1..5000", "--out", path, "--json"});
    bool recorded = false;
    for (int i = 0; i < 600 && !recorded; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const Json info = Json::parse(cli({"info", path, "--json"}).out, nullptr, false);
        recorded = info.is_object() && info["runs"].size() > 3;
    }
    ASSERT_TRUE(recorded);
    process.signal(SIGINT);
    const auto result = process.wait();
    EXPECT_EQ(result.exitCode, 130) << result.err;
    const Json document = Json::parse(result.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << result.out.substr(0, 200);
    EXPECT_EQ(document["cancelled"], true);
    EXPECT_EQ(document["cells"].size(), 5000U);
    EXPECT_EQ(document["cells"][0]["class"], "A");
    EXPECT_TRUE(document["cells"][4999]["class"].is_null());
    EXPECT_EQ(cli({"verify", path}).exitCode, 0);
}

} // namespace
} // namespace ulp::test
