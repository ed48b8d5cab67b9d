// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The llama forward pass in float64, written plainly from the architecture's definition and sharing
// no arithmetic with the engine: the truth that float32 results are judged against. Thread-safety:
// pure. Ownership: by value. Slow: meant for models of a few hundred thousand weights.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/numeric/weight_type.h"

namespace ulp::test {

class ReferenceModel {
  public:
    explicit ReferenceModel(const model::Model& model) : m_model(model) {}

    /// The logits after each token. [tokens][vocab]
    std::vector<std::vector<double>> logits(std::span<const std::int32_t> tokens)
    {
        std::vector<std::vector<double>> result;
        m_keys.assign(static_cast<std::size_t>(m_model.hyper().layers), {});
        m_values.assign(static_cast<std::size_t>(m_model.hyper().layers), {});
        for (std::size_t position = 0; position < tokens.size(); ++position) {
            result.push_back(step(tokens[position], position));
        }
        return result;
    }

  private:
    using Vector = std::vector<double>;

    struct Matrix {
        std::size_t rows = 0;
        std::size_t k = 0;
        std::vector<float> values;
    };

    /// A tensor's rows, dequantised once and kept. [rows, k]
    const Matrix& matrix(const std::string& name)
    {
        auto found = m_matrices.find(name);
        if (found != m_matrices.end()) {
            return found->second;
        }
        const model::GgufTensor* tensor = m_model.file().findTensor(name);
        Matrix m;
        m.k = static_cast<std::size_t>(tensor->dims[0]);
        m.rows = tensor->dims.size() > 1 ? static_cast<std::size_t>(tensor->dims[1]) : 1;
        m.values.resize(m.rows * m.k);
        const auto info = *numeric::weightTypeInfo(tensor->type);
        const std::size_t rowBytes = m.k / static_cast<std::size_t>(info.blockElements) *
                                     static_cast<std::size_t>(info.blockBytes);
        for (std::size_t row = 0; row < m.rows; ++row) {
            numeric::dequantiseRow(info.type, tensor->data.data() + row * rowBytes,
                                   static_cast<std::int64_t>(m.k), m.values.data() + row * m.k);
        }
        return m_matrices.emplace(name, std::move(m)).first->second;
    }

    Vector product(const std::string& name, const Vector& x)
    {
        const Matrix& w = matrix(name);
        Vector y(w.rows, 0.0);
        for (std::size_t row = 0; row < w.rows; ++row) {
            for (std::size_t i = 0; i < w.k; ++i) {
                y[row] += static_cast<double>(w.values[row * w.k + i]) * x[i];
            }
        }
        return y;
    }

    Vector norm(const std::string& name, const Vector& x)
    {
        double squares = 0.0;
        for (const double v : x) {
            squares += v * v;
        }
        const double scale = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) +
                                             static_cast<double>(m_model.hyper().normEpsilon));
        Vector y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            y[i] = x[i] * scale * static_cast<double>(matrix(name).values[i]);
        }
        return y;
    }

    /// Interleaved pairs, no scaling: what the models of these tests use.
    void rotate(Vector& x, std::size_t position) const
    {
        const auto dims = static_cast<std::size_t>(m_model.hyper().rope.dims);
        const auto headDim = static_cast<std::size_t>(m_model.hyper().headDim);
        for (std::size_t head = 0; head < x.size() / headDim; ++head) {
            for (std::size_t i = 0; i < dims; i += 2) {
                const double angle = static_cast<double>(position) *
                                     std::pow(static_cast<double>(m_model.hyper().rope.base),
                                              -static_cast<double>(i) / static_cast<double>(dims));
                double& a = x[head * headDim + i];
                double& b = x[head * headDim + i + 1];
                const double rotated = a * std::cos(angle) - b * std::sin(angle);
                b = a * std::sin(angle) + b * std::cos(angle);
                a = rotated;
            }
        }
    }

    Vector attention(const Vector& q, std::size_t layer)
    {
        const auto headDim = static_cast<std::size_t>(m_model.hyper().headDim);
        const auto heads = static_cast<std::size_t>(m_model.hyper().heads);
        const std::size_t group = heads / static_cast<std::size_t>(m_model.hyper().kvHeads);
        const std::vector<Vector>& keys = m_keys[layer];
        const std::vector<Vector>& values = m_values[layer];
        Vector out(q.size(), 0.0);
        for (std::size_t head = 0; head < heads; ++head) {
            const std::size_t kv = head / group * headDim;
            Vector score(keys.size());
            double top = -INFINITY;
            for (std::size_t p = 0; p < keys.size(); ++p) {
                double dot = 0.0;
                for (std::size_t i = 0; i < headDim; ++i) {
                    dot += q[head * headDim + i] * keys[p][kv + i];
                }
                score[p] = dot / std::sqrt(static_cast<double>(headDim));
                top = std::max(top, score[p]);
            }
            double sum = 0.0;
            for (double& s : score) {
                s = std::exp(s - top);
                sum += s;
            }
            for (std::size_t p = 0; p < keys.size(); ++p) {
                for (std::size_t i = 0; i < headDim; ++i) {
                    out[head * headDim + i] += score[p] / sum * values[p][kv + i];
                }
            }
        }
        return out;
    }

    Vector step(std::int32_t token, std::size_t position)
    {
        const Matrix& embedding = matrix("token_embd.weight");
        const auto from =
            embedding.values.begin() +
            static_cast<std::ptrdiff_t>(static_cast<std::size_t>(token) * embedding.k);
        Vector x(from, from + static_cast<std::ptrdiff_t>(embedding.k));
        for (int layer = 0; layer < m_model.hyper().layers; ++layer) {
            const std::string prefix = "blk." + std::to_string(layer) + ".";
            const auto name = [&](const char* part) { return prefix + part + ".weight"; };
            const Vector normed = norm(name("attn_norm"), x);
            Vector q = product(name("attn_q"), normed);
            Vector k = product(name("attn_k"), normed);
            rotate(q, position);
            rotate(k, position);
            const auto l = static_cast<std::size_t>(layer);
            m_keys[l].push_back(std::move(k));
            m_values[l].push_back(product(name("attn_v"), normed));
            const Vector attended = product(name("attn_output"), attention(q, l));
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] += attended[i];
            }
            const Vector ffn = norm(name("ffn_norm"), x);
            Vector gate = product(name("ffn_gate"), ffn);
            const Vector up = product(name("ffn_up"), ffn);
            for (std::size_t i = 0; i < gate.size(); ++i) {
                gate[i] = gate[i] / (1.0 + std::exp(-gate[i])) * up[i];
            }
            const Vector down = product(name("ffn_down"), gate);
            for (std::size_t i = 0; i < x.size(); ++i) {
                x[i] += down[i];
            }
        }
        const bool tied = m_model.tiedOutput();
        return product(tied ? "token_embd.weight" : "output.weight", norm("output_norm.weight", x));
    }

    const model::Model& m_model;
    std::map<std::string, Matrix> m_matrices;
    std::vector<std::vector<Vector>> m_keys; // [layers][positions][kvHeads * headDim]
    std::vector<std::vector<Vector>> m_values;
};

} // namespace ulp::test
