// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The loop that both kinds of byte-pair encoding share: among all neighbours that may merge, the
// cheapest do, leftmost first among equals, until none may. O(n log n) with a queue over a linked
// list. Thread-safety: pure. Ownership: the caller owns the symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

namespace ulp::model {

struct Symbol {
    std::uint32_t begin = 0;  // in the text
    std::uint32_t length = 0; // bytes; 0: merged into the symbol on its left
    std::int32_t token = -1;  // -1: no token has this text
    std::int32_t previous = -1;
    std::int32_t next = -1;
    bool frozen = false; // never merges
};

/// What two neighbours would become. Lower costs go first.
struct Merge {
    double cost = 0.0;
    std::int32_t token = -1;
};

/// Links neighbours; call once the symbols are complete.
inline void linkSymbols(std::vector<Symbol>& symbols)
{
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        symbols[i].previous = static_cast<std::int32_t>(i) - 1;
        symbols[i].next = i + 1 < symbols.size() ? static_cast<std::int32_t>(i) + 1 : -1;
    }
}

/// `candidate(left, right)`: optional<Merge>. Symbols must be linked.
template <typename Candidate>
void mergeSymbols(std::vector<Symbol>& symbols, Candidate&& candidate)
{
    struct Entry {
        Merge merge;
        std::int32_t left;
        std::int32_t right;
        std::uint32_t length; // of both when the entry was made: tells a stale entry
        bool operator<(const Entry& other) const
        {
            return merge.cost != other.merge.cost ? merge.cost > other.merge.cost
                                                  : left > other.left;
        }
    };
    std::priority_queue<Entry> queue;
    const auto at = [&symbols](std::int32_t i) -> Symbol& {
        return symbols[static_cast<std::size_t>(i)];
    };
    const auto consider = [&](std::int32_t left, std::int32_t right) {
        if (left < 0 || right < 0 || at(left).frozen || at(right).frozen) {
            return;
        }
        if (const std::optional<Merge> merge = candidate(at(left), at(right))) {
            queue.push({*merge, left, right, at(left).length + at(right).length});
        }
    };
    for (std::size_t i = 1; i < symbols.size(); ++i) {
        consider(static_cast<std::int32_t>(i) - 1, static_cast<std::int32_t>(i));
    }
    while (!queue.empty()) {
        const Entry entry = queue.top();
        queue.pop();
        Symbol& left = at(entry.left);
        Symbol& right = at(entry.right);
        if (left.length == 0 || right.length == 0 || left.length + right.length != entry.length) {
            continue;
        }
        left.length = entry.length;
        left.token = entry.merge.token;
        left.next = right.next;
        right.length = 0;
        if (left.next >= 0) {
            at(left.next).previous = entry.left;
        }
        consider(left.previous, entry.left);
        consider(entry.left, left.next);
    }
}

} // namespace ulp::model
