// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/cell_classes.h"

#include <algorithm>
#include <array>

#include "engine/trace/snapshot.h"

// 64-bit equality needs more than the baseline's vectors: compiled for wider ones too, chosen when
// the program is loaded. Integer compares only, so that the result cannot depend on the choice.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define ULP_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ULP_VECTOR_CLONES
#endif

namespace ulp::compare {
namespace {

constexpr std::size_t kBlock = 128; // ops whose counters stay in the first-level cache
static_assert(trace::kNotRecorded == 0);

/// fresh[i] stays set where row has a cell that `earlier` does not equal.
ULP_VECTOR_CLONES
void clearWhereEqual(const std::uint64_t* row, const std::uint64_t* earlier, std::uint64_t* fresh,
                     std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        fresh[i] = row[i] == earlier[i] ? 0 : fresh[i];
    }
}

ULP_VECTOR_CLONES
void markRecorded(const std::uint64_t* row, std::uint64_t* fresh, std::uint64_t* missing,
                  std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        fresh[i] = row[i] != trace::kNotRecorded ? 1 : 0;
        missing[i] |= row[i] == trace::kNotRecorded ? 1 : 0;
    }
}

ULP_VECTOR_CLONES
std::uint64_t countDifferences(const std::uint64_t* a, const std::uint64_t* b,
                               std::uint64_t* differs, std::size_t count)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t recorded = (a[i] != 0 ? 1U : 0U) & (b[i] != 0 ? 1U : 0U);
        differs[i] = a[i] != b[i] ? recorded : 0;
        sum += differs[i];
    }
    return sum;
}

} // namespace

bool hasUnrecorded(const std::uint64_t* row, std::size_t ops)
{
    return std::find(row, row + ops, trace::kNotRecorded) != row + ops;
}

void countClasses(std::span<const std::uint64_t* const> rows, std::size_t ops,
                  std::uint8_t* classes, std::uint8_t* missing)
{
    std::array<std::uint64_t, kBlock> count{};
    std::array<std::uint64_t, kBlock> absent{};
    std::array<std::uint64_t, kBlock> fresh{};
    for (std::size_t at = 0; at < ops; at += kBlock) {
        const std::size_t n = std::min(kBlock, ops - at);
        count.fill(0);
        absent.fill(0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            markRecorded(rows[i] + at, fresh.data(), absent.data(), n);
            for (std::size_t j = 0; j < i; ++j) {
                clearWhereEqual(rows[i] + at, rows[j] + at, fresh.data(), n);
            }
            for (std::size_t k = 0; k < n; ++k) {
                count[k] += fresh[k];
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            classes[at + k] = static_cast<std::uint8_t>(std::min<std::uint64_t>(count[k], 255));
            missing[at + k] = static_cast<std::uint8_t>(absent[k]);
        }
    }
}

std::size_t markDifferences(const std::uint64_t* a, const std::uint64_t* b, std::size_t ops,
                            std::uint8_t* differs)
{
    std::array<std::uint64_t, kBlock> marks{};
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < ops; at += kBlock) {
        const std::size_t n = std::min(kBlock, ops - at);
        sum += countDifferences(a + at, b + at, marks.data(), n);
        for (std::size_t k = 0; k < n; ++k) {
            differs[at + k] = static_cast<std::uint8_t>(marks[k]);
        }
    }
    return static_cast<std::size_t>(sum);
}

} // namespace ulp::compare
