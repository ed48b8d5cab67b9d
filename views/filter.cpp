// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter.h"

#include <algorithm>
#include <array>
#include <set>

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/base/settings.h"

namespace ulp::views {
namespace {

struct Word {
    qsizetype start = 0;
    QString text;
};

struct FilterText {
    Q_DECLARE_TR_FUNCTIONS(Filter)
};

std::vector<Word> wordsOf(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("\\S+"));
    std::vector<Word> words;
    auto it = word.globalMatch(text);
    while (it.hasNext()) {
        const QRegularExpressionMatch match = it.next();
        words.push_back({match.capturedStart(), match.captured()});
    }
    return words;
}

bool hasGlob(const std::string& pattern)
{
    return pattern.find_first_of("*?") != std::string::npos;
}

/// A name without wildcards means "contains", so that `attn` finds `attn_norm` and `attn_out-3`.
bool opMatches(const OpInfo& op, const std::string& pattern)
{
    if (hasGlob(pattern)) {
        return globMatch(pattern, op.name) || globMatch(pattern, op.base);
    }
    return op.kind == pattern || op.name.find(pattern) != std::string::npos;
}

/// `3`, `2..5`, `2..`, `..5`, with signs.
bool parseRange(const QString& text, FilterTerm* term)
{
    static const QRegularExpression range(QStringLiteral("^(-?\\d{1,9})?(\\.\\.)?(-?\\d{1,9})?$"));
    const QRegularExpressionMatch match = range.match(text);
    if (!match.hasMatch() || text.isEmpty()) {
        return false;
    }
    const QString low = match.captured(1);
    const QString high = match.captured(3);
    const bool dots = !match.captured(2).isEmpty();
    if ((!dots && !high.isEmpty()) || (low.isEmpty() && high.isEmpty())) {
        return false;
    }
    if (!low.isEmpty()) {
        term->low = low.toLongLong();
    }
    if (!high.isEmpty()) {
        term->high = high.toLongLong();
    } else if (!dots) {
        term->high = term->low;
    }
    return term->low <= term->high;
}

std::optional<FilterTerm::Relation> relationOf(const QString& sign)
{
    if (sign == QLatin1String("<")) {
        return FilterTerm::Relation::Less;
    }
    if (sign == QLatin1String("<=")) {
        return FilterTerm::Relation::LessEqual;
    }
    if (sign == QLatin1String("=")) {
        return FilterTerm::Relation::Equal;
    }
    if (sign == QLatin1String(">=")) {
        return FilterTerm::Relation::GreaterEqual;
    }
    if (sign == QLatin1String(">")) {
        return FilterTerm::Relation::Greater;
    }
    return std::nullopt;
}

bool parseUlp(const QString& text, FilterTerm* term)
{
    static const QRegularExpression ulp(QStringLiteral("^ulp(<=|>=|<|>|=)(\\d+)$"));
    const QRegularExpressionMatch match = ulp.match(text);
    const auto relation = relationOf(match.captured(1));
    bool fits = false;
    const uint value = match.captured(2).toUInt(&fits);
    if (!match.hasMatch() || !relation || !fits) {
        return false;
    }
    term->relation = *relation;
    term->ulp = value;
    return true;
}

bool compareUlp(const FilterTerm& term, std::uint32_t value)
{
    switch (term.relation) {
    case FilterTerm::Relation::Less:
        return value < term.ulp;
    case FilterTerm::Relation::LessEqual:
        return value <= term.ulp;
    case FilterTerm::Relation::Equal:
        return value == term.ulp;
    case FilterTerm::Relation::GreaterEqual:
        return value >= term.ulp;
    case FilterTerm::Relation::Greater:
        return value > term.ulp;
    }
    return false;
}

/// Reads words one after another; `layer` and `step` take the word behind them along.
class Parser {
  public:
    Parser(const QString& text, const std::vector<OpInfo>* ops)
        : m_text(text), m_words(wordsOf(text)), m_ops(ops)
    {
    }

    FilterParse parse()
    {
        FilterParse result;
        while (m_next < m_words.size() && !m_error) {
            if (auto term = readTerm()) {
                result.filter.terms.push_back(std::move(*term));
            }
        }
        result.error = m_error;
        return result;
    }

  private:
    std::optional<FilterTerm> readTerm()
    {
        const Word& first = m_words[m_next++];
        FilterTerm term;
        term.start = first.start;
        QString body = first.text;
        if (body.startsWith(QLatin1Char('-'))) {
            term.negated = true;
            body.remove(0, 1);
        }
        if (body.isEmpty()) {
            return fail(first, FilterText::tr("a minus needs a word behind it"));
        }
        qsizetype end = first.start + first.text.size();
        if (body == QLatin1String("layer") || body == QLatin1String("step")) {
            if (!readRange(body, &term, &end)) {
                return std::nullopt;
            }
        } else if (!readWord(first, body, &term)) {
            return std::nullopt;
        }
        term.length = end - term.start;
        term.source = m_text.mid(term.start, term.length);
        return term;
    }

