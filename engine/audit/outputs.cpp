// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/outputs.h"

#include <algorithm>

namespace ulp::audit {
namespace {

using Tokens = std::vector<std::int32_t>;

std::size_t commonPrefix(const Tokens& a, const Tokens& b)
{
    const auto [own, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::size_t>(own - a.begin());
}

void add(std::vector<Output>& outputs, const trace::RunRecord& run)
{
    Tokens tokens = generatedTokens(run);
    auto it = std::find_if(outputs.begin(), outputs.end(), [&](const Output& output) {
        return commonPrefix(output.tokens, tokens) == std::min(output.tokens.size(), tokens.size());
    });
    if (it == outputs.end()) {
        it = outputs.insert(outputs.end(), Output{});
    }
    if (tokens.size() > it->tokens.size()) {
        it->tokens = std::move(tokens);
    }
    it->runs.push_back(run.run);
}

} // namespace

std::vector<Output> distinctOutputs(const compare::Comparison& comparison)
{
    std::vector<Output> outputs;
    if (comparison.runs().empty()) {
        return outputs;
    }
    // Runs that came to their end first, so that a short one finds the output it belongs to.
    std::vector<int> order = comparison.runs();
    const auto rank = [&](int index) {
        const auto& run = *comparison.snapshot().runs[static_cast<std::size_t>(index)];
        return index == comparison.reference()            ? 0
               : run.status == trace::RunStatus::Complete ? 1
                                                          : 2;
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    for (const int index : order) {
        add(outputs, *comparison.snapshot().runs[static_cast<std::size_t>(index)]);
    }
    for (auto& output : outputs) {
        std::sort(output.runs.begin(), output.runs.end());
        output.firstFlip = commonPrefix(output.tokens, outputs.front().tokens);
    }
    return outputs;
}

std::vector<std::int32_t> promptTokens(const trace::RunRecord& run)
{
    std::vector<std::int32_t> tokens;
    for (const auto& column : run.columns()) {
        if (tokens.size() < static_cast<std::size_t>(std::max(run.promptTokens, 0))) {
            tokens.push_back(column.token);
        }
    }
    return tokens;
}

std::vector<std::int32_t> generatedTokens(const trace::RunRecord& run)
{
    std::vector<std::int32_t> tokens;
    for (const auto& column : run.columns()) {
        if (column.chosen >= 0) {
            tokens.push_back(column.chosen);
        }
    }
    return tokens;
}

std::string textOf(const trace::Snapshot& snapshot, const std::vector<std::int32_t>& tokens)
{
    std::string text;
    for (const std::int32_t token : tokens) {
        text += snapshot.pieceOf(token);
    }
    return text;
}

} // namespace ulp::audit
