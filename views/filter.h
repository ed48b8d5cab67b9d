// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter language of the inspector. Words are ANDed: `layer 2..5`, `step 10..40`, an op name,
// part of one, or a glob (`ffn_*`), `diverged`, `origin`, `nan`, `ulp>8`; a leading minus excludes.
// A filter is a value: parse, apply to a comparison, get the rows and columns to show and the count
// of divergent cells left outside, which is never zeroed. Thread-safety: pure functions. Ownership:
// by value.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "engine/base/op_info.h"
#include "engine/compare/comparison.h"

namespace ulp::views {

struct FilterTerm {
    enum class Kind : std::uint8_t { Op, Layer, Step, Diverged, Origin, NonFinite, Ulp };
    enum class Relation : std::uint8_t { Less, LessEqual, Equal, GreaterEqual, Greater };
    Kind kind = Kind::Op;
    bool negated = false;
    std::string pattern;                                         // Op
    std::int64_t low = std::numeric_limits<std::int64_t>::min(); // Layer, Step: inclusive
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
    Relation relation = Relation::Greater; // Ulp
    std::uint32_t ulp = 0;
    qsizetype start = 0; // where the term stands in the text
    qsizetype length = 0;
    QString source; // as written, for the breadcrumb
};

struct Filter {
    std::vector<FilterTerm> terms;
    [[nodiscard]] bool empty() const { return terms.empty(); }
};

struct FilterError {
    qsizetype start = 0;
    qsizetype length = 0;
    QString message;
};

struct FilterParse {
    Filter filter; // the terms before the error, if there is one
    std::optional<FilterError> error;
};

/// With `ops`, a name that matches no op is an error too; without, any name is accepted.
[[nodiscard]] FilterParse parseFilter(const QString& text,
                                      const std::vector<OpInfo>* ops = nullptr);

/// What a filter leaves of one comparison.
struct FilterOutcome {
    std::vector<bool> ops;        // by op: is the row shown?
    std::int64_t firstColumn = 0; // columns shown, inclusive; empty when last < first
    std::int64_t lastColumn = -1;
    std::int64_t matching = 0;         // cells that satisfy every term
    std::int64_t divergentOutside = 0; // divergent cells that do not
};
[[nodiscard]] FilterOutcome applyFilter(const Filter& filter,
                                        const compare::Comparison& comparison);

/// Words that may stand at the cursor, the most likely first.
[[nodiscard]] QStringList filterCompletions(const QString& text, qsizetype cursor,
                                            const std::vector<OpInfo>& ops);
/// The text without its last term; for Esc.
[[nodiscard]] QString withoutLastTerm(const QString& text);

} // namespace ulp::views