    bool readRange(const QString& keyword, FilterTerm* term, qsizetype* end)
    {
        const Word& word = m_words[m_next - 1];
        if (m_next == m_words.size()) {
            fail(word, FilterText::tr("%1 needs a number or a range such as 2..5").arg(keyword));
            return false;
        }
        const Word& range = m_words[m_next++];
        term->kind =
            keyword == QLatin1String("layer") ? FilterTerm::Kind::Layer : FilterTerm::Kind::Step;
        if (!parseRange(range.text, term)) {
            fail(range,
                 FilterText::tr("“%1” is no range; write 3, 2..5, 2.. or ..5").arg(range.text));
            return false;
        }
        *end = range.start + range.text.size();
        return true;
    }

    bool readWord(const Word& word, const QString& body, FilterTerm* term)
    {
        if (body == QLatin1String("diverged")) {
            term->kind = FilterTerm::Kind::Diverged;
        } else if (body == QLatin1String("origin")) {
            term->kind = FilterTerm::Kind::Origin;
        } else if (body == QLatin1String("nan")) {
            term->kind = FilterTerm::Kind::NonFinite;
        } else if (body.startsWith(QLatin1String("ulp")) &&
                   (body.size() == 3 || QStringLiteral("<>=").contains(body.at(3)))) {
            term->kind = FilterTerm::Kind::Ulp;
            if (!parseUlp(body, term)) {
                fail(word, FilterText::tr("write ulp>8, ulp>=8, ulp=1, ulp<8 or ulp<=8"));
                return false;
            }
        } else {
            return readOp(word, body, term);
        }
        return true;
    }

    bool readOp(const Word& word, const QString& body, FilterTerm* term)
    {
        term->kind = FilterTerm::Kind::Op;
        term->pattern = body.toStdString();
        if (m_ops != nullptr && !m_ops->empty() &&
            std::none_of(m_ops->begin(), m_ops->end(),
                         [term](const OpInfo& op) { return opMatches(op, term->pattern); })) {
            fail(word, FilterText::tr("no op is called “%1”").arg(body));
            return false;
        }
        return true;
    }

    std::optional<FilterTerm> fail(const Word& word, const QString& message)
    {
        m_error = FilterError{word.start, word.text.size(), message};
        return std::nullopt;
    }

    QString m_text;
    std::vector<Word> m_words;
    const std::vector<OpInfo>* m_ops;
    std::size_t m_next = 0;
    std::optional<FilterError> m_error;
};

/// A filter made ready for one comparison: rows as a mask, columns as a range, the rest per cell.
class Applied {
  public:
    Applied(const Filter& filter, const compare::Comparison& comparison)
        : m_filter(filter), m_comparison(comparison)
    {
        const auto& ops = comparison.snapshot().ops;
        m_rows.assign(static_cast<std::size_t>(comparison.ops()), true);
        for (std::size_t op = 0; op < m_rows.size() && op < ops.size(); ++op) {
            m_rows[op] = rowMatches(ops[op]);
        }
        m_needsUlp = std::any_of(filter.terms.begin(), filter.terms.end(), [](const FilterTerm& t) {
            return t.kind == FilterTerm::Kind::Ulp;
        });
        m_needsCells = std::any_of(filter.terms.begin(), filter.terms.end(),
                                   [](const FilterTerm& t) { return perCell(t); });
    }

    FilterOutcome outcome()
    {
        FilterOutcome result;
        result.ops.assign(m_rows.size(), !m_needsCells);
        result.firstColumn = m_comparison.columns();
        for (std::int64_t column = 0; column < m_comparison.columns(); ++column) {
            const bool inside = columnMatches(column);
            if (inside) {
                result.firstColumn = std::min(result.firstColumn, column);
                result.lastColumn = column;
                if (m_needsUlp) {
                    loadUlps(column);
                }
            }
            scanColumn(column, inside, &result);
        }
        for (std::size_t op = 0; op < m_rows.size(); ++op) {
            result.ops[op] = result.ops[op] && m_rows[op];
        }
        return result;
    }

  private:
    static bool perCell(const FilterTerm& term)
    {
        return term.kind == FilterTerm::Kind::Diverged || term.kind == FilterTerm::Kind::Origin ||
               term.kind == FilterTerm::Kind::NonFinite || term.kind == FilterTerm::Kind::Ulp;
    }

