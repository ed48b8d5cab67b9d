// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the ops besides matrix products take on the shape of a 1.1-billion-parameter model:
// 32 heads of 64 over 4 KV heads, width 2048, 22 layers, 512 positions.
//
//   ops_bench [--rounds N] [--threads N] [--cpu-time]
//
// Best of all rounds. --cpu-time takes the calling thread's processor time instead of wall time: on
// a busy machine the better measure on one thread, and meaningless on several.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "engine/kernels/ops.h"
#include "engine/numeric/random.h"

namespace ulp::kernels {
namespace {

constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kKvHeads = 4;
constexpr std::int64_t kHeadDim = 64;
constexpr std::int64_t kWidth = kHeads * kHeadDim;
constexpr std::int64_t kFfnWidth = 5632;
constexpr std::int64_t kContext = 512;
constexpr double kLayers = 22.0;

struct Options {
    int rounds = 10;
    int threads = 1;
    bool cpuTime = false;
};

/// Seconds of the fastest of options.rounds calls of f.
template <typename F>
double best(const Options& options, F f)
{
    const clockid_t clock = options.cpuTime ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    const auto now = [clock] {
        timespec t{};
        clock_gettime(clock, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    double fastest = 1e9;
    for (int i = 0; i < options.rounds; ++i) {
        const double start = now();
        f();
        fastest = std::min(fastest, now() - start);
    }
    return fastest;
}

std::vector<float> randomValues(std::int64_t n, std::uint64_t seed)
{
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 2.0F * numeric::uniformFloat(seed, 0, i) - 1.0F;
    }
    return x;
}

/// Milliseconds for each token, all layers, of attention over the last `rows` of the context.
double attentionTime(const Options& options, const ExecContext& context, const KvCache& cache,
                     std::int64_t rows)
{
    std::vector<std::int32_t> positions;
    for (std::int64_t p = kContext - rows; p < kContext; ++p) {
        positions.push_back(static_cast<std::int32_t>(p));
    }
    const std::vector<std::int32_t> sequences(positions.size(), 0);
    const std::vector<float> q = randomValues(rows * kWidth, 1);
    std::vector<float> out(q.size());
    AttentionArgs args;
    args.q = q.data();
    args.out = out.data();
    args.rows = rows;
    args.heads = kHeads;
    args.headDim = kHeadDim;
    args.cache = &cache;
    args.sequences = sequences.data();
    args.positions = positions.data();
    args.scale = 1.0F / std::sqrt(static_cast<float>(kHeadDim));
    const int calls = rows == 1 ? 50 : 1;
    const double seconds = best(options, [&] {
        for (int i = 0; i < calls; ++i) {
            attention(args, context);
        }
    });
    return seconds * kLayers * 1e3 / static_cast<double>(rows * calls);
}

void attentionTable(const Options& options)
{
    auto cache = KvCache::create(1, 1, kContext, kKvHeads, kHeadDim);
    if (!cache) {
        std::printf("%s\n", cache.error().text().c_str());
        return;
    }
    for (std::int64_t p = 0; p < kContext; ++p) {
        const auto seed = static_cast<std::uint64_t>(p);
        cache->store(0, 0, p, randomValues(kKvHeads * kHeadDim, seed).data(),
                     randomValues(kKvHeads * kHeadDim, seed + 9999).data());
    }
    std::printf("attention, ms for each token over all layers, %d threads\n", options.threads);
    for (const Isa isa : availableIsas()) {
        for (const Policy policy : supportedPolicies()) {
            if (isa == Isa::Portable && policy != Policy::Ordered) {
                continue;
            }
            ExecContext context;
            context.team = Team(options.threads);
            context.isa = isa;
            context.policy = policy;
            std::printf("  %-9s %-13s prefill of 512 %8.3f  decode at 512 %8.3f\n",
                        std::string(toString(isa)).c_str(), std::string(toString(policy)).c_str(),
                        attentionTime(options, context, *cache, kContext),
                        attentionTime(options, context, *cache, 1));
        }
    }
}

void rowTable(const Options& options)
{
    const auto x = randomValues(kFfnWidth, 1);
    const auto y = randomValues(kFfnWidth, 2);
    std::vector<float> out(x.size());
    RopeSpec spec;
    spec.dims = kHeadDim;
    const RopeTable table(spec, kContext);
    const std::int32_t position = 77;
    std::printf("one row on one thread, us\n");
    for (const Isa isa : availableIsas()) {
        ExecContext context;
        context.isa = isa;
        const auto micros = [&](auto f) {
            return 1e4 * best(options, [&] {
                       for (int i = 0; i < 100; ++i) {
                           f();
                       }
                   });
        };
        const double norm =
            micros([&] { rmsNorm(x.data(), y.data(), 1e-5F, 1, kWidth, out.data(), context); });
        const double turn = micros(
            [&] { rope(x.data(), &position, 1, kHeads, kHeadDim, table, out.data(), context); });
        const double gate =
            micros([&] { swiglu(x.data(), y.data(), kFfnWidth, out.data(), context); });
        const double sum = micros([&] { add(x.data(), y.data(), kWidth, out.data(), context); });
        std::printf("  %-9s norm %6.2f  rope %6.2f  swiglu %6.2f  add %6.2f\n",
                    std::string(toString(isa)).c_str(), norm, turn, gate, sum);
    }
}

} // namespace
} // namespace ulp::kernels

int main(int argc, char** argv)
{
    ulp::kernels::Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--cpu-time") {
            options.cpuTime = true;
        } else if (argument == "--rounds" && i + 1 < argc) {
            options.rounds = std::max(1, std::atoi(argv[++i]));
        } else if (argument == "--threads" && i + 1 < argc) {
            options.threads = std::max(1, std::atoi(argv[++i]));
        } else {
            std::printf("ops_bench [--rounds N] [--threads N] [--cpu-time]\n");
            return 2;
        }
    }
    ulp::kernels::attentionTable(options);
    ulp::kernels::rowTable(options);
    return 0;
}
