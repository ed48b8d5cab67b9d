// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cctype>

#include <gtest/gtest.h>

#include "engine/audit/html_axis.h"
#include "engine/audit/html_heatmap.h"
#include "engine/audit/report.h"
#include "tests/engine/support/snapshot_maker.h"

namespace ulp::audit {
namespace {

using test::SessionOptions;

/// Checks that tags nest and that none is there which the report does not write itself.
class TagChecker {
  public:
    explicit TagChecker(std::string html) : m_html(std::move(html)), m_rest(m_html) {}
    TagChecker(const TagChecker&) = delete;
    TagChecker& operator=(const TagChecker&) = delete;

    std::string problem()
    {
        for (std::size_t at = m_rest.find('<'); at != std::string_view::npos;
             at = m_rest.find('<')) {
            m_rest.remove_prefix(at + 1);
            const std::size_t end = m_rest.find('>');
            if (end == std::string_view::npos) {
                return "unclosed tag";
            }
            const std::string problem = take(m_rest.substr(0, end));
            if (!problem.empty()) {
                return problem;
            }
            m_rest.remove_prefix(end + 1);
        }
        return m_open.empty() ? "" : "not closed: " + m_open.back();
    }

  private:
    std::string take(std::string_view tag)
    {
        if (tag.starts_with("!DOCTYPE")) {
            return {};
        }
        const bool closing = tag.starts_with('/');
        const std::size_t begin = closing ? 1 : 0;
        std::size_t end = begin;
        while (end < tag.size() && std::isalnum(static_cast<unsigned char>(tag[end])) != 0) {
            ++end;
        }
        const std::string name(tag.substr(begin, end - begin));
        static constexpr std::array kKnown{
            "html", "head",    "meta",    "title",   "style", "body", "main",    "header",
            "div",  "h1",      "h2",      "h3",      "p",     "span", "dl",      "dt",
            "dd",   "small",   "svg",     "defs",    "path",  "rect", "pattern", "circle",
            "text", "ul",      "li",      "table",   "tr",    "th",   "td",      "code",
            "pre",  "details", "summary", "section", "footer"};
        if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
            return "unknown tag <" + std::string(tag) + ">";
        }
        if (tag.ends_with('/') || name == "meta") {
            return {};
        }
        if (!closing) {
            m_open.push_back(name);
            return {};
        }
        if (m_open.empty() || m_open.back() != name) {
            return "</" + name + "> closes nothing";
        }
        m_open.pop_back();
        return {};
    }