    bool rowMatches(const OpInfo& op) const
    {
        return std::all_of(m_filter.terms.begin(), m_filter.terms.end(),
                           [&op](const FilterTerm& term) {
                               if (term.kind == FilterTerm::Kind::Op) {
                                   return opMatches(op, term.pattern) != term.negated;
                               }
                               if (term.kind == FilterTerm::Kind::Layer) {
                                   return (op.layer >= 0 && op.layer >= term.low &&
                                           op.layer <= term.high) != term.negated;
                               }
                               return true;
                           });
    }

    bool columnMatches(std::int64_t column) const
    {
        const std::int64_t step = m_comparison.stepOf(column);
        return std::all_of(m_filter.terms.begin(), m_filter.terms.end(),
                           [step](const FilterTerm& term) {
                               return term.kind != FilterTerm::Kind::Step ||
                                      (step >= term.low && step <= term.high) != term.negated;
                           });
    }

    void loadUlps(std::int64_t column)
    {
        m_ulps.assign(m_rows.size(), 0);
        const auto& runs = m_comparison.snapshot().runs;
        for (const int run : m_comparison.runs()) {
            const auto columns = runs[static_cast<std::size_t>(run)]->columns();
            if (static_cast<std::size_t>(column) >= columns.size()) {
                continue;
            }
            for (const trace::Magnitude& m : columns[static_cast<std::size_t>(column)].magnitudes) {
                auto& best = m_ulps[static_cast<std::size_t>(m.op)];
                best = std::max(best, m.maxUlp);
            }
        }
    }

    bool cellMatches(compare::CellState state, std::size_t op) const
    {
        return std::all_of(
            m_filter.terms.begin(), m_filter.terms.end(), [&](const FilterTerm& term) {
                switch (term.kind) {
                case FilterTerm::Kind::Diverged:
                    return (state.classes > 1) != term.negated;
                case FilterTerm::Kind::Origin:
                    return ((state.flags & compare::Origin) != 0) != term.negated;
                case FilterTerm::Kind::NonFinite:
                    return ((state.flags & compare::HasNonFinite) != 0) != term.negated;
                case FilterTerm::Kind::Ulp:
                    return (state.classes > 0 && compareUlp(term, m_ulps[op])) != term.negated;
                default:
                    return true;
                }
            });
    }

    void scanColumn(std::int64_t column, bool inside, FilterOutcome* result) const
    {
        for (std::size_t op = 0; op < m_rows.size(); ++op) {
            const auto state = m_comparison.cell(column, static_cast<std::int64_t>(op));
            const bool matches = inside && m_rows[op] && (!m_needsCells || cellMatches(state, op));
            if (matches) {
                ++result->matching;
                result->ops[op] = true;
            } else if (state.classes > 1) {
                ++result->divergentOutside;
            }
        }
    }

    const Filter& m_filter;
    const compare::Comparison& m_comparison;
    std::vector<bool> m_rows;
    std::vector<std::uint32_t> m_ulps;
    bool m_needsUlp = false;
    bool m_needsCells = false;
};

} // namespace

FilterParse parseFilter(const QString& text, const std::vector<OpInfo>* ops)
{
    return Parser(text, ops).parse();
}

FilterOutcome applyFilter(const Filter& filter, const compare::Comparison& comparison)
{
    return Applied(filter, comparison).outcome();
}

QStringList filterCompletions(const QString& text, qsizetype cursor, const std::vector<OpInfo>& ops)
{
    const qsizetype begin = text.lastIndexOf(QLatin1Char(' '), std::max<qsizetype>(cursor - 1, 0));
    QString stem = text.mid(begin + 1, cursor - begin - 1);
    if (cursor == 0) {
        stem.clear();
    }
    const QString sign = stem.startsWith(QLatin1Char('-')) ? QStringLiteral("-") : QString();
    stem.remove(0, sign.size());
    QStringList words = {QStringLiteral("diverged"), QStringLiteral("origin"),
                         QStringLiteral("layer "),   QStringLiteral("step "),
                         QStringLiteral("nan"),      QStringLiteral("ulp>")};
    std::set<QString> names;
    for (const OpInfo& op : ops) {
        names.insert(QString::fromStdString(op.base));
        names.insert(QString::fromStdString(op.kind));
    }
    for (const QString& name : names) {
        words << name;
    }
    QStringList fitting;
    for (const QString& word : words) {
        if (!word.isEmpty() && word.startsWith(stem) && word != stem) {
            fitting << sign + word;
        }
    }
    return fitting;
}

QString withoutLastTerm(const QString& text)
{
    const FilterParse parse = parseFilter(text);
    if (parse.error) {
        return text.left(parse.error->start).trimmed();
    }
    if (parse.filter.empty()) {
        return {};
    }
    return text.left(parse.filter.terms.back().start).trimmed();
}

} // namespace ulp::views
