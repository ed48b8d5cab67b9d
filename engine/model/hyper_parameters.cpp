// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Key names: docs/gguf.md of the ggml project. Defaults of missing keys are llama.cpp's.
#include "engine/model/hyper_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/numeric/math.h"

namespace ulp::model {
namespace {

constexpr std::int64_t kMostWidth = std::int64_t{1} << 24;
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";

/// Keys that change the arithmetic in a way this engine does not have, and the values with which
/// they change nothing.
struct Neutral {
    std::string_view suffix;
    std::array<double, 2> values;
};
constexpr std::array kNeutral{
    Neutral{"attention.clamp_kqv", {0.0, 0.0}},
    Neutral{"attention.max_alibi_bias", {0.0, 0.0}},
    Neutral{"attention.scale", {0.0, 0.0}},
    Neutral{"attention.causal", {1.0, 1.0}},
    Neutral{"logit_scale", {0.0, 1.0}},
    Neutral{"residual_scale", {0.0, 1.0}},
    Neutral{"embedding_scale", {0.0, 1.0}},
    Neutral{"expert_weights_scale", {0.0, 1.0}},
    Neutral{"expert_shared_count", {0.0, 0.0}},
    Neutral{"rope.scaling.yarn_log_multiplier", {0.0, 0.0}},
    Neutral{"rope.scaling.yarn_ext_factor", {1.0, -1.0}},
    Neutral{"rope.scaling.yarn_attn_factor", {1.0, -1.0}},
    Neutral{"use_parallel_residual", {0.0, 0.0}},
};
// What some architectures have and, in the others, must not be set.
constexpr std::array kExpertKeys{
    Neutral{"expert_count", {0.0, 0.0}},
    Neutral{"expert_used_count", {0.0, 0.0}},
};
constexpr std::array kWindowKeys{Neutral{"attention.sliding_window", {0.0, 0.0}}};
constexpr std::array kWindowBaseKeys{Neutral{"rope.freq_base_swa", {0.0, 0.0}}};
constexpr std::array kCapKeys{
    Neutral{"attn_logit_softcapping", {0.0, 0.0}},
    Neutral{"final_logit_softcapping", {0.0, 0.0}},
};

/// A number or bool of the metadata as a double; nothing for other values.
std::optional<double> asNumber(const GgufValue& value)
{
    if (const auto* u = std::get_if<std::uint64_t>(&value)) {
        return static_cast<double>(*u);
    }
    if (const auto* i = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*i);
    }
    if (const auto* d = std::get_if<double>(&value)) {
        return *d;
    }
    if (const auto* flag = std::get_if<bool>(&value)) {
        return *flag ? 1.0 : 0.0;
    }
    return std::nullopt;
}

class Reader {
  public:
    Reader(const GgufFile& file, std::vector<Error>& problems) : m_file(file), m_problems(problems)
    {
    }
    HyperParameters read();

  private:
    [[nodiscard]] std::string key(std::string_view suffix) const
    {
        return m_hyper.architecture + "." + std::string(suffix);
    }
    void refuse(std::string_view key, std::string message, std::string remedy)
    {
        m_problems.push_back(makeError(ErrorCode::Unsupported, std::move(message),
                                       m_file.path() + ": " + std::string(key), std::move(remedy)));
    }
    void bad(std::string_view suffix, std::string message)
    {
        m_problems.push_back(m_file.badKey(key(suffix), std::move(message)));
    }
    void unsupported(std::string_view suffix, std::string message)
    {
        refuse(key(suffix), std::move(message), "use another model");
    }
    template <typename T>
    T take(Result<T> result, T whenBad)
    {
        if (!result) {
            m_problems.push_back(result.error());
            return whenBad;
        }
        return *std::move(result);
    }
    /// 0 when it is missing or out of range.
    std::int64_t integer(std::string_view suffix, std::int64_t most,
                         std::optional<std::int64_t> fallback = std::nullopt);
    float positive(std::string_view suffix, std::optional<float> fallback = std::nullopt);
    void readSizes();
    void readHeads();
    void readAttention();
    void readWindow();
    void readWindowLayers();
    void readExperts();
    void readRope();
    void readRopeScaling();
    void readYarn(float factor);
    void readLongRope();
    /// Not negative; 0 means "none".
    float cap(std::string_view suffix, float fallback);
    void refuseSet(std::span<const Neutral> keys);

