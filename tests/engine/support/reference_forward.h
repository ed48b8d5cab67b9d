// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The forward pass of every architecture in float64, written plainly from the definitions of the
// models and sharing neither arithmetic nor tables with the engine: the truth that its ops are
// judged against, one by one. A Twist bends one fact, for the controls. Thread-safety: one thread.
// Ownership: borrows the file. Slow: meant for models of a few ten thousand weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/model/gguf.h"
#include "engine/numeric/weight_type.h"

namespace ulp::test {

/// What a control gets wrong on purpose.
struct Twist {
    bool otherPairing = false;
    double epsilonFactor = 1.0;
    std::int64_t windowShift = 0;
    double windowBaseFactor = 1.0;
    bool withoutCaps = false;
    bool withoutQkNorm = false;
    bool withoutRopeScaling = false;
    bool withoutBiases = false;
    std::int64_t expertShift = 0;
};

class ReferenceForward {
  public:
    using Vector = std::vector<double>;
    using Ops = std::map<std::string, Vector>; // by the engine's op names

    /// positions: of the whole run, which LongRoPE asks for.
    ReferenceForward(const model::GgufFile& file, std::int64_t positions, Twist twist = {})
        : m_file(file), m_twist(twist), m_runPositions(positions),
          m_arch(*file.get<std::string>("general.architecture"))
    {
        m_layers = integer("block_count");
        m_heads = integer("attention.head_count");
        m_kvHeads = integer("attention.head_count_kv", m_heads);
        m_width = integer("embedding_length");
        m_headDim = integer("attention.key_length", m_width / m_heads);
        m_epsilon =
            number(is("gpt2") ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon",
                   0.0) *
            twist.epsilonFactor;
        m_keys.resize(m_layers);
        m_values.resize(m_layers);
    }

    /// All op outputs of the next position.
    Ops step(std::int32_t token)
    {
        m_ops.clear();
        Vector x = row("token_embd.weight", static_cast<std::size_t>(token));
        show("embd", x);
        if (gemma()) {
            for (double& v : x) {
                v *= std::sqrt(static_cast<double>(m_width));
            }
            show("inp_scaled", x);
        } else if (is("gpt2")) {
            x = add(x, row("position_embd.weight", m_position));
            show("inpL", x);
        }
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            x = runLayer(layer, x);
        }
        const Vector normed = norm("output_norm", x);
        show("result_norm", normed);
        const bool tied = m_file.findTensor("output.weight") == nullptr;
        Vector logits = linear(tied ? "token_embd" : "output", normed);
        if (gemma()) {
            softCap(logits, number("final_logit_softcapping", is("gemma2") ? 30.0 : 0.0));
        }
        show("result_output", logits);
        ++m_position;
        return std::move(m_ops);
    }

  private:
    [[nodiscard]] bool is(const char* arch) const { return m_arch == arch; }
    [[nodiscard]] bool gemma() const { return is("gemma2") || is("gemma3"); }
    [[nodiscard]] std::size_t integer(const std::string& key, std::size_t fallback = 0) const
    {
        return *m_file.get<std::uint64_t>(m_arch + "." + key, fallback);
    }
    [[nodiscard]] double number(const std::string& key, double fallback) const
    {
        return static_cast<double>(
            *m_file.get<float>(m_arch + "." + key, static_cast<float>(fallback)));
    }
    void show(const std::string& name, const Vector& values) { m_ops[name] = values; }

