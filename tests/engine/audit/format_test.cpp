// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/format.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::audit {
namespace {

TEST(Format, RatesHaveTheDigitsThatMeanSomething)
{
    EXPECT_EQ(formatRate(2212.4), "2,212");
    EXPECT_EQ(formatRate(91.42), "91.4");
    EXPECT_EQ(formatRate(0.525), "0.53");
    EXPECT_EQ(formatRate(0.0), "-");
    EXPECT_EQ(formatRate(std::nan("")), "-");
}

TEST(Format, DifferencesHaveThreeDigitsAndShortExponents)
{
    EXPECT_EQ(formatDifference(0.0), "0");
    EXPECT_EQ(formatDifference(3.1249e-7), "3.12e-7");
    EXPECT_EQ(formatDifference(1e-10), "1e-10");
    EXPECT_EQ(formatDifference(0.25), "0.25");
    EXPECT_EQ(formatDifference(2.5e20), "2.5e20");
    EXPECT_EQ(formatDifference(std::nan("")), "NaN");
    EXPECT_EQ(formatDifference(-std::numeric_limits<double>::infinity()), "-infinity");
}

TEST(Format, ExactNumbersReadBackAsTheSameBits)
{
    for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 0.1, 1e22}) {
        const double back = std::strtod(formatExact(value).c_str(), nullptr);
        EXPECT_EQ(std::signbit(back), std::signbit(value));
        EXPECT_EQ(back, value) << formatExact(value);
    }
}

TEST(Format, CountsAreGrouped)
{
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(4812), "4,812");
    EXPECT_EQ(formatCount(-1234567), "-1,234,567");
    EXPECT_EQ(formatCount(-123), "-123");
    EXPECT_EQ(formatPlural(1, "class", "classes"), "1 class");
    EXPECT_EQ(formatPlural(0, "class", "classes"), "0 classes");
}

TEST(Format, HashesAreSixteenDigits)
{
    EXPECT_EQ(formatHash(0xabcULL), "0000000000000abc");
    EXPECT_EQ(formatHashGrouped(0x9f31c07e11d483abULL), "9f31 c07e 11d4 83ab");
}

TEST(Format, ClassNamesGoOnAfterZ)
{
    EXPECT_EQ(className(0), "A");
    EXPECT_EQ(className(25), "Z");
    EXPECT_EQ(className(26), "AA");
    EXPECT_EQ(className(27), "AB");
    EXPECT_EQ(className(26 + 26 * 26), "AAA");
}

TEST(Format, RunsAreFoldedFromThreeOn)
{
    const std::vector<int> runs{0, 1, 3, 5, 6, 7, 9};
    EXPECT_EQ(formatRuns(runs), "0, 1, 3, 5-7, 9");
    EXPECT_EQ(formatRuns({}), "");
}

TEST(Format, ControlsAndBrokenBytesBecomeVisible)
{
    EXPECT_EQ(visibleText("a\nb\tc"), "a\u21B5b\u21E5c");
    EXPECT_EQ(visibleText(std::string_view("\0", 1)), "\u2400");
    EXPECT_EQ(visibleText("\x7F"), "\u2421");
    EXPECT_EQ(visibleText("\xC3\x28\xF0\x9F"), "\uFFFD(\uFFFD\uFFFD");
    EXPECT_EQ(visibleText("\u00E9\U0001F600"), "\u00E9\U0001F600");
}

TEST(Format, HtmlCannotBeBrokenOutOf)
{
    EXPECT_EQ(htmlEscape("<b a=\"x\" c='y'>&amp;"),
              "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;");
    EXPECT_EQ(htmlEscape(std::string_view("a\0b\x1B", 4)), "a\u2400b\u241B");
    EXPECT_EQ(htmlEscape("two\nlines"), "two\nlines");
}

TEST(Format, CsvFieldsAreQuotedOnlyWhereNeeded)
{
    EXPECT_EQ(csvField("ffn_out-2"), "ffn_out-2");
    EXPECT_EQ(csvField("a,b"), "\"a,b\"");
    EXPECT_EQ(csvField("say \"hi\"\n"), "\"say \"\"hi\"\"\n\"");
}

} // namespace
} // namespace ulp::audit
