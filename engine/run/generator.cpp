// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/generator.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/run/sampler.h"

namespace ulp::run {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Shows a pass of the recorded sequence up to a position, and hides what lies beyond.
class PrefixObserver : public Observer {
  public:
    PrefixObserver(Observer& observer, std::size_t end) : m_observer(observer), m_end(end) {}
    void onOp(const OpOutput& output) override
    {
        m_sequences.assign(output.sequences, output.sequences + output.rows);
        for (std::int64_t row = 0; row < output.rows; ++row) {
            if (static_cast<std::size_t>(output.positions[row]) >= m_end) {
                m_sequences[static_cast<std::size_t>(row)] = kHidden;
            }
        }
        OpOutput shown = output;
        shown.sequences = m_sequences.data();
        m_observer.onOp(shown);
    }

  private:
    static constexpr std::int32_t kHidden = -1;
    Observer& m_observer;
    std::size_t m_end;
    std::vector<std::int32_t> m_sequences;
};

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
    if (prompt.empty()) {
        return makeError(ErrorCode::BadUsage, "the prompt has no tokens", {},
                         "give a text, or token ids with --tokens");
    }
    std::unique_ptr<Generator> generator(new Generator);
    // The last token generated is never fed, so `steps` new tokens need steps - 1 more positions.
    generator->m_positions =
        static_cast<std::int64_t>(prompt.size()) + std::max(0, settings.steps - 1);
    const bool reuse = settings.cache == PromptCache::Reused;
    if (reuse && prompt.size() < 2) {
        return makeError(ErrorCode::BadUsage, "a prompt of one token has no part to reuse", {},
                         "use a longer prompt, or a cold cache");
    }
    // The prefix to be reused waits in a sequence of its own.
    auto decoder =
        Decoder::create(model, settings, settings.batch + (reuse ? 1 : 0), generator->m_positions);
    if (!decoder) {
        return decoder.error();
    }
    generator->m_decoder = std::move(*decoder);
    generator->m_settings = settings;
    generator->m_promptTokens = prompt.size();
    generator->m_sequences.resize(static_cast<std::size_t>(settings.batch));
    generator->m_sequences[0].tokens = std::move(prompt);
    for (int i = 1; i < settings.batch; ++i) {
        generator->m_sequences[static_cast<std::size_t>(i)].stay = firstStay(settings, i);
    }
    generator->m_model = std::move(model);
    return generator;
}

/// Companions whose time is over leave their places, and those whose time has come take them.
void Generator::seatCompanions()
{
    for (int place = 1; place < m_settings.batch; ++place) {
        Sequence& companion = m_sequences[static_cast<std::size_t>(place)];
        while (companion.stay.end <= m_passes) {
            companion = {{}, 0, nextStay(m_settings, place, companion.stay)};
        }
        if (companion.tokens.empty() && companion.stay.begin <= m_passes) {
            companion.tokens = companionPrompt(m_settings, companion.stay.guest, m_promptTokens,
                                               m_model->hyper().vocab);
        }
    }
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
            const auto next =
                sample(logits, m_settings, std::span(sequence.tokens).first(sequence.fed),
                       {m_settings.seed, static_cast<std::uint32_t>(input.sequence), step});
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

/// The first half of the prompt goes through the model and on with other tokens, is put aside, and
/// comes back into places that held yet another text: what a cache that serves many requests does.
Result<void> Generator::reusePrefix(RunListener* listener, bool observeOps,
                                    const std::atomic<bool>* cancel)
{
    Sequence& main = m_sequences[0];
    const std::size_t prefix = m_promptTokens / 2;
    const std::int32_t aside = m_settings.batch;
    const auto foreign = [&](std::size_t i) {
        return static_cast<std::int32_t>((main.tokens[i] + 1) % m_model->hyper().vocab);
    };
    const auto feed = [&](std::size_t kept, Observer* observer) -> Result<void> {
        const auto cut = static_cast<std::size_t>(m_settings.prefillChunk);
        std::vector<InputToken> pass;
        for (std::size_t i = 0; i < m_promptTokens; ++i) {
            pass.push_back(
                {i < kept ? main.tokens[i] : foreign(i), 0, static_cast<std::int32_t>(i), false});
            if (pass.size() == cut || i + 1 == m_promptTokens) {
                if (auto done = m_decoder->forward(pass, observer, cancel); !done) {
                    return done;
                }
                pass.clear();
            }
        }
        return {};
    };
    std::optional<PrefixObserver> shown;
    if (listener != nullptr && observeOps) {
        shown.emplace(*listener, prefix);
    }
    if (auto done = feed(prefix, shown ? &*shown : nullptr); !done) {
        return done;
    }
    m_decoder->cache().copySequence(0, aside, static_cast<std::int64_t>(prefix));
    if (auto done = feed(0, nullptr); !done) {
        return done;
    }
    m_decoder->cache().copySequence(aside, 0, static_cast<std::int64_t>(prefix));
    for (; main.fed < prefix; ++main.fed) {
        if (listener != nullptr) {
            listener->onColumn(static_cast<std::int32_t>(main.fed), main.tokens[main.fed], -1, {});
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
    Result<void> done;
    if (m_settings.cache == PromptCache::Reused) {
        done = reusePrefix(listener, observeOps, cancel);
    }
    for (;;) {
        if (!done && done.error().code == ErrorCode::Cancelled) {
            result.stopReason = "cancelled";
            break;
        }
        if (!done) {
            return done.error();
        }
        const bool generating = main.tokens.size() > m_promptTokens;
        if (main.fed >= m_promptTokens && main.tokens.size() >= wanted) {
            break;
        }
        if (generating && !m_settings.ignoreEos &&
            m_model->tokenizer().endsGeneration(main.tokens.back())) {
            result.stopReason = "eos";
            break;
        }
        seatCompanions();
        const std::vector<InputToken> pass = nextPass();
        done = m_decoder->forward(pass, observeOps ? listener : nullptr, cancel);
        if (!done) {
            continue; // the loop's head says how a run ends
        }
        done = takePass(pass, listener);
        ++m_passes;
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
