// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/heatmap_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace ulp::views {
namespace {

constexpr std::uint8_t kDivergent = kTwoClasses | kManyClasses | kNonFinite;
// Logical pixels. Below kSmallestMark a lone cell is grown, from kGridFrom on cells are separated.
constexpr double kSmallestMark = 2.0;
constexpr double kGridFrom = 5.0;
constexpr double kPatternFrom = 4.0;
constexpr double kHollowFrom = 6.0;
constexpr double kThickOutlineFrom = 9.0;

QColor blend(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

/// Columns [begin, end) of the comparison that a band of slots covers.
std::pair<std::int64_t, std::int64_t> columnsOf(const Band& band, const StepAxis& axis,
                                                const CellMap& cells)
{
    const std::int64_t shift = cells.comparison()->promptTokens() - 1;
    const std::int64_t begin = axis.stepsOfSlot(band.first).first + shift;
    const std::int64_t end = axis.stepsOfSlot(band.last).second + shift + 1;
    return {std::clamp<std::int64_t>(begin, 0, cells.columns()),
            std::clamp<std::int64_t>(end, 0, cells.columns())};
}

/// One row of bands from a byte for each column.
template <typename Join>
void poolLine(std::span<const std::uint8_t> line, std::int64_t lineStart,
              const std::vector<std::pair<std::int64_t, std::int64_t>>& columns,
              std::uint8_t nothing, std::span<std::uint8_t> out, Join join)
{
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto [begin, end] = columns[i];
        std::uint8_t value = begin < end ? std::uint8_t{0} : nothing;
        for (std::int64_t c = begin; c < end; ++c) {
            value = join(value, line[static_cast<std::size_t>(c - lineStart)]);
        }
        out[i] = value;
    }
}

/// Gives same-bits cells the divergence of a neighbour: the two lines beside them. [count]
void growLine(std::uint8_t* bits, std::uint8_t* levels, const std::uint8_t* before,
              const std::uint8_t* after, const std::uint8_t* levelsBefore,
              const std::uint8_t* levelsAfter, std::size_t count)
{
    if (levels != nullptr) {
        for (std::size_t i = 0; i < count; ++i) {
            const int near = (before[i] | after[i]) & kDivergent;
            const bool grown = near != 0 && (bits[i] & kDivergent) == 0;
            levels[i] = grown ? std::max(levelsBefore[i], levelsAfter[i]) : levels[i];
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const int near = (before[i] | after[i]) & kDivergent;
        bits[i] = static_cast<std::uint8_t>(bits[i] | ((bits[i] & kDivergent) == 0 ? near : 0));
    }
}

/// A line with its ends doubled, so that every cell has two neighbours. [count + 2]
void copyPadded(std::vector<std::uint8_t>& to, const std::uint8_t* from, std::size_t count)
{
    to.resize(count + 2);
    std::copy_n(from, count, to.begin() + 1);
    to.front() = from[0];
    to.back() = from[count - 1];
}

void growAlongSlots(PooledCells& pooled)
{
    const std::size_t count = pooled.slotBands.size();
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> levels(count + 2);
    for (std::size_t r = 0; r < pooled.rowBands.size(); ++r) {
        std::uint8_t* line = pooled.bits.data() + r * count;
        std::uint8_t* levelLine =
            pooled.levels.empty() ? nullptr : pooled.levels.data() + r * count;
        copyPadded(bits, line, count);
        if (levelLine != nullptr) {
            copyPadded(levels, levelLine, count);
        }
        growLine(line, levelLine, bits.data(), bits.data() + 2, levels.data(), levels.data() + 2,
                 count);
    }
}

void growAlongRows(PooledCells& pooled)
{
    const std::size_t count = pooled.slotBands.size();
    const std::size_t rows = pooled.rowBands.size();
    // The lines as they were: the one above, and the present one for the next.
    std::vector<std::uint8_t> above(pooled.bits.begin(), pooled.bits.begin() + count);
    std::vector<std::uint8_t> here(count);
    std::vector<std::uint8_t> levelsAbove(count);
    std::vector<std::uint8_t> levelsHere(count);
    for (std::size_t r = 0; r < rows; ++r) {
        std::uint8_t* line = pooled.bits.data() + r * count;
        std::uint8_t* levelLine =
            pooled.levels.empty() ? nullptr : pooled.levels.data() + r * count;
        const bool last = r + 1 == rows;
        std::copy_n(line, count, here.begin());
        if (levelLine != nullptr) {
            std::copy_n(levelLine, count, levelsHere.begin());
        }
        growLine(line, levelLine, above.data(), last ? here.data() : line + count,
                 levelsAbove.data(),
                 levelLine == nullptr || last ? levelsHere.data() : levelLine + count, count);
        above.swap(here);
        levelsAbove.swap(levelsHere);
    }
}

class CellPainter {
  public:
    CellPainter(const RasterRequest& request, const PooledCells& pooled, QImage& image)
        : m_request(request), m_pooled(pooled),
          m_unit(std::max(1, static_cast<int>(std::lround(request.unit)))), m_image(image)
    {
        const Theme& theme = *request.theme;
        m_window = theme.window.rgb();
        m_grid = theme.cellGrid.rgb();
        m_origin = theme.origin.rgb();
        m_hatch = theme.nonFinite.rgb();
        m_dot = theme.missing.rgb();
        m_same = theme.classOne.rgb();
        m_slotGap = request.pixelsPerSlot >= kGridFrom * request.unit ? m_unit : 0;
        m_rowGap = request.pixelsPerRow >= kGridFrom * request.unit ? m_unit : 0;
        const double smaller = std::min(request.pixelsPerSlot, request.pixelsPerRow) / request.unit;
        m_patterns = smaller >= kPatternFrom;
        m_hollow = smaller >= kHollowFrom;
        m_outline = smaller >= kThickOutlineFrom ? 2 * m_unit : m_unit;
        fillTables();
    }

    void paint()
    {
        const std::size_t columns = m_pooled.slotBands.size();
        int painted = 0; // lines from the top
        for (std::size_t r = 0; r < m_pooled.rowBands.size() && columns > 0; ++r) {
            paintRow(r, columns);
            painted = m_pooled.rowBands[r].end;
        }
        for (int y = painted; y < m_image.height(); ++y) {
            std::fill_n(line(y), m_image.width(), m_window);
        }
    }

  private:
    void fillTables()
    {
        const Theme& theme = *m_request.theme;
        for (std::size_t bits = 0; bits < m_fill.size(); ++bits) {
            const int classes = (bits & kManyClasses) != 0 ? 3 : (bits & kTwoClasses) != 0 ? 2 : 1;
            QColor fill = classFill(theme, classes);
            if ((bits & kOneClass) == 0) {
                fill = theme.window;
            } else if (classes == 1 && (bits & kPartial) != 0) {
                fill = m_hollow ? theme.window : blend(theme.window, theme.classOne, 0.55);
            }
            if ((bits & kNonFinite) != 0 && !m_patterns) {
                fill = theme.nonFinite;
            }
            m_fill[bits] = fill.rgb();
            m_special[bits] = (bits & kOneClass) == 0 ||
                              (m_patterns && (bits & (kNonFinite | kOrigin)) != 0) ||
                              (m_hollow && classes == 1 && (bits & kPartial) != 0);
        }
        for (std::size_t level = 0; level < m_levelFill.size(); ++level) {
            m_levelFill[level] =
                magnitudeColour(theme, m_request.range, static_cast<std::uint8_t>(level)).rgb();
        }
    }

    [[nodiscard]] QRgb fillOf(std::size_t index) const
    {
        const std::uint8_t bits = m_pooled.bits[index];
        const bool byLevel = !m_pooled.levels.empty() && (bits & kTwoClasses) != 0 &&
                             (m_patterns || (bits & kNonFinite) == 0);
        return byLevel ? m_levelFill[m_pooled.levels[index]] : m_fill[bits];
    }

    [[nodiscard]] QRgb* line(int y) { return reinterpret_cast<QRgb*>(m_image.scanLine(y)); }

    /// The first pixel line of a row; true when cells of it need patterns.
    bool fillLine(std::size_t r, QRgb* pixels) const
    {
        const std::size_t columns = m_pooled.slotBands.size();
        const std::size_t start = r * columns;
        const Band& last = m_pooled.slotBands.back();
        bool special = false;
        if (m_request.pixelsPerSlot < 1.0) { // a band a pixel
            for (std::size_t c = 0; c < columns; ++c) {
                pixels[c] = fillOf(start + c);
                special = special || m_special[m_pooled.bits[start + c]];
            }
        } else {
            for (std::size_t c = 0; c < columns; ++c) {
                const Band& band = m_pooled.slotBands[c];
                const int end = std::max(band.begin + 1, band.end - m_slotGap);
                std::fill(pixels + band.begin, pixels + end, fillOf(start + c));
                std::fill(pixels + end, pixels + band.end, m_grid);
                special = special || m_special[m_pooled.bits[start + c]];
            }
        }
        std::fill(pixels + last.end, pixels + m_image.width(), m_window);
        return special;
    }

    void paintRow(std::size_t r, std::size_t columns)
    {
        const Band& rows = m_pooled.rowBands[r];
        QRgb* first = line(rows.begin);
        const bool special = fillLine(r, first);
        const int end = std::max(rows.begin + 1, rows.end - m_rowGap);
        const auto bytes = static_cast<std::size_t>(m_image.width()) * sizeof(QRgb);
        for (int y = rows.begin + 1; y < end; ++y) {
            std::memcpy(line(y), first, bytes);
        }
        for (int y = end; y < rows.end; ++y) {
            std::fill_n(line(y), m_image.width(), m_grid);
        }
        for (std::size_t c = 0; special && c < columns; ++c) {
            const std::uint8_t bits = m_pooled.bits[r * columns + c];
            if (m_special[bits]) {
                const Band& band = m_pooled.slotBands[c];
                paintPattern(bits, band.begin, std::max(band.begin + 1, band.end - m_slotGap),
                             rows.begin, end);
            }
        }
    }

    void paintPattern(std::uint8_t bits, int x0, int x1, int y0, int y1)
    {
        if ((bits & kOneClass) == 0) { // the lattice is the image's, so that cells join up
            for (int y = y0; y < y1; ++y) {
                for (int x = x0; (y / m_unit) % 4 == 1 && x < x1; ++x) {
                    if ((x / m_unit) % 4 == 1) {
                        line(y)[x] = m_dot;
                    }
                }
            }
            return;
        }
        if (m_hollow && (bits & (kPartial | kTwoClasses)) == kPartial) {
            frame(x0, x1, y0, y1, m_unit, m_same);
        }
        if (m_patterns && (bits & kNonFinite) != 0) {
            for (int y = y0; y < y1; ++y) {
                for (int x = x0; x < x1; ++x) {
                    const int phase = ((x + y) / m_unit) % 6;
                    if (phase < 4) { // red between two lines of background: clear on any fill
                        line(y)[x] = phase == 1 || phase == 2 ? m_hatch : m_window;
                    }
                }
            }
        }
        if (m_patterns && (bits & kOrigin) != 0) {
            frame(x0, x1, y0, y1, m_outline, m_origin);
        }
    }

    void frame(int x0, int x1, int y0, int y1, int width, QRgb colour)
    {
        for (int y = y0; y < y1; ++y) {
            if (y < y0 + width || y >= y1 - width) {
                std::fill(line(y) + x0, line(y) + x1, colour);
            } else {
                std::fill(line(y) + x0, line(y) + std::min(x0 + width, x1), colour);
                std::fill(line(y) + std::max(x1 - width, x0), line(y) + x1, colour);
            }
        }
    }

    const RasterRequest& m_request;
    const PooledCells& m_pooled;
    int m_unit = 1;
    QImage& m_image;
    QRgb m_window = 0, m_grid = 0, m_origin = 0, m_hatch = 0, m_dot = 0, m_same = 0;
    int m_slotGap = 0, m_rowGap = 0, m_outline = 1;
    bool m_patterns = false; // cells are large enough for patterns
    bool m_hollow = false;
    std::array<QRgb, 256> m_fill{};
    std::array<bool, 256> m_special{};
    std::array<QRgb, 256> m_levelFill{};
};

} // namespace

std::vector<Band> makeBands(double firstUnit, double pixelsPerUnit, int pixels, std::int64_t units)
{
    std::vector<Band> bands;
    if (units <= 0 || pixels <= 0) {
        return bands;
    }
    if (pixelsPerUnit >= 1.0) {
        const auto edge = [&](std::int64_t unit) {
            const double x = (static_cast<double>(unit) - firstUnit) * pixelsPerUnit;
            return static_cast<int>(std::lround(std::clamp<double>(x, 0.0, pixels)));
        };
        const auto start = static_cast<std::int64_t>(std::floor(std::max(firstUnit, 0.0)));
        for (std::int64_t unit = start; unit < units && edge(unit) < pixels; ++unit) {
            if (edge(unit + 1) > edge(unit)) {
                bands.push_back({edge(unit), edge(unit + 1), unit, unit});
            }
        }
        return bands;
    }
    for (int p = 0; p < pixels; ++p) {
        const double from = firstUnit + p / pixelsPerUnit;
        const double to = firstUnit + (p + 1) / pixelsPerUnit;
        const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(from)), 0);
        const auto last =
            std::min<std::int64_t>(static_cast<std::int64_t>(std::ceil(to)) - 1, units - 1);
        if (first <= last) {
            bands.push_back({p, p + 1, first, last});
        }
    }
    return bands;
}

