// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a trace file, version 1, and the digest chain over their rows. Internal to trace.
//
// Every table's first column is its integer primary key. Hashes and other unsigned 64-bit values
// are stored as SQLite's signed integers with the same bits; packed values are little-endian.
//   step.id        run * 2^32 + position
//   step.cells     one 64-bit hash for each op; 0: not recorded
//   step.top       (int32 token, float32 logit) sorted by logit, then token
//   step.magnitudes  (uint32 op, uint32 differing, uint32 of, uint32 max_ulp, float64 max_abs,
//                  float64 relative_l2), ops ascending
//   step.non_finite  (uint32 op, int64 nan, int64 infinite), ops ascending
//   tensor         a whole row of an op: float32, zstd
//   run.settings   JSON
//   a number that is NaN is NULL
//
// The chain. For every row, in the order in which rows were written, chain holds
//   digest = SHA-256 in hex of: the digest before (64 characters, zeros at first), the table's
//   name, a zero byte, then for each column in order one tag and its value: 'i' int64, 'd' float64,
//   't' or 'b' with a uint64 length and the bytes, 'n' for NULL.
// seal, written last, holds the number of rows, the last digest and `file`: a fixed text, a random
// nonce and the SHA-256 of the whole file as it was with 64 zeros in place of that digest.
//
// Thread-safety: constants and pure functions. Ownership: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/trace/sqlite_db.h"

namespace ulp::trace {

inline constexpr std::uint32_t kApplicationId = 0x554c5053; // 'ULPS'
inline constexpr std::int64_t kFormatVersion = 1;

enum class Table : std::uint8_t {
    Meta,
    Model,
    Digest,
    Fact,
    Op,
    Piece,
    Run,
    RunEnd,
    Step,
    Tensor,
};
inline constexpr std::size_t kTableCount = 10;

struct TableInfo {
    std::string_view name;
    std::string_view columns; // as in a SELECT
    std::string_view create;  // the statement, as it stands in sqlite_schema
    int columnCount = 0;
};
/// The tables that the chain covers.
[[nodiscard]] const std::array<TableInfo, kTableCount>& tables();
[[nodiscard]] const TableInfo& info(Table table);
/// chain and seal.
[[nodiscard]] std::span<const TableInfo> bookkeepingTables();
/// The id of a row of Table::Step: one run's steps lie together, in order.
constexpr std::int64_t stepId(std::int64_t run, std::int64_t position)
{
    return (run << 32) + position;
}
/// How a row is named to a person: "table op, row 3", "table step, run 3, position 12".
[[nodiscard]] std::string rowPlace(Table table, std::int64_t id);
/// The table of that name, or nothing.
[[nodiscard]] std::optional<Table> tableNamed(std::string_view name);

/// The digest before the first row.
[[nodiscard]] const std::string& firstDigest();
[[nodiscard]] std::string chainDigest(std::string_view previous, std::string_view tableName,
                                      std::span<const SqlValue> row);

/// seal.file up to its digest, for a nonce of 32 hex digits.
inline constexpr std::size_t kDigestLength = 64;
[[nodiscard]] std::string sealPrefix(std::string_view nonce);
inline constexpr std::size_t kSealLength = 16 + 32 + 1 + kDigestLength;

} // namespace ulp::trace
