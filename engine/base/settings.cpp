// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/settings.h"

#include <array>
#include <charconv>
#include <cmath>

namespace ulp {
namespace {

template <typename E>
struct Name {
    E value;
    std::string_view name;
};

constexpr std::array kPolicies{
    Name<Policy>{Policy::Ordered, "ordered"},
    Name<Policy>{Policy::Atomic, "atomic"},
    Name<Policy>{Policy::AtomicAdd, "atomic-add"},
    Name<Policy>{Policy::ThreadSplit, "thread-split"},
    Name<Policy>{Policy::BatchSplit, "batch-split"},
    Name<Policy>{Policy::Kahan, "kahan"},
    Name<Policy>{Policy::Exact, "exact"},
    Name<Policy>{Policy::Vendor, "vendor"},
};
constexpr std::array kIsas{
    Name<Isa>{Isa::Auto, "auto"},
    Name<Isa>{Isa::Portable, "portable"},
    Name<Isa>{Isa::Avx2, "avx2"},
    Name<Isa>{Isa::Avx512, "avx512"},
};
constexpr std::array kDevices{
    Name<Device>{Device::Cpu, "cpu"},
    Name<Device>{Device::Cuda, "cuda"},
};
constexpr std::array kPrecisions{
    Name<Precision>{Precision::F32, "f32"},
    Name<Precision>{Precision::Bf16, "bf16"},
    Name<Precision>{Precision::F16, "f16"},
};
constexpr std::array kCompanions{
    Name<Companions>{Companions::Steady, "steady"},
    Name<Companions>{Companions::Joining, "joining"},
};
constexpr std::array kPromptCaches{
    Name<PromptCache>{PromptCache::Cold, "cold"},
    Name<PromptCache>{PromptCache::Reused, "reused"},
};

template <typename E, std::size_t N>
std::string_view nameOf(const std::array<Name<E>, N>& names, E value)
{
    for (const auto& entry : names) {
        if (entry.value == value) {
            return entry.name;
        }
    }
    return "?";
}

template <typename E, std::size_t N>
Result<E> valueOf(const std::array<Name<E>, N>& names, std::string_view name, std::string_view what)
{
    std::string known;
    for (const auto& entry : names) {
        if (entry.name == name) {
            return entry.value;
        }
        known += known.empty() ? "" : ", ";
        known += entry.name;
    }
    return makeError(ErrorCode::BadUsage,
                     "unknown " + std::string(what) + " '" + std::string(name) + "'", {},
                     "use one of " + known);
}

template <typename T>
bool parseNumber(std::string_view text, T& out)
{
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

} // namespace

std::string_view toString(Policy policy)
{
    return nameOf(kPolicies, policy);
}
std::string_view toString(Isa isa)
{
    return nameOf(kIsas, isa);
}
std::string_view toString(Device device)
{
    return nameOf(kDevices, device);
}
std::string_view toString(Precision precision)
{
    return nameOf(kPrecisions, precision);
}
std::string_view toString(Companions companions)
{
    return nameOf(kCompanions, companions);
}
std::string_view toString(PromptCache cache)
{
    return nameOf(kPromptCaches, cache);
}

Result<Policy> parsePolicy(std::string_view name)
{
    auto policy = valueOf(kPolicies, name, "policy");
    if (policy) {
        return policy;
    }
    std::string usable; // an unknown name is answered with what can be used, not with what is known
    for (const Policy p : supportedPolicies()) {
        usable += (usable.empty() ? "" : ", ") + std::string(toString(p));
    }
    return makeError(ErrorCode::BadUsage, policy.error().message, {}, "use one of " + usable);
}
Result<Isa> parseIsa(std::string_view name)
{
    return valueOf(kIsas, name, "instruction set");
}
Result<Device> parseDevice(std::string_view name)
{
    return valueOf(kDevices, name, "device");
}
Result<Precision> parsePrecision(std::string_view name)
{
    return valueOf(kPrecisions, name, "activation precision");
}
Result<Companions> parseCompanions(std::string_view name)
{
    return valueOf(kCompanions, name, "kind of companions");
}
Result<PromptCache> parsePromptCache(std::string_view name)
{
    return valueOf(kPromptCaches, name, "cache");
}

const std::vector<Policy>& allPolicies()
{
    static const std::vector<Policy> all = [] {
        std::vector<Policy> v;
        for (const auto& entry : kPolicies) {
            v.push_back(entry.value);
        }
        return v;
    }();
    return all;
}

const std::vector<Policy>& supportedPolicies()
{
    // What a weight format or the machine lacks is refused where it is known (policyServes() of the
    // kernels), not here.
    return allPolicies();
}

bool globMatch(std::string_view pattern, std::string_view text)
{
    // Iterative with one backtrack point: linear in practice and safe on hostile patterns.
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) &&
            pattern[p] != '*') {
            ++p;
            ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

Policy policyFor(const RunSettings& settings, std::string_view opName)
{
    Policy policy = settings.policy;
    for (const auto& entry : settings.opPolicies) {
        if (globMatch(entry.pattern, opName)) {
            policy = entry.policy;
        }
    }
    return policy;
}

Result<Perturbation> parsePerturbation(std::string_view text)
{
    const auto bad = [&] {
        return makeError(ErrorCode::BadUsage, "'" + std::string(text) + "' is not a perturbation",
                         {}, "write OP@POSITION[:ELEMENT[:ULPS]], for example ffn_out-2@12:0:1");
    };
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos || at == 0) {
        return bad();
    }
    Perturbation result;
    result.op = std::string(text.substr(0, at));
    // Every colon announces a field: an empty one is an error, not a default.
    std::vector<std::string_view> fields;
    for (std::string_view rest = text.substr(at + 1);;) {
        const std::size_t colon = rest.find(':');
        fields.push_back(rest.substr(0, colon));
        if (colon == std::string_view::npos) {
            break;
        }
        rest = rest.substr(colon + 1);
    }
    if (fields.size() > 3 || !parseNumber(fields[0], result.position) || result.position < 0) {
        return bad();
    }
    if (fields.size() > 1 && (!parseNumber(fields[1], result.element) || result.element < 0)) {
        return bad();
    }
    if (fields.size() > 2 && !parseNumber(fields[2], result.ulps)) {
        return bad();
    }
    return result;
}

Result<LogitBias> parseLogitBias(std::string_view text)
{
    const std::size_t equals = text.find('=');
    LogitBias result;
    // A bias is a number or -inf: a NaN or +inf would take every draw's meaning away.
    if (equals == std::string_view::npos || !parseNumber(text.substr(0, equals), result.token) ||
        !parseNumber(text.substr(equals + 1), result.bias) || result.token < 0 ||
        std::isnan(result.bias) || (std::isinf(result.bias) && result.bias > 0.0F)) {
        return makeError(ErrorCode::BadUsage, "'" + std::string(text) + "' is not ID=X", {},
                         "write a token id and a number or -inf, for example 198=-2.5");
    }
    return result;
}

Result<void> checkSampler(const SamplerSettings& s)
{
    const auto refuse = [](const char* what, const char* remedy) {
        return makeError(ErrorCode::BadUsage, std::string(what) + " is out of range", {}, remedy);
    };
    // Written so that NaN is refused.
    if (s.topK < 0) {
        return refuse("top-k", "use 1 or more tokens, or 0 for all");
    }
    if (!(s.topP > 0.0F && s.topP <= 1.0F)) {
        return refuse("top-p", "use a share above 0, up to 1");
    }
    if (!(s.minP >= 0.0F && s.minP <= 1.0F)) {
        return refuse("min-p", "use 0 to 1");
    }
    if (!(s.repeatPenalty >= 0.01F && s.repeatPenalty <= 100.0F)) {
        return refuse("the repeat penalty", "use 0.01 to 100; 1 is none");
    }
    if (s.repeatLastN < -1) {
        return refuse("the window of the repeat penalty", "use 0 or more tokens, or -1 for all");
    }
    for (const LogitBias& bias : s.logitBias) {
        if (bias.token < 0 || std::isnan(bias.bias) || (std::isinf(bias.bias) && bias.bias > 0)) {
            return refuse("a logit bias", "use a token id and a number or -inf");
        }
    }
    return {};
}

Result<OpPolicy> parseOpPolicy(std::string_view text)
{
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0) {
        return makeError(ErrorCode::BadUsage, "'" + std::string(text) + "' is not OP=POLICY", {},
                         "write an op name or glob and a policy, for example ffn_out-*=atomic");
    }
    auto policy = parsePolicy(text.substr(equals + 1));
    if (!policy) {
        return policy.error();
    }
    return OpPolicy{std::string(text.substr(0, equals)), *policy};
}

} // namespace ulp
