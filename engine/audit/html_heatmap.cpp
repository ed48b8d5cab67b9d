// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/html_heatmap.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/audit/format.h"
#include "engine/audit/html_axis.h"

namespace ulp::audit::html {
namespace {

using compare::Comparison;

/// What a block shows; later states win over earlier ones.
enum State : std::uint8_t { NotRecorded, Same, Two, Many, NonFinite, StateCount };
constexpr std::array<const char*, StateCount> kPaint{
    "fill=\"url(#dots)\"", "class=\"c1\"", "class=\"c2\"", "class=\"c3\"", "fill=\"url(#hatch)\""};

struct Row {
    Range ops;
    std::string label;
    bool startsGroup = false; // first row of a layer
    std::string groupLabel;
};

struct Block {
    State state = NotRecorded;
    bool origin = false;
};

constexpr std::int64_t kTop = 34; // room for step numbers and the mark of the first divergence
constexpr std::int64_t kMaximumRows = 600;
constexpr std::int64_t kMaximumOutlines = 4000;

Block worst(const Comparison& comparison, Range columns, Range ops)
{
    Block block;
    for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        for (std::int64_t op = ops.begin; op < ops.end; ++op) {
            const auto cell = comparison.cell(column, op);
            State state = cell.classes == 0   ? NotRecorded
                          : cell.classes == 1 ? Same
                          : cell.classes == 2 ? Two
                                              : Many;
            if ((cell.flags & compare::HasNonFinite) != 0) {
                state = NonFinite;
            }
            block.state = std::max(block.state, state);
            block.origin |= (cell.flags & compare::Origin) != 0;
        }
    }
    return block;
}

std::vector<Row> rowsByLayer(const Comparison& comparison)
{
    std::vector<Row> rows;
    const auto& ops = comparison.snapshot().ops;
    for (std::int64_t op = 0; op < comparison.ops();) {
        const auto& info = ops[static_cast<std::size_t>(op)];
        std::int64_t end = op + 1;
        while (info.layer >= 0 && end < comparison.ops() &&
               ops[static_cast<std::size_t>(end)].layer == info.layer) {
            ++end;
        }
        const bool layer = info.layer >= 0;
        rows.push_back(
            {{op, end}, layer ? "layer " + std::to_string(info.layer) : info.name, false, {}});
        op = end;
    }
    return rows;
}

std::vector<Row> rowsByOp(const Comparison& comparison)
{
    const Blocks blocks(comparison.ops(), kMaximumRows);
    const auto& ops = comparison.snapshot().ops;
    std::vector<Row> rows;
    int layer = -2;
    for (std::int64_t i = 0; i < blocks.count(); ++i) {
        Row row{blocks.range(i), {}, false, {}};
        const auto& info = ops[static_cast<std::size_t>(row.ops.begin)];
        row.label = info.name;
        row.startsGroup = info.layer != layer;
        row.groupLabel = info.layer >= 0 ? "layer " + std::to_string(info.layer) : info.name;
        layer = info.layer;
        rows.push_back(std::move(row));
    }
    return rows;
}

class Drawing {
  public:
    Drawing(const Comparison& comparison, std::vector<Row> rows, bool opRows)
        : m_comparison(comparison), m_axis(comparison), m_rows(std::move(rows)), m_opRows(opRows),
          m_rowHeight(rowHeight())
    {
    }

    std::string svg()
    {
        paintRows();
        const std::int64_t bottom = y(static_cast<std::int64_t>(m_rows.size()));
        std::string out = "<div class=\"scroll\"><svg role=\"img\" aria-label=\"Divergence map: "
                          "ops down, steps across\"" +
                          attribute("width", std::max<std::int64_t>(m_axis.right() + 2, 520)) +
                          attribute("height", bottom + 4) + ">" + kDefinitions;
        out += m_axis.ticks(m_comparison, kTop - 8);
        for (std::size_t state = 0; state < StateCount; ++state) {
            if (!m_paths[state].empty()) {
                out += std::string("<path ") + kPaint[state] + " d=\"" + m_paths[state] + "\"/>";
            }
        }
        out += gridlines(bottom) + labels() + splitLine(bottom) + m_outlines + marks(bottom);
        return out + "</svg></div>";
    }

