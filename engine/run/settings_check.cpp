// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "engine/run/decoder.h"

namespace ulp::run {
namespace {

constexpr int kMaxThreads = 256;
constexpr int kMaxBatch = 256;

Error refuse(ErrorCode code, std::string message, std::string remedy)
{
    return makeError(code, std::move(message), {}, std::move(remedy));
}

Result<void> checkPolicy(Policy policy)
{
    const auto& known = supportedPolicies();
    if (std::find(known.begin(), known.end(), policy) != known.end()) {
        return {};
    }
    std::string names;
    for (const Policy p : known) {
        names += (names.empty() ? "" : ", ") + std::string(toString(p));
    }
    return refuse(ErrorCode::Unsupported,
                  "policy '" + std::string(toString(policy)) + "' is not part of this build",
                  "use one of " + names);
}

Result<void> checkPolicies(const RunSettings& settings, const std::vector<OpInfo>& ops)
{
    if (auto ok = checkPolicy(settings.policy); !ok) {
        return ok;
    }
    for (const OpPolicy& entry : settings.opPolicies) {
        if (auto ok = checkPolicy(entry.policy); !ok) {
            return ok;
        }
        const auto matches = [&](const OpInfo& op) { return globMatch(entry.pattern, op.name); };
        const auto found = std::find_if(ops.begin(), ops.end(), matches);
        if (found == ops.end()) {
            return refuse(ErrorCode::BadUsage, "no op matches '" + entry.pattern + "'",
                          "use an op name or glob such as ffn_out-* or kqv_out-0");
        }
    }
    return {};
}

/// The format of an op's weights; nothing for an op without a matrix.
std::optional<numeric::WeightType> weightTypeOf(const OpInfo& op, const model::Model& model)
{
    if (op.kind != "matmul") {
        return {};
    }
    // A model without an output matrix uses its embedding.
    const bool tied = op.weight == "output.weight" && model.tiedOutput();
    const std::string& name = tied ? "token_embd.weight" : op.weight;
    for (const model::GgufTensor& tensor : model.file().tensors()) {
        if (tensor.name == name) {
            const auto info = numeric::weightTypeInfo(tensor.type);
            return info ? std::optional(info->type) : std::nullopt;
        }
    }
    return {};
}

/// Whether every op has a kernel for the policy that it is given.
Result<void> checkKernels(const RunSettings& settings, const std::vector<OpInfo>& ops,
                          const model::Model& model)
{
    for (const OpInfo& op : ops) {
        const auto type = weightTypeOf(op, model);
        if (!type) {
            continue;
        }
        if (auto serves = kernels::policyServes(policyFor(settings, op.name), *type); !serves) {
            Error error = serves.error();
            error.where = op.name;
            return error;
        }
    }
    return {};
}

Result<void> checkPerturbation(const Perturbation& fault, const std::vector<OpInfo>& ops)
{
    const auto named = [&](const OpInfo& op) { return op.name == fault.op; };
    const auto found = std::find_if(ops.begin(), ops.end(), named);
    if (found == ops.end()) {
        return refuse(ErrorCode::BadUsage, "no op is named '" + fault.op + "'",
                      "use an op name such as ffn_out-0");
    }
    if (fault.ulps == 0) {
        return refuse(ErrorCode::BadUsage, "a fault of 0 ULP changes nothing",
                      "plant 1 or more, or a negative number");
    }
    if (fault.element >= found->shape.at(0)) {
        return refuse(ErrorCode::BadUsage,
                      fault.op + " has " + std::to_string(found->shape.at(0)) +
                          " elements, so element " + std::to_string(fault.element) +
                          " does not exist",
                      "use an element from 0 up to one less");
    }
    return {};
}

Result<void> checkRanges(const RunSettings& s)
{
    const auto range = [](const char* name, std::int64_t value, std::int64_t low,
                          std::int64_t high) -> Result<void> {
        if (value < low || value > high) {
            return refuse(ErrorCode::BadUsage,
                          std::string(name) + " " + std::to_string(value) + " is out of range",
                          "use " + std::to_string(low) + " to " + std::to_string(high));
        }
        return {};
    };
    constexpr std::int64_t kManySteps = 10'000'000;
    const std::initializer_list<Result<void>> checks = {
        range("threads", s.threads, 0, kMaxThreads),
        range("batch", s.batch, 1, kMaxBatch),
        range("prefill chunk", s.prefillChunk, 1, 1 << 20),
        range("steps", s.steps, 1, kManySteps),
        range("reduction chunk", s.reductionChunk, 0, 1 << 20),
    };
    for (const auto& check : checks) {
        if (!check) {
            return check;
        }
    }
    if (s.reductionChunk % 32 != 0) {
        return refuse(ErrorCode::BadUsage,
                      "reduction chunk " + std::to_string(s.reductionChunk) +
                          " is not a multiple of 32",
                      "use 32, 64, 128 or 256");
    }
    if (!(s.temperature >= 0.0F) || s.temperature > 100.0F) {
        return refuse(ErrorCode::BadUsage, "temperature is out of range", "use 0 to 100");
    }
    return checkSampler(s.sampler);
}

} // namespace

Result<RunSettings> resolveSettings(const RunSettings& settings, const model::Model& model)
{
    RunSettings resolved = settings;
    if (auto ok = checkRanges(settings); !ok) {
        return ok.error();
    }
    const std::vector<OpInfo> ops = opCatalogue(model.hyper());
    if (auto ok = checkPolicies(settings, ops); !ok) {
        return ok.error();
    }
    if (auto ok = checkKernels(settings, ops, model); !ok) {
        return ok.error();
    }
    for (const LogitBias& bias : settings.sampler.logitBias) {
        if (bias.token >= model.hyper().vocab) {
            return refuse(ErrorCode::BadUsage,
                          "the logit bias of token " + std::to_string(bias.token) +
                              " is outside the vocabulary",
                          "use ids from 0 to " + std::to_string(model.hyper().vocab - 1));
        }
    }
    if (settings.perturb) {
        if (auto ok = checkPerturbation(*settings.perturb, ops); !ok) {
            return ok.error();
        }
    }
    if (settings.device != Device::Cpu) {
        return refuse(ErrorCode::Unsupported, "this build has no CUDA device", "use --device cpu");
    }
    if (resolved.threads == 0) {
        resolved.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    }
    if (resolved.isa == Isa::Auto) {
        resolved.isa = kernels::bestIsa();
    }
    if (!kernels::isaAvailable(resolved.isa)) {
        return refuse(ErrorCode::Unsupported,
                      "this machine cannot execute " + std::string(toString(resolved.isa)),
                      "use --isa auto");
    }
    if (resolved.reductionChunk == 0) {
        resolved.reductionChunk = static_cast<int>(model.defaultReductionChunk());
    }
    return resolved;
}

} // namespace ulp::run
