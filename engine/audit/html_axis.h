// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The step axis that the drawings of the HTML report share: prompt columns, a gap, then steps, in
// whole pixels, several columns to a pixel block when there are many. Thread-safety: immutable.
// Ownership: a value.
#pragma once

#include <cstdint>
#include <string>

#include "engine/compare/comparison.h"

namespace ulp::audit::html {

/// A half-open range of columns or ops drawn as one block.
struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// `count` items cut into at most `maximum` blocks of equal size.
class Blocks {
  public:
    Blocks(std::int64_t count, std::int64_t maximum);
    [[nodiscard]] std::int64_t count() const { return m_blocks; }
    [[nodiscard]] std::int64_t itemsPerBlock() const { return m_per; }
    [[nodiscard]] Range range(std::int64_t block) const;
    [[nodiscard]] std::int64_t blockOf(std::int64_t item) const { return item / m_per; }

  private:
    std::int64_t m_count;
    std::int64_t m_per;
    std::int64_t m_blocks;
};

class StepAxis {
  public:
    explicit StepAxis(const compare::Comparison& comparison);

    static constexpr std::int64_t kGutter = 118; // room for row labels
    [[nodiscard]] std::int64_t blockWidth() const { return m_blockWidth; }
    [[nodiscard]] std::int64_t blocks() const { return m_prompt.count() + m_steps.count(); }
    [[nodiscard]] std::int64_t promptBlocks() const { return m_prompt.count(); }
    [[nodiscard]] std::int64_t columnsPerBlock() const { return m_steps.itemsPerBlock(); }
    /// The columns of a block; prompt blocks come first.
    [[nodiscard]] Range columns(std::int64_t block) const;
    [[nodiscard]] std::int64_t blockOf(std::int64_t column) const;
    [[nodiscard]] std::int64_t x(std::int64_t block) const;
    [[nodiscard]] std::int64_t right() const; // the end of the last block
    /// Step numbers under or over the drawing.
    [[nodiscard]] std::string ticks(const compare::Comparison& comparison, std::int64_t y) const;

  private:
    std::int64_t m_promptColumns;
    Blocks m_prompt;
    Blocks m_steps;
    std::int64_t m_blockWidth;
};

/// Attribute helper: ` name="value"`.
[[nodiscard]] std::string attribute(const char* name, std::int64_t value);
/// `<text x y class>text</text>`, escaped.
[[nodiscard]] std::string svgText(std::int64_t x, std::int64_t y, const std::string& text,
                                  const char* cssClass, const char* anchor = "start");

} // namespace ulp::audit::html