  private:
    static constexpr const char* kDefinitions =
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" class=\"hatchback\"/>"
        "<path d=\"M2 0v6\" class=\"hatch\"/></pattern>"
        "<pattern id=\"dots\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"5\" height=\"5\" class=\"blank\"/>"
        "<circle cx=\"2\" cy=\"2\" r=\".8\" class=\"dot\"/></pattern></defs>";

    [[nodiscard]] std::int64_t rowHeight() const
    {
        const auto count = static_cast<std::int64_t>(m_rows.size());
        return m_opRows ? std::clamp<std::int64_t>(720 / std::max<std::int64_t>(1, count), 3, 11)
                        : 14;
    }
    [[nodiscard]] std::int64_t y(std::int64_t row) const { return kTop + row * m_rowHeight; }

    void paintRows()
    {
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            std::int64_t start = 0;
            Block previous;
            for (std::int64_t b = 0; b <= m_axis.blocks(); ++b) {
                const bool end = b == m_axis.blocks();
                const Block block =
                    end ? Block() : worst(m_comparison, m_axis.columns(b), m_rows[r].ops);
                const bool cut = end || b == m_axis.promptBlocks() || block.state != previous.state;
                if (b > 0 && cut) {
                    append(previous.state, start, b, static_cast<std::int64_t>(r));
                }
                if (b == 0 || cut) {
                    start = b;
                }
                if (!end && block.origin) {
                    outline(b, static_cast<std::int64_t>(r));
                }
                previous = block;
            }
        }
    }

    void append(State state, std::int64_t from, std::int64_t to, std::int64_t row)
    {
        const std::int64_t width = (to - from) * m_axis.blockWidth();
        m_paths[state] += "M" + std::to_string(m_axis.x(from)) + " " + std::to_string(y(row)) +
                          "h" + std::to_string(width) + "v" + std::to_string(m_rowHeight) + "h-" +
                          std::to_string(width) + "z";
    }

    void outline(std::int64_t block, std::int64_t row)
    {
        if (++m_outlineCount <= kMaximumOutlines) {
            m_outlines += "<rect class=\"origin\"" + attribute("x", m_axis.x(block)) +
                          attribute("y", y(row)) + attribute("width", m_axis.blockWidth()) +
                          attribute("height", m_rowHeight) + "/>";
        }
    }

    /// Thin lines between blocks, where these are large enough to be told apart.
    [[nodiscard]] std::string gridlines(std::int64_t bottom) const
    {
        std::string d;
        if (m_axis.blockWidth() >= 6) {
            for (std::int64_t b = 0; b <= m_axis.blocks(); ++b) {
                d += "M" + std::to_string(m_axis.x(b)) + " " + std::to_string(kTop) + "V" +
                     std::to_string(bottom);
            }
        }
        if (m_rowHeight >= 6) {
            for (std::size_t r = 0; r <= m_rows.size(); ++r) {
                d += "M" + std::to_string(m_axis.x(0)) + " " +
                     std::to_string(y(static_cast<std::int64_t>(r))) + "H" +
                     std::to_string(m_axis.right());
            }
        }
        return d.empty() ? d : "<path class=\"gridline\" d=\"" + d + "\"/>";
    }

