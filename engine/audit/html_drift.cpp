// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_drift.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "engine/audit/format.h"
#include "engine/audit/html_axis.h"

namespace ulp::audit::html {
namespace {

using compare::Comparison;

struct Point {
    std::optional<double> value;
    bool sameInput = true;
};

struct Series {
    std::string label;
    int colour = 1;            // .k1 ... .k6
    std::vector<Point> points; // by block of the axis
};

constexpr std::int64_t kTop = 10;
constexpr std::int64_t kHeight = 190;
constexpr std::int64_t kZero = kTop + kHeight + 16; // the line on which exact zeros lie
constexpr std::size_t kSingleClasses = 4;           // more are drawn as one line of their largest

void raise(Point& point, double value, bool sameInput)
{
    // A NaN drift is the worst there is: it goes to the top edge instead of vanishing.
    const double shown = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    point.value = std::max(point.value.value_or(0.0), shown);
    point.sameInput &= sameInput;
}

Series marginSeries(const Comparison& comparison, const StepAxis& axis)
{
    const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(comparison.reference())];
    Series series{"margin of run " + std::to_string(run.run), 1,
                  std::vector<Point>(static_cast<std::size_t>(axis.blocks()))};
    for (std::size_t column = 0; column < run.columnCount; ++column) {
        const auto& cell = run.columns()[column];
        if (!cell.top.empty()) {
            auto& point = series.points[static_cast<std::size_t>(
                axis.blockOf(static_cast<std::int64_t>(column)))];
            const auto margin = static_cast<double>(cell.margin);
            point.value = std::min(point.value.value_or(margin), margin);
        }
    }
    return series;
}

void addDrift(const Comparison& comparison, const StepAxis& axis, int run, Series& series)
{
    series.points.resize(static_cast<std::size_t>(axis.blocks()));
    for (std::int64_t column = 0; column < comparison.columns(); ++column) {
        const auto drift = comparison.drift(run, column);
        if (drift.recorded) {
            raise(series.points[static_cast<std::size_t>(axis.blockOf(column))], drift.maxAbs,
                  drift.sameInput);
        }
    }
}

/// One series for each class besides the reference run's own.
std::vector<Series> driftSeries(const Comparison& comparison, const StepAxis& axis)
{
    std::vector<Series> all;
    std::size_t others = 0;
    const auto& classes = comparison.runClasses();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const auto& runs = classes[i].runs;
        if (std::find(runs.begin(), runs.end(), comparison.reference()) != runs.end()) {
            continue;
        }
        if (all.size() < kSingleClasses) {
            all.push_back({"drift of class " + className(i), static_cast<int>(all.size()) + 2, {}});
        } else if (others++ == 0) {
            all.push_back({"", 6, {}});
        }
        addDrift(comparison, axis, runs.front(), all.back());
    }
    if (others > 0) {
        all.back().label = "largest drift of " + formatPlural(static_cast<std::int64_t>(others),
                                                              "other class", "other classes");
    }
    return all;
}

/// Powers of ten that hold every positive finite value.
struct Scale {
    int low = -1;
    int high = 1;

    explicit Scale(const std::vector<Series>& all)
    {
        double smallest = std::numeric_limits<double>::infinity();
        double largest = 0.0;
        for (const auto& series : all) {
            for (const auto& point : series.points) {
                if (point.value && *point.value > 0.0 && std::isfinite(*point.value)) {
                    smallest = std::min(smallest, *point.value);
                    largest = std::max(largest, *point.value);
                }
            }
        }
        if (largest > 0.0) {
            low = static_cast<int>(std::floor(std::log10(smallest)));
            high = std::max(low + 1, static_cast<int>(std::ceil(std::log10(largest))));
        }
    }
    [[nodiscard]] std::int64_t y(double value) const
    {
        if (!(value > 0.0)) {
            return kZero;
        }
        const double t = std::isfinite(value) ? (std::log10(value) - low) / (high - low) : 1.0;
        return kTop + kHeight - static_cast<std::int64_t>(std::lround(t * kHeight));
    }
};

std::string scaleLines(const Scale& scale, const StepAxis& axis)
{
    std::string out;
    const auto line = [&](std::int64_t y, const std::string& label) {
        out += "<path class=\"rule\" d=\"M" + std::to_string(StepAxis::kGutter) + " " +
               std::to_string(y) + ".5H" + std::to_string(axis.right()) + "\"/>" +
               svgText(StepAxis::kGutter - 8, y + 4, label, "", "end");
    };
    const int every = (scale.high - scale.low) / 7 + 1;
    for (int decade = scale.high; decade >= scale.low; decade -= every) {
        line(scale.y(std::pow(10.0, decade)), "1e" + std::to_string(decade));
    }
    line(kZero, "0");
    return out;
}

