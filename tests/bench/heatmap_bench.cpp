// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of the divergence map over ten million cells: zoom in and out about a moving point, pan,
// fold, and reading a comparison; the time from the request to the painted image, by size and
// colouring. Times are of the thread's processor, so that a busy machine does not blur them.
// Usage: heatmap_bench [layers columns]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include <QApplication>
#include <QImage>

#include "tests/views/support/view_fixtures.h"
#include "views/divergence_heatmap.h"
#include "views/overview_strip.h"

using namespace ulp;
using namespace ulp::views;

namespace {

struct Timings {
    double median = 0.0;
    double p95 = 0.0;
    double worst = 0.0;
};

double processorMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Timings measure(int frames, const std::function<void(int)>& frame)
{
    std::vector<double> milliseconds;
    for (int i = 0; i < frames; ++i) {
        const double start = processorMilliseconds();
        frame(i);
        milliseconds.push_back(processorMilliseconds() - start);
    }
    std::ranges::sort(milliseconds);
    const auto at = [&](double share) {
        return milliseconds[static_cast<std::size_t>(share *
                                                     static_cast<double>(milliseconds.size() - 1))];
    };
    return {at(0.5), at(0.95), milliseconds.back()};
}

void report(const char* what, QSize size, const Timings& t)
{
    std::printf("%-28s %5dx%-5d median %7.2f ms  p95 %7.2f ms  worst %7.2f ms\n", what,
                size.width(), size.height(), t.median, t.p95, t.worst);
}

void benchSize(const compare::ComparisonPtr& comparison, QSize size, ColourMode mode)
{
    StepAxis axis;
    axis.setComparisons({comparison});
    CursorModel cursor;
    cursor.setBounds(3, static_cast<int>(comparison->ops()), comparison->columns());
    DivergenceHeatmap map;
    map.setStepAxis(&axis);
    map.setCursorModel(&cursor);
    map.resize(size);
    map.setComparison(comparison);
    map.setColourMode(mode);
    map.unfoldAll();
    QImage target(size, QImage::Format_RGB32);
    const auto paint = [&] { map.render(&target, {}, {}, QWidget::DrawChildren); };
    const char* const suffix = mode == ColourMode::Class ? "class" : "magnitude";
    const auto name = [&](const char* what) { return std::string(what) + ", " + suffix; };
    const double all = static_cast<double>(axis.slotCount());
    const double rows = map.rowLayout().rowCount();

    report(name("whole map").c_str(), size, measure(40, [&](int) {
               map.showRows(0.0, rows);
               paint();
           }));
    report(name("zoom").c_str(), size, measure(200, [&](int i) {
               const double share = 1.0 / (1.0 + 0.11 * (i % 100));
               axis.setWindow(all * 0.3 * (1.0 - share), all * share);
               map.showRows(rows * 0.4 * (1.0 - share), rows * share);
               paint();
           }));
    report(name("pan").c_str(), size, measure(200, [&](int i) {
               axis.setWindow(all * 0.002 * i, all * 0.5);
               map.showRows(rows * 0.002 * i, rows * 0.5);
               paint();
           }));
    report(name("cursor").c_str(), size, measure(200, [&](int i) {
               cursor.moveTo({0, 100 + i, 100 + i}, CursorModel::Move::Step);
               paint();
           }));
    map.fit();
    report(name("fold and unfold").c_str(), size, measure(20, [&](int i) {
               i % 2 == 0 ? map.foldAll() : map.unfoldAll();
               paint();
           }));
    std::printf("view memory: %.2f bytes a cell\n",
                static_cast<double>(map.cells().bytes()) /
                    static_cast<double>(comparison->ops() * comparison->columns()));
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    const int layers = argc > 2 ? std::atoi(argv[1]) : 667;
    const std::int64_t columns = argc > 2 ? std::atoll(argv[2]) : 1000;
    std::vector<test::PlantedCell> planted;
    for (std::int64_t c = 3; c < columns; c += 7) {
        planted.push_back(
            {c, static_cast<int>((c * 37) % (layers * 15)), 1 + static_cast<int>(c % 2)});
    }
    const auto comparison = test::makeMap(layers, columns, planted);
    std::printf("%lld ops x %lld columns = %.1f million cells\n",
                static_cast<long long>(comparison->ops()),
                static_cast<long long>(comparison->columns()),
                static_cast<double>(comparison->ops() * comparison->columns()) / 1e6);
    CellMap cells;
    report("read a new comparison", {}, measure(5, [&](int) {
               cells.setComparison(nullptr);
               cells.setComparison(comparison);
           }));
    report("the same comparison again", {},
           measure(20, [&](int) { cells.setComparison(comparison); }));
    for (const QSize size : {QSize(1600, 900), QSize(3840, 2160)}) {
        benchSize(comparison, size, ColourMode::Class);
        benchSize(comparison, size, ColourMode::Magnitude);
    }
    return 0;
}