    [[nodiscard]] std::string labels() const
    {
        std::string out;
        std::int64_t free = 0; // no label above this line
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            const auto& row = m_rows[r];
            const std::int64_t base = y(static_cast<std::int64_t>(r)) + m_rowHeight / 2 + 4;
            const bool everyRow = m_rowHeight >= 8;
            if (!everyRow && (!row.startsGroup || base - 10 < free)) {
                continue;
            }
            out += svgText(StepAxis::kGutter - 8, m_rowHeight < 11 && everyRow ? base - 1 : base,
                           everyRow ? row.label : row.groupLabel,
                           m_rowHeight < 11 && everyRow ? "small" : "", "end");
            free = base;
        }
        return out;
    }

    [[nodiscard]] std::string splitLine(std::int64_t bottom) const
    {
        if (m_axis.promptBlocks() == 0) {
            return {};
        }
        const std::int64_t x = m_axis.x(m_axis.promptBlocks()) - 3;
        return "<path class=\"split\" d=\"M" + std::to_string(x) + ".5 " +
               std::to_string(kTop - 4) + "V" + std::to_string(bottom) + "\"/>";
    }

    /// A triangle over the column of the first divergence, a dashed line where tokens part.
    [[nodiscard]] std::string marks(std::int64_t bottom) const
    {
        std::string out;
        if (const auto& first = m_comparison.first()) {
            const std::int64_t x =
                m_axis.x(m_axis.blockOf(first->column)) + m_axis.blockWidth() / 2;
            out += "<path class=\"mark\" d=\"M" + std::to_string(x - 5) + " " +
                   std::to_string(kTop - 6) + "h10l-5 6z\"/>";
            const bool right = x > m_axis.right() - 160;
            out += svgText(right ? x + 5 : x - 5, 11, "bits part here", "strong",
                           right ? "end" : "start");
        }
        if (const auto& token = m_comparison.firstToken()) {
            const std::int64_t x = m_axis.x(m_axis.blockOf(token->column));
            out += "<path class=\"markline\" d=\"M" + std::to_string(x) + " " +
                   std::to_string(kTop - 6) + "V" + std::to_string(bottom) + "\"/>";
            const auto& first = m_comparison.first();
            const bool crowded =
                first && std::abs(m_axis.x(m_axis.blockOf(first->column)) - x) < 110;
            const bool right = x > m_axis.right() - 110;
            if (!crowded) {
                out += svgText(x, 11, "tokens part", "strong", right ? "end" : "start");
            }
        }
        return out;
    }

    const Comparison& m_comparison;
    StepAxis m_axis;
    std::vector<Row> m_rows;
    bool m_opRows;
    std::int64_t m_rowHeight;
    std::array<std::string, StateCount> m_paths;
    std::string m_outlines;
    std::int64_t m_outlineCount = 0;
};

std::string legendItem(const char* paint, const std::string& text)
{
    return std::string("<li><svg width=\"14\" height=\"14\"><rect width=\"14\" height=\"14\" "
                       "rx=\"2\" ") +
           paint + "/></svg>" + htmlEscape(text) + "</li>";
}

} // namespace

std::string heatmapByLayer(const Comparison& comparison)
{
    return Drawing(comparison, rowsByLayer(comparison), false).svg();
}

std::string heatmapByOp(const Comparison& comparison)
{
    return Drawing(comparison, rowsByOp(comparison), true).svg();
}

std::string heatmapLegend(const Comparison& comparison)
{
    std::string out = "<ul class=\"legend\">";
    out += legendItem(kPaint[Same], "one class: same bits");
    out += legendItem(kPaint[Two], "two classes");
    out += legendItem(kPaint[Many], "three or more");
    out += "<li><svg width=\"14\" height=\"14\"><rect x=\"1\" y=\"1\" width=\"12\" height=\"12\" "
           "class=\"origin\"/></svg>origin: output differs, inputs equal</li>";
    out += legendItem(kPaint[NonFinite], "NaN or infinity");
    out += legendItem(kPaint[NotRecorded], "not recorded");
    const StepAxis axis(comparison);
    if (axis.columnsPerBlock() > 1) {
        out += "<li>one block is " + std::to_string(axis.columnsPerBlock()) +
               " steps and shows the worst of them</li>";
    }
    return out + "</ul>";
}

} // namespace ulp::audit::html
