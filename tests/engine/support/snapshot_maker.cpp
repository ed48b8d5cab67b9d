// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/snapshot_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

namespace ulp::test {
namespace {

constexpr std::int64_t kWidth = 128;
constexpr std::int64_t kVocabulary = 512;

// splitmix64's finaliser (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    return mix(a ^ (b * 0xff51afd7ed558ccdULL));
}

double unit(std::uint64_t bits) // [0, 1)
{
    return static_cast<double>(bits >> 11U) * 0x1p-53;
}

const std::vector<std::string>& words()
{
    static const std::vector<std::string> list{
        " the",  " small", " fox",  " went",   " to",    " a",    " river", " and", " saw",
        " its",  " moon",  ".",     " Anna",   " said",  " was",  " happy", ",",    " because",
        " bird", " sang",  " in",   " garden", " found", " key",  " under", " old", " tree",
        "\n",    " then",  " they", " walked", " home",  " with", " bread", "!",    " Once"};
    return list;
}

std::string pieceFor(std::int32_t token)
{
    const auto& list = words();
    return list[static_cast<std::size_t>(token) % list.size()];
}

/// The simulation of one run.
class RunMaker {
  public:
    RunMaker(const SessionOptions& options, const std::vector<OpInfo>& ops, int run,
             const RunContent* reference)
        : m_options(options), m_ops(ops), m_run(run), m_reference(reference)
    {
        m_history.assign(ops.size(), 0);
        m_nan.assign(ops.size(), false);
        m_nanHistory.assign(ops.size(), false);
    }

    RunContent make(std::size_t columnCount)
    {
        RunContent content;
        content.cells.reserve(columnCount * m_ops.size());
        content.columns.reserve(columnCount);
        std::int32_t token = 1;
        for (std::size_t c = 0; c < columnCount; ++c) {
            const std::int64_t step = static_cast<std::int64_t>(c) - (m_options.promptTokens - 1);
            token = c == 0 || step <= 0 ? promptToken(c) : content.columns.back().chosen;
            content.columns.push_back(
                makeColumn(content, static_cast<std::int32_t>(c), step, token));
        }
        return content;
    }

  private:
    std::int32_t promptToken(std::size_t c) const
    {
        return c == 0 ? 1
                      : static_cast<std::int32_t>(3 + mix(m_options.seed, c) % (kVocabulary - 3));
    }

    const PlantedDivergence* planted(std::int64_t step, const std::string& op) const
    {
        for (const auto& entry : m_options.divergences) {
            if (entry.run == m_run && entry.step == step && entry.op == op) {
                return &entry;
            }
        }
        return nullptr;
    }

    bool becomesNan(std::int64_t step, const std::string& op) const
    {
        return std::any_of(m_options.nonFinite.begin(), m_options.nonFinite.end(),
                           [&](const auto& entry) {
                               return entry.run == m_run && entry.step == step && entry.op == op;
                           });
    }

    std::uint32_t flipVariant(std::int64_t step) const
    {
        for (const auto& flip : m_options.flips) {
            if (flip.run == m_run && step >= flip.step) {
                return flip.variant;
            }
        }
        return 0;
    }

    trace::Column makeColumn(RunContent& content, std::int32_t position, std::int64_t step,
                             std::int32_t token)
    {
        trace::Column column;
        column.position = position;
        column.token = token;
        column.microseconds = 400 + 900LL * position;
        const std::size_t first = content.cells.size();
        std::vector<std::uint64_t> inner(m_ops.size());
        for (std::size_t op = 0; op < m_ops.size(); ++op) {
            const bool output = m_ops[op].layer < 0 && !m_ops[op].readsToken;
            if (output && step < 0) {
                content.cells.push_back(trace::kNotRecorded);
                continue;
            }
            content.cells.push_back(makeCell(column, inner, op, step, token));
        }
        for (std::size_t op = 0; op < m_ops.size(); ++op) {
            m_history[op] = mix(m_history[op], inner[op]);
            m_nanHistory[op] = m_nanHistory[op] || m_nan[op];
        }
        if (step >= 0) {
            addLogits(column, content.cells.back(), step);
        }
        addMagnitudes(column, content, first);
        return column;
    }

