// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/score.h"

#include <algorithm>
#include <cmath>

#include "engine/base/logits.h"
#include "engine/run/decoder.h"

namespace ulp::run {
namespace {

/// Logits of a whole pass are held at once: this many rows bound the memory on a large vocabulary.
constexpr std::size_t kRowsAtOnce = 64;

} // namespace

Result<ScoreResult> score(std::shared_ptr<const model::Model> model, const RunSettings& settings,
                          std::span<const std::int32_t> tokens, int topK,
                          const std::atomic<bool>* cancel)
{
    const auto length = static_cast<std::int64_t>(tokens.size());
    if (tokens.empty()) {
        return makeError(ErrorCode::BadUsage, "there is no text to score", {},
                         "give a text, or token ids with --tokens");
    }
    if (settings.batch != 1) {
        return makeError(ErrorCode::BadUsage, "score takes one sequence", {}, "use --batch 1");
    }
    auto decoder = Decoder::create(model, settings, 1, length);
    if (!decoder) {
        return decoder.error();
    }
    ScoreResult result;
    result.tokens.assign(tokens.begin(), tokens.end());
    double nll = 0.0;
    const std::size_t cut = std::min(kRowsAtOnce, static_cast<std::size_t>(settings.prefillChunk));
    for (std::size_t from = 0; from < tokens.size(); from += cut) {
        std::vector<InputToken> pass;
        for (std::size_t i = from; i < std::min(tokens.size(), from + cut); ++i) {
            pass.push_back({tokens[i], 0, static_cast<std::int32_t>(i), true});
        }
        if (auto done = (*decoder)->forward(pass, nullptr, cancel); !done) {
            return done.error();
        }
        for (std::size_t row = 0; row < pass.size(); ++row) {
            const std::span<const float> logits = (*decoder)->logits(row);
            ScorePosition position;
            position.logSumExp = logSumExp(logits);
            position.top = topLogits(logits, static_cast<std::size_t>(std::max(0, topK)));
            const std::size_t next = from + row + 1;
            if (next < tokens.size()) {
                const auto token = static_cast<std::size_t>(tokens[next]);
                if (token >= logits.size()) {
                    return makeError(ErrorCode::BadUsage,
                                     "token id " + std::to_string(tokens[next]) +
                                         " lies outside the vocabulary",
                                     {}, "use ids below " + std::to_string(logits.size()));
                }
                nll += position.logSumExp - static_cast<double>(logits[token]);
            }
            result.positions.push_back(std::move(position));
        }
    }
    const auto predictions = static_cast<double>(tokens.size() - 1);
    result.meanNll = predictions > 0.0 ? nll / predictions : 0.0;
    result.perplexity = std::exp(result.meanNll);
    return result;
}

} // namespace ulp::run