    const GgufFile& m_file;
    std::vector<Error>& m_problems;
    HyperParameters m_hyper;
};

std::int64_t Reader::integer(std::string_view suffix, std::int64_t most,
                             std::optional<std::int64_t> fallback)
{
    const std::string name = key(suffix);
    auto value =
        fallback ? m_file.get<std::int64_t>(name, *fallback) : m_file.get<std::int64_t>(name);
    if (!value) {
        m_problems.push_back(value.error());
        return 0;
    }
    if (*value < 1 || *value > most) {
        bad(suffix, "is " + std::to_string(*value) + ", not between 1 and " + std::to_string(most));
        return 0;
    }
    return *value;
}

float Reader::positive(std::string_view suffix, std::optional<float> fallback)
{
    const std::string name = key(suffix);
    auto value = fallback ? m_file.get<float>(name, *fallback) : m_file.get<float>(name);
    if (!value) {
        m_problems.push_back(value.error());
        return 0.0F;
    }
    if (!std::isfinite(*value) || *value <= 0.0F) {
        bad(suffix, "is not a positive number");
        return 0.0F;
    }
    return *value;
}

HyperParameters Reader::read()
{
    m_hyper.architecture =
        utf8::repaired(take(m_file.get<std::string>("general.architecture"), std::string()));
    m_hyper.name = utf8::repaired(take(m_file.get<std::string>("general.name", ""), std::string()));
    if (const GgufEntry* tokens = m_file.find(kTokensKey)) {
        if (const auto* array = std::get_if<GgufArray>(&tokens->value)) {
            m_hyper.vocab = static_cast<std::int64_t>(array->count);
        }
    }
    if (m_hyper.architecture.empty()) {
        return m_hyper;
    }
    m_hyper.parts = findArchitecture(m_hyper.architecture);
    // The sizes of an unknown architecture are worth showing; what its metadata lacks by another's
    // rules is not.
    std::vector<Error> before = m_problems;
    readSizes();
    readHeads();
    if (m_hyper.parts == nullptr) {
        m_problems = std::move(before);
        refuse("general.architecture",
               "architecture '" + m_hyper.architecture + "' is not supported by this version",
               "use a model of one of the architectures " + architectureNames());
        return m_hyper;
    }
    readAttention();
    if (m_hyper.parts->rope != RopeKind::None) {
        readRope();
    }
    readWindow();
    readExperts();
    refuseSet(kNeutral);
    return m_hyper;
}

void Reader::readSizes()
{
    m_hyper.layers = static_cast<int>(integer("block_count", 4096));
    m_hyper.width = integer("embedding_length", std::int64_t{1} << 20);
    m_hyper.ffnWidth = integer("feed_forward_length", kMostWidth);
    m_hyper.context = integer("context_length", std::numeric_limits<std::int32_t>::max());
    const bool layerNorm = m_hyper.parts != nullptr && m_hyper.parts->norm == NormKind::Layer;
    m_hyper.normEpsilon =
        positive(layerNorm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon");
    if (m_hyper.vocab < 1) {
        m_problems.push_back(m_file.badKey(kTokensKey, "the file has no vocabulary"));
    }
    const std::int64_t declared = integer("vocab_size", std::numeric_limits<std::int32_t>::max(),
                                          std::max<std::int64_t>(m_hyper.vocab, 1));
    if (m_hyper.vocab >= 1 && declared >= 1 && declared != m_hyper.vocab) {
        bad("vocab_size", "is " + std::to_string(declared) + ", but the vocabulary has " +
                              std::to_string(m_hyper.vocab) + " tokens");
    }
}

void Reader::readHeads()
{
    constexpr std::int64_t kMostHeads = 65536;
    m_hyper.heads = integer("attention.head_count", kMostHeads);
    m_hyper.kvHeads =
        integer("attention.head_count_kv", kMostHeads, std::max<std::int64_t>(m_hyper.heads, 1));
    if (m_hyper.heads < 1 || m_hyper.kvHeads < 1 || m_hyper.width < 1) {
        return;
    }
    if (m_hyper.heads % m_hyper.kvHeads != 0) {
        bad("attention.head_count_kv", std::to_string(m_hyper.heads) + " heads cannot share " +
                                           std::to_string(m_hyper.kvHeads) +
                                           " key and value heads evenly");
    }
    constexpr std::string_view kKeyLength = "attention.key_length";
    if (!m_file.has(key(kKeyLength)) && m_hyper.width % m_hyper.heads != 0) {
        bad("attention.head_count", "a width of " + std::to_string(m_hyper.width) +
                                        " does not divide by " + std::to_string(m_hyper.heads) +
                                        " heads");
        return;
    }
    m_hyper.headDim =
        integer(kKeyLength, kMostHeads, std::max<std::int64_t>(m_hyper.width / m_hyper.heads, 1));
    const std::int64_t valueLength =
        integer("attention.value_length", kMostHeads, std::max<std::int64_t>(m_hyper.headDim, 1));
    if (m_hyper.headDim >= 1 && valueLength >= 1 && valueLength != m_hyper.headDim) {
        unsupported("attention.value_length",
                    "values of " + std::to_string(valueLength) + " elements beside keys of " +
                        std::to_string(m_hyper.headDim) + " are not supported by this version");
    }
}

float Reader::cap(std::string_view suffix, float fallback)
{
    const float value = take(m_file.get<float>(key(suffix), fallback), fallback);
    if (!std::isfinite(value) || value < 0.0F) {
        bad(suffix, "is not a positive number");
        return 0.0F;
    }
    return value;
}

void Reader::readAttention()
{
    const Architecture& parts = *m_hyper.parts;
    const auto width = static_cast<float>(m_hyper.width);
    if (parts.embeddingScale && m_hyper.width > 0) {
        m_hyper.embeddingScale = std::sqrt(width);
    }
    if (m_hyper.headDim > 0) {
        const bool byWidth =
            parts.layersOfWidthScale != 0 && m_hyper.layers == parts.layersOfWidthScale;
        m_hyper.attentionScale =
            1.0F / std::sqrt(byWidth ? static_cast<float>(m_hyper.width / m_hyper.heads)
                                     : static_cast<float>(m_hyper.headDim));
    }
    if (parts.softCaps) {
        m_hyper.attentionCap = cap("attn_logit_softcapping", parts.defaultAttentionCap);
        m_hyper.logitCap = cap("final_logit_softcapping", parts.defaultLogitCap);
    } else {
        refuseSet(kCapKeys);
    }
}

void Reader::readWindow()
{
    constexpr std::string_view kWindow = "attention.sliding_window";
    const Architecture& parts = *m_hyper.parts;
    if (parts.window == WindowKind::None) {
        refuseSet(kWindowKeys);
        return;
    }
    const std::int64_t window =
        take(m_file.get<std::int64_t>(key(kWindow), parts.defaultWindow), std::int64_t{0});
    if (window < 0 || window > std::numeric_limits<std::int32_t>::max()) {
        bad(kWindow, "is " + std::to_string(window) + ", not a number of positions");
        return;
    }
    m_hyper.window = window;
    readWindowLayers();
    m_hyper.ownWindowRope = parts.windowRopeBase > 0.0F;
    if (m_hyper.ownWindowRope) {
        // Scaling stretches the layers that see far, not these.
        m_hyper.windowRope.pairing = m_hyper.rope.pairing;
        m_hyper.windowRope.dims = m_hyper.rope.dims;
        m_hyper.windowRope.base = positive("rope.freq_base_swa", parts.windowRopeBase);
    } else {
        refuseSet(kWindowBaseKeys);
    }
}

void Reader::readWindowLayers()
{
    constexpr std::string_view kPattern = "attention.sliding_window_pattern";
    const auto layers = static_cast<std::size_t>(m_hyper.layers);
    m_hyper.windowLayers.assign(layers, m_hyper.parts->window == WindowKind::All);
    if (m_hyper.parts->window != WindowKind::AllButEveryNth) {
        return;
    }
    const GgufEntry* entry = m_file.find(key(kPattern));
    const auto* array = entry == nullptr ? nullptr : std::get_if<GgufArray>(&entry->value);
    if (array != nullptr) {
        if (array->elementType != GgufType::Bool || array->count != layers) {
            bad(kPattern, "is an array of " + std::to_string(array->count) + " " +
                              std::string(toString(array->elementType)) +
                              ", not of one bool for each of " + std::to_string(layers) +
                              " layers");
            return;
        }
        for (std::size_t i = 0; i < layers; ++i) {
            m_hyper.windowLayers[i] = array->data[i] != std::byte{0};
        }
        return;
    }
    const auto period = static_cast<std::size_t>(
        integer(kPattern, std::numeric_limits<std::int32_t>::max(), m_hyper.parts->windowPeriod));
    for (std::size_t i = 0; i < layers && period > 0; ++i) {
        m_hyper.windowLayers[i] = i % period != period - 1;
    }
}

void Reader::readExperts()
{
    if (!m_hyper.parts->experts) {
        refuseSet(kExpertKeys);
        return;
    }
    constexpr std::int64_t kMostExperts = 65536;
    m_hyper.experts = integer("expert_count", kMostExperts);
    m_hyper.expertsUsed = integer("expert_used_count", kMostExperts);
    if (m_hyper.experts < 1 || m_hyper.expertsUsed < 1) {
        return;
    }
    if (m_hyper.expertsUsed > m_hyper.experts) {
        bad("expert_used_count", std::to_string(m_hyper.expertsUsed) + " of " +
                                     std::to_string(m_hyper.experts) + " experts cannot be used");
        return;
    }
    m_hyper.expertWidth =
        integer("expert_feed_forward_length", kMostWidth,
                std::max<std::int64_t>(m_hyper.ffnWidth / m_hyper.expertsUsed, 1));
}

void Reader::readRope()
{
    kernels::RopeSpec& rope = m_hyper.rope;
    rope.pairing = m_hyper.parts->rope == RopeKind::Halves ? kernels::RopePairing::Halves
                                                           : kernels::RopePairing::Interleaved;
    rope.base = positive("rope.freq_base", 10000.0F);
    constexpr std::string_view kDims = "rope.dimension_count";
    rope.dims = integer(kDims, 65536, std::max<std::int64_t>(m_hyper.headDim, 1));
    if (m_hyper.headDim >= 1 && rope.dims >= 1 &&
        (rope.dims % 2 != 0 || rope.dims > m_hyper.headDim)) {
        bad(kDims, "is " + std::to_string(rope.dims) +
                       ", not an even number up to the head's size of " +
                       std::to_string(m_hyper.headDim));
    }
    readRopeScaling();
}

void Reader::readRopeScaling()
{
    constexpr std::string_view kType = "rope.scaling.type";
    constexpr std::string_view kFactor = "rope.scaling.factor";
    // An older name of the linear factor.
    constexpr std::string_view kOldFactor = "rope.scale_linear";
    const std::string type =
        take(m_file.get<std::string>(key(kType), "linear"), std::string("none"));
    const bool factors = m_file.findTensor("rope_freqs.weight") != nullptr;
    const bool longFactors = m_file.findTensor("rope_factors_long.weight") != nullptr ||
                             m_file.findTensor("rope_factors_short.weight") != nullptr;
    const std::string_view suffix = m_file.has(key(kFactor)) ? kFactor : kOldFactor;
    // 0 is how some files write "no scaling".
    const float factor = take(m_file.get<float>(key(suffix), 1.0F), 1.0F);
    const bool used = type == "linear" || type == "yarn";
    if (used && factor != 0.0F && (!std::isfinite(factor) || factor < 0.0F)) {
        bad(suffix, "is not a positive number");
    } else if (type == "linear" && factor != 0.0F) {
        m_hyper.rope.linearScale = 1.0F / factor;
    } else if (type == "yarn" && factor != 0.0F && factor != 1.0F) {
        readYarn(factor);
    } else if (type == "llama3" && !factors) {
        bad(kType, "is 'llama3', but the file has no tensor 'rope_freqs.weight' with its factors");
    } else if (type != "none" && type != "llama3" && type != "longrope" && !used) {
        unsupported(kType,
                    "RoPE scaling '" + utf8::repaired(type) + "' is not supported by this version");
    }
    if (type == "longrope" || longFactors) {
        readLongRope();
    }
    if (type != "yarn" && type != "longrope") {
        refuseSet(std::array{Neutral{"rope.scaling.attn_factor", {1.0, 1.0}}});
    }
}

void Reader::readYarn(float factor)
{
    kernels::RopeSpec& rope = m_hyper.rope;
    rope.yarnFactor = factor;
    rope.yarnBetaFast = positive("rope.scaling.yarn_beta_fast", 32.0F);
    rope.yarnBetaSlow = positive("rope.scaling.yarn_beta_slow", 1.0F);
    rope.yarnOriginalContext = static_cast<float>(
        integer("rope.scaling.original_context_length", std::numeric_limits<std::int32_t>::max(),
                std::max<std::int64_t>(m_hyper.context, 1)));
    const double attention = positive("rope.scaling.attn_factor", 1.0F);
    // Peng et al. 2023, equation 22.
    const double temperature = factor > 1.0F ? 1.0 + 0.1 * numeric::logDouble(factor) : 1.0;
    rope.magnitude = static_cast<float>(attention * temperature);
}

void Reader::readLongRope()
{
    for (const char* name : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
        if (m_file.findTensor(name) == nullptr) {
            bad("rope.scaling.type",
                std::string("long RoPE factors need a tensor '") + name + "', and there is none");
        }
    }
    if (m_file.findTensor("rope_freqs.weight") != nullptr) {
        unsupported("rope.scaling.type", "RoPE factors of two kinds in one file");
    }
    m_hyper.originalContext =
        integer("rope.scaling.original_context_length", std::numeric_limits<std::int32_t>::max(),
                std::max<std::int64_t>(m_hyper.context, 1));
    m_hyper.rope.magnitude = positive("rope.scaling.attn_factor", 1.0F);
}

void Reader::refuseSet(std::span<const Neutral> keys)
{
    for (const Neutral& neutral : keys) {
        const GgufEntry* entry = m_file.find(key(neutral.suffix));
        if (entry == nullptr) {
            continue;
        }
        const auto value = asNumber(entry->value);
        if (!value || std::ranges::find(neutral.values, *value) == neutral.values.end()) {
            unsupported(neutral.suffix, "'" + std::string(neutral.suffix) +
                                            "' is set, and is not supported by this version");
        }
    }
}

} // namespace

HyperParameters readHyperParameters(const GgufFile& file, std::vector<Error>& problems)
{
    return Reader(file, problems).read();
}

} // namespace ulp::model