    std::string m_html;
    std::string_view m_rest;
    std::vector<std::string> m_open;
};

compare::ComparisonPtr compareSession(const SessionOptions& options)
{
    return compare::Comparison::compute(test::makeSession(options));
}

TEST(HtmlReport, TagsNestInEveryKindOfSession)
{
    SessionOptions failed;
    failed.nonFinite.push_back({0, 2, "ffn_out-1"});
    SessionOptions single;
    single.runs = 1;
    SessionOptions unfinished;
    unfinished.lastRunColumns = 3;
    unfinished.lastRunStatus = trace::RunStatus::Running;
    SessionOptions bare;
    bare.topLogits = 0;
    bare.magnitudes = false;
    bare.divergences.push_back({1, 2, "ffn_out-1", 1, false});
    for (const auto& options :
         {SessionOptions{}, test::atomicLike(8, 6, 5, 64), test::atomicLike(3, 20, 90, 700), failed,
          single, unfinished, bare}) {
        TagChecker checker(reportHtml(*compareSession(options)));
        EXPECT_EQ(checker.problem(), "");
    }
}

TEST(HtmlReport, AnEmptySnapshotIsStillAPage)
{
    const auto comparison =
        compare::Comparison::compute(std::make_shared<trace::Snapshot>(trace::Snapshot{}));
    TagChecker checker(reportHtml(*comparison));
    EXPECT_EQ(checker.problem(), "");
}

TEST(HtmlReport, HostileTextStaysText)
{
    const std::string hostile = "</pre><script>alert(1)</script>\"'><img src=x onerror=y>";
    auto session =
        std::make_shared<trace::Snapshot>(*test::makeSession(test::atomicLike(4, 3, 5, 12)));
    session->prompt = hostile;
    session->source = hostile;
    session->created = hostile;
    session->model.name = hostile;
    session->model.path = hostile;
    session->model.tensors.push_back({hostile, hostile, {1}, 1});
    session->fingerprint[hostile] = hostile;
    session->fingerprint["program.version"] = hostile;
    for (auto& [token, piece] : session->pieces) {
        piece = hostile;
    }
    for (auto& op : session->ops) {
        op.name = hostile + op.name;
        op.kind = hostile;
        op.weight = hostile;
    }
    auto content = test::contentOf(*session->runs[1]);
    content.record.error = hostile;
    content.record.stopReason = hostile;
    content.record.status = trace::RunStatus::Failed;
    content.record.settings.opPolicies.push_back({hostile, Policy::Atomic});
    const auto comparison =
        compare::Comparison::compute(test::withRun(*session, 1, std::move(content)));
    const std::string html = reportHtml(*comparison);
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    TagChecker checker(html);
    EXPECT_EQ(checker.problem(), "");
}

TEST(HtmlReport, FetchesNothing)
{
    const std::string html = reportHtml(*compareSession(test::atomicLike(4, 3, 5, 12)));
    for (const char* word : {"http:", "https:", "src=", "@import", "url(h"}) {
        const std::size_t at = html.find(word);
        // The patterns of the map are the only url() there is, and they point into the page.
        EXPECT_TRUE(at == std::string::npos || html.compare(at, 9, "url(hatch") == 0) << word;
    }
}

TEST(HtmlReport, CappedTablesSaySo)
{
    const auto comparison = compareSession(test::atomicLike(8, 6, 5, 64));
    ASSERT_GT(comparison->divergentCells(), 200);
    EXPECT_NE(reportHtml(*comparison).find("First 200 of "), std::string::npos);
    SessionOptions few;
    few.divergences.push_back({1, 2, "ffn_out-1", 1, true});
    EXPECT_EQ(reportHtml(*compareSession(few)).find("First 200 of "), std::string::npos);
}

TEST(Heatmap, OneDivergentCellIsVisibleHoweverLargeTheMap)
{
    SessionOptions options;
    options.runs = 2;
    options.layers = 70; // more ops than rows of the drawing
    options.promptTokens = 3;
    options.steps = 1500;
    options.topLogits = 0;
    const auto same = compareSession(options);
    const std::string twoClasses = "<path class=\"c2\"";
    EXPECT_EQ(html::heatmapByOp(*same).find(twoClasses), std::string::npos);
    EXPECT_EQ(html::heatmapByLayer(*same).find(twoClasses), std::string::npos);
    options.divergences.push_back({1, 777, "ffn_out-35", 1, true});
    const auto one = compareSession(options);
    ASSERT_EQ(one->divergentCells(), 1);
    EXPECT_NE(html::heatmapByOp(*one).find(twoClasses), std::string::npos);
    EXPECT_NE(html::heatmapByLayer(*one).find(twoClasses), std::string::npos);
}

TEST(StepAxis, EveryColumnLiesInExactlyOneBlock)
{
    for (const int prompt : {1, 2, 79, 80, 81, 300}) {
        for (const int steps : {1, 2, 319, 320, 321, 1000}) {
            SessionOptions options;
            options.runs = 1;
            options.layers = 1;
            options.promptTokens = prompt;
            options.steps = steps;
            options.topLogits = 0;
            const auto comparison = compareSession(options);
            const html::StepAxis axis(*comparison);
            std::int64_t next = 0;
            std::int64_t lastX = -1;
            for (std::int64_t block = 0; block < axis.blocks(); ++block) {
                const auto range = axis.columns(block);
                ASSERT_EQ(range.begin, next);
                ASSERT_GT(range.end, range.begin);
                for (std::int64_t column = range.begin; column < range.end; ++column) {
                    ASSERT_EQ(axis.blockOf(column), block);
                }
                ASSERT_GT(axis.x(block), lastX);
                lastX = axis.x(block);
                next = range.end;
            }
            ASSERT_EQ(next, comparison->columns());
        }
    }
}

} // namespace
} // namespace ulp::audit