    struct Table {
        std::size_t k = 0;
        std::vector<float> values;
    };
    const Table& table(const std::string& name)
    {
        auto found = m_tables.find(name);
        if (found != m_tables.end()) {
            return found->second;
        }
        const model::GgufTensor* tensor = m_file.findTensor(name);
        Table t;
        t.k = static_cast<std::size_t>(tensor->dims[0]);
        t.values.resize(static_cast<std::size_t>(tensor->elements));
        numeric::dequantiseRow(static_cast<numeric::WeightType>(tensor->type), tensor->data.data(),
                               tensor->elements, t.values.data());
        return m_tables.emplace(name, std::move(t)).first->second;
    }
    Vector row(const std::string& name, std::size_t index)
    {
        const Table& t = table(name);
        const auto from = t.values.begin() + static_cast<std::ptrdiff_t>(index * t.k);
        return Vector(from, from + static_cast<std::ptrdiff_t>(t.k));
    }
    static Vector add(Vector a, const Vector& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] += b[i];
        }
        return a;
    }

    /// Rows [first, first + rows) of a matrix times x.
    Vector product(const std::string& name, const Vector& x, std::size_t first, std::size_t rows)
    {
        const Table& t = table(name);
        Vector y(rows, 0.0);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t i = 0; i < t.k; ++i) {
                y[r] += static_cast<double>(t.values[(first + r) * t.k + i]) * x[i];
            }
        }
        return y;
    }
    Vector linear(const std::string& name, const Vector& x)
    {
        const Table& t = table(name + ".weight");
        Vector y = product(name + ".weight", x, 0, t.values.size() / t.k);
        const bool biased = m_file.findTensor(name + ".bias") != nullptr && !m_twist.withoutBiases;
        return biased ? add(std::move(y), row(name + ".bias", 0)) : y;
    }
    Vector norm(const std::string& name, Vector x)
    {
        const auto n = static_cast<double>(x.size());
        if (is("gpt2")) {
            double mean = 0.0;
            for (const double v : x) {
                mean += v / n;
            }
            for (double& v : x) {
                v -= mean;
            }
        }
        double squares = 0.0;
        for (const double v : x) {
            squares += v * v;
        }
        const double scale = 1.0 / std::sqrt(squares / n + m_epsilon);
        const Vector weight = row(name + ".weight", 0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] *= scale * weight[i];
        }
        return is("gpt2") ? add(std::move(x), row(name + ".bias", 0)) : x;
    }
    void softCap(Vector& x, double cap) const
    {
        if (cap == 0.0 || m_twist.withoutCaps) {
            return;
        }
        for (double& v : x) {
            v = cap * std::tanh(v / cap);
        }
    }

    /// Positions that a layer sees; 0: all.
    [[nodiscard]] std::int64_t windowOf(std::size_t layer) const
    {
        const auto window =
            static_cast<std::int64_t>(integer("attention.sliding_window", is("gemma2") ? 4096 : 0));
        const std::size_t period =
            integer("attention.sliding_window_pattern", is("gemma2") ? 2 : 6);
        const bool local = is("phi3") || (gemma() && layer % period != period - 1);
        return local && window > 0 ? window + m_twist.windowShift : 0;
    }

    /// Radians per position of a pair, and what the pair's length is multiplied by.
    struct Turn {
        double frequency = 0.0;
        double magnitude = 1.0;
    };
    Turn turnOf(std::size_t layer, std::size_t pair, std::size_t dims)
    {
        const bool local = is("gemma3") && windowOf(layer) > 0;
        const double base = local ? number("rope.freq_base_swa", 10000.0) * m_twist.windowBaseFactor
                                  : number("rope.freq_base", 10000.0);
        Turn turn;
        const double plain =
            std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(dims));
        turn.frequency = plain;
        if (local || m_twist.withoutRopeScaling) {
            return turn;
        }
        const auto type = *m_file.get<std::string>(m_arch + ".rope.scaling.type", "none");
        const double factor = number("rope.scaling.factor", 1.0);
        const auto context = static_cast<double>(integer("rope.scaling.original_context_length"));
        if (m_file.findTensor("rope_freqs.weight") != nullptr) {
            turn.frequency /= row("rope_freqs.weight", 0)[pair];
        }
        if (type == "linear") {
            turn.frequency /= factor;
        } else if (type == "longrope") {
            const bool isLong = static_cast<double>(m_runPositions) > context;
            turn.frequency /=
                row(isLong ? "rope_factors_long.weight" : "rope_factors_short.weight", 0)[pair];
            turn.magnitude = number("rope.scaling.attn_factor", 1.0);
        } else if (type == "yarn") {
            // The pair that turns `times` times within the original context.
            const auto turning = [&](double times) {
                return static_cast<double>(dims) * std::log(context / (times * 2.0 * M_PI)) /
                       (2.0 * std::log(base));
            };
            const double low = std::max(std::floor(turning(32.0)), 0.0);
            const double high = std::min(std::ceil(turning(1.0)), static_cast<double>(dims) - 1.0);
            const double ramp = std::clamp(
                (static_cast<double>(pair) - low) / std::max(high - low, 0.001), 0.0, 1.0);
            turn.frequency = ramp * plain / factor + (1.0 - ramp) * plain;
            turn.magnitude = 0.1 * std::log(factor) + 1.0;
        }
        return turn;
    }
    void rotate(std::size_t layer, Vector& x)
    {
        const std::size_t dims = integer("rope.dimension_count", m_headDim);
        const bool halves = !is("llama") != m_twist.otherPairing;
        for (std::size_t head = 0; head < x.size() / m_headDim; ++head) {
            for (std::size_t pair = 0; pair < dims / 2; ++pair) {
                const Turn turn = turnOf(layer, pair, dims);
                const double angle = static_cast<double>(m_position) * turn.frequency;
                double& a = x[head * m_headDim + (halves ? pair : 2 * pair)];
                double& b = x[head * m_headDim + (halves ? pair + dims / 2 : 2 * pair + 1)];
                const double c = std::cos(angle) * turn.magnitude;
                const double s = std::sin(angle) * turn.magnitude;
                const double rotated = a * c - b * s;
                b = a * s + b * c;
                a = rotated;
            }
        }
    }

    Vector attention(std::size_t layer, const Vector& q)
    {
        const std::size_t group = m_heads / m_kvHeads;
        const std::int64_t window = windowOf(layer);
        const auto now = static_cast<std::int64_t>(m_position);
        const auto begin =
            static_cast<std::size_t>(window > 0 ? std::max<std::int64_t>(0, now - window + 1) : 0);
        Vector out(q.size(), 0.0);
        for (std::size_t head = 0; head < m_heads; ++head) {
            const std::size_t kv = head / group * m_headDim;
            Vector score(m_position + 1, 0.0);
            for (std::size_t p = begin; p <= m_position; ++p) {
                for (std::size_t i = 0; i < m_headDim; ++i) {
                    score[p] += q[head * m_headDim + i] * m_keys[layer][p][kv + i];
                }
                score[p] /= std::sqrt(static_cast<double>(m_headDim));
            }
            if (is("gemma2")) {
                softCap(score, number("attn_logit_softcapping", 50.0));
            }
            double sum = 0.0;
            for (std::size_t p = begin; p <= m_position; ++p) {
                score[p] = std::exp(score[p]); // scores of tiny models are small
                sum += score[p];
            }
            for (std::size_t p = begin; p <= m_position; ++p) {
                for (std::size_t i = 0; i < m_headDim; ++i) {
                    out[head * m_headDim + i] += score[p] / sum * m_values[layer][p][kv + i];
                }
            }
        }
        return out;
    }

    Vector attentionPart(std::size_t layer, const std::string& prefix, const std::string& at,
                         const Vector& x)
    {
        const Vector normed = norm(prefix + "attn_norm", x);
        show("attn_norm" + at, normed);
        Vector q;
        Vector k;
        Vector v;
        if (is("phi3") || is("gpt2")) {
            const Vector all = linear(prefix + "attn_qkv", normed);
            const auto cut = [&](std::size_t from, std::size_t n) {
                const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
                return Vector(begin, begin + static_cast<std::ptrdiff_t>(n));
            };
            const std::size_t qWidth = m_heads * m_headDim;
            const std::size_t kvWidth = m_kvHeads * m_headDim;
            q = cut(0, qWidth);
            k = cut(qWidth, kvWidth);
            v = cut(qWidth + kvWidth, kvWidth);
        } else {
            q = linear(prefix + "attn_q", normed);
            k = linear(prefix + "attn_k", normed);
            v = linear(prefix + "attn_v", normed);
        }
        show("Qcur" + at, q);
        show("Kcur" + at, k);
        show("Vcur" + at, v);
        if ((is("qwen3") || is("qwen3moe") || is("gemma3")) && !m_twist.withoutQkNorm) {
            normHeads(prefix + "attn_q_norm", q);
            normHeads(prefix + "attn_k_norm", k);
            show("Qcur_normed" + at, q);
            show("Kcur_normed" + at, k);
        }
        if (!is("gpt2")) {
            rotate(layer, q);
            rotate(layer, k);
            show("Qcur_rope" + at, q);
            show("Kcur_rope" + at, k);
        }
        m_keys[layer].push_back(std::move(k));
        m_values[layer].push_back(std::move(v));
        const Vector attended = attention(layer, q);
        show("kqv_out" + at, attended);
        Vector out = linear(prefix + "attn_output", attended);
        show("attn_out" + at, out);
        return out;
    }
    void normHeads(const std::string& name, Vector& x)
    {
        for (std::size_t from = 0; from < x.size(); from += m_headDim) {
            const auto begin = x.begin() + static_cast<std::ptrdiff_t>(from);
            const Vector head =
                norm(name, Vector(begin, begin + static_cast<std::ptrdiff_t>(m_headDim)));
            std::copy(head.begin(), head.end(), begin);
        }
    }

    static double silu(double x) { return x / (1.0 + std::exp(-x)); }
    static double gelu(double x)
    {
        return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
    }

    Vector ffn(const std::string& prefix, const std::string& at, const Vector& x)
    {
        Vector gate;
        Vector up = linear(prefix + "ffn_up", x);
        if (is("phi3")) {
            const auto half = static_cast<std::ptrdiff_t>(up.size() / 2);
            gate.assign(up.begin(), up.begin() + half);
            up.erase(up.begin(), up.begin() + half);
        } else if (!is("gpt2")) {
            gate = linear(prefix + "ffn_gate", x);
        }
        show("ffn_up" + at, up);
        if (!is("gpt2")) {
            show("ffn_gate" + at, gate);
        }
        for (std::size_t i = 0; i < up.size(); ++i) {
            up[i] = is("gpt2") ? gelu(up[i]) : (gemma() ? gelu(gate[i]) : silu(gate[i])) * up[i];
        }
        show((is("gpt2") ? "ffn_gelu" : (gemma() ? "ffn_geglu" : "ffn_swiglu")) + at, up);
        Vector down = linear(prefix + "ffn_down", up);
        show("ffn_out" + at, down);
        return down;
    }

    Vector expertFfn(const std::string& prefix, const std::string& at, const Vector& x)
    {
        const std::size_t experts = integer("expert_count");
        const std::size_t used = integer("expert_used_count");
        const std::size_t inner = integer("expert_feed_forward_length");
        Vector p = linear(prefix + "ffn_gate_inp", x);
        show("ffn_moe_logits" + at, p);
        double sum = 0.0;
        for (double& v : p) {
            v = std::exp(v);
            sum += v;
        }
        for (double& v : p) {
            v /= sum;
        }
        show("ffn_moe_probs" + at, p);
        std::vector<std::size_t> order(experts);
        for (std::size_t i = 0; i < experts; ++i) {
            order[i] = i;
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
        order.resize(used);
        show("ffn_moe_topk" + at, Vector(order.begin(), order.end()));
        double chosen = 0.0;
        for (const std::size_t e : order) {
            chosen += p[e];
        }
        Vector weights;
        Vector out(x.size(), 0.0);
        for (const std::size_t e : order) {
            weights.push_back(p[e] / chosen);
            const std::size_t at0 = (e + static_cast<std::size_t>(m_twist.expertShift)) % experts;
            const Vector gate = product(prefix + "ffn_gate_exps.weight", x, at0 * inner, inner);
            Vector up = product(prefix + "ffn_up_exps.weight", x, at0 * inner, inner);
            for (std::size_t i = 0; i < inner; ++i) {
                up[i] *= silu(gate[i]);
            }
            const Vector down =
                product(prefix + "ffn_down_exps.weight", up, at0 * x.size(), x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                out[i] += weights.back() * down[i];
            }
        }
        show("ffn_moe_weights_norm" + at, weights);
        show("ffn_moe_out" + at, out);
        return out;
    }

    Vector runLayer(std::size_t layer, const Vector& x)
    {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        const std::string at = "-" + std::to_string(layer);
        Vector attended = attentionPart(layer, prefix, at, x);
        if (gemma()) {
            attended = norm(prefix + "post_attention_norm", attended);
            show("attn_post_norm" + at, attended);
        }
        const Vector middle = add(attended, x);
        show((gemma() ? "sa_out" : "ffn_inp") + at, middle);
        const Vector normed = norm(prefix + "ffn_norm", middle);
        show("ffn_norm" + at, normed);
        Vector out = is("qwen3moe") ? expertFfn(prefix, at, normed) : ffn(prefix, at, normed);
        if (gemma()) {
            out = norm(prefix + "post_ffw_norm", out);
            show("ffn_post_norm" + at, out);
        }
        out = add(out, middle);
        show("l_out" + at, out);
        return out;
    }

    const model::GgufFile& m_file;
    Twist m_twist;
    std::int64_t m_runPositions;
    std::string m_arch;
    std::size_t m_layers = 0;
    std::size_t m_heads = 0;
    std::size_t m_kvHeads = 0;
    std::size_t m_width = 0;
    std::size_t m_headDim = 0;
    double m_epsilon = 0.0;
    std::size_t m_position = 0;
    Ops m_ops;
    std::map<std::string, Table> m_tables;
    std::vector<std::vector<Vector>> m_keys; // [layers][positions][kvHeads * headDim]
    std::vector<std::vector<Vector>> m_values;
};

} // namespace ulp::test