    std::uint64_t makeCell(trace::Column& column, std::vector<std::uint64_t>& inner, std::size_t op,
                           std::int64_t step, std::int32_t token)
    {
        const OpInfo& info = m_ops[op];
        std::uint64_t value =
            mix(m_options.seed, op * 1000003 + static_cast<std::size_t>(step + 1000));
        bool nan = becomesNan(step, info.name);
        for (const int input : info.inputs) {
            value = mix(value, inner[static_cast<std::size_t>(input)]);
            nan = nan || m_nan[static_cast<std::size_t>(input)];
        }
        for (const int input : info.history) {
            const auto index = static_cast<std::size_t>(input);
            value = mix(value, mix(inner[index], m_history[index]));
            nan = nan || m_nan[index] || m_nanHistory[index];
        }
        if (info.readsToken) {
            value = mix(value, static_cast<std::uint64_t>(token));
        }
        m_nan[op] = nan;
        if (nan) {
            value = mix(value, 0x7fc00000);
            column.nonFinite.push_back({static_cast<std::int32_t>(op), 3, 1});
        }
        inner[op] = value;
        if (const PlantedDivergence* divergence = planted(step, info.name)) {
            value = mix(value, divergence->variant);
            inner[op] = divergence->contained ? inner[op] : value;
        }
        return value == trace::kNotRecorded ? 1 : value;
    }

    void addLogits(trace::Column& column, std::uint64_t hash, std::int64_t step) const
    {
        const std::uint32_t variant = flipVariant(step);
        const std::uint64_t base =
            mix(m_options.seed ^ 0x106175, static_cast<std::uint64_t>(step)) ^
            (step > firstFlip() ? mix(variant) : 0);
        const bool tie = m_options.nearTieEvery > 0 && step % m_options.nearTieEvery == 0;
        column.logitHash = hash;
        column.margin = static_cast<float>(tie ? 0.001 + 0.008 * unit(base) : 0.3 + 4 * unit(base));
        // Bits that differ move the logits a little, in a way that depends on the bits alone.
        const bool same = m_reference != nullptr && hash == referenceHash(column.position);
        const double wobble =
            same || m_reference == nullptr
                ? 0.0
                : 1e-5 * (1 + static_cast<double>(std::max<std::int64_t>(step, 0)));
        double logit = 12.0 + 5.0 * unit(mix(base, 7));
        const auto start = static_cast<std::int64_t>(mix(base, 11) % kVocabulary);
        for (int k = 0; k < m_options.topLogits; ++k) {
            const auto token = static_cast<std::int32_t>((start + 37LL * k) % kVocabulary);
            const double noise = wobble * (unit(mix(hash, static_cast<std::uint64_t>(k))) - 0.5);
            column.top.push_back({token, static_cast<float>(logit + noise)});
            logit -= k == 0 ? static_cast<double>(column.margin)
                            : 0.05 + 0.4 * unit(mix(base, static_cast<std::uint64_t>(k) + 20));
        }
        if (variant != 0 && step == firstFlip() && column.top.size() > variant) {
            std::swap(column.top[0].token, column.top[variant].token);
        }
        column.chosen = column.top.empty() ? static_cast<std::int32_t>(start) : column.top[0].token;
        column.logSumExp = column.top.empty() ? 15.0 : column.top[0].logit + 0.9;
    }

    std::int64_t firstFlip() const
    {
        std::int64_t first = m_options.steps + 1;
        for (const auto& flip : m_options.flips) {
            first = flip.run == m_run ? std::min(first, flip.step) : first;
        }
        return first;
    }

    std::uint64_t referenceHash(std::int32_t position) const
    {
        return static_cast<std::size_t>(position) < m_reference->columns.size()
                   ? m_reference->columns[static_cast<std::size_t>(position)].logitHash
                   : trace::kNotRecorded;
    }