void poolCells(const RasterRequest& request, PooledCells& pooled)
{
    const CellMap& cells = *request.cells;
    pooled.rowBands.clear();
    pooled.slotBands.clear();
    pooled.bits.clear();
    pooled.levels.clear();
    if (cells.comparison() == nullptr) {
        return;
    }
    pooled.rowBands = makeBands(request.firstRow, request.pixelsPerRow, request.pixels.height(),
                                request.rows->rowCount());
    pooled.slotBands = makeBands(request.firstSlot, request.pixelsPerSlot, request.pixels.width(),
                                 request.axis->slotCount());
    const std::size_t columns = pooled.slotBands.size();
    const bool levels = request.mode == ColourMode::Magnitude;
    pooled.bits.resize(pooled.rowBands.size() * columns);
    pooled.levels.resize(levels ? pooled.bits.size() : 0);
    if (pooled.bits.empty()) {
        return;
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    std::int64_t begin = cells.columns();
    std::int64_t end = 0;
    for (const Band& band : pooled.slotBands) {
        ranges.push_back(columnsOf(band, *request.axis, cells));
        if (ranges.back().first < ranges.back().second) {
            begin = std::min(begin, ranges.back().first);
            end = std::max(end, ranges.back().second);
        }
    }
    const auto start = static_cast<std::size_t>(std::min(begin, end));
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(end - begin, 0));
    std::vector<std::uint8_t> line(count);
    std::vector<std::uint8_t> levelLine(levels ? count : 0);
    for (std::size_t r = 0; r < pooled.rowBands.size(); ++r) {
        std::fill(line.begin(), line.end(), std::uint8_t{0});
        std::fill(levelLine.begin(), levelLine.end(), std::uint8_t{0});
        const Band& band = pooled.rowBands[r];
        for (std::int64_t row = band.first; row <= band.last; ++row) {
            for (const OpRange& opRange : request.rows->ranges(static_cast<int>(row))) {
                for (int op = opRange.first; op <= opRange.last; ++op) {
                    poolOr(line, cells.bits(op).subspan(start, count));
                    if (levels) {
                        poolMax(levelLine, cells.levels(op).subspan(start, count));
                    }
                }
            }
        }
        const auto from = static_cast<std::int64_t>(start);
        poolLine(line, from, ranges, kMissing, std::span(pooled.bits).subspan(r * columns, columns),
                 [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | b); });
        if (levels) {
            poolLine(levelLine, from, ranges, 0,
                     std::span(pooled.levels).subspan(r * columns, columns),
                     [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
        }
    }
    if (request.pixelsPerSlot < kSmallestMark * request.unit) {
        growAlongSlots(pooled);
    }
    if (request.pixelsPerRow < kSmallestMark * request.unit) {
        growAlongRows(pooled);
    }
}

void paintCells(const RasterRequest& request, const PooledCells& pooled, QImage& image)
{
    if (image.size() != request.pixels || image.format() != QImage::Format_RGB32) {
        image = QImage(request.pixels, QImage::Format_RGB32);
    }
    image.setDevicePixelRatio(request.unit);
    CellPainter(request, pooled, image).paint();
}

void renderCells(const RasterRequest& request, Raster& raster)
{
    poolCells(request, raster.pooled);
    paintCells(request, raster.pooled, raster.image);
}

QColor magnitudeColour(const Theme& theme, const MagnitudeRange& range, std::uint8_t level)
{
    if (level < magnitude::kLowest) {
        return theme.textFaded;
    }
    const double span = std::max(range.highLog - range.lowLog, 1e-9);
    return cividis((magnitude::log10OfLevel(level) - range.lowLog) / span);
}

} // namespace ulp::views
