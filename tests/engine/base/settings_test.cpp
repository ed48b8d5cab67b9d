// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings' names, patterns and small languages.
#include "engine/base/settings.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Settings, EveryNameReadsBackAsItsValue)
{
    std::set<std::string_view> names;
    for (const Policy policy : allPolicies()) {
        const auto parsed = parsePolicy(toString(policy));
        ASSERT_TRUE(parsed);
        EXPECT_EQ(*parsed, policy);
        EXPECT_TRUE(names.insert(toString(policy)).second) << toString(policy);
    }
    EXPECT_EQ(names.size(), 8U);
    for (const Isa isa : {Isa::Auto, Isa::Portable, Isa::Avx2, Isa::Avx512}) {
        EXPECT_EQ(*parseIsa(toString(isa)), isa);
    }
    for (const Device device : {Device::Cpu, Device::Cuda}) {
        EXPECT_EQ(*parseDevice(toString(device)), device);
    }
    for (const Precision precision : {Precision::F32, Precision::Bf16, Precision::F16}) {
        EXPECT_EQ(*parsePrecision(toString(precision)), precision);
    }
}

TEST(Settings, NamesAreThoseOfTheCommandLine)
{
    EXPECT_EQ(toString(Policy::AtomicAdd), "atomic-add");
    EXPECT_EQ(toString(Isa::Avx512), "avx512");
    EXPECT_EQ(toString(Device::Cpu), "cpu");
    EXPECT_EQ(toString(Precision::Bf16), "bf16");
}

TEST(Settings, UnknownNamesListTheKnownOnes)
{
    for (const char* name : {"", "Ordered", "ordered ", "orderd"}) {
        const auto policy = parsePolicy(name);
        ASSERT_FALSE(policy) << name;
        EXPECT_EQ(policy.error().code, ErrorCode::BadUsage);
        EXPECT_NE(policy.error().remedy.find("ordered, atomic, atomic-add"), std::string::npos);
    }
    EXPECT_FALSE(parseIsa("sse2"));
    EXPECT_FALSE(parseDevice("tpu"));
    EXPECT_FALSE(parsePrecision("f64"));
}

TEST(Settings, SupportedPoliciesAreAmongAll)
{
    const std::set<Policy> all(allPolicies().begin(), allPolicies().end());
    EXPECT_FALSE(supportedPolicies().empty());
    EXPECT_EQ(supportedPolicies().front(), Policy::Ordered);
    for (const Policy policy : supportedPolicies()) {
        EXPECT_TRUE(all.contains(policy));
    }
}

TEST(GlobMatch, MatchesLikeAShell)
{
    EXPECT_TRUE(globMatch("ffn_out-2", "ffn_out-2"));
    EXPECT_TRUE(globMatch("ffn_*", "ffn_out-2"));
    EXPECT_TRUE(globMatch("*-2", "ffn_out-2"));
    EXPECT_TRUE(globMatch("*", ""));
    EXPECT_TRUE(globMatch("**", "x"));
    EXPECT_TRUE(globMatch("a?c", "abc"));
    EXPECT_TRUE(globMatch("*a*b*", "xxaxxbxx"));
    EXPECT_TRUE(globMatch("*aab", "aaaab")); // needs to go back to the star
    EXPECT_TRUE(globMatch("", ""));

    EXPECT_FALSE(globMatch("ffn_out-2", "ffn_out-21"));
    EXPECT_FALSE(globMatch("ffn_out-21", "ffn_out-2"));
    EXPECT_FALSE(globMatch("*-2", "ffn_out-21"));
    EXPECT_FALSE(globMatch("a?c", "ac"));
    EXPECT_FALSE(globMatch("?", ""));
    EXPECT_FALSE(globMatch("", "a"));
    EXPECT_FALSE(globMatch("*b", "abc"));
}

TEST(GlobMatch, StarsInTheTextAreOnlyText)
{
    EXPECT_TRUE(globMatch("a*", "a*b"));
    EXPECT_FALSE(globMatch("a", "*"));
    EXPECT_TRUE(globMatch("?", "*"));
    EXPECT_TRUE(globMatch("*c", "*bc"));
}

TEST(GlobMatch, HostilePatternsComeBack)
{
    std::string pattern;
    for (int i = 0; i < 200; ++i) {
        pattern += "*a";
    }
    EXPECT_FALSE(globMatch(pattern + "b", std::string(5000, 'a')));
    EXPECT_TRUE(globMatch(pattern, std::string(5000, 'a')));
}

TEST(PolicyFor, TheLastMatchWins)
{
    RunSettings settings;
    settings.policy = Policy::Ordered;
    settings.opPolicies = {{"ffn_*", Policy::Atomic}, {"*-2", Policy::Kahan}};
    EXPECT_EQ(policyFor(settings, "Qcur-0"), Policy::Ordered);
    EXPECT_EQ(policyFor(settings, "ffn_out-1"), Policy::Atomic);
    EXPECT_EQ(policyFor(settings, "ffn_out-2"), Policy::Kahan);
    EXPECT_EQ(policyFor(settings, "Qcur-2"), Policy::Kahan);
}

TEST(ParsePerturbation, ReadsItsFields)
{
    const auto parsed = [](const char* text) {
        const auto result = parsePerturbation(text);
        EXPECT_TRUE(result) << text;
        return result ? *result : Perturbation{};
    };
    EXPECT_EQ(parsed("ffn_out-2@12"), (Perturbation{"ffn_out-2", 12, 0, 1}));
    EXPECT_EQ(parsed("ffn_out-2@12:7"), (Perturbation{"ffn_out-2", 12, 7, 1}));
    EXPECT_EQ(parsed("ffn_out-2@12:7:-3"), (Perturbation{"ffn_out-2", 12, 7, -3}));
    EXPECT_EQ(parsed("x@0:0:0"), (Perturbation{"x", 0, 0, 0}));
}

TEST(ParsePerturbation, RefusesWhatItIsNot)
{
    for (const char* text : {"", "ffn_out-2", "@3", "x@", "x@-1", "x@1:-1", "x@1:2:3:4", "x@a",
                             "x@1:b", "x@1:2:c", "x@1:", "x@1:2:", "x@:1", "x@1.5", "x@1 ", "x@ 1",
                             "x@99999999999999999999", "x@1:2:99999999999"}) {
        const auto result = parsePerturbation(text);
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ErrorCode::BadUsage);
        EXPECT_NE(result.error().remedy.find("OP@POSITION"), std::string::npos);
    }
}

TEST(ParseOpPolicy, ReadsOpAndPolicy)
{
    const auto parsed = parseOpPolicy("ffn_out-*=atomic-add");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, (OpPolicy{"ffn_out-*", Policy::AtomicAdd}));
    for (const char* text : {"", "ffn_out", "=atomic", "ffn_out=", "ffn_out=fast"}) {
        EXPECT_FALSE(parseOpPolicy(text)) << text;
    }
}

TEST(Error, TextLeavesOutWhatIsEmpty)
{
    EXPECT_EQ(makeError(ErrorCode::Io, "m").text(), "m");
    EXPECT_EQ(makeError(ErrorCode::Io, "m", "w").text(), "w: m");
    EXPECT_EQ(makeError(ErrorCode::Io, "m", "w", "r").text(), "w: m; r");
    EXPECT_EQ(makeError(ErrorCode::Io, "m", "", "r").text(), "m; r");
}

} // namespace
} // namespace ulp
