// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far each policy is from the truth, for each weight format.
//
//   accuracy_bench [MODEL.gguf [TOKENS [THREADS]]]
//
// Products: outputs of 256 x 2048 matrices against the exactly rounded sum (policy `exact`), in
// ULP: mean, the 99.9th percentile, and the share that is exactly rounded. Logits: a small llama in
// each format, and the model given, on TOKENS (64) arbitrary tokens, against a forward pass in
// float64 that shares no arithmetic with the engine (relative L2 and Kullback-Leibler divergence:
// for quantised weights the int8 activations dominate it, and are the same for all policies) and
// against `exact`, which leaves what the order of sums adds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/base/logits.h"
#include "engine/kernels/matmul.h"
#include "engine/numeric/ulp.h"
#include "engine/run/decoder.h"
#include "tests/engine/kernels/matmul_test_data.h"
#include "tests/engine/support/gguf_builder.h"
#include "tests/engine/support/reference_model.h"
#include "tests/engine/support/temporary_file.h"

namespace ulp {
namespace {

using numeric::WeightType;
using Rows = std::vector<std::vector<double>>; // [tokens][vocab]

const char* nameOf(Policy policy)
{
    return toString(policy).data(); // of a string literal
}

std::string nameOf(WeightType type)
{
    return std::string(numeric::weightTypeInfo(type).name);
}

void productTable(int threads)
{
    constexpr std::int64_t kRows = 256;
    constexpr std::int64_t kInner = 2048;
    constexpr std::int64_t kTokens = 16;
    std::printf(
        "| product | policy | median ULP | 99.9 %% below | exactly rounded | relative L2 |\n"
        "|---|---|---|---|---|---|\n");
    for (const WeightType type : kernels::test::allWeightTypes()) {
        kernels::test::TestData data(11);
        const auto weights = data.weights(type, kRows, kInner);
        const auto x = data.values(kTokens * kInner);
        const auto packed = *kernels::PackedMatrix::pack(type, kernels::test::bytesOf(weights),
                                                         kRows, kInner, kernels::Team(threads));
        const auto run = [&](Policy policy) {
            return kernels::test::product(
                packed, x, kTokens, {kernels::Team(threads), kernels::bestIsa(), 256, policy});
        };
        const auto truth = run(Policy::Exact);
        for (const Policy policy : supportedPolicies()) {
            if (policy == Policy::Exact || !kernels::policyServes(policy, type)) {
                continue;
            }
            const auto out = run(policy);
            std::vector<std::uint32_t> ulps(out.size());
            double error = 0.0;
            double norm = 0.0;
            for (std::size_t i = 0; i < out.size(); ++i) {
                ulps[i] = numeric::ulpDistance(out[i], truth[i]);
                error += std::pow(static_cast<double>(out[i]) - static_cast<double>(truth[i]), 2);
                norm += std::pow(static_cast<double>(truth[i]), 2);
            }
            std::sort(ulps.begin(), ulps.end());
            const auto exact = std::count(ulps.begin(), ulps.end(), 0U);
            std::printf("| %s | %s | %u | %u | %.1f %% | %.2e |\n", nameOf(type).c_str(),
                        nameOf(policy), ulps[ulps.size() / 2], ulps[ulps.size() * 999 / 1000],
                        100.0 * static_cast<double>(exact) / static_cast<double>(ulps.size()),
                        std::sqrt(error / norm));
        }
    }
}

std::vector<std::int32_t> someTokens(std::size_t count, std::int64_t vocab)
{
    std::mt19937 random(5);
    std::vector<std::int32_t> tokens(count);
    for (auto& token : tokens) {
        token = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(vocab));
    }
    return tokens;
}

/// All logits of one pass; empty where the policy has no kernel for the model.
Rows logitsOf(const std::shared_ptr<const model::Model>& model,
              const std::vector<std::int32_t>& tokens, Policy policy, int threads)
{
    RunSettings settings;
    settings.policy = policy;
    settings.threads = threads;
    const auto resolved = run::resolveSettings(settings, *model);
    if (!resolved) {
        return {};
    }
    const auto count = static_cast<std::int64_t>(tokens.size());
    auto decoder = run::Decoder::create(model, *resolved, 1, count);
    std::vector<run::InputToken> pass;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        pass.push_back({tokens[i], 0, static_cast<std::int32_t>(i), true});
    }
    if (!decoder || !(*decoder)->forward(pass, nullptr)) {
        return {};
    }
    Rows rows;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto row = (*decoder)->logits(i);
        rows.emplace_back(row.begin(), row.end());
    }
    return rows;
}

