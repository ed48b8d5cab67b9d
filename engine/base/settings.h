// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings of a run that can change its bits, as plain values: what the command line and the
// run panel fill in, what the engine executes, and what a trace records. Thread-safety: plain
// values. Ownership: by value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace ulp {

/// The version of the written arithmetic (design, "the contract"); part of every trace.
inline constexpr int kContractVersion = 1;

/// Who takes which chunk of a sum, and in which order partials are merged.
enum class Policy : std::uint8_t {
    Ordered,
    Atomic,
    AtomicAdd,
    ThreadSplit,
    BatchSplit,
    Kahan,
    Exact,
    Vendor,
};
enum class Isa : std::uint8_t { Auto, Portable, Avx2, Avx512 };
enum class Device : std::uint8_t { Cpu, Cuda };
/// Every op output is rounded to this format (and kept in float32 storage).
enum class Precision : std::uint8_t { F32, Bf16, F16 };
/// The other sequences of a batch: there from the first pass to the last, or each coming and going
/// on its own, with others taking the places that become free.
enum class Companions : std::uint8_t { Steady, Joining };
/// Whether a run begins with an empty KV cache, or finds the first half of its prompt there: left
/// by another sequence that went on with other tokens, in slots that had been used before.
enum class PromptCache : std::uint8_t { Cold, Reused };

[[nodiscard]] std::string_view toString(Policy policy);         // "atomic-add"
[[nodiscard]] std::string_view toString(Isa isa);               // "avx512"
[[nodiscard]] std::string_view toString(Device device);         // "cpu"
[[nodiscard]] std::string_view toString(Precision precision);   // "bf16"
[[nodiscard]] std::string_view toString(Companions companions); // "joining"
[[nodiscard]] std::string_view toString(PromptCache cache);     // "reused"
/// Unknown names give BadUsage, listing the known ones.
[[nodiscard]] Result<Policy> parsePolicy(std::string_view name);
[[nodiscard]] Result<Isa> parseIsa(std::string_view name);
[[nodiscard]] Result<Device> parseDevice(std::string_view name);
[[nodiscard]] Result<Precision> parsePrecision(std::string_view name);
[[nodiscard]] Result<Companions> parseCompanions(std::string_view name);
[[nodiscard]] Result<PromptCache> parsePromptCache(std::string_view name);
/// All policies in the order they are shown.
[[nodiscard]] const std::vector<Policy>& allPolicies();
/// The policies that this build can execute on the CPU.
[[nodiscard]] const std::vector<Policy>& supportedPolicies();

/// A policy for the ops whose name matches `pattern` (`*` and `?` as in a shell); the last match
/// wins.
struct OpPolicy {
    std::string pattern; // "ffn_out-*"
    Policy policy = Policy::Ordered;
    bool operator==(const OpPolicy&) const = default;
};

/// A planted fault: `element` of op `op`'s output row at absolute position `position` is moved by
/// `ulps`.
struct Perturbation {
    std::string op; // "ffn_out-2"
    std::int64_t position = 0;
    std::int64_t element = 0;
    std::int32_t ulps = 1;
    bool operator==(const Perturbation&) const = default;
};

/// Added to a token's logit before all else; -infinity forbids the token.
struct LogitBias {
    std::int32_t token = 0;
    float bias = 0.0F;
    bool operator==(const LogitBias&) const = default;
};

/// What happens to logits before one token is drawn, in this order (engine/run/sampler.h).
struct SamplerSettings {
    std::vector<LogitBias> logitBias = {};
    float repeatPenalty = 1.0F; // 1: off
    int repeatLastN = 64;       // tokens that it looks back; 0: none, -1: all
    int topK = 0;               // 0: off
    float topP = 1.0F;          // 1: off
    float minP = 0.0F;          // 0: off
    bool operator==(const SamplerSettings&) const = default;
};

/// A prompt that was written into the model's chat template.
struct ChatSettings {
    std::string family;                // "chatml"
    std::optional<std::string> system; // nothing: the template's own, if it has one
    bool operator==(const ChatSettings&) const = default;
};

struct RunSettings {
    Policy policy = Policy::Ordered;
    std::vector<OpPolicy> opPolicies;
    int threads = 0;        // 0: one for each core; resolved before a run is recorded
    int batch = 1;          // sequences decoded together; the first is recorded
    int prefillChunk = 512; // prompt tokens in one forward pass
    int reductionChunk = 0; // 0: the model's default; a multiple of 32
    Isa isa = Isa::Auto;
    Device device = Device::Cpu;
    Precision activation = Precision::F32;
    int steps = 64;
    std::uint64_t seed = 0;
    float temperature = 0.0F; // 0: greedy
    SamplerSettings sampler;
    std::optional<ChatSettings> chat; // nothing: the prompt went in as it is
    bool ignoreEos = false;
    Companions companions = Companions::Steady;
    PromptCache cache = PromptCache::Cold;
    bool hash = true; // false: ops are not shown to the recorder, only logits and tokens are
    std::optional<Perturbation> perturb;

    bool operator==(const RunSettings&) const = default;
};

/// Shell-style match: `*` any run of characters, `?` one character.
[[nodiscard]] bool globMatch(std::string_view pattern, std::string_view text);
/// The policy in force for one op: the last matching opPolicies entry, else `policy`.
[[nodiscard]] Policy policyFor(const RunSettings& settings, std::string_view opName);
/// `op@position[:element[:ulps]]`.
[[nodiscard]] Result<Perturbation> parsePerturbation(std::string_view text);
/// `ID=X`, X a number or -inf.
[[nodiscard]] Result<LogitBias> parseLogitBias(std::string_view text);
/// Whether every field of the chain is in its range; the error names field and range.
[[nodiscard]] Result<void> checkSampler(const SamplerSettings& sampler);
/// `OP=POLICY`.
[[nodiscard]] Result<OpPolicy> parseOpPolicy(std::string_view text);

} // namespace ulp
