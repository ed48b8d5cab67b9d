// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <new>
#include <set>
#include <utility>

#include "engine/trace/file_seal.h"
#include "engine/trace/snapshot_builder.h"
#include "engine/trace/trace_file.h"
#include "engine/trace/trace_reader.h"
#include "engine/trace/trace_schema.h"
#include "engine/trace/trace_source.h"

namespace ulp::trace {
namespace {

constexpr std::size_t kMaxProblems = 50;

class Verifier {
  public:
    explicit Verifier(const TraceSource& source)
        : m_source(source), m_database(source.database()), m_budget(source.bytes() * 2 + 4096)
    {
    }

    VerifyReport verify()
    {
        checkStructure();
        checkChain();
        checkCoverage();
        checkSeal();
        checkContent();
        m_report.ok = m_report.problems.empty();
        return std::move(m_report);
    }

  private:
    void problem(const std::string& text)
    {
        if (m_report.problems.size() < kMaxProblems) {
            m_report.problems.push_back(text);
        }
    }

    /// Calls `take` for each row of a query; SQLite's complaints become problems.
    template <typename Take>
    void eachRow(const std::string& sql, const std::string& what, const Take& take)
    {
        auto statement = m_database.prepare(sql);
        Result<bool> there = statement ? statement->step() : Result<bool>(statement.error());
        while (there && *there) {
            if (!take(*statement)) {
                return;
            }
            there = statement->step();
        }
        if (!there) {
            problem(what + ": " + there.error().message);
        }
    }

    void checkStructure()
    {
        eachRow("PRAGMA integrity_check(20)", "structure", [this](const Statement& row) {
            const std::string said(row.text(0).value_or(""));
            if (said != "ok") {
                problem("structure: " + said);
            }
            return true;
        });
    }

    void checkChain()
    {
        for (std::size_t i = 0; i < kTableCount; ++i) {
            const TableInfo& table = tables()[i];
            auto statement = m_database.prepare("SELECT " + std::string(table.columns) + " FROM " +
                                                std::string(table.name) + " WHERE id = ?");
            if (!statement) {
                problem("table " + std::string(table.name) + ": " + statement.error().message);
                return;
            }
            m_byId[i] = std::move(*statement);
        }
        std::string previous = firstDigest();
        eachRow("SELECT id, tbl, row, digest FROM chain ORDER BY id", "table chain",
                [&](const Statement& link) { return checkLink(link, previous); });
        m_report.chainHead = previous;
    }

    /// A link is checked against the digest that the one before it states, so that one changed row
    /// gives one problem.
    bool checkLink(const Statement& link, std::string& previous)
    {
        const std::string place = "table chain, row " + std::to_string(m_report.rows + 1);
        ++m_report.rows;
        const auto id = link.integer(0);
        const auto table = tableNamed(link.text(1).value_or(""));
        const auto row = link.integer(2);
        const std::string stated(link.text(3).value_or(""));
        if (id != m_report.rows || !table || !row || stated.size() != kDigestLength) {
            problem(place + ": is malformed or out of order");
            return m_report.problems.size() < kMaxProblems;
        }
        checkRow(*table, *row, previous, stated);
        if (!m_seen[static_cast<std::size_t>(*table)].insert(*row).second) {
            problem(place + ": names a row that an earlier link names too");
        }
        previous = stated;
        return m_budget >= 0 && m_report.problems.size() < kMaxProblems;
    }

    void checkRow(Table table, std::int64_t id, const std::string& previous,
                  const std::string& stated)
    {
        const std::string place = rowPlace(table, id);
        Statement& statement = m_byId[static_cast<std::size_t>(table)];
        auto outcome = statement.bind(1, id);
        auto there = outcome ? statement.step() : Result<bool>(outcome.error());
        if (!there || !*there) {
            problem(place + ": " + (there ? "is missing" : there.error().message));
            statement.reset();
            return;
        }
        std::vector<SqlValue> values;
        for (int column = 0; column < statement.columns(); ++column) {
            values.push_back(statement.value(column));
            m_budget -= static_cast<std::int64_t>(statement.text(column).value_or("").size() +
                                                  statement.blob(column).value_or("").size());
        }
        if (m_budget < 0) {
            problem(place + ": the rows hold more than the file has bytes");
        } else if (chainDigest(previous, info(table).name, values) != stated) {
            problem(place + ": was changed after it was written");
        }
        statement.reset();
    }

    /// Every row is in the chain: one that was slipped in is found by its absence there.
    void checkCoverage()
    {
        for (std::size_t i = 0; i < kTableCount; ++i) {
            const std::string name(tables()[i].name);
            eachRow("SELECT id FROM " + name, "table " + name, [&](const Statement& row) {
                const std::int64_t id = row.integer(0).value_or(-1);
                if (!m_seen[i].contains(id)) {
                    problem(rowPlace(static_cast<Table>(i), id) + ": is not in the chain");
                }
                return m_report.problems.size() < kMaxProblems;
            });
        }
    }

    void checkSeal()
    {
        bool found = false;
        eachRow("SELECT id, rows, head, file FROM seal", "table seal", [&](const Statement& row) {
            if (found || row.integer(0) != 0) {
                problem("table seal: has more than its one row");
                return false;
            }
            found = true;
            if (row.integer(1) != m_report.rows || row.text(2) != m_report.chainHead) {
                problem("table seal: states another number of rows or another last digest than "
                        "the chain has");
            }
            checkFile(std::string(row.text(3).value_or("")));
            return true;
        });
        if (!found && !m_source.recording()) {
            problem("table seal: is empty, although the file was closed");
        }
    }

    /// A seal without its digest: closing was cut short, and the rows are judged by the chain
    /// alone. No damage makes one, for that takes 64 zeros.
    void checkFile(const std::string& seal)
    {
        m_report.sealed = !seal.ends_with(std::string(kDigestLength, '0'));
        if (!m_report.sealed) {
            return;
        }
        auto wrong = trace::checkSeal(m_source.path(), seal);
        if (!wrong) {
            problem("seal: " + wrong.error().text());
        } else if (!wrong->empty()) {
            problem("seal: " + *wrong);
        }
    }

    /// What the rows mean: they make a session, and runs have the digests that they state.
    void checkContent()
    {
        auto snapshot = TraceReader(m_source).read();
        if (!snapshot) {
            problem("content: " + snapshot.error().text());
            return;
        }
        for (const auto& run : (*snapshot)->runs) {
            if (run->status != RunStatus::Complete) {
                continue;
            }
            const std::string name = "run " + std::to_string(run->run);
            if (run->traceHash != traceHash(*run)) {
                problem(name + ": its trace hash is not that of its cells");
            }
            if (run->outputSha256 != outputSha256(*run, (*snapshot)->pieces)) {
                problem(name + ": its output digest is not that of its text");
            }
        }
    }

    const TraceSource& m_source;
    const Database& m_database;
    std::int64_t m_budget; // bytes that the rows may still hold
    VerifyReport m_report;
    std::array<Statement, kTableCount> m_byId;
    std::array<std::set<std::int64_t>, kTableCount> m_seen;
};

} // namespace

Result<VerifyReport> verifyTrace(const std::string& path)
{
    try {
        auto source = TraceSource::open(path);
        if (!source) {
            return source.error();
        }
        return Verifier(**source).verify();
    } catch (const std::bad_alloc&) {
        return makeError(ErrorCode::Io, "is too large for the memory that is free", path,
                         "close other programs, or verify it on a machine with more memory");
    }
}

} // namespace ulp::trace
