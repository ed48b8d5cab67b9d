// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/axis.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

std::vector<std::string> valuesOf(const std::string& text)
{
    const auto axis = parseAxis(text);
    EXPECT_TRUE(axis.ok()) << axis.error().text();
    return axis ? axis->values : std::vector<std::string>();
}

void expectRefused(const std::string& text, const std::string& word)
{
    const auto axis = parseAxis(text);
    ASSERT_FALSE(axis.ok()) << text;
    EXPECT_EQ(axis.error().code, ErrorCode::BadUsage);
    EXPECT_NE(axis.error().text().find(word), std::string::npos) << axis.error().text();
}

TEST(Axis, ListsAndRangesMix)
{
    EXPECT_EQ(valuesOf("threads=1,2,4"), (std::vector<std::string>{"1", "2", "4"}));
    EXPECT_EQ(valuesOf("batch=1..3,9"), (std::vector<std::string>{"1", "2", "3", "9"}));
    EXPECT_EQ(valuesOf("prefill-chunk=1..20:8"), (std::vector<std::string>{"1", "9", "17"}));
    EXPECT_EQ(valuesOf("prefill_chunk=5..5"), (std::vector<std::string>{"5"}));
    EXPECT_EQ(valuesOf("reduction-chunk=32..128"),
              (std::vector<std::string>{"32", "64", "96", "128"}));
    EXPECT_EQ(valuesOf("threads=007"), (std::vector<std::string>{"7"}));
    EXPECT_EQ(valuesOf("op-policy=none,ffn_out-*=atomic"),
              (std::vector<std::string>{"none", "ffn_out-*=atomic"}));
    EXPECT_EQ(valuesOf("hash=on,off"), (std::vector<std::string>{"on", "off"}));
}

TEST(Axis, NonsenseIsRefusedByName)
{
    expectRefused("threads", "NAME=");
    expectRefused("=1", "no axis");
    expectRefused("colour=red", "prefill-chunk"); // the remedy lists what there is
    expectRefused("threads=", "threads");
    expectRefused("threads=1,,2", "threads");
    expectRefused("threads=two", "two");
    expectRefused("threads=1.5", "1.5");
    expectRefused("threads=99999999999999999999", "threads");
    expectRefused("threads=9999999999", "9999999999"); // fits 64 bits, but no setting
    expectRefused("threads=4..1", "4..1");
    expectRefused("threads=1..", "1..");
    expectRefused("threads=..4", "..4");
    expectRefused("threads=1..4:0", "1..4:0");
    expectRefused("threads=1..4:", "1..4:");
    expectRefused("threads=-3..4", "-3..4");
    expectRefused("threads=1,2,1", "twice");
    expectRefused("threads=1..4,3", "twice");
    expectRefused("policy=orderly", "orderly");
    expectRefused("policy=ordered..atomic", "ordered..atomic");
    expectRefused("hash=maybe", "on, off");
    expectRefused("cache=warm", "reused");
    expectRefused("op-policy=ffn", "ffn");
    expectRefused("perturb=ffn_out-1", "ffn_out-1");
}

TEST(Axis, RangesThatNobodyCanRunAreRefusedBeforeTheyAreMade)
{
    expectRefused("prefill-chunk=1..9223372036854775807", "more than 10000");
    expectRefused("seed=0..10000", "more than 10000");
    EXPECT_EQ(valuesOf("seed=1..10000").size(), 10000U);
    expectRefused("seed=1..10000,0..3", "more than 10000");
}

TEST(Axis, EveryKindSetsItsOwnSettingAndNoOther)
{
    const std::vector<std::pair<std::string, std::string>> examples{
        {"threads", "3"},        {"batch", "4"},           {"companions", "joining"},
        {"prefill-chunk", "9"},  {"cache", "reused"},      {"reduction-chunk", "64"},
        {"policy", "atomic"},    {"op-policy", "*=kahan"}, {"activation", "f16"},
        {"isa", "portable"},     {"device", "cuda"},       {"hash", "off"},
        {"steps", "5"},          {"seed", "77"},           {"temperature", "0.5"},
        {"perturb", "Qcur-1@3"},
    };
    ASSERT_EQ(examples.size(), axisKinds().size());
    std::vector<RunSettings> all{RunSettings{}};
    for (const auto& [name, value] : examples) {
        RunSettings settings;
        ASSERT_TRUE(setByName(settings, name, value).ok()) << name;
        for (const RunSettings& other : all) {
            EXPECT_FALSE(settings == other) << name;
        }
        all.push_back(settings);
    }
    RunSettings back = all[8];
    ASSERT_TRUE(setByName(back, "op-policy", "none").ok());
    EXPECT_EQ(back, RunSettings{});
}

TEST(Grid, TheLastAxisRunsFastest)
{
    RunSettings base;
    base.steps = 7;
    const auto grid = expandGrid(base, {*parseAxis("threads=1,2"), *parseAxis("batch=3,4,5")}, 1);
    ASSERT_TRUE(grid.ok());
    ASSERT_EQ(grid->size(), 6U);
    EXPECT_EQ((*grid)[1].threads, 1);
    EXPECT_EQ((*grid)[1].batch, 4);
    EXPECT_EQ((*grid)[3].threads, 2);
    EXPECT_EQ((*grid)[3].batch, 3);
    EXPECT_EQ((*grid)[5].steps, 7);
    EXPECT_EQ(expandGrid(base, {}, 1)->size(), 1U);
}

TEST(Grid, AbsurdSizesAndRepeatedAxesAreRefused)
{
    const Axis many = *parseAxis("seed=1..10000");
    const Axis more = *parseAxis("prefill-chunk=1..10000");
    const auto huge = expandGrid({}, {many, more, *parseAxis("threads=1..256")}, 10000);
    ASSERT_FALSE(huge.ok());
    EXPECT_NE(huge.error().text().find("more than 10000"), std::string::npos);
    EXPECT_TRUE(expandGrid({}, {many}, 1).ok());
    EXPECT_FALSE(expandGrid({}, {many}, 2).ok());
    EXPECT_FALSE(expandGrid({}, {*parseAxis("batch=1"), *parseAxis("batch=2")}, 1).ok());
}

TEST(Between, HalvesOrderedAxesInWholeUnits)
{
    const AxisKind& batch = parseAxis("batch=1")->kind();
    EXPECT_EQ(valueBetween(batch, 1, 16), 8);
    EXPECT_EQ(valueBetween(batch, 8, 10), 9);
    EXPECT_EQ(valueBetween(batch, 8, 9), std::nullopt);
    const AxisKind& chunk = parseAxis("reduction-chunk=32")->kind();
    EXPECT_EQ(valueBetween(chunk, 32, 256), 128);
    EXPECT_EQ(valueBetween(chunk, 32, 64), std::nullopt);
    EXPECT_FALSE(parseAxis("policy=ordered")->ordered());
}

} // namespace
} // namespace ulp
