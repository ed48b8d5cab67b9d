// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/generator.h"

#include <algorithm>
#include <chrono>

#include "engine/numeric/random.h"
#include "engine/run/sampler.h"

namespace ulp::run {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The prompt of a companion: fixed by the seed and its number, about as long as the main prompt,
/// and never the same as another's.
std::vector<std::int32_t> companionPrompt(std::uint64_t seed, int companion, std::size_t length,
                                          std::int64_t vocab)
{
    std::vector<std::int32_t> tokens(std::max<std::size_t>(1, length - length / 4));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const float u = numeric::uniformFloat(seed, static_cast<std::uint64_t>(companion),
                                              static_cast<std::uint64_t>(i));
        const auto token = static_cast<std::int64_t>(u * static_cast<float>(vocab));
        tokens[i] = static_cast<std::int32_t>(std::min(token, vocab - 1));
    }
    return tokens;
}

} // namespace

double RunResult::prefillRate() const
{
    return prefillSeconds > 0.0 ? static_cast<double>(promptTokens) / prefillSeconds : 0.0;
}

double RunResult::decodeRate() const
{
    return decodeSeconds > 0.0 ? static_cast<double>(decodedTokens) / decodeSeconds : 0.0;
}

Result<std::unique_ptr<Generator>> Generator::create(std::shared_ptr<const model::Model> model,
                                                     const RunSettings& settings,
                                                     std::vector<std::int32_t> prompt)
{
    const model::HyperParameters& hyper = model->hyper();
    if (prompt.empty()) {
        return makeError(ErrorCode::BadUsage, "the prompt has no tokens", {},
                         "give a text, or token ids with --tokens");
    }
    std::unique_ptr<Generator> generator(new Generator);
    // The last token generated is never fed, so `steps` new tokens need steps - 1 more positions.
    generator->m_positions =
        static_cast<std::int64_t>(prompt.size()) + std::max(0, settings.steps - 1);
    auto decoder = Decoder::create(model, settings, settings.batch, generator->m_positions);
    if (!decoder) {
        return decoder.error();
    }
    generator->m_decoder = std::move(*decoder);
    generator->m_settings = settings;
    generator->m_promptTokens = prompt.size();
    generator->m_sequences.resize(static_cast<std::size_t>(settings.batch));
    generator->m_sequences[0].tokens = std::move(prompt);
    for (int i = 1; i < settings.batch; ++i) {
        generator->m_sequences[static_cast<std::size_t>(i)].tokens =
            companionPrompt(settings.seed, i, generator->m_promptTokens, hyper.vocab);
    }
    generator->m_model = std::move(model);
    return generator;
}

/// The tokens of the next forward pass: of each sequence what is known and not yet fed, at most one
/// prefill cut of each, the recorded sequence first.
std::vector<InputToken> Generator::nextPass() const
{
    std::vector<InputToken> pass;
    for (std::size_t s = 0; s < m_sequences.size(); ++s) {
        const Sequence& sequence = m_sequences[s];
        const std::size_t room = static_cast<std::size_t>(m_positions);
        const std::size_t end =
            std::min({sequence.tokens.size(), room,
                      sequence.fed + static_cast<std::size_t>(m_settings.prefillChunk)});
        for (std::size_t i = sequence.fed; i < end; ++i) {
            pass.push_back({sequence.tokens[i], static_cast<std::int32_t>(s),
                            static_cast<std::int32_t>(i), i + 1 == sequence.tokens.size()});
        }
    }
    return pass;
}

/// After a pass: picks the next token of each sequence that got logits, tells the listener.
Result<void> Generator::takePass(std::span<const InputToken> pass, RunListener* listener)
{
    std::size_t row = 0;
    for (const InputToken& input : pass) {
        Sequence& sequence = m_sequences[static_cast<std::size_t>(input.sequence)];
        ++sequence.fed;
        std::int32_t chosen = -1;
        std::span<const float> logits;
        if (input.wantLogits) {
            logits = m_decoder->logits(row++);
            const auto step = static_cast<std::uint32_t>(sequence.fed);
            const auto next = sample(logits, m_settings.temperature, m_settings.seed,
                                     static_cast<std::uint32_t>(input.sequence), step);
            if (!next && input.sequence == 0) {
                if (listener != nullptr) {
                    listener->onColumn(input.position, input.token, -1, logits);
                }
                return next.error();
            }
            // A companion whose logits are all NaN goes on with token 0: its trouble is not the
            // run's.
            chosen = next.ok() ? *next : 0;
            sequence.tokens.push_back(chosen);
        }
        if (listener != nullptr && input.sequence == 0) {
            listener->onColumn(input.position, input.token, chosen, logits);
        }
    }
    return {};
}

Result<RunResult> Generator::run(RunListener* listener, bool observeOps,
                                 const std::atomic<bool>* cancel)
{
    RunResult result;
    result.promptTokens = static_cast<std::int32_t>(m_promptTokens);
    const Sequence& main = m_sequences[0];
    const auto wanted = m_promptTokens + static_cast<std::size_t>(m_settings.steps);
    const auto start = Clock::now();
    auto decodeStart = start;
    result.stopReason = "steps";
    for (;;) {
        const bool generating = main.tokens.size() > m_promptTokens;
        if (main.fed >= m_promptTokens && main.tokens.size() >= wanted) {
            break;
        }
        if (generating && !m_settings.ignoreEos &&
            m_model->tokenizer().endsGeneration(main.tokens.back())) {
            result.stopReason = "eos";
            break;
        }
        const std::vector<InputToken> pass = nextPass();
        auto done = m_decoder->forward(pass, observeOps ? listener : nullptr, cancel);
        if (!done && done.error().code == ErrorCode::Cancelled) {
            result.stopReason = "cancelled";
            break;
        }
        if (done) {
            done = takePass(pass, listener);
        }
        if (!done) {
            return done.error();
        }
        if (!generating && main.tokens.size() > m_promptTokens) {
            result.prefillSeconds = secondsSince(start);
            decodeStart = Clock::now();
        } else if (generating) {
            ++result.decodedTokens;
            result.decodeSeconds = secondsSince(decodeStart);
        }
    }
    result.tokens = main.tokens;
    return result;
}

} // namespace ulp::run