double logSumExpOf(const std::vector<double>& row)
{
    const double top = *std::max_element(row.begin(), row.end());
    double sum = 0.0;
    for (const double v : row) {
        sum += std::exp(v - top);
    }
    return top + std::log(sum);
}

struct Distance {
    double relative = 0.0;   // L2 over L2
    double divergence = 0.0; // mean over tokens of KL(truth || rows)
};

Distance distanceOf(const Rows& truth, const Rows& rows)
{
    double error = 0.0;
    double norm = 0.0;
    double divergence = 0.0;
    for (std::size_t t = 0; t < truth.size(); ++t) {
        const double trueLse = logSumExpOf(truth[t]);
        const double lse = logSumExpOf(rows[t]);
        for (std::size_t i = 0; i < truth[t].size(); ++i) {
            const double logp = truth[t][i] - trueLse;
            divergence += std::exp(logp) * (logp - (rows[t][i] - lse));
            error += (rows[t][i] - truth[t][i]) * (rows[t][i] - truth[t][i]);
            norm += truth[t][i] * truth[t][i];
        }
    }
    return {std::sqrt(error / norm), divergence / static_cast<double>(truth.size())};
}

void logitRows(const std::string& name, const std::shared_ptr<const model::Model>& model,
               std::size_t count, int threads)
{
    const auto tokens = someTokens(count, model->hyper().vocab);
    const Rows truth = test::ReferenceModel(*model).logits(tokens);
    const Rows exact = logitsOf(model, tokens, Policy::Exact, threads);
    for (const Policy policy : supportedPolicies()) {
        const Rows rows = logitsOf(model, tokens, policy, threads);
        if (rows.empty()) {
            continue;
        }
        const Distance toTruth = distanceOf(truth, rows);
        const Distance toExact = distanceOf(exact, rows);
        std::printf("| %s | %s | %.2e | %.2e | %.2e | %.2e |\n", name.c_str(), nameOf(policy),
                    toTruth.relative, toTruth.divergence, toExact.relative, toExact.divergence);
    }
}

void logitTable(const char* path, std::size_t count, int threads)
{
    std::printf("\n| logits | policy | L2 to float64 | KL to float64 | L2 to exact | KL to exact "
                "|\n|---|---|---|---|---|---|\n");
    for (const WeightType type : kernels::test::allWeightTypes()) {
        test::TinyLlama tiny;
        tiny.layers = 4;
        tiny.width = 256;
        tiny.heads = 8;
        tiny.ffn = 768;
        tiny.type = type;
        const test::TemporaryFile file(test::makeTinyLlama(tiny), ".gguf");
        const auto model = model::Model::load(file.path(), {});
        if (!model) {
            std::fprintf(stderr, "%s\n", model.error().text().c_str());
            std::exit(2);
        }
        logitRows("small " + nameOf(type), *model, count, threads);
    }
    if (path != nullptr) {
        model::LoadOptions options;
        options.digests = false;
        options.threads = threads;
        const auto model = model::Model::load(path, options);
        if (!model) {
            std::fprintf(stderr, "%s\n", model.error().text().c_str());
            std::exit(2);
        }
        logitRows((*model)->hyper().name, *model, count, threads);
    }
}

} // namespace
} // namespace ulp

int main(int argc, char** argv)
{
    const char* path = argc > 1 ? argv[1] : nullptr;
    const auto count = static_cast<std::size_t>(argc > 2 ? std::max(1, std::atoi(argv[2])) : 64);
    const int threads = argc > 3 ? std::max(1, std::atoi(argv[3])) : 2;
    ulp::productTable(threads);
    ulp::logitTable(path, count, threads);
    return 0;
}