    void addMagnitudes(trace::Column& column, const RunContent& content, std::size_t first) const
    {
        if (!m_options.magnitudes || m_reference == nullptr) {
            return;
        }
        for (std::size_t op = 0; op < m_ops.size(); ++op) {
            const std::uint64_t mine = content.cells[first + op];
            const std::uint64_t theirs =
                first + op < m_reference->cells.size() ? m_reference->cells[first + op] : mine;
            if (mine != theirs && mine != trace::kNotRecorded && theirs != trace::kNotRecorded) {
                column.magnitudes.push_back(makeMagnitude(column, op, mine));
            }
        }
    }

    trace::Magnitude makeMagnitude(const trace::Column& column, std::size_t op,
                                   std::uint64_t bits) const
    {
        const PlantedDivergence* divergence =
            planted(column.position - (m_options.promptTokens - 1), m_ops[op].name);
        trace::Magnitude magnitude;
        magnitude.op = static_cast<std::int32_t>(op);
        magnitude.of = m_ops[op].shape[0];
        const bool flipped = firstFlip() < column.position - (m_options.promptTokens - 1);
        if (divergence != nullptr) {
            magnitude.differing = 1;
            magnitude.maxUlp = 1;
            magnitude.maxAbs = 0x1p-24;
            magnitude.relativeL2 = 1e-8;
            return magnitude;
        }
        // Grows with depth and time, up to order one once the inputs themselves differ.
        const double depth = static_cast<double>(op + 1) / static_cast<double>(m_ops.size());
        const double exponent = flipped ? -1.0 : -7.0 + 2.0 * depth + 0.05 * column.position;
        const double size = std::pow(10.0, std::min(exponent + 0.5 * unit(bits), 0.3));
        magnitude.differing =
            1 + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(magnitude.of));
        magnitude.maxUlp = static_cast<std::uint32_t>(std::min(2.0 + size * 3e7, 4e9));
        magnitude.maxAbs = size * 2.0;
        magnitude.relativeL2 = size;
        return magnitude;
    }

    const SessionOptions& m_options;
    const std::vector<OpInfo>& m_ops;
    int m_run;
    const RunContent* m_reference; // null for the reference itself
    std::vector<std::uint64_t> m_history;
    std::vector<bool> m_nan;
    std::vector<bool> m_nanHistory;
};

trace::Snapshot makeHead(const SessionOptions& options)
{
    trace::Snapshot head;
    head.created = "2026-01-02T03:04:05Z";
    head.prompt = "Once upon a time";
    head.model.path = "stories.gguf";
    head.model.name = "synthetic";
    head.model.architecture = "llama";
    head.model.sha256 = options.modelSha256;
    head.model.parameters = 1'234'567;
    head.model.fileBytes = 2'500'000;
    head.model.tensors = {{"token_embd.weight", "F16", {kWidth, kVocabulary}, 0x1234},
                          {"output_norm.weight", "F32", {kWidth}, 0xfedcba9876543210ULL}};
    head.fingerprint = {{"cpu.model", "Synthetic CPU"}, {"program.version", "0.0.0-test"}};
    head.ops = makeOps(options.layers);
    for (std::int32_t token = 0; token < kVocabulary; ++token) {
        head.pieces.emplace(token, pieceFor(token));
    }
    return head;
}

OpInfo makeOp(std::string base, std::string kind, int layer, std::int64_t width,
              std::initializer_list<int> inputs)
{
    OpInfo op;
    op.name = layer < 0 ? base : base + "-" + std::to_string(layer);
    op.base = std::move(base);
    op.kind = std::move(kind);
    op.layer = layer;
    op.shape = {width};
    op.inputs = inputs;
    return op;
}

} // namespace

