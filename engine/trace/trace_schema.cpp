// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/trace_schema.h"

#include <cstring>

#include "engine/base/sha256.h"

namespace ulp::trace {
namespace {

constexpr std::string_view kSealWords = "ulpscope-seal-1:";
static_assert(kSealWords.size() + 32 + 1 + kDigestLength == kSealLength);

constexpr std::array<TableInfo, kTableCount> kTables{{
    {"meta", "id, key, value",
     "CREATE TABLE meta(id INTEGER PRIMARY KEY, key TEXT NOT NULL, value)", 3},
    {"model", "id, path, name, architecture, sha256, parameters, file_bytes",
     "CREATE TABLE model(id INTEGER PRIMARY KEY, path TEXT, name TEXT, architecture TEXT, "
     "sha256 TEXT, parameters INTEGER, file_bytes INTEGER)",
     7},
    {"tensor_digest", "id, name, type, shape, xxh3",
     "CREATE TABLE tensor_digest(id INTEGER PRIMARY KEY, name TEXT, type TEXT, shape TEXT, "
     "xxh3 INTEGER)",
     5},
    {"fingerprint", "id, key, value",
     "CREATE TABLE fingerprint(id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT)", 3},
    {"op", "id, name, base, kind, layer, shape, inputs, history, reads_token, weight",
     "CREATE TABLE op(id INTEGER PRIMARY KEY, name TEXT, base TEXT, kind TEXT, layer INTEGER, "
     "shape TEXT, inputs TEXT, history TEXT, reads_token INTEGER, weight TEXT)",
     10},
    {"piece", "id, bytes", "CREATE TABLE piece(id INTEGER PRIMARY KEY, bytes BLOB)", 2},
    {"run", "id, settings, prompt_tokens, ops, evidence",
     "CREATE TABLE run(id INTEGER PRIMARY KEY, settings TEXT, prompt_tokens INTEGER, ops INTEGER, "
     "evidence TEXT)",
     5},
    {"run_end",
     "id, status, error, stop_reason, prefill_rate, decode_rate, trace_hash, output_sha256",
     "CREATE TABLE run_end(id INTEGER PRIMARY KEY, status TEXT, error TEXT, stop_reason TEXT, "
     "prefill_rate REAL, decode_rate REAL, trace_hash TEXT, output_sha256 TEXT)",
     8},
    {"step",
     "id, run, position, token, chosen, logit_hash, margin, log_sum_exp, microseconds, cells, top, "
     "magnitudes, non_finite",
     "CREATE TABLE step(id INTEGER PRIMARY KEY, run INTEGER, position INTEGER, token INTEGER, "
     "chosen INTEGER, logit_hash INTEGER, margin REAL, log_sum_exp REAL, microseconds INTEGER, "
     "cells BLOB, top BLOB, magnitudes BLOB, non_finite BLOB)",
     13},
    {"tensor", "id, run, position, op, dtype, evidence, count, zstd",
     "CREATE TABLE tensor(id INTEGER PRIMARY KEY, run INTEGER, position INTEGER, op INTEGER, "
     "dtype TEXT, evidence TEXT, count INTEGER, zstd BLOB)",
     8},
}};

constexpr std::array<TableInfo, 2> kBookkeeping{{
    {"chain", "id, tbl, row, digest",
     "CREATE TABLE chain(id INTEGER PRIMARY KEY, tbl TEXT, row INTEGER, digest TEXT)", 4},
    {"seal", "id, rows, head, file",
     "CREATE TABLE seal(id INTEGER PRIMARY KEY, rows INTEGER, head TEXT, file TEXT)", 4},
}};

void addNumber(Sha256& digest, char tag, const void* value)
{
    digest.update(&tag, 1);
    digest.update(value, 8);
}

void addBytes(Sha256& digest, char tag, std::string_view bytes)
{
    const std::uint64_t length = bytes.size();
    addNumber(digest, tag, &length);
    digest.update(bytes);
}

} // namespace

const std::array<TableInfo, kTableCount>& tables()
{
    return kTables;
}

const TableInfo& info(Table table)
{
    return kTables[static_cast<std::size_t>(table)];
}

std::span<const TableInfo> bookkeepingTables()
{
    return kBookkeeping;
}

std::optional<Table> tableNamed(std::string_view name)
{
    for (std::size_t i = 0; i < kTables.size(); ++i) {
        if (kTables[i].name == name) {
            return static_cast<Table>(i);
        }
    }
    return std::nullopt;
}

const std::string& firstDigest()
{
    static const std::string zeros(kDigestLength, '0');
    return zeros;
}

std::string rowPlace(Table table, std::int64_t id)
{
    const std::string name = "table " + std::string(info(table).name);
    if (table == Table::Step && id >= 0) {
        return name + ", run " + std::to_string(id >> 32) + ", position " +
               std::to_string(id & 0xffffffff);
    }
    return name + ", row " + std::to_string(id);
}

std::string chainDigest(std::string_view previous, std::string_view tableName,
                        std::span<const SqlValue> row)
{
    Sha256 digest;
    digest.update(previous);
    digest.update(tableName);
    digest.update("\0", 1);
    for (const SqlValue& value : row) {
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            addNumber(digest, 'i', integer);
        } else if (const auto* real = std::get_if<double>(&value)) {
            addNumber(digest, 'd', real);
        } else if (const auto* text = std::get_if<std::string_view>(&value)) {
            addBytes(digest, 't', *text);
        } else if (const auto* blob = std::get_if<Blob>(&value)) {
            addBytes(digest, 'b', blob->bytes);
        } else {
            digest.update("n", 1);
        }
    }
    return digest.finish();
}

std::string sealPrefix(std::string_view nonce)
{
    return std::string(kSealWords) + std::string(nonce) + ":";
}

} // namespace ulp::trace
