// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/verdict_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/audit/coverage.h"
#include "engine/audit/settings_text.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::audit {
namespace {

using test::SessionOptions;

compare::ComparisonPtr compareSession(const SessionOptions& options)
{
    return compare::Comparison::compute(test::makeSession(options));
}

const VerdictPart* partOf(const std::vector<VerdictPart>& parts, VerdictPart::Kind kind)
{
    const auto it = std::find_if(parts.begin(), parts.end(),
                                 [&](const VerdictPart& part) { return part.kind == kind; });
    return it == parts.end() ? nullptr : &*it;
}

TEST(VerdictText, SameBitsSaysHowManyRuns)
{
    SessionOptions options;
    options.runs = 8;
    const auto comparison = compareSession(options);
    EXPECT_EQ(verdictStatus(*comparison), VerdictStatus::SameBits);
    EXPECT_EQ(verdictSentence(*comparison),
              "Same bits: 1 class in 8 runs; same settings repeated.");
}

TEST(VerdictText, NamesTheFirstDivergentOpAndLinksToIt)
{
    SessionOptions options;
    options.runs = 2;
    options.divergences.push_back({1, 3, "ffn_out-2", 1, false});
    const auto comparison = compareSession(options);
    EXPECT_EQ(verdictStatus(*comparison), VerdictStatus::SameTokensDifferentBits);
    const auto parts = verdictParts(*comparison);
    const auto* first = partOf(parts, VerdictPart::Kind::FirstDivergence);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->text.find("bits part first at step 3 in ffn_out-2"), 0U) << first->text;
    EXPECT_NE(first->text.find(" ULP)"), std::string::npos) << first->text;
    EXPECT_EQ(first->column, 3 + options.promptTokens - 1);
    EXPECT_EQ(first->op, test::opIndex(comparison->snapshot().ops, "ffn_out-2"));
    EXPECT_EQ(partOf(parts, VerdictPart::Kind::TokenDivergence), nullptr);
}

TEST(VerdictText, PromptPositionsAreNotCalledSteps)
{
    SessionOptions options;
    options.runs = 2;
    options.divergences.push_back({1, -2, "Qcur-1", 1, false});
    const auto comparison = compareSession(options);
    EXPECT_NE(verdictSentence(*comparison).find("at prompt position 2 in Qcur-1"),
              std::string::npos)
        << verdictSentence(*comparison);
}

TEST(VerdictText, SaysWhereTokensPart)
{
    SessionOptions options;
    options.runs = 3;
    options.divergences.push_back({2, 1, "ffn_out-0", 1, false});
    options.flips.push_back({2, 5, 1});
    const auto comparison = compareSession(options);
    EXPECT_EQ(verdictStatus(*comparison), VerdictStatus::Diverged);
    const auto parts = verdictParts(*comparison);
    const auto* token = partOf(parts, VerdictPart::Kind::TokenDivergence);
    ASSERT_NE(token, nullptr);
    EXPECT_EQ(token->text.find("tokens part at step 5 (margin "), 0U) << token->text;
    EXPECT_EQ(token->column, 5 + options.promptTokens - 1);
}

TEST(VerdictText, AnUnfinishedRunIsNeverSameBits)
{
    SessionOptions options;
    options.runs = 3;
    options.lastRunColumns = 9;
    options.lastRunStatus = trace::RunStatus::Cancelled;
    const auto comparison = compareSession(options);
    EXPECT_EQ(verdictStatus(*comparison), VerdictStatus::Incomplete);
    EXPECT_NE(verdictSentence(*comparison).find("run 2 was cancelled at step 4"), std::string::npos)
        << verdictSentence(*comparison);
}

TEST(VerdictText, NonFiniteValuesAreNamedWithTheirFirstCell)
{
    SessionOptions options;
    options.runs = 2;
    options.nonFinite.push_back({1, 2, "ffn_out-1"});
    const auto comparison = compareSession(options);
    const auto parts = verdictParts(*comparison);
    const auto* note = partOf(parts, VerdictPart::Kind::Note);
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note->text.find("run 1 has NaN or infinity in "), 0U) << note->text;
    EXPECT_EQ(note->column, 2 + options.promptTokens - 1);
    EXPECT_EQ(note->op, test::opIndex(comparison->snapshot().ops, "ffn_out-1"));
}

TEST(VerdictText, OneRunHasNothingToCompareWith)
{
    SessionOptions options;
    options.runs = 1;
    const auto comparison = compareSession(options);
    EXPECT_EQ(verdictStatus(*comparison), VerdictStatus::Empty);
    EXPECT_EQ(verdictSentence(*comparison), "One run, nothing to compare it with.");
}

TEST(SettingsText, OnlyWhatDiffersIsVaried)
{
    SessionOptions options;
    options.runs = 3;
    const auto session = test::makeSession(options);
    auto content = test::contentOf(*session->runs[1]);
    content.record.settings.threads = 7;
    content.record.settings.opPolicies.push_back({"ffn_out-*", Policy::Kahan});
    const auto changed = test::withRun(*session, 1, std::move(content));
    const auto comparison = compare::Comparison::compute(changed);
    const auto varied = variedSettings(*comparison);
    ASSERT_EQ(varied.size(), 2U);
    EXPECT_EQ(varied[0].name, "op policies");
    EXPECT_EQ(varied[0].values, (std::vector<std::string>{"none", "ffn_out-*=kahan"}));
    EXPECT_EQ(varied[1].name, "threads");
    EXPECT_EQ(varied[1].values.back(), "7");
    EXPECT_NE(verdictSentence(*comparison).find("varied: op policies none, ffn_out-*=kahan"),
              std::string::npos);
}

TEST(Coverage, SaysWhatTheRunsCannotShow)
{
    SessionOptions options;
    options.runs = 2;
    const auto session = test::makeSession(options);
    const auto text = [](const trace::SnapshotPtr& snapshot) {
        std::string all;
        for (const auto& sentence : notChecked(*compare::Comparison::compute(snapshot))) {
            all += sentence + "\n";
        }
        return all;
    };
    const std::string plain = text(session);
    EXPECT_NE(plain.find("2^-64"), std::string::npos);
    EXPECT_NE(plain.find("threads other than "), std::string::npos);
    EXPECT_NE(plain.find("No GPU"), std::string::npos);
    EXPECT_EQ(plain.find("first sequence of each batch"), std::string::npos);
    EXPECT_EQ(plain.find("planted on purpose"), std::string::npos);

    auto content = test::contentOf(*session->runs[1]);
    content.record.settings.batch = 3;
    content.record.settings.perturb = Perturbation{"ffn_out-1", 4, 0, 1};
    const std::string batched = text(test::withRun(*session, 1, std::move(content)));
    EXPECT_NE(batched.find("first sequence of each batch"), std::string::npos);
    EXPECT_NE(batched.find("planted on purpose"), std::string::npos);
}

} // namespace
} // namespace ulp::audit
