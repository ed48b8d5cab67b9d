// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/trace_reader.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "engine/trace/settings_json.h"
#include "engine/trace/trace_codec.h"
#include "engine/trace/trace_file.h"

namespace ulp::trace {
namespace {

constexpr std::int64_t kRowBytes = 4;        // the least that any row takes in a file
constexpr std::int64_t kStepBytes = 16;      // the same of a step without its cells
constexpr std::int64_t kMaxTensor = 1 << 28; // elements
constexpr std::int64_t kTensorRatio = 64;    // of unfolded to file bytes, beyond anything real
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string textOf(const Statement& row, int column)
{
    return std::string(row.text(column).value_or(""));
}

template <typename Int>
std::optional<Int> integerOf(const Statement& row, int column)
{
    const auto value = row.integer(column);
    return value && std::in_range<Int>(*value) ? std::optional(static_cast<Int>(*value))
                                               : std::nullopt;
}

double realOf(const Statement& row, int column)
{
    return row.real(column).value_or(kNan);
}

/// Indices of ops that op number `op` may read: only those before it.
std::optional<std::vector<int>> opsBefore(std::string_view text, std::int64_t op)
{
    const auto list = listFromText(text);
    if (!list) {
        return std::nullopt;
    }
    std::vector<int> indices;
    for (const std::int64_t index : *list) {
        if (index < 0 || index >= op) {
            return std::nullopt;
        }
        indices.push_back(static_cast<int>(index));
    }
    return indices;
}

} // namespace

TraceReader::TraceReader(const TraceSource& source)
    : m_source(source), m_budget(source.bytes() + 4096),
      m_tensorBudget(source.bytes() * kTensorRatio), m_snapshot(std::make_shared<Snapshot>())
{
}

Error TraceReader::bad(Table table, std::int64_t id, const std::string& what) const
{
    return makeError(ErrorCode::BadInput, what, m_source.path() + ": " + rowPlace(table, id),
                     "use an undamaged copy of the file");
}

Result<void> TraceReader::charge(Table table, std::int64_t bytes)
{
    m_budget -= bytes;
    return m_budget >= 0 ? Result<void>() : bad(table, 0, "holds more than the file has bytes");
}

Result<void> TraceReader::eachRow(Table table, const std::function<Result<void>(Statement&)>& take)
{
    const TableInfo& about = info(table);
    auto statement = m_source.database().prepare("SELECT " + std::string(about.columns) + " FROM " +
                                                 std::string(about.name) + " ORDER BY id");
    if (!statement) {
        return statement.error();
    }
    for (;;) {
        auto there = statement->step();
        if (!there) {
            return there.error();
        }
        if (!*there) {
            return {};
        }
        std::int64_t bytes = kRowBytes;
        for (int column = 1; column < about.columnCount; ++column) {
            bytes += static_cast<std::int64_t>(statement->text(column).value_or("").size() +
                                               statement->blob(column).value_or("").size());
        }
        auto outcome = charge(table, bytes);
        outcome = outcome ? take(*statement) : outcome;
        if (!outcome) {
            return outcome;
        }
    }
}

Result<SnapshotPtr> TraceReader::read()
{
    Result<void> outcome;
    for (const auto step :
         {&TraceReader::readMeta, &TraceReader::readModel, &TraceReader::readDigests,
          &TraceReader::readFacts, &TraceReader::readOps, &TraceReader::readPieces,
          &TraceReader::readRuns, &TraceReader::countColumns, &TraceReader::readSteps,
          &TraceReader::readRunEnds, &TraceReader::readTensors}) {
        outcome = (this->*step)();
        if (!outcome) {
            return outcome.error();
        }
    }
    auto whole = sealed();
    if (!whole) {
        return whole.error();
    }
    m_snapshot->source = m_source.path();
    m_snapshot->readOnly = true;
    m_snapshot->incomplete = !*whole;
    for (RunDraft& draft : m_runs) {
        if (draft.record.status == RunStatus::Incomplete) {
            m_snapshot->incomplete = true;
        }
        draft.record.cellStore = std::move(draft.cells);
        draft.record.columnStore = std::move(draft.columns);
        m_snapshot->runs.push_back(std::make_shared<RunRecord>(std::move(draft.record)));
    }
    return SnapshotPtr(m_snapshot);
}

Result<void> TraceReader::readMeta()
{
    return eachRow(Table::Meta, [this](Statement& row) -> Result<void> {
        const std::string key = textOf(row, 1);
        if (key == "created") {
            m_snapshot->created = textOf(row, 2);
        } else if (key == "prompt") {
            m_snapshot->prompt = std::string(row.blob(2).value_or(""));
        } else if (key == "contract" || key == "reference_run") {
            const auto value = integerOf<int>(row, 2);
            if (!value || *value < 0) {
                return bad(Table::Meta, row.integer(0).value_or(0), key + " is no count");
            }
            (key == "contract" ? m_snapshot->contract : m_snapshot->referenceRun) = *value;
        }
        return {};
    });
}

Result<void> TraceReader::readModel()
{
    return eachRow(Table::Model, [this](Statement& row) -> Result<void> {
        ModelIdentity& model = m_snapshot->model;
        model.path = textOf(row, 1);
        model.name = textOf(row, 2);
        model.architecture = textOf(row, 3);
        model.sha256 = textOf(row, 4);
        model.parameters = row.integer(5).value_or(0);
        model.fileBytes = row.integer(6).value_or(0);
        return {};
    });
}

Result<void> TraceReader::readDigests()
{
    return eachRow(Table::Digest, [this](Statement& row) -> Result<void> {
        const auto shape = listFromText(row.text(3).value_or(""));
        const auto xxh3 = row.integer(4);
        if (!shape || !xxh3) {
            return bad(Table::Digest, row.integer(0).value_or(0), "is malformed");
        }
        m_snapshot->model.tensors.push_back(
            {textOf(row, 1), textOf(row, 2), *shape, static_cast<std::uint64_t>(*xxh3)});
        return {};
    });
}

Result<void> TraceReader::readFacts()
{
    return eachRow(Table::Fact, [this](Statement& row) -> Result<void> {
        m_snapshot->fingerprint.insert_or_assign(textOf(row, 1), textOf(row, 2));
        return {};
    });
}

Result<void> TraceReader::readOps()
{
    return eachRow(Table::Op, [this](Statement& row) -> Result<void> {
        const auto id = static_cast<std::int64_t>(m_snapshot->ops.size());
        const auto layer = integerOf<int>(row, 4);
        const auto shape = listFromText(row.text(5).value_or(""));
        const auto inputs = opsBefore(row.text(6).value_or(""), id);
        const auto history = opsBefore(row.text(7).value_or(""), id);
        if (row.integer(0) != id || !layer || !shape || !inputs || !history) {
            return bad(Table::Op, id, "is malformed or reads an op that does not come before it");
        }
        OpInfo op;
        op.name = textOf(row, 1);
        op.base = textOf(row, 2);
        op.kind = textOf(row, 3);
        op.layer = *layer;
        op.shape = *shape;
        op.inputs = *inputs;
        op.history = *history;
        op.readsToken = row.integer(8).value_or(0) != 0;
        op.weight = textOf(row, 9);
        m_snapshot->ops.push_back(std::move(op));
        return {};
    });
}

Result<void> TraceReader::readPieces()
{
    return eachRow(Table::Piece, [this](Statement& row) -> Result<void> {
        const auto token = integerOf<std::int32_t>(row, 0);
        const auto bytes = row.blob(1);
        if (!token || !bytes) {
            return bad(Table::Piece, row.integer(0).value_or(0), "is malformed");
        }
        m_snapshot->pieces.insert_or_assign(*token, std::string(*bytes));
        return {};
    });
}

Result<void> TraceReader::readRuns()
{
    return eachRow(Table::Run, [this](Statement& row) -> Result<void> {
        const auto id = static_cast<std::int64_t>(m_runs.size());
        const auto prompt = integerOf<std::int32_t>(row, 2);
        if (row.integer(0) != id || !prompt || *prompt < 0) {
            return bad(Table::Run, id, "is malformed");
        }
        if (row.integer(3) != static_cast<std::int64_t>(m_snapshot->ops.size())) {
            return bad(Table::Run, id, "does not have the ops of its session");
        }
        auto settings = settingsFromJson(row.text(1).value_or(""));
        if (!settings) {
            return bad(Table::Run, id, settings.error().text());
        }
        RunDraft draft;
        draft.record.run = static_cast<int>(id);
        draft.record.settings = std::move(*settings);
        draft.record.status = RunStatus::Incomplete; // until its end is found
        draft.record.promptTokens = *prompt;
        draft.record.opCount = m_snapshot->ops.size();
        m_runs.push_back(std::move(draft));
        return {};
    });
}

/// Room for the columns of each run, which lie under consecutive ids.
Result<void> TraceReader::countColumns()
{
    const auto ops = static_cast<std::int64_t>(m_snapshot->ops.size());
    auto statement = m_source.database().prepare("SELECT max(id) FROM step WHERE id < ?");
    if (!statement) {
        return statement.error();
    }
    std::int64_t columns = 0;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const std::int64_t first = stepId(static_cast<std::int64_t>(i), 0);
        auto outcome = statement->bind(1, stepId(static_cast<std::int64_t>(i) + 1, 0));
        auto there = outcome ? statement->step() : Result<bool>(outcome.error());
        if (!there) {
            return there.error();
        }
        const std::int64_t last = statement->integer(0).value_or(-1);
        const std::int64_t count = last < first ? 0 : last - first + 1;
        columns += count;
        if (columns > m_budget / (ops * 8 + kStepBytes)) {
            return bad(Table::Step, last, "claims more columns than the file has bytes for");
        }
        statement->reset();
        RunDraft& draft = m_runs[i];
        draft.expected = static_cast<std::size_t>(count);
        draft.cells = std::make_shared<AppendOnly<std::uint64_t>>(draft.expected *
                                                                  static_cast<std::size_t>(ops));
        draft.columns = std::make_shared<AppendOnly<Column>>(draft.expected);
    }
    return {};
}

