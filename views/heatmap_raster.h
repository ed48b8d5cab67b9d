// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns a part of a cell map into pixels. Never samples: a pixel shows the worst of everything that
// it covers, and where cells are smaller than a mark that an eye finds, divergent pixels are grown
// over their same-bits neighbours. Patterns stand beside colours: NaN hatched, not recorded dotted,
// recorded in some runs only hollow, origins outlined.
// Thread-safety: pure functions. Ownership: borrows its inputs for the call.
#pragma once

#include <cstdint>
#include <vector>

#include <QImage>
#include <QSize>

#include "views/axis.h"
#include "views/cell_map.h"
#include "views/row_layout.h"
#include "views/theme.h"

namespace ulp::views {

enum class ColourMode : std::uint8_t { Class, Magnitude };

/// Decades that the colours of Magnitude mode span.
struct MagnitudeRange {
    double lowLog = -9.0;
    double highLog = 0.0;
    bool operator==(const MagnitudeRange&) const = default;
};

/// Pixels [begin, end) show units first..last (slots or rows).
struct Band {
    int begin = 0;
    int end = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Cuts `pixels` into bands: one for each unit when units are at least a pixel wide, else one for
/// each pixel, naming every unit that it touches. Pixels past the last unit belong to no band.
[[nodiscard]] std::vector<Band> makeBands(double firstUnit, double pixelsPerUnit, int pixels,
                                          std::int64_t units);

struct RasterRequest {
    const CellMap* cells = nullptr;
    const RowLayout* rows = nullptr;
    const StepAxis* axis = nullptr;
    const Theme* theme = nullptr;
    ColourMode mode = ColourMode::Class;
    MagnitudeRange range;
    QSize pixels;      // device pixels
    double unit = 1.0; // device pixels in a logical one
    double firstSlot = 0.0;
    double pixelsPerSlot = 1.0; // device pixels
    double firstRow = 0.0;
    double pixelsPerRow = 1.0; // device pixels
};

/// Pooled cells, one for each pair of bands.
struct PooledCells {
    std::vector<Band> rowBands;
    std::vector<Band> slotBands;
    std::vector<std::uint8_t> bits;   // [rowBands, slotBands]
    std::vector<std::uint8_t> levels; // [rowBands, slotBands]; empty unless Magnitude
};

/// A picture and the values under it, kept from frame to frame: at one size, drawing again
/// allocates nothing.
struct Raster {
    PooledCells pooled;
    QImage image; // with the request's unit as its device pixel ratio
};

void poolCells(const RasterRequest& request, PooledCells& pooled);
void paintCells(const RasterRequest& request, const PooledCells& pooled, QImage& image);
void renderCells(const RasterRequest& request, Raster& raster);

/// Colour of a magnitude level; levels below kLowest give the colour of an unknown amount.
[[nodiscard]] QColor magnitudeColour(const Theme& theme, const MagnitudeRange& range,
                                     std::uint8_t level);

} // namespace ulp::views
