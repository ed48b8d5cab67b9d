// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the run panel holds, as a value: a prompt, a model and the settings of every run. Threads,
// batch and prefill cut may be lists; the runs take their combinations in turn, so that one session
// varies what it wants to show as harmless or not. checkSetup() says what cannot run, by field.
// Thread-safety: plain values, pure functions. Ownership: by value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>

#include "engine/base/settings.h"

namespace ulp::views {

struct RunSetup {
    QString modelPath;
    QString modelName; // for display
    QString prompt;
    bool parseSpecial = false;
    int runs = 8;
    std::vector<int> threads = {0}; // 0: one for each core
    std::vector<int> batch = {1};
    std::vector<int> prefillChunk = {512};
    RunSettings settings; // everything else; its own threads, batch and prefillChunk are not used

    bool operator==(const RunSetup&) const = default;
    /// One entry for each run: run i takes the i-th combination of the lists, starting over.
    [[nodiscard]] std::vector<RunSettings> runSettings() const;
};

/// What the machine and the loaded model allow; zero or empty: not known yet.
struct RunLimits {
    int cores = 1;
    std::vector<Isa> isas;
    bool cuda = false;
    std::int64_t context = 0;
    std::int64_t promptTokens = 0;
    std::int64_t defaultChunk = 0;
};

enum class RunField : std::uint8_t {
    Model,
    Prompt,
    Special,
    Steps,
    Runs,
    Temperature,
    Seed,
    Policy,
    OpPolicies,
    Threads,
    Batch,
    PrefillChunk,
    ReductionChunk,
    Activation,
    Isa,
    Device,
};

struct FieldError {
    RunField field = RunField::Model;
    QString message;
};
[[nodiscard]] std::vector<FieldError> checkSetup(const RunSetup& setup, const RunLimits& limits);

/// The fields in which two setups differ.
[[nodiscard]] std::vector<RunField> changedFields(const RunSetup& now, const RunSetup& before);

/// "1, 2" or "1 2 4"; empty when a word is no number.
[[nodiscard]] std::vector<int> parseNumberList(const QString& text);
[[nodiscard]] QString numberListText(const std::vector<int>& numbers);
/// "ffn_out-*=atomic, kqv_out-0=kahan"; the error names the entry.
[[nodiscard]] Result<std::vector<OpPolicy>> parseOpPolicies(const QString& text);
[[nodiscard]] QString opPoliciesText(const std::vector<OpPolicy>& policies);
[[nodiscard]] QString policyText(Policy policy);

} // namespace ulp::views