Result<void> TraceReader::readSteps()
{
    auto outcome = eachRow(Table::Step, [this](Statement& row) { return readStep(row); });
    for (const RunDraft& draft : m_runs) {
        if (outcome && draft.record.columnCount != draft.expected) {
            outcome = bad(Table::Step, draft.record.run, "columns are missing");
        }
    }
    return outcome;
}

Result<void> TraceReader::readStep(Statement& row)
{
    const std::int64_t id = row.integer(0).value_or(-1);
    const auto run = integerOf<std::int32_t>(row, 1);
    const auto position = integerOf<std::int32_t>(row, 2);
    if (!run || *run < 0 || static_cast<std::size_t>(*run) >= m_runs.size() || !position) {
        return bad(Table::Step, id, "belongs to no run");
    }
    RunDraft& draft = m_runs[static_cast<std::size_t>(*run)];
    const std::size_t index = draft.record.columnCount;
    if (id != stepId(*run, *position) || index >= draft.expected ||
        static_cast<std::size_t>(*position) != index) {
        return bad(Table::Step, id, "is out of order");
    }
    const std::size_t ops = draft.record.opCount;
    const auto token = integerOf<std::int32_t>(row, 3);
    const auto chosen = integerOf<std::int32_t>(row, 4);
    const auto logitHash = row.integer(5);
    const auto time = row.integer(8);
    const auto cells = row.blob(9);
    auto top = unpackTop(row.blob(10).value_or(""));
    auto magnitudes = unpackMagnitudes(row.blob(11).value_or(""), ops);
    auto nonFinite = unpackNonFinite(row.blob(12).value_or(""), ops);
    if (!token || !chosen || !logitHash || !time) {
        return bad(Table::Step, id, "has a value of the wrong type");
    }
    if (!cells || cells->size() != ops * sizeof(std::uint64_t)) {
        return bad(Table::Step, id, "does not have one hash for each op");
    }
    if (!top || !magnitudes || !nonFinite) {
        return bad(Table::Step, id, "has a packed list that is malformed");
    }
    std::copy(cells->begin(), cells->end(), reinterpret_cast<char*>(draft.cells->at(index * ops)));
    Column& column = *draft.columns->at(index);
    column.position = *position;
    column.token = *token;
    column.chosen = *chosen;
    column.logitHash = static_cast<std::uint64_t>(*logitHash);
    column.margin = static_cast<float>(realOf(row, 6));
    column.logSumExp = realOf(row, 7);
    column.microseconds = *time;
    column.top = std::move(*top);
    column.magnitudes = std::move(*magnitudes);
    column.nonFinite = std::move(*nonFinite);
    ++draft.record.columnCount;
    return {};
}

