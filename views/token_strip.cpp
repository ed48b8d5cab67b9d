// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/token_strip.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "engine/compare/near_tie.h"
#include "views/text_format.h"
#include "views/theme.h"

namespace ulp::views {
namespace {

const trace::RunRecord& runAt(const compare::Comparison& comparison, int run)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(run)];
}

/// The tokens of a run by position: the prompt, then what was chosen at each step.
std::vector<std::int32_t> tokensOf(const trace::RunRecord& run)
{
    std::vector<std::int32_t> tokens;
    const auto columns = run.columns();
    tokens.reserve(columns.size() + 1);
    for (const trace::Column& column : columns) {
        if (static_cast<std::int64_t>(tokens.size()) < run.promptTokens) {
            tokens.push_back(column.token);
        }
        if (column.chosen >= 0) {
            tokens.push_back(column.chosen);
        }
    }
    return tokens;
}

} // namespace

TokenStrip::TokenStrip(CursorModel* cursor, QWidget* parent)
    : QAbstractScrollArea(parent), m_cursor(cursor)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Tokens of each class of runs"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::PointingHandCursor);
    connect(m_cursor, &CursorModel::cursorChanged, this, [this](const CellCursor& cell) {
        reveal(positionOfColumn(cell.column));
        viewport()->update();
    });
}

void TokenStrip::setComparison(const compare::ComparisonPtr& comparison, double driftSeen)
{
    const auto vocabulary = [](const compare::ComparisonPtr& c) {
        return c ? c->snapshot().model.sha256 + c->snapshot().model.path : std::string();
    };
    if (vocabulary(m_comparison) != vocabulary(comparison)) {
        m_lines.clear(); // they point into the cache
        m_tokens.clear();
    }
    m_comparison = comparison;
    m_driftSeen = driftSeen;
    rebuild();
}

void TokenStrip::setUnfolded(int classIndex, bool unfolded)
{
    if (unfolded) {
        m_unfolded.insert(classIndex);
    } else {
        m_unfolded.erase(classIndex);
    }
    rebuild();
}

void TokenStrip::rebuild()
{
    m_lines.clear();
    m_promptTokens = m_comparison ? m_comparison->promptTokens() : 0;
    m_flip = -1;
    if (m_comparison) {
        if (const auto& token = m_comparison->firstToken()) {
            m_flip = token->column + 1;
        }
        int index = 0;
        for (const compare::RunClass& group : m_comparison->runClasses()) {
            addLine(index, group.runs.front(), true);
            if (m_unfolded.count(index) != 0) {
                for (const int run : group.runs) {
                    addLine(index, run, false);
                }
            }
            ++index;
        }
    }
    layoutColumns();
    updateScrollBars();
    viewport()->update();
}

void TokenStrip::addLine(int classIndex, int run, bool isClass)
{
    Line line;
    line.classIndex = classIndex;
    line.run = run;
    line.isClass = isClass;
    const auto& group = m_comparison->runClasses()[static_cast<std::size_t>(classIndex)];
    line.label = isClass ? className(classIndex) + QStringLiteral(" · ") + runsText(group.runs, 8)
                         : tr("run %1").arg(run);
    for (const std::int32_t id : tokensOf(runAt(*m_comparison, run))) {
        line.tokens.push_back(tokenOf(id));
    }
    const std::vector<std::int32_t> reference =
        tokensOf(runAt(*m_comparison, m_comparison->reference()));
    const std::size_t common = std::min(reference.size(), line.tokens.size());
    for (std::size_t p = 0; p < common && line.flip < 0; ++p) {
        if (line.tokens[p]->id != reference[p]) {
            line.flip = static_cast<std::int64_t>(p);
        }
    }
    if (isClass && classIndex > 0 && !m_lines.empty()) {
        const auto& first = m_lines.front().tokens;
        const std::size_t shared = std::min(first.size(), line.tokens.size());
        line.sameTokens = std::equal(first.begin(), first.begin() + static_cast<long>(shared),
                                     line.tokens.begin());
    }
    m_lines.push_back(std::move(line));
}

