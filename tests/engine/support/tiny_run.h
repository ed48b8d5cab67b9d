// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of tiny models for the tests of this folder: load from a builder, run with settings, collect
// the hash of every cell. Thread-safety: one thread. Ownership: by value or shared.
#pragma once

#include <xxhash.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/run/generator.h"
#include "tests/engine/support/gguf_builder.h"

namespace ulp::test {

/// Every cell of sequence 0 by (position, op), and what was chosen.
class CellCollector : public run::RunListener {
  public:
    void onOp(const run::OpOutput& output) override
    {
        for (std::int64_t row = 0; row < output.rows; ++row) {
            if (output.sequences[row] == 0) {
                const float* data = output.data + row * output.stride;
                const std::pair key{output.positions[row], output.op};
                cells[key] = XXH3_64bits(data, static_cast<std::size_t>(output.width) * 4);
                if (keepRows) {
                    rows[key].assign(data, data + output.width);
                }
            }
        }
    }
    void onColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                  std::span<const float> logits) override
    {
        columns.push_back({position, token, chosen, !logits.empty()});
    }

    struct ColumnSeen {
        std::int32_t position;
        std::int32_t token;
        std::int32_t chosen;
        bool logits;
        bool operator==(const ColumnSeen&) const = default;
    };
    bool keepRows = false;
    std::map<std::pair<std::int32_t, int>, std::uint64_t> cells;
    std::map<std::pair<std::int32_t, int>, std::vector<float>> rows;
    std::vector<ColumnSeen> columns;
};

inline std::shared_ptr<const model::Model> loadTiny(const TinyLlama& options)
{
    const Bytes bytes = makeTinyLlama(options);
    const TemporaryFile file(bytes, ".gguf");
    auto model = model::Model::load(file.path(), {});
    EXPECT_TRUE(model.ok()) << model.error().text();
    return model.ok() ? *model : nullptr;
}

inline std::vector<std::int32_t> somePrompt(std::size_t length, std::int64_t vocab)
{
    std::vector<std::int32_t> tokens(length);
    for (std::size_t i = 0; i < length; ++i) {
        tokens[i] = static_cast<std::int32_t>((i * 37 + 11) % static_cast<std::size_t>(vocab));
    }
    return tokens;
}

struct Ran {
    CellCollector seen;
    run::RunResult result;
};

/// Runs and collects; a failure fails the test.
inline Ran runAndCollect(const std::shared_ptr<const model::Model>& model,
                         const RunSettings& settings, const std::vector<std::int32_t>& prompt,
                         bool keepRows = false)
{
    Ran ran;
    ran.seen.keepRows = keepRows;
    auto resolved = run::resolveSettings(settings, *model);
    EXPECT_TRUE(resolved.ok()) << resolved.error().text();
    if (!resolved) {
        return ran;
    }
    auto generator = run::Generator::create(model, *resolved, prompt);
    EXPECT_TRUE(generator.ok()) << generator.error().text();
    if (!generator) {
        return ran;
    }
    auto result = (*generator)->run(&ran.seen, true);
    EXPECT_TRUE(result.ok()) << result.error().text();
    if (result) {
        ran.result = *result;
    }
    return ran;
}

} // namespace ulp::test
