// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a trace holds, as an immutable value: the only form in which recorded data crosses a thread.
// A Snapshot and all that it points to never change after publication; growing runs share their
// append-only storage with older snapshots, each of which sees only what was complete when it was
// made. Thread-safety: const access from any thread. Ownership: shared_ptr<const Snapshot>.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/op_info.h"
#include "engine/base/settings.h"

namespace ulp::trace {

/// The hash value that means "this cell was not recorded". A real hash of 0 is stored as 1.
inline constexpr std::uint64_t kNotRecorded = 0;

struct TopLogit {
    std::int32_t token = 0;
    float logit = 0.0F;
    bool operator==(const TopLogit&) const = default;
};

/// How far one divergent cell is from the reference run's cell; exact, over all elements.
struct Magnitude {
    std::int32_t op = 0;
    std::int64_t differing = 0; // elements whose bits differ
    std::int64_t of = 0;        // elements in the row
    std::uint32_t maxUlp = 0; // largest ULP distance (saturating; NaN against number = UINT32_MAX)
    double maxAbs = 0.0;
    double relativeL2 = 0.0; // |x - ref| / |ref|
    bool operator==(const Magnitude&) const = default;
};

struct NonFinite {
    std::int32_t op = 0;
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    bool operator==(const NonFinite&) const = default;
};

/// Everything of one position of one run besides the cell hashes.
struct Column {
    std::int32_t position = 0; // absolute; columns of a run are positions 0, 1, 2, ...
    std::int32_t token = -1;   // the input token of this position
    std::int32_t chosen = -1;  // the token picked from this position's logits; -1 in the prompt
    std::uint64_t logitHash = kNotRecorded; // XXH3-64 of the full float32 logits
    float margin = 0.0F; // winner minus runner-up; meaningful when top is not empty
    double logSumExp = 0.0;
    std::vector<TopLogit> top; // sorted by logit, then id; empty where no logits were asked for
    std::vector<Magnitude>
        magnitudes; // sparse, sorted by op; only where the hash differs from run 0
    std::vector<NonFinite> nonFinite;                 // sparse, sorted by op
    std::int64_t microseconds = 0;                    // since the run began
    std::shared_ptr<const std::vector<float>> logits; // all of them, only when asked for; [vocab]
    bool operator==(const Column&) const = default;
};

enum class RunStatus : std::uint8_t { Running, Complete, Cancelled, Failed, Incomplete };
[[nodiscard]] std::string_view toString(RunStatus status);
[[nodiscard]] RunStatus parseRunStatus(std::string_view name); // unknown: Incomplete

/// Fixed-capacity storage that one writer fills front to back and readers see by a published count.
template <typename T>
class AppendOnly {
  public:
    explicit AppendOnly(std::size_t capacity)
        : m_data(std::make_unique<T[]>(capacity)), m_capacity(capacity)
    {
    }
    [[nodiscard]] T* at(std::size_t index) { return m_data.get() + index; }
    [[nodiscard]] std::span<const T> first(std::size_t count) const
    {
        return {m_data.get(), count};
    }
    [[nodiscard]] std::size_t capacity() const { return m_capacity; }

  private:
    std::unique_ptr<T[]> m_data;
    std::size_t m_capacity;
};

/// One run as far as it has come.
struct RunRecord {
    int run = 0;
    RunSettings settings; // resolved: threads, chunk and ISA are what was used
    RunStatus status = RunStatus::Running;
    std::string error;      // why it failed, else empty
    std::string stopReason; // "steps", "eos", "cancelled", "context", "error" or empty
    std::int32_t promptTokens = 0;
    double prefillTokensPerSecond = 0.0;
    double decodeTokensPerSecond = 0.0;
    std::string traceHash;    // hex; empty until the run is complete
    std::string outputSha256; // hex, of the generated text; empty until complete

    std::size_t columnCount = 0;
    std::size_t opCount = 0;
    std::shared_ptr<const AppendOnly<std::uint64_t>> cellStore; // [columns, ops]
    std::shared_ptr<const AppendOnly<Column>> columnStore;      // [columns]

    [[nodiscard]] std::span<const Column> columns() const
    {
        return columnStore ? columnStore->first(columnCount) : std::span<const Column>();
    }
    [[nodiscard]] std::span<const std::uint64_t> cells() const // [columns, ops]
    {
        return cellStore ? cellStore->first(columnCount * opCount)
                         : std::span<const std::uint64_t>();
    }
    [[nodiscard]] std::uint64_t cell(std::size_t column, std::size_t op) const
    {
        return cells()[column * opCount + op];
    }
    /// Step of a column: 0 is the last prompt position, whose logits give the first new token;
    /// prompt positions before it are negative.
    [[nodiscard]] std::int64_t stepOf(std::size_t column) const
    {
        return static_cast<std::int64_t>(column) - (promptTokens - 1);
    }
};

struct TensorDigest {
    std::string name;
    std::string type;
    std::vector<std::int64_t> shape;
    std::uint64_t xxh3 = 0; // of the tensor's bytes in the file
    bool operator==(const TensorDigest&) const = default;
};

struct ModelIdentity {
    std::string path; // as given; for display only
    std::string name; // general.name
    std::string architecture;
    std::string sha256; // of the whole file
    std::int64_t parameters = 0;
    std::int64_t fileBytes = 0;
    std::vector<TensorDigest> tensors;
    bool operator==(const ModelIdentity&) const = default;
};

/// Ordered key -> value facts about the machine and the program ("cpu.model", "build.id", ...).
using Fingerprint = std::map<std::string, std::string>;

struct Snapshot {
    std::string source; // file path of an opened trace, or empty for a live session
    bool readOnly = false;
    bool incomplete = false; // the recording was cut short
    std::string created;     // ISO 8601 UTC
    std::string prompt;      // text as given; empty when only tokens were
    int contract = kContractVersion;
    ModelIdentity model;
    Fingerprint fingerprint;
    std::vector<OpInfo> ops;
    std::map<std::int32_t, std::string> pieces; // token id -> text bytes, for every token mentioned
    int referenceRun = 0; // index into runs of the run that magnitudes refer to
    std::vector<std::shared_ptr<const RunRecord>> runs;

    [[nodiscard]] std::string pieceOf(std::int32_t token) const
    {
        const auto it = pieces.find(token);
        return it == pieces.end() ? "<" + std::to_string(token) + ">" : it->second;
    }
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace ulp::trace