const TokenStrip::Token* TokenStrip::tokenOf(std::int32_t id)
{
    const auto known = m_tokens.find(id);
    if (known != m_tokens.end()) {
        return &known->second;
    }
    const std::string bytes = m_comparison->snapshot().pieceOf(id);
    Token token;
    token.id = id;
    token.text = visibleToken(bytes);
    token.symbol = token.text != QString::fromStdString(bytes);
    token.width = static_cast<float>(QFontMetricsF(monospaceFont()).horizontalAdvance(token.text));
    return &m_tokens.emplace(id, std::move(token)).first->second;
}

void TokenStrip::layoutColumns()
{
    std::size_t positions = 0;
    for (const Line& line : m_lines) {
        positions = std::max(positions, line.tokens.size());
    }
    std::vector<float> widths(positions, 0.0F);
    for (const Line& line : m_lines) {
        for (std::size_t i = 0; i < line.tokens.size(); ++i) {
            widths[i] = std::max(widths[i], line.tokens[i]->width);
        }
    }
    m_x.assign(positions + 1, 0.0);
    for (std::size_t i = 0; i < positions; ++i) {
        m_x[i + 1] = m_x[i] + static_cast<double>(widths[i]) + 1.0;
    }
    QFont bold = scaledFont(-1);
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    m_labelWidth = 60;
    for (const Line& line : m_lines) {
        m_labelWidth = std::max(m_labelWidth, metrics.horizontalAdvance(line.label) + 52);
    }
    m_labelWidth = std::min(m_labelWidth, 190);
}

int TokenStrip::lineHeight() const
{
    return QFontMetrics(monospaceFont()).height() + 7;
}

int TokenStrip::labelWidth() const
{
    return m_labelWidth;
}

int TokenStrip::pillWidth() const
{
    const bool any =
        std::any_of(m_lines.begin(), m_lines.end(), [](const Line& l) { return l.sameTokens; });
    return any ? QFontMetrics(scaledFont(-1)).horizontalAdvance(tr("equal tokens, unequal bits")) +
                     36
               : kMargin;
}

QSize TokenStrip::sizeHint() const
{
    const int lines = std::clamp(static_cast<int>(m_lines.size()), 2, 8);
    return {600, kTop * 2 + lineHeight() * (lines + 1) + 12};
}

QSize TokenStrip::minimumSizeHint() const
{
    return {200, kTop * 2 + lineHeight() * 2};
}

QStringList TokenStrip::lineTexts() const
{
    QStringList texts;
    for (const Line& line : m_lines) {
        QString text = line.label + QLatin1Char('\t');
        for (const Token* token : line.tokens) {
            text += token->text;
        }
        texts << text;
    }
    return texts;
}

void TokenStrip::updateScrollBars()
{
    const int textWidth = std::max(viewport()->width() - labelWidth() - pillWidth(), 1);
    const int total = m_x.empty() ? 0 : static_cast<int>(std::ceil(m_x.back())) + 8;
    horizontalScrollBar()->setRange(0, std::max(0, total - textWidth));
    horizontalScrollBar()->setPageStep(textWidth);
    horizontalScrollBar()->setSingleStep(24);
    const int height = kTop * 2 + static_cast<int>(m_lines.size() + 1) * lineHeight();
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lineHeight());
}

std::int64_t TokenStrip::positionOfColumn(std::int64_t column) const
{
    return column >= m_promptTokens - 1 ? column + 1 : column;
}

std::int64_t TokenStrip::columnOfPosition(std::int64_t position) const
{
    return position >= m_promptTokens ? position - 1 : position;
}

void TokenStrip::reveal(std::int64_t position)
{
    if (position < 0 || position + 1 >= static_cast<std::int64_t>(m_x.size())) {
        return;
    }
    const auto at = static_cast<std::size_t>(position);
    const int textWidth = viewport()->width() - labelWidth() - pillWidth();
    QScrollBar* bar = horizontalScrollBar();
    if (m_x[at] < bar->value()) {
        bar->setValue(static_cast<int>(m_x[at]) - textWidth / 4);
    } else if (m_x[at + 1] > bar->value() + textWidth) {
        bar->setValue(static_cast<int>(m_x[at + 1]) - textWidth * 3 / 4);
    }
}

