// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run: prefill in pieces, then decode token by token, with companions in the batch when asked.
// Thread-safety: one thread; the cancel flag from any. Ownership: shares the model, owns its
// decoder.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/run/companions.h"
#include "engine/run/decoder.h"

namespace ulp::run {

/// Sees what a run does. onColumn comes once for each position of sequence 0, ascending, after all
/// ops of that position.
class RunListener : public Observer {
  public:
    /// `logits` is empty where none were asked for (prompt positions but the last); `chosen` is -1
    /// there.
    virtual void onColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                          std::span<const float> logits) = 0;
};

struct RunResult {
    std::vector<std::int32_t> tokens; // prompt and generated
    std::int32_t promptTokens = 0;
    std::string stopReason; // "steps", "eos", "cancelled"
    double prefillSeconds = 0.0;
    double decodeSeconds = 0.0;     // of the steps after the first token
    std::int64_t decodedTokens = 0; // counted in decodeSeconds
    [[nodiscard]] double prefillRate() const;
    [[nodiscard]] double decodeRate() const;
};

class Generator {
  public:
    /// `settings` must be resolved; `prompt` has at least one token. Refuses what exceeds the
    /// model's context (prompt alone), names the sizes; a run that would pass it stops with
    /// "context".
    static Result<std::unique_ptr<Generator>> create(std::shared_ptr<const model::Model> model,
                                                     const RunSettings& settings,
                                                     std::vector<std::int32_t> prompt);

    /// `listener` may be null; `observeOps` false shows it columns only.
    Result<RunResult> run(RunListener* listener, bool observeOps,
                          const std::atomic<bool>* cancel = nullptr);

    /// Columns that a run records at most.
    [[nodiscard]] std::int64_t maxColumns() const { return m_positions; }

  private:
    struct Sequence {
        std::vector<std::int32_t> tokens; // known so far
        std::size_t fed = 0;              // tokens whose forward pass is done
        Stay stay;                        // of a companion
    };
    Generator() = default;
    void seatCompanions();
    Result<void> reusePrefix(RunListener* listener, bool observeOps,
                             const std::atomic<bool>* cancel);
    std::vector<InputToken> nextPass() const;
    Result<void> takePass(std::span<const InputToken> pass, RunListener* listener);

    std::shared_ptr<const model::Model> m_model;
    RunSettings m_settings;
    std::unique_ptr<Decoder> m_decoder;
    std::vector<Sequence> m_sequences; // [0] is recorded, the rest are companions
    std::size_t m_promptTokens = 0;
    std::int64_t m_positions = 0;
    std::int64_t m_passes = 0; // done
};

} // namespace ulp::run
