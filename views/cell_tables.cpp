// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cell_tables.h"

#include <algorithm>
#include <optional>
#include <set>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "engine/audit/format.h"
#include "views/text_format.h"
#include "views/theme.h"

namespace ulp::views {
namespace {

using compare::Comparison;
using trace::RunRecord;

struct CellText {
    Q_DECLARE_TR_FUNCTIONS(Cell)
};

const RunRecord& runAt(const Comparison& comparison, int run)
{
    return *comparison.snapshot().runs[static_cast<std::size_t>(run)];
}

const OpInfo& opAt(const Comparison& comparison, int op)
{
    return comparison.snapshot().ops[static_cast<std::size_t>(op)];
}

const trace::Column* columnAt(const Comparison& comparison, int run, std::int64_t column)
{
    const auto columns = runAt(comparison, run).columns();
    const auto at = static_cast<std::size_t>(column);
    return at < columns.size() ? &columns[at] : nullptr;
}

std::optional<trace::Magnitude> magnitudeAt(const Comparison& comparison, int run,
                                            const CellCursor& cell)
{
    const trace::Column* column = columnAt(comparison, run, cell.column);
    if (column == nullptr) {
        return std::nullopt;
    }
    const auto& list = column->magnitudes;
    const auto it = std::lower_bound(list.begin(), list.end(), cell.op,
                                     [](const trace::Magnitude& m, int op) { return m.op < op; });
    return it != list.end() && it->op == cell.op ? std::optional(*it) : std::nullopt;
}

bool differsBefore(const Comparison& comparison, int op, std::int64_t column)
{
    for (std::int64_t c = 0; c <= column; ++c) {
        if (comparison.cell(c, op).classes > 1) {
            return true;
        }
    }
    return false;
}

bool tokensDiffer(const Comparison& comparison, std::int64_t column)
{
    std::set<std::int32_t> tokens;
    for (const int run : comparison.runs()) {
        if (const trace::Column* c = columnAt(comparison, run, column)) {
            tokens.insert(c->token);
        }
    }
    return tokens.size() > 1;
}

QStringList differingInputs(const Comparison& comparison, const CellCursor& cell)
{
    const OpInfo& op = opAt(comparison, cell.op);
    QStringList names;
    if (op.readsToken && tokensDiffer(comparison, cell.column)) {
        names << CellText::tr("the token");
    }
    for (const int input : op.inputs) {
        if (comparison.cell(cell.column, input).classes > 1) {
            names << QString::fromStdString(opAt(comparison, input).name);
        }
    }
    for (const int input : op.history) {
        if (differsBefore(comparison, input, cell.column)) {
            names << CellText::tr("%1 (cache)")
                         .arg(QString::fromStdString(opAt(comparison, input).name));
        }
    }
    return names;
}

QString logitText(const trace::TopLogit* logit)
{
    return logit == nullptr ? QStringLiteral("–")
                            : QString::number(static_cast<double>(logit->logit), 'f', 4);
}

const trace::TopLogit* findLogit(const std::vector<trace::TopLogit>& top, std::int32_t token)
{
    const auto it = std::find_if(top.begin(), top.end(),
                                 [token](const trace::TopLogit& l) { return l.token == token; });
    return it == top.end() ? nullptr : &*it;
}

TableCell plain(const QString& text)
{
    TableCell cell;
    cell.text = text;
    return cell;
}

TableCell mono(const QString& text)
{
    TableCell cell = plain(text);
    cell.monospace = true;
    return cell;
}

QJsonArray runArray(const Comparison& comparison, const std::vector<int>& runs)
{
    QJsonArray array;
    for (const int run : runs) {
        array.append(runAt(comparison, run).run);
    }
    return array;
}

QString hex(std::uint64_t hash)
{
    return QString::fromStdString(audit::formatHash(hash));
}

} // namespace

bool isInside(const CellCursor& cell, const Comparison& comparison)
{
    return cell.op >= 0 && cell.op < comparison.ops() && cell.column >= 0 &&
           cell.column < comparison.columns();
}

QString kindText(const Comparison& comparison, const CellCursor& cell)
{
    const compare::CellState state = comparison.cell(cell.column, cell.op);
    QStringList parts;
    if (state.classes == 0) {
        parts << CellText::tr("not recorded");
    } else if (state.classes == 1) {
        parts << CellText::tr("same bits");
    } else {
        parts << ((state.flags & compare::Origin) != 0 ? CellText::tr("origin")
                                                       : CellText::tr("inherited"));
    }
    if ((state.flags & compare::HasNonFinite) != 0) {
        parts << CellText::tr("NaN or infinity");
    }
    if ((state.flags & compare::Partial) != 0) {
        parts << CellText::tr("not in all runs");
    }
    return parts.join(QStringLiteral(", "));
}

QString inputsText(const Comparison& comparison, const CellCursor& cell)
{
    if (comparison.cell(cell.column, cell.op).classes == 0) {
        return CellText::tr("not recorded");
    }
    const QStringList names = differingInputs(comparison, cell);
    const QString list = names.join(QStringLiteral(", "));
    if (names.isEmpty()) {
        return CellText::tr("equal in all runs");
    }
    // Classes are of all runs: one may have equal inputs and part here while another brings a
    // difference along.
    return (comparison.cell(cell.column, cell.op).flags & compare::Origin) != 0
               ? CellText::tr("equal in some runs, differ in others: %1").arg(list)
               : CellText::tr("differ: %1").arg(list);
}

QString placeText(const Comparison& comparison, std::int64_t column)
{
    const std::int64_t step = comparison.stepOf(column);
    return step < 0 ? CellText::tr("prompt %1").arg(column) : CellText::tr("step %1").arg(step);
}

QString cellTitle(const Comparison& comparison, const CellCursor& cell)
{
    return placeText(comparison, cell.column) + QStringLiteral(" · ") +
           QString::fromStdString(opAt(comparison, cell.op).name);
}

QStringList classHeader()
{
    return {CellText::tr("class"), CellText::tr("runs"), CellText::tr("hash")};
}

TableRows classRows(const Comparison& comparison, const CellCursor& cell)
{
    TableRows rows;
    int index = 0;
    for (const compare::RunClass& group : comparison.classesAt(cell.column, cell.op)) {
        TableCell name = plain(className(index));
        name.swatch = index++;
        name.strong = std::find(group.runs.begin(), group.runs.end(), cell.run) != group.runs.end();
        TableCell runs = plain(runsText(group.runs));
        runs.toolTip = runsText(group.runs, 200);
        rows.push_back({name, runs, mono(hashText(group.hash))});
    }
    return rows;
}

QStringList magnitudeHeader()
{
    return {CellText::tr("run"), CellText::tr("elements"), CellText::tr("max ULP"),
            CellText::tr("rel. L2")};
}

TableRows magnitudeRows(const Comparison& comparison, const CellCursor& cell)
{
    TableRows rows;
    for (const int run : comparison.runs()) {
        const auto magnitude = magnitudeAt(comparison, run, cell);
        if (!magnitude) {
            continue;
        }
        TableCell name = plain(QString::number(run));
        name.strong = run == cell.run;
        TableCell ulp = plain(QString::fromStdString(audit::formatUlp(magnitude->maxUlp)));
        TableCell l2 = plain(differenceText(magnitude->relativeL2));
        l2.toolTip =
            CellText::tr("largest absolute difference %1").arg(differenceText(magnitude->maxAbs));
        rows.push_back(
            {name, plain(CellText::tr("%1 of %2").arg(magnitude->differing).arg(magnitude->of)),
             ulp, l2});
    }
    return rows;
}

int logitsPartner(const Comparison& comparison, const CellCursor& cell)
{
    const int reference = comparison.reference();
    const auto& runs = comparison.runs();
    if (cell.run != reference && std::find(runs.begin(), runs.end(), cell.run) != runs.end()) {
        return cell.run;
    }
    const trace::Column* base = columnAt(comparison, reference, cell.column);
    int fallback = reference;
    for (const int run : runs) {
        if (run == reference) {
            continue;
        }
        fallback = fallback == reference ? run : fallback;
        const trace::Column* other = columnAt(comparison, run, cell.column);
        if (base != nullptr && other != nullptr && other->logitHash != base->logitHash) {
            return run;
        }
    }
    return fallback;
}

QStringList logitsHeader(const Comparison& comparison, int other)
{
    return {CellText::tr("token"), CellText::tr("run %1").arg(comparison.reference()),
            CellText::tr("run %1").arg(other), CellText::tr("delta")};
}

TableRows logitsRows(const Comparison& comparison, const CellCursor& cell, int other)
{
    const trace::Column* left = columnAt(comparison, comparison.reference(), cell.column);
    const trace::Column* right = columnAt(comparison, other, cell.column);
    const std::vector<trace::TopLogit> none;
    const auto& leftTop = left != nullptr ? left->top : none;
    const auto& rightTop = right != nullptr ? right->top : none;
    std::vector<std::int32_t> tokens;
    for (const auto* top : {&leftTop, &rightTop}) {
        for (const trace::TopLogit& logit : *top) {
            if (std::find(tokens.begin(), tokens.end(), logit.token) == tokens.end()) {
                tokens.push_back(logit.token);
            }
        }
    }
    TableRows rows;
    for (const std::int32_t token : tokens) {
        const trace::TopLogit* a = findLogit(leftTop, token);
        const trace::TopLogit* b = findLogit(rightTop, token);
        const QString delta =
            a != nullptr && b != nullptr
                ? signedNumber(static_cast<double>(b->logit) - static_cast<double>(a->logit))
                : QStringLiteral("–");
        TableCell name =
            mono(QLatin1Char('"') + visibleToken(comparison.snapshot().pieceOf(token)) +
                 QLatin1Char('"'));
        name.toolTip = CellText::tr("token id %1").arg(token);
        name.strong = (left != nullptr && left->chosen == token) ||
                      (right != nullptr && right->chosen == token);
        rows.push_back({name, plain(logitText(a)), plain(logitText(b)), plain(delta)});
    }
    return rows;
}

QString cellAsText(const Comparison& comparison, const CellCursor& cell)
{
    const int other = logitsPartner(comparison, cell);
    TextTableModel classes;
    classes.setContent(classHeader(), classRows(comparison, cell));
    TextTableModel magnitudes;
    magnitudes.setContent(magnitudeHeader(), magnitudeRows(comparison, cell));
    TextTableModel logits;
    logits.setContent(logitsHeader(comparison, other), logitsRows(comparison, cell, other));
    return CellText::tr(
               "%1\nkind: %2\nshape: %3\ninputs: %4\n\n%5\nmagnitude against run %6\n%7\ntop "
               "logits\n%8")
        .arg(cellTitle(comparison, cell), kindText(comparison, cell),
             shapeText(opAt(comparison, cell.op)), inputsText(comparison, cell),
             classes.plainText())
        .arg(comparison.reference())
        .arg(magnitudes.plainText(), logits.plainText());
}

QString cellAsJson(const Comparison& comparison, const CellCursor& cell)
{
    const compare::CellState state = comparison.cell(cell.column, cell.op);
    QJsonArray classes;
    for (const compare::RunClass& group : comparison.classesAt(cell.column, cell.op)) {
        classes.append(QJsonObject{{QStringLiteral("hash"), hex(group.hash)},
                                   {QStringLiteral("runs"), runArray(comparison, group.runs)}});
    }
    QJsonArray magnitudes;
    for (const int run : comparison.runs()) {
        if (const auto m = magnitudeAt(comparison, run, cell)) {
            magnitudes.append(
                QJsonObject{{QStringLiteral("run"), run},
                            {QStringLiteral("differing"), static_cast<qint64>(m->differing)},
                            {QStringLiteral("of"), static_cast<qint64>(m->of)},
                            {QStringLiteral("max_ulp"), static_cast<qint64>(m->maxUlp)},
                            {QStringLiteral("max_abs"), m->maxAbs},
                            {QStringLiteral("relative_l2"), m->relativeL2}});
        }
    }
    const QJsonObject object{
        {QStringLiteral("step"), static_cast<qint64>(comparison.stepOf(cell.column))},
        {QStringLiteral("position"), static_cast<qint64>(cell.column)},
        {QStringLiteral("op"), QString::fromStdString(opAt(comparison, cell.op).name)},
        {QStringLiteral("layer"), opAt(comparison, cell.op).layer},
        {QStringLiteral("origin"), (state.flags & compare::Origin) != 0},
        {QStringLiteral("classes"), classes},
        {QStringLiteral("magnitudes"), magnitudes}};
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

/// What the command needs of the sampler chain and the chat template; defaults go unsaid.
void addPromptAndSampler(const RunSettings& s, QStringList& words)
{
    const auto add = [&words](const char* flag, const QString& value) {
        words << QLatin1String(flag) << shellQuoted(value);
    };
    const auto number = [](float value) { return QString::number(static_cast<double>(value)); };
    if (s.chat) {
        words << QStringLiteral("--chat");
        if (s.chat->system) {
            add("--system", QString::fromStdString(*s.chat->system));
        }
    }
    if (s.sampler.topK > 0) {
        add("--top-k", QString::number(s.sampler.topK));
    }
    if (s.sampler.topP < 1.0F) {
        add("--top-p", number(s.sampler.topP));
    }
    if (s.sampler.minP > 0.0F) {
        add("--min-p", number(s.sampler.minP));
    }
    if (s.sampler.repeatPenalty != 1.0F) {
        add("--repeat-penalty", number(s.sampler.repeatPenalty));
        add("--repeat-last-n", QString::number(s.sampler.repeatLastN));
    }
    for (const LogitBias& bias : s.sampler.logitBias) {
        add("--logit-bias", QString::number(bias.token) + QLatin1Char('=') + number(bias.bias));
    }
}

QString cellAsCommand(const Comparison& comparison)
{
    const trace::Snapshot& snapshot = comparison.snapshot();
    if (!snapshot.source.empty()) {
        return QStringLiteral("ulpscope-cli compare %1 --json")
            .arg(shellQuoted(QString::fromStdString(snapshot.source)));
    }
    if (snapshot.runs.empty()) {
        return QStringLiteral("ulpscope-cli run");
    }
    const RunSettings& s = snapshot.runs.front()->settings;
    QStringList words = {QStringLiteral("ulpscope-cli run --model"),
                         shellQuoted(QString::fromStdString(snapshot.model.path)),
                         QStringLiteral("--prompt"),
                         shellQuoted(QString::fromStdString(snapshot.prompt))};
    const auto add = [&words](const char* flag, const QString& value) {
        words << QLatin1String(flag) << shellQuoted(value);
    };
    const auto name = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    add("--runs", QString::number(snapshot.runs.size()));
    add("--steps", QString::number(s.steps));
    add("--policy", name(toString(s.policy)));
    add("--threads", QString::number(s.threads));
    add("--batch", QString::number(s.batch));
    add("--prefill-chunk", QString::number(s.prefillChunk));
    add("--reduction-chunk", QString::number(s.reductionChunk));
    add("--isa", name(toString(s.isa)));
    add("--device", name(toString(s.device)));
    add("--activation", name(toString(s.activation)));
    if (s.temperature > 0.0F) {
        add("--temperature", QString::number(static_cast<double>(s.temperature)));
        add("--seed", QString::number(s.seed));
    }
    addPromptAndSampler(s, words);
    words << QStringLiteral("--json");
    return words.join(QLatin1Char(' '));
}

} // namespace ulp::views