/// Two paths: solid while the runs read the same tokens, dotted from there on.
std::string seriesPath(const Series& series, const Scale& scale, const StepAxis& axis)
{
    std::string solid;
    std::string dotted;
    const Point* previous = nullptr;
    std::string previousAt;
    for (std::size_t b = 0; b < series.points.size(); ++b) {
        const Point& point = series.points[b];
        if (!point.value) {
            previous = nullptr;
            continue;
        }
        const std::string at =
            std::to_string(axis.x(static_cast<std::int64_t>(b)) + axis.blockWidth() / 2) + " " +
            std::to_string(scale.y(*point.value));
        std::string& path = point.sameInput ? solid : dotted;
        path += previous == nullptr ? "M" + at + "h1" : "M" + previousAt + "L" + at;
        previous = &point;
        previousAt = at;
    }
    const std::string colour = "k" + std::to_string(series.colour);
    std::string out;
    if (!solid.empty()) {
        out += "<path class=\"line " + colour + "\" d=\"" + solid + "\"/>";
    }
    if (!dotted.empty()) {
        out += "<path class=\"line later " + colour + "\" d=\"" + dotted + "\"/>";
    }
    return out;
}

/// Dots where the drift of a class exceeds the margin while the runs still read the same tokens.
std::string flipDots(const Series& margin, const std::vector<Series>& drifts, const Scale& scale,
                     const StepAxis& axis)
{
    std::string out;
    for (std::size_t b = 0; b < margin.points.size(); ++b) {
        const auto reached = [&](const Series& series) {
            const Point& point = series.points[b];
            return point.value && point.sameInput && margin.points[b].value &&
                   *point.value > *margin.points[b].value;
        };
        if (std::any_of(drifts.begin(), drifts.end(), reached)) {
            out += "<circle class=\"flip\" r=\"4\"" +
                   attribute("cx", axis.x(static_cast<std::int64_t>(b)) + axis.blockWidth() / 2) +
                   attribute("cy", scale.y(*margin.points[b].value)) + "/>";
        }
    }
    return out;
}

std::string legendItem(const std::string& drawing, const std::string& text)
{
    return "<li><svg width=\"22\" height=\"10\">" + drawing + "</svg>" + htmlEscape(text) + "</li>";
}

std::string legend(const std::vector<Series>& all, bool flips)
{
    std::string out = "<ul class=\"legend\">";
    for (const auto& series : all) {
        out += legendItem("<path class=\"line k" + std::to_string(series.colour) +
                              "\" d=\"M0 5h22\"/>",
                          series.label);
    }
    const bool parted = std::any_of(all.begin(), all.end(), [](const Series& series) {
        return std::any_of(series.points.begin(), series.points.end(),
                           [](const Point& point) { return point.value && !point.sameInput; });
    });
    if (parted) {
        out += legendItem("<path class=\"line later k2\" d=\"M0 5h22\"/>",
                          "after the tokens have parted");
    }
    if (flips) {
        out += legendItem("<circle class=\"flip\" cx=\"11\" cy=\"5\" r=\"4\"/>",
                          "drift exceeds margin: a token can flip");
    }
    return out + "</ul>";
}

} // namespace

std::string driftChart(const Comparison& comparison)
{
    if (comparison.runs().empty()) {
        return {};
    }
    const StepAxis axis(comparison);
    std::vector<Series> all{marginSeries(comparison, axis)};
    const bool recorded = std::any_of(all[0].points.begin(), all[0].points.end(),
                                      [](const Point& point) { return point.value.has_value(); });
    if (!recorded) {
        return {};
    }
    const auto drifts = driftSeries(comparison, axis);
    all.insert(all.end(), drifts.begin(), drifts.end());
    const Scale scale(all);
    const std::string dots = flipDots(all[0], drifts, scale, axis);
    std::string out = "<div class=\"scroll\"><svg role=\"img\" aria-label=\"Margin and logit drift "
                      "by step, log scale\"" +
                      attribute("width", std::max<std::int64_t>(axis.right() + 2, 520)) +
                      attribute("height", kZero + 26) + ">" + scaleLines(scale, axis);
    for (auto series = all.rbegin(); series != all.rend(); ++series) {
        out += seriesPath(*series, scale, axis);
    }
    out += dots + axis.ticks(comparison, kZero + 20);
    return out + "</svg></div>" + legend(all, !dots.empty());
}

} // namespace ulp::audit::html