std::int64_t TokenStrip::positionAt(double x) const
{
    const auto it = std::upper_bound(m_x.begin(), m_x.end(), x);
    return std::distance(m_x.begin(), it) - 1;
}

int TokenStrip::lineAt(int y) const
{
    const int line = (y - kTop + verticalScrollBar()->value()) / lineHeight();
    return y < kTop || line >= static_cast<int>(m_lines.size()) ? -1 : line;
}

bool TokenStrip::isNearTie(std::int64_t position) const
{
    if (!m_comparison || position < m_promptTokens) {
        return false;
    }
    const auto columns = runAt(*m_comparison, m_comparison->reference()).columns();
    const auto column = static_cast<std::size_t>(columnOfPosition(position));
    return column < columns.size() && columns[column].top.size() > 1 &&
           compare::isNearTie(columns[column].margin, m_driftSeen);
}

std::vector<std::int64_t> TokenStrip::outlinedPositions() const
{
    std::vector<std::int64_t> positions;
    for (const Line& line : m_lines) {
        positions.push_back(line.flip >= 0 ? line.flip : m_flip);
    }
    return positions;
}

int TokenStrip::nearTies() const
{
    int count = 0;
    for (std::int64_t p = m_promptTokens; p + 1 < static_cast<std::int64_t>(m_x.size()); ++p) {
        count += isNearTie(p) ? 1 : 0;
    }
    return count;
}

void TokenStrip::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void TokenStrip::mousePressEvent(QMouseEvent* event)
{
    const int index = lineAt(static_cast<int>(event->position().y()));
    if (index < 0 || event->button() != Qt::LeftButton) {
        return;
    }
    const Line& line = m_lines[static_cast<std::size_t>(index)];
    if (event->position().x() < labelWidth()) {
        if (line.isClass) {
            setUnfolded(line.classIndex, m_unfolded.count(line.classIndex) == 0);
        }
        return;
    }
    const std::int64_t position =
        positionAt(event->position().x() - labelWidth() + horizontalScrollBar()->value());
    if (position >= 0 && position < static_cast<std::int64_t>(line.tokens.size())) {
        CellCursor cell = m_cursor->cursor();
        cell.run = line.run;
        cell.column = columnOfPosition(position);
        m_cursor->moveTo(cell);
    }
}

void TokenStrip::keyPressEvent(QKeyEvent* event)
{
    CellCursor cell = m_cursor->cursor();
    switch (event->key()) {
    case Qt::Key_Left:
        --cell.column;
        break;
    case Qt::Key_Right:
        ++cell.column;
        break;
    case Qt::Key_Up:
        --cell.run;
        break;
    case Qt::Key_Down:
        ++cell.run;
        break;
    case Qt::Key_Home:
        cell.column = 0;
        break;
    case Qt::Key_End:
        cell.column = m_cursor->columnCount() - 1;
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    m_cursor->moveTo(cell, CursorModel::Move::Step);
}

QString TokenStrip::toolTipAt(const QPoint& pos) const
{
    const int index = lineAt(pos.y());
    if (index < 0 || pos.x() < labelWidth()) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index)];
    const std::int64_t position =
        positionAt(pos.x() - labelWidth() + horizontalScrollBar()->value());
    if (position < 0 || position >= static_cast<std::int64_t>(line.tokens.size())) {
        return {};
    }
    const Token& token = *line.tokens[static_cast<std::size_t>(position)];
    const std::int64_t column = columnOfPosition(position);
    QString text = tr("“%1”, token %2").arg(token.text).arg(token.id);
    if (position < m_promptTokens) {
        return text + tr("\nprompt position %1").arg(position);
    }
    text += tr("\nstep %1, run %2").arg(m_comparison->stepOf(column)).arg(line.run);
    const auto columns = runAt(*m_comparison, line.run).columns();
    const auto at = static_cast<std::size_t>(column);
    if (at < columns.size() && !columns[at].top.empty()) {
        text += tr("\nmargin %1").arg(differenceText(static_cast<double>(columns[at].margin)));
    }
    return text;
}

bool TokenStrip::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(
                help->globalPos(),
                text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")),
                viewport());
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        m_lines.clear();
        m_tokens.clear();
        rebuild();
    }
    QAbstractScrollArea::changeEvent(event);
}

} // namespace ulp::views