Result<void> TraceReader::readRunEnds()
{
    return eachRow(Table::RunEnd, [this](Statement& row) -> Result<void> {
        const auto id = integerOf<std::int32_t>(row, 0);
        if (!id || *id < 0 || static_cast<std::size_t>(*id) >= m_runs.size()) {
            return bad(Table::RunEnd, row.integer(0).value_or(-1), "belongs to no run");
        }
        RunRecord& record = m_runs[static_cast<std::size_t>(*id)].record;
        record.status = parseRunStatus(row.text(1).value_or(""));
        record.error = textOf(row, 2);
        record.stopReason = textOf(row, 3);
        record.prefillTokensPerSecond = realOf(row, 4);
        record.decodeTokensPerSecond = realOf(row, 5);
        record.traceHash = textOf(row, 6);
        record.outputSha256 = textOf(row, 7);
        return {};
    });
}

Result<void> TraceReader::readTensors()
{
    return eachRow(Table::Tensor, [this](Statement& row) { return readTensor(row); });
}

/// Of the tensors that a file may hold, the logits have a place in a snapshot.
Result<void> TraceReader::readTensor(Statement& row)
{
    const std::int64_t id = row.integer(0).value_or(-1);
    const auto run = integerOf<std::int32_t>(row, 1);
    const auto position = integerOf<std::int32_t>(row, 2);
    const auto count = row.integer(6);
    if (row.integer(3) != static_cast<std::int64_t>(m_snapshot->ops.size()) - 1 ||
        row.text(4) != "f32") {
        return {};
    }
    if (!run || *run < 0 || static_cast<std::size_t>(*run) >= m_runs.size() || !position ||
        *position < 0 ||
        static_cast<std::size_t>(*position) >=
            m_runs[static_cast<std::size_t>(*run)].record.columnCount) {
        return bad(Table::Tensor, id, "belongs to no column");
    }
    if (!count || *count < 0 || *count > kMaxTensor) {
        return bad(Table::Tensor, id, "has an absurd size");
    }
    m_tensorBudget -= *count * 4;
    if (m_tensorBudget < 0) {
        return bad(Table::Tensor, id, "unfolds to more than its file can mean");
    }
    auto values = unpackTensor(row.blob(7).value_or(""), static_cast<std::size_t>(*count));
    if (!values) {
        return bad(Table::Tensor, id, "does not unfold to its size");
    }
    m_runs[static_cast<std::size_t>(*run)]
        .columns->at(static_cast<std::size_t>(*position))
        ->logits = std::make_shared<const std::vector<float>>(std::move(*values));
    return {};
}

/// A seal without its digest is that of a closing which was cut short.
Result<bool> TraceReader::sealed()
{
    auto file = m_source.database().queryText("SELECT file FROM seal WHERE id = 0");
    if (!file) {
        return file.error();
    }
    return file->size() == kSealLength && !file->ends_with(std::string(kDigestLength, '0'));
}

Result<SnapshotPtr> openTrace(const std::string& path)
{
    try {
        auto source = TraceSource::open(path);
        if (!source) {
            return source.error();
        }
        return TraceReader(**source).read();
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Io, "is too large for the memory that is free", path,
                         "close other programs, or open it on a machine with more memory");
    }
}

} // namespace ulp::trace
