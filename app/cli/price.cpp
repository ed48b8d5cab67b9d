// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/price.h"

#include <algorithm>
#include <ctime>
#include <map>

#include "engine/run/decoder.h"

namespace ulp::cli {
namespace {

/// Seconds by a clock that suits the team: on one thread its processor time, which other programs
/// do not disturb; on several, wall time.
class Stopwatch {
  public:
    explicit Stopwatch(int threads)
        : m_clock(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC)
    {
    }
    [[nodiscard]] double now() const
    {
        timespec t{};
        clock_gettime(m_clock, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

  private:
    clockid_t m_clock;
};

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n == 0 ? 0.0 : (values[(n - 1) / 2] + values[n / 2]) / 2.0;
}

/// The ops with sums, those of all layers under one name. Products of one input may be computed
/// together, and their time cannot be told apart: they share a name.
struct OpGroups {
    std::vector<std::string> names;
    std::vector<std::string> kinds;
    std::vector<int> groupOf; // by op; -1: no sum in it

    explicit OpGroups(const std::vector<OpInfo>& ops)
    {
        std::map<std::string, int> groupOfBase;
        for (std::size_t i = 0; i < ops.size(); ++i) {
            const OpInfo& op = ops[i];
            if (op.kind != "matmul" && op.kind != "norm" && op.kind != "attention") {
                groupOf.push_back(-1);
                continue;
            }
            const bool shares = i > 0 && op.kind == "matmul" && ops[i - 1].kind == "matmul" &&
                                op.inputs == ops[i - 1].inputs && op.layer == ops[i - 1].layer;
            const auto [entry, isNew] = groupOfBase.try_emplace(
                op.base, shares ? groupOf.back() : static_cast<int>(names.size()));
            groupOf.push_back(entry->second);
            if (isNew && shares) {
                names[static_cast<std::size_t>(entry->second)] += "+" + op.base;
            } else if (isNew) {
                names.push_back(op.base);
                kinds.push_back(op.kind);
            }
        }
    }
};

/// Shares the time of passes out among the groups: what passes between two calls belongs to the
/// later one.
class OpTimer : public run::Observer {
  public:
    OpTimer(const OpGroups& groups, const Stopwatch& watch)
        : m_groups(groups), m_watch(watch), m_seconds(groups.names.size())
    {
    }

    void begin() { m_last = m_watch.now(); }
    void onOp(const run::OpOutput& output) override
    {
        const double now = m_watch.now();
        const int group = m_groups.groupOf[static_cast<std::size_t>(output.op)];
        if (group >= 0) {
            m_seconds[static_cast<std::size_t>(group)] += now - m_last;
        }
        m_last = now;
    }
    [[nodiscard]] const std::vector<double>& seconds() const { return m_seconds; }

  private:
    const OpGroups& m_groups;
    const Stopwatch& m_watch;
    std::vector<double> m_seconds;
    double m_last = 0.0;
};

/// One policy's decoder and the passes that all policies do alike.
class Contestant {
  public:
    Contestant(const PriceRequest& request, const RunSettings& settings,
               std::unique_ptr<run::Decoder> decoder)
        : m_request(request), m_settings(settings), m_decoder(std::move(decoder))
    {
    }

    [[nodiscard]] const std::vector<OpInfo>& ops() const { return m_decoder->ops(); }
    [[nodiscard]] int threads() const { return m_settings.threads; }

    Result<void> prefill(OpTimer* timer, const std::atomic<bool>& cancel)
    {
        std::vector<run::InputToken> pass;
        const std::vector<std::int32_t>& prompt = m_request.prompt;
        for (std::size_t i = 0; i < prompt.size(); ++i) {
            const bool last = i + 1 == prompt.size();
            pass.push_back({prompt[i], 0, static_cast<std::int32_t>(i), last});
            if (last || static_cast<int>(pass.size()) == m_settings.prefillChunk) {
                if (auto done = forward(pass, timer, cancel); !done) {
                    return done;
                }
                pass.clear();
            }
        }
        return {};
    }
    /// The tokens are those of the prompt again: which, does not matter to the time.
    Result<void> decode(OpTimer* timer, const std::atomic<bool>& cancel)
    {
        const std::vector<std::int32_t>& prompt = m_request.prompt;
        for (int i = 0; i < m_request.genTokens; ++i) {
            const auto at = static_cast<std::size_t>(i) % prompt.size();
            const auto position = static_cast<std::int32_t>(prompt.size()) + i;
            const run::InputToken token{prompt[at], 0, position, true};
            if (auto done = forward({&token, 1}, timer, cancel); !done) {
                return done;
            }
        }
        return {};
    }

