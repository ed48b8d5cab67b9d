// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The facts of a model that a trace records. Thread-safety: pure functions. Ownership: by value.
#pragma once

#include "engine/model/model.h"
#include "engine/trace/snapshot.h"

namespace ulp::worker {

[[nodiscard]] trace::ModelIdentity identityOf(const model::Model& model);

/// A snapshot without runs: model, op catalogue, fingerprint, prompt, time of creation.
[[nodiscard]] trace::Snapshot sessionHead(const model::Model& model, const std::string& prompt);

} // namespace ulp::worker