std::vector<OpInfo> makeOps(int layers)
{
    constexpr int kPerLayer = 15;
    std::vector<OpInfo> ops;
    ops.push_back(makeOp("embd", "embedding", -1, kWidth, {}));
    ops.back().readsToken = true;
    ops.back().weight = "token_embd.weight";
    for (int layer = 0; layer < layers; ++layer) {
        const int at = 1 + layer * kPerLayer;
        const int in = at - 1; // the embedding or the layer before
        ops.push_back(makeOp("attn_norm", "norm", layer, kWidth, {in}));
        ops.push_back(makeOp("Qcur", "matmul", layer, kWidth, {at}));
        ops.push_back(makeOp("Kcur", "matmul", layer, kWidth / 2, {at}));
        ops.push_back(makeOp("Vcur", "matmul", layer, kWidth / 2, {at}));
        ops.push_back(makeOp("Qcur_rope", "rope", layer, kWidth, {at + 1}));
        ops.push_back(makeOp("Kcur_rope", "rope", layer, kWidth / 2, {at + 2}));
        ops.push_back(makeOp("kqv_out", "attention", layer, kWidth, {at + 4}));
        ops.back().history = {at + 5, at + 3};
        ops.push_back(makeOp("attn_out", "matmul", layer, kWidth, {at + 6}));
        ops.push_back(makeOp("ffn_inp", "add", layer, kWidth, {at + 7, in}));
        ops.push_back(makeOp("ffn_norm", "norm", layer, kWidth, {at + 8}));
        ops.push_back(makeOp("ffn_gate", "matmul", layer, 3 * kWidth, {at + 9}));
        ops.push_back(makeOp("ffn_up", "matmul", layer, 3 * kWidth, {at + 9}));
        ops.push_back(makeOp("ffn_swiglu", "activation", layer, 3 * kWidth, {at + 10, at + 11}));
        ops.push_back(makeOp("ffn_out", "matmul", layer, kWidth, {at + 12}));
        ops.push_back(makeOp("l_out", "add", layer, kWidth, {at + 13, at + 8}));
    }
    const int last = layers * kPerLayer;
    ops.push_back(makeOp("result_norm", "norm", -1, kWidth, {last}));
    ops.push_back(makeOp("result_output", "matmul", -1, kVocabulary, {last + 1}));
    return ops;
}

int opIndex(const std::vector<OpInfo>& ops, const std::string& name)
{
    const auto it =
        std::find_if(ops.begin(), ops.end(), [&](const OpInfo& op) { return op.name == name; });
    return it == ops.end() ? -1 : static_cast<int>(it - ops.begin());
}

trace::SnapshotPtr makeSession(const SessionOptions& options)
{
    const trace::Snapshot head = makeHead(options);
    trace::SnapshotBuilder builder(head);
    const auto all = static_cast<std::size_t>(options.promptTokens + options.steps - 1);
    std::optional<RunContent> reference;
    for (int run = 0; run < options.runs; ++run) {
        RunSettings settings;
        settings.policy = options.policy;
        settings.threads = 2;
        settings.reductionChunk = 32;
        settings.isa = Isa::Avx2;
        settings.steps = options.steps;
        const bool last = run + 1 == options.runs;
        const bool partial = last && options.lastRunColumns >= 0;
        const std::size_t count =
            partial ? std::min(all, static_cast<std::size_t>(options.lastRunColumns)) : all;
        RunContent content =
            RunMaker(options, head.ops, run, reference ? &*reference : nullptr).make(count);
        builder.beginRun(settings, options.promptTokens, all);
        for (std::size_t c = 0; c < count; ++c) {
            builder.appendColumn(
                run, content.columns[c],
                std::span(content.cells).subspan(c * head.ops.size(), head.ops.size()));
        }
        const trace::RunStatus status = last ? options.lastRunStatus : trace::RunStatus::Complete;
        if (!partial || status != trace::RunStatus::Complete) {
            builder.setRates(run, 812.5, 96.25 - run);
            const bool failed = status == trace::RunStatus::Failed;
            builder.finishRun(run, status,
                              failed    ? "error"
                              : partial ? "cancelled"
                                        : "steps",
                              failed ? "all logits are NaN at step 3" : "");
        }
        if (!reference) {
            reference = std::move(content);
        }
    }
    return builder.snapshot();
}

