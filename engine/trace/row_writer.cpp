// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/row_writer.h"

#include <cmath>
#include <utility>

#include "engine/trace/file_seal.h"
#include "engine/trace/settings_json.h"
#include "engine/trace/trace_codec.h"

namespace ulp::trace {
namespace {

constexpr std::int64_t kLongestValue = std::int64_t{1} << 30; // bytes; SQLite's own limit

std::int64_t asSigned(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}

/// NaN is NULL in SQLite, and -0 comes back as 0: both are said before the digest is taken.
SqlValue asReal(double value)
{
    return std::isnan(value) ? SqlValue() : SqlValue(value + 0.0);
}

std::string_view evidenceText()
{
    return "hash: XXH3-64 over the row's float32 bytes, little-endian; 0 not recorded, told as 1 "
           "where the hash is 0";
}

std::string insertSql(const TableInfo& table)
{
    std::string sql = "INSERT INTO " + std::string(table.name) + " VALUES(?";
    for (int i = 1; i < table.columnCount; ++i) {
        sql += ",?";
    }
    return sql + ")";
}

} // namespace

Result<std::unique_ptr<RowWriter>> RowWriter::create(const std::string& file,
                                                     const std::string& name)
{
    std::unique_ptr<RowWriter> writer(new RowWriter(file, name));
    auto database = Database::open(file, name, Database::Mode::ReadWrite, kLongestValue);
    if (!database) {
        return database.error();
    }
    writer->m_database = std::move(*database);
    std::string sql =
        "PRAGMA page_size=8192;PRAGMA application_id=" + std::to_string(kApplicationId) +
        ";PRAGMA user_version=" + std::to_string(kFormatVersion) +
        ";PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;PRAGMA locking_mode=EXCLUSIVE;BEGIN;";
    for (const TableInfo& table : tables()) {
        sql += std::string(table.create) + ";";
    }
    for (const TableInfo& table : bookkeepingTables()) {
        sql += std::string(table.create) + ";";
    }
    auto outcome = writer->m_database->execute(sql + "COMMIT;");
    outcome = outcome ? writer->prepareInserts() : outcome;
    if (!outcome) {
        return outcome.error();
    }
    writer->m_digest = firstDigest();
    return writer;
}

Result<void> RowWriter::prepareInserts()
{
    for (std::size_t i = 0; i < kTableCount; ++i) {
        auto statement = m_database->prepare(insertSql(tables()[i]));
        if (!statement) {
            return statement.error();
        }
        m_insert[i] = std::move(*statement);
    }
    auto chain = m_database->prepare("INSERT INTO chain VALUES(?,?,?,?)");
    if (!chain) {
        return chain.error();
    }
    m_insertChain = std::move(*chain);
    return {};
}

void RowWriter::releaseInserts()
{
    for (Statement& statement : m_insert) {
        statement = {};
    }
    m_insertChain = {};
}

Result<void> RowWriter::detach()
{
    releaseInserts();
    return m_database->close();
}

Result<void> RowWriter::record(const std::string& file)
{
    auto database = Database::open(file, m_name, Database::Mode::ReadWrite, kLongestValue);
    if (!database) {
        return database.error();
    }
    m_file = file;
    m_database = std::move(*database);
    auto outcome = m_database->execute("PRAGMA synchronous=NORMAL;PRAGMA journal_mode=WAL;");
    return outcome ? prepareInserts() : outcome;
}

Result<void> RowWriter::begin()
{
    return m_database->execute("BEGIN IMMEDIATE");
}

Result<void> RowWriter::commit()
{
    return m_database->execute("COMMIT");
}

Result<void> RowWriter::insert(Table table, std::initializer_list<SqlValue> row)
{
    const auto put = [](Statement& statement, std::initializer_list<SqlValue> values) {
        Result<void> outcome;
        int index = 1;
        for (const SqlValue& value : values) {
            outcome = statement.bind(index++, value);
            if (!outcome) {
                return outcome;
            }
        }
        if (auto stepped = statement.step(); !stepped) {
            outcome = stepped.error();
        }
        statement.reset();
        return outcome;
    };
    auto outcome = put(m_insert[static_cast<std::size_t>(table)], row);
    if (!outcome) {
        return outcome;
    }
    const std::string_view name = info(table).name;
    std::string digest = chainDigest(m_digest, name, std::span(row.begin(), row.size()));
    outcome = put(m_insertChain, {m_rows + 1, name, std::get<std::int64_t>(*row.begin()),
                                  std::string_view(digest)});
    if (outcome) {
        m_digest = std::move(digest);
        ++m_rows;
    }
    return outcome;
}

Result<void> RowWriter::writeHead(const Snapshot& head)
{
    const std::pair<std::string_view, SqlValue> meta[] = {
        {"created", std::string_view(head.created)},
        {"prompt", Blob{head.prompt}},
        {"contract", std::int64_t{head.contract}},
        {"reference_run", std::int64_t{head.referenceRun}},
        {"step_id", std::string_view("run * 4294967296 + position")},
    };
    std::int64_t id = 0;
    Result<void> outcome;
    for (const auto& [key, value] : meta) {
        outcome = outcome ? insert(Table::Meta, {id++, key, value}) : outcome;
    }
    outcome = outcome ? writeModel(head.model) : outcome;
    id = 0;
    for (const auto& [key, value] : head.fingerprint) {
        outcome = outcome
                      ? insert(Table::Fact, {id++, std::string_view(key), std::string_view(value)})
                      : outcome;
    }
    id = 0;
    for (const OpInfo& op : head.ops) {
        outcome = outcome ? writeOp(id++, op) : outcome;
    }
    return outcome ? writePieces(head.pieces) : outcome;
}

Result<void> RowWriter::writeModel(const ModelIdentity& model)
{
    auto outcome =
        insert(Table::Model, {std::int64_t{0}, std::string_view(model.path),
                              std::string_view(model.name), std::string_view(model.architecture),
                              std::string_view(model.sha256), model.parameters, model.fileBytes});
    std::int64_t id = 0;
    for (const TensorDigest& tensor : model.tensors) {
        const std::string shape = listToText(std::span<const std::int64_t>(tensor.shape));
        outcome = outcome ? insert(Table::Digest, {id++, std::string_view(tensor.name),
                                                   std::string_view(tensor.type),
                                                   std::string_view(shape), asSigned(tensor.xxh3)})
                          : outcome;
    }
    return outcome;
}

Result<void> RowWriter::writeOp(std::int64_t id, const OpInfo& op)
{
    const std::string shape = listToText(std::span<const std::int64_t>(op.shape));
    const std::string inputs = listToText(std::span<const int>(op.inputs));
    const std::string history = listToText(std::span<const int>(op.history));
    return insert(Table::Op,
                  {id, std::string_view(op.name), std::string_view(op.base),
                   std::string_view(op.kind), std::int64_t{op.layer}, std::string_view(shape),
                   std::string_view(inputs), std::string_view(history),
                   std::int64_t{op.readsToken ? 1 : 0}, std::string_view(op.weight)});
}

Result<void> RowWriter::writePieces(const std::map<std::int32_t, std::string>& pieces)
{
    for (const auto& [token, bytes] : pieces) {
        if (m_pieces.contains(token)) {
            continue;
        }
        if (auto done = insert(Table::Piece, {std::int64_t{token}, Blob{bytes}}); !done) {
            return done;
        }
        m_pieces.insert(token);
    }
    return {};
}

Result<void> RowWriter::writeRun(const RunRecord& run)
{
    const std::string settings = settingsToJson(run.settings);
    return insert(Table::Run, {std::int64_t{run.run}, std::string_view(settings),
                               std::int64_t{run.promptTokens},
                               static_cast<std::int64_t>(run.opCount), evidenceText()});
}

Result<void> RowWriter::writeColumn(const RunRecord& run, std::size_t column)
{
    const Column& data = run.columns()[column];
    const auto cells = run.cells().subspan(column * run.opCount, run.opCount);
    const std::string_view cellBytes(reinterpret_cast<const char*>(cells.data()),
                                     cells.size_bytes());
    const std::string top = packTop(data.top);
    const auto magnitudes = packMagnitudes(data.magnitudes);
    const std::string nonFinite = packNonFinite(data.nonFinite);
    if (!magnitudes) {
        return makeError(ErrorCode::Unsupported, "a magnitude does not fit the format",
                         m_name + ": run " + std::to_string(run.run) + ", position " +
                             std::to_string(data.position),
                         "record without magnitudes");
    }
    const std::int64_t id = stepId(run.run, data.position);
    auto outcome =
        insert(Table::Step,
               {id, std::int64_t{run.run}, std::int64_t{data.position}, std::int64_t{data.token},
                std::int64_t{data.chosen}, asSigned(data.logitHash),
                asReal(static_cast<double>(data.margin)), asReal(data.logSumExp), data.microseconds,
                Blob{cellBytes}, Blob{top}, Blob{*magnitudes}, Blob{nonFinite}});
    return outcome && data.logits ? writeLogits(run, data) : outcome;
}

Result<void> RowWriter::writeLogits(const RunRecord& run, const Column& column)
{
    const auto packed = packTensor(*column.logits);
    if (!packed) {
        return makeError(ErrorCode::Internal, "logits could not be compressed", m_name,
                         "record without full logits");
    }
    const auto op = static_cast<std::int64_t>(run.opCount) - 1; // the logits are the last op's row
    return insert(Table::Tensor, {m_tensors++, std::int64_t{run.run}, std::int64_t{column.position},
                                  op, std::string_view("f32"), std::string_view("exact"),
                                  static_cast<std::int64_t>(column.logits->size()), Blob{*packed}});
}

Result<void> RowWriter::writeRunEnd(const RunRecord& run)
{
    return insert(Table::RunEnd,
                  {std::int64_t{run.run}, toString(run.status), std::string_view(run.error),
                   std::string_view(run.stopReason), asReal(run.prefillTokensPerSecond),
                   asReal(run.decodeTokensPerSecond), std::string_view(run.traceHash),
                   std::string_view(run.outputSha256)});
}

/// The row that makes the recording complete.
Result<void> RowWriter::writeSeal(const std::string& seal)
{
    auto statement = m_database->prepare("INSERT INTO seal VALUES(0,?,?,?)");
    if (!statement) {
        return statement.error();
    }
    auto outcome = statement->bind(1, m_rows);
    outcome = outcome ? statement->bind(2, std::string_view(m_digest)) : outcome;
    outcome = outcome ? statement->bind(3, std::string_view(seal)) : outcome;
    if (!outcome) {
        return outcome;
    }
    auto stepped = statement->step();
    return stepped ? Result<void>() : stepped.error();
}

Result<void> RowWriter::finish()
{
    const std::string prefix = sealPrefix(randomNonce());
    auto outcome = begin();
    outcome = outcome ? writeSeal(prefix + std::string(kDigestLength, '0')) : outcome;
    outcome = outcome ? commit() : outcome;
    releaseInserts();
    outcome = outcome ? m_database->execute("PRAGMA synchronous=FULL") : outcome;
    if (!outcome) {
        return outcome;
    }
    // Leaving WAL mode copies everything into the one file and removes the others.
    auto mode = m_database->queryText("PRAGMA journal_mode=DELETE");
    if (!mode) {
        return mode.error();
    }
    if (*mode != "delete") {
        return makeError(ErrorCode::Io, "cannot be closed while another program reads it", m_name,
                         "close the other program; the recording is whole and opens as incomplete");
    }
    outcome = m_database->close();
    return outcome ? stampSeal(m_file, m_name, prefix) : outcome;
}

} // namespace ulp::trace