  private:
    Result<void> forward(std::span<const run::InputToken> pass, OpTimer* timer,
                         const std::atomic<bool>& cancel)
    {
        if (timer != nullptr) {
            timer->begin();
        }
        return m_decoder->forward(pass, timer, &cancel);
    }

    const PriceRequest& m_request;
    RunSettings m_settings;
    std::unique_ptr<run::Decoder> m_decoder;
};

Result<std::vector<Contestant>> contestants(const PriceRequest& request, Price& price)
{
    std::vector<Contestant> found;
    const auto positions = static_cast<std::int64_t>(request.prompt.size()) + request.genTokens;
    for (const Policy policy : supportedPolicies()) {
        if (policy == Policy::Exact) {
            continue; // no less a promise than `ordered`, at any price
        }
        RunSettings settings = request.settings;
        settings.policy = policy;
        auto resolved = run::resolveSettings(settings, *request.model);
        if (!resolved && policy == Policy::Vendor) {
            price.leftOut.push_back(resolved.error().text());
            continue;
        }
        if (!resolved) {
            return resolved.error();
        }
        auto decoder = run::Decoder::create(request.model, *resolved, 1, positions);
        if (!decoder) {
            return decoder.error();
        }
        price.policies.push_back(policy);
        found.emplace_back(request, *resolved, std::move(*decoder));
    }
    return found;
}

PricePhase emptyPhase(const std::string& name, int tokens, const OpGroups& groups,
                      std::size_t policies)
{
    PricePhase phase{name, tokens, {}, {}};
    phase.whole.seconds.resize(policies);
    for (std::size_t i = 0; i < groups.names.size(); ++i) {
        PriceRow row;
        row.op = groups.names[i];
        row.kind = groups.kinds[i];
        row.seconds.resize(policies);
        phase.ops.push_back(std::move(row));
    }
    return phase;
}

using Step = Result<void> (Contestant::*)(OpTimer*, const std::atomic<bool>&);

/// One phase of one policy: without an observer for the whole, then with one for the ops.
Result<void> takeTurn(Contestant& contestant, Step step, std::size_t policy, const OpGroups& groups,
                      bool count, PricePhase& phase, const std::atomic<bool>& cancel)
{
    const Stopwatch watch(contestant.threads());
    const double start = watch.now();
    if (auto done = (contestant.*step)(nullptr, cancel); !done) {
        return done;
    }
    const double whole = watch.now() - start;
    OpTimer timer(groups, watch);
    if (auto done = (contestant.*step)(&timer, cancel); !done) {
        return done;
    }
    if (count) {
        phase.whole.seconds[policy].push_back(whole);
        for (std::size_t i = 0; i < phase.ops.size(); ++i) {
            phase.ops[i].seconds[policy].push_back(timer.seconds()[i]);
        }
    }
    return {};
}

} // namespace

double PriceRow::median(std::size_t policy) const
{
    return medianOf(seconds[policy]);
}

double PriceRow::speedup(std::size_t policy) const
{
    std::vector<double> ratios;
    for (std::size_t r = 0; r < seconds[policy].size(); ++r) {
        ratios.push_back(seconds[policy][r] > 0.0 ? seconds[0][r] / seconds[policy][r] : 1.0);
    }
    return medianOf(ratios);
}

std::size_t Price::fastest(const PriceRow& row) const
{
    std::size_t best = 1;
    for (std::size_t i = 1; i < policies.size(); ++i) {
        if (policies[i] != Policy::Vendor && row.speedup(i) > row.speedup(best)) {
            best = i;
        }
    }
    return best;
}

Result<Price> measurePrice(const PriceRequest& request, const std::atomic<bool>& cancel,
                           const std::function<void(int repetition)>& progress)
{
    Price price;
    auto all = contestants(request, price);
    if (!all) {
        return all.error();
    }
    const std::size_t policies = all->size();
    const OpGroups groups(all->front().ops());
    price.phases.push_back(
        emptyPhase("prefill", static_cast<int>(request.prompt.size()), groups, policies));
    price.phases.push_back(emptyPhase("decode", request.genTokens, groups, policies));
    // One repetition more than asked: the first warms caches and is not counted.
    for (int repetition = 0; repetition <= request.repetitions; ++repetition) {
        progress(repetition);
        for (std::size_t phase = 0; phase < 2; ++phase) {
            const Step step = phase == 0 ? &Contestant::prefill : &Contestant::decode;
            for (std::size_t turn = 0; turn < policies; ++turn) {
                // Each repetition begins with another policy, so that none always follows the same.
                const std::size_t i = (turn + static_cast<std::size_t>(repetition)) % policies;
                if (auto done = takeTurn((*all)[i], step, i, groups, repetition > 0,
                                         price.phases[phase], cancel);
                    !done) {
                    return done.error();
                }
            }
        }
    }
    return price;
}

} // namespace ulp::cli