SessionOptions atomicLike(int runs, int layers, int promptTokens, int steps, std::uint64_t seed)
{
    static constexpr std::array<const char*, 4> kBases{"ffn_out", "attn_out", "Kcur", "ffn_gate"};
    SessionOptions options;
    options.runs = runs;
    options.layers = layers;
    options.promptTokens = promptTokens;
    options.steps = steps;
    options.seed = seed;
    for (int run = 1; run < runs; ++run) {
        const bool joins = run % 3 == 0;
        const int source = joins ? run - 1 : run;
        const std::uint64_t dice = mix(seed, static_cast<std::uint64_t>(source));
        PlantedDivergence divergence;
        divergence.run = run;
        divergence.variant = static_cast<std::uint32_t>(source);
        divergence.step = static_cast<std::int64_t>(dice % 4) - std::min(2, promptTokens - 1);
        divergence.op = std::string(kBases[(dice >> 8U) % kBases.size()]) + "-" +
                        std::to_string((dice >> 16U) % static_cast<std::uint64_t>(layers));
        options.divergences.push_back(divergence);
        if (source % 2 == 0) {
            const std::int64_t late = steps / 2 + static_cast<std::int64_t>((dice >> 24U) % 4);
            options.flips.push_back({run, late, 1});
        }
    }
    return options;
}

trace::SnapshotPtr makeLiteral(const std::vector<std::vector<std::vector<std::uint64_t>>>& cells,
                               std::int32_t promptTokens)
{
    trace::Snapshot head;
    head.model.sha256 = std::string(64, 'b');
    const std::size_t opCount = cells.empty() || cells[0].empty() ? 0 : cells[0][0].size();
    for (std::size_t op = 0; op < opCount; ++op) {
        head.ops.push_back(makeOp("op" + std::to_string(op), "matmul", -1, 8, {}));
        if (op == 0) {
            head.ops[op].readsToken = true;
        } else {
            head.ops[op].inputs = {static_cast<int>(op) - 1};
        }
    }
    trace::SnapshotBuilder builder(head);
    for (const auto& columns : cells) {
        const int run = builder.beginRun(RunSettings{}, promptTokens, columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            trace::Column column;
            column.position = static_cast<std::int32_t>(c);
            column.token = column.position;
            if (column.position >= promptTokens - 1) {
                column.chosen = column.position + 1;
                column.logitHash = columns[c].empty() ? trace::kNotRecorded : columns[c].back();
            }
            builder.appendColumn(run, column, columns[c]);
        }
        builder.finishRun(run, trace::RunStatus::Complete, "steps", "");
    }
    return builder.snapshot();
}

RunContent contentOf(const trace::RunRecord& run)
{
    return {run,
            {run.columns().begin(), run.columns().end()},
            {run.cells().begin(), run.cells().end()}};
}

std::shared_ptr<const trace::RunRecord> toRecord(RunContent content)
{
    auto record = std::make_shared<trace::RunRecord>(std::move(content.record));
    auto columns = std::make_shared<trace::AppendOnly<trace::Column>>(content.columns.size());
    auto cells = std::make_shared<trace::AppendOnly<std::uint64_t>>(content.cells.size());
    std::move(content.columns.begin(), content.columns.end(), columns->at(0));
    std::copy(content.cells.begin(), content.cells.end(), cells->at(0));
    record->columnCount = content.columns.size();
    record->columnStore = std::move(columns);
    record->cellStore = std::move(cells);
    return record;
}

trace::SnapshotPtr withRun(const trace::Snapshot& snapshot, int run, RunContent content)
{
    auto copy = std::make_shared<trace::Snapshot>(snapshot);
    copy->runs.at(static_cast<std::size_t>(run)) = toRecord(std::move(content));
    return copy;
}

} // namespace ulp::test
