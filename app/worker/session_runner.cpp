// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/session_runner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "app/worker/run_recording.h"
#include "app/worker/session_head.h"
#include "engine/model/chat_template.h"
#include "engine/run/generator.h"
#include "engine/run/op_catalogue.h"
#include "engine/trace/trace_file.h"

namespace ulp::worker {
namespace {

using Clock = std::chrono::steady_clock;

/// Lets one call through in every 40 ms, and every last one of a run.
class ProgressMeter {
  public:
    ProgressMeter(const std::function<void(const Progress&)>& report, int runs)
        : m_report(report), m_runs(runs)
    {
    }

    void beginRun(int run, std::int64_t columns)
    {
        m_progress = {};
        m_progress.run = run;
        m_progress.runs = m_runs;
        m_progress.columns = columns;
        m_runStart = Clock::now();
        send();
    }

    void column(std::int64_t done)
    {
        m_progress.column = done;
        const auto now = Clock::now();
        if (now - m_last < std::chrono::milliseconds(40)) {
            return;
        }
        const double seconds = std::chrono::duration<double>(now - m_runStart).count();
        m_progress.tokensPerSecond = seconds > 0 ? static_cast<double>(done) / seconds : 0.0;
        if (m_progress.tokensPerSecond > 0) {
            const auto left =
                m_progress.columns - done + (m_runs - 1 - m_progress.run) * m_progress.columns;
            m_progress.secondsLeft = static_cast<double>(left) / m_progress.tokensPerSecond;
        }
        send();
    }

    void endRun() { send(); }
    void setRuns(int runs) { m_runs = runs; }

  private:
    void send()
    {
        m_last = Clock::now();
        if (m_report) {
            m_report(m_progress);
        }
    }

    const std::function<void(const Progress&)>& m_report;
    int m_runs;
    Progress m_progress;
    Clock::time_point m_runStart;
    Clock::time_point m_last;
};

/// What a session runs, found sound before anything runs.
struct Plan {
    std::vector<std::int32_t> prompt;
    std::vector<RunSettings> runs;
};

/// A fault must lie where the run computes the op: the last ops see the columns that predict a
/// token, and no other.
Result<void> checkFault(const RunSettings& settings, const model::Model& model,
                        std::int64_t promptTokens)
{
    if (!settings.perturb) {
        return {};
    }
    const Perturbation& fault = *settings.perturb;
    const std::vector<OpInfo> ops = run::opCatalogue(model.hyper());
    bool predicts = true; // no layer follows it
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
        predicts = predicts && op->layer < 0;
        if (op->name == fault.op) {
            break;
        }
    }
    const std::int64_t first = predicts ? promptTokens - 1 : 0;
    const std::int64_t columns = promptTokens + settings.steps - 1;
    if (fault.position >= first && fault.position < columns) {
        return {};
    }
    return makeError(
        ErrorCode::BadUsage,
        "the run has no " + fault.op + " at position " + std::to_string(fault.position), {},
        "plant the fault at a position from " + std::to_string(first) + " to " +
            std::to_string(columns - 1));
}

} // namespace

struct SessionRunner::Impl {
    explicit Impl(SessionRequest r) : request(std::move(r)) {}

    [[nodiscard]] Result<std::vector<std::int32_t>> promptTokens() const;
    [[nodiscard]] Result<std::vector<RunSettings>>
    resolvedRuns(const std::vector<RunSettings>& runs, std::size_t promptTokens) const;
    [[nodiscard]] Result<Plan> plan() const;
    Result<void> addMoreRuns(Plan& plan, ProgressMeter& meter) const;
    Result<void> oneRun(int index, const RunSettings& settings,
                        const std::vector<std::int32_t>& prompt, ProgressMeter& meter);
    void warnOfLostFault(int run);
    Result<void> openTrace();
    void addPieces(std::span<const std::int32_t> tokens);
    void warn(const std::string& text);

    SessionRequest request;
    std::atomic<bool> cancelled{false};
    mutable std::mutex mutex; // guards builder (the pointer) and warnings
    std::shared_ptr<trace::SnapshotBuilder> builder;
    std::vector<std::string> warnings;
    std::unique_ptr<trace::TraceWriter> writer;
    std::unique_ptr<ReferenceRows> reference;
};

Result<std::vector<std::int32_t>> SessionRunner::Impl::promptTokens() const
{
    std::vector<std::int32_t> tokens = request.tokens;
    if (request.chat) {
        const auto chat = model::ChatTemplate::of(request.model->file());
        if (!chat) {
            return chat.error();
        }
        auto encoded = chat->encode(request.model->tokenizer(), request.system, request.prompt);
        if (!encoded) {
            return encoded.error();
        }
        tokens = std::move(*encoded);
    } else if (tokens.empty()) {
        model::EncodeOptions options;
        options.parseSpecial = request.parseSpecial;
        auto encoded = request.model->tokenizer().encode(request.prompt, options);
        if (!encoded) {
            return encoded.error();
        }
        tokens = std::move(*encoded);
    }
    const std::int64_t vocab = request.model->hyper().vocab;
    for (const std::int32_t token : tokens) {
        if (token < 0 || token >= vocab) {
            return makeError(ErrorCode::BadUsage,
                             "token id " + std::to_string(token) + " lies outside the vocabulary",
                             {}, "use ids from 0 to " + std::to_string(vocab - 1));
        }
    }
    if (tokens.empty()) {
        return makeError(ErrorCode::BadUsage, "the prompt is empty", {},
                         "write a prompt, or give token ids");
    }
    return tokens;
}

Result<std::vector<RunSettings>>
SessionRunner::Impl::resolvedRuns(const std::vector<RunSettings>& runs,
                                  std::size_t promptTokens) const
{
    std::vector<RunSettings> resolved;
    std::optional<ChatSettings> written;
    if (request.chat) {
        const auto chat = model::ChatTemplate::of(request.model->file());
        if (!chat) {
            return chat.error();
        }
        written = ChatSettings{std::string(chat->family()), request.system};
    }
    for (const RunSettings& settings : runs) {
        auto one = run::resolveSettings(settings, *request.model);
        if (!one) {
            return one.error();
        }
        if (auto ok = checkFault(*one, *request.model, static_cast<std::int64_t>(promptTokens));
            !ok) {
            return ok.error();
        }
        one->hash = one->hash && request.hash;
        one->chat = written;
        resolved.push_back(std::move(*one));
    }
    return resolved;
}

/// Errors: whatever would keep any of the runs from beginning.
Result<Plan> SessionRunner::Impl::plan() const
{
    auto prompt = promptTokens();
    if (!prompt) {
        return prompt.error();
    }
    if (request.runs.empty()) {
        return makeError(ErrorCode::BadUsage, "there is nothing to run", {},
                         "ask for 1 run or more");
    }
    auto runs = resolvedRuns(request.runs, prompt->size());
    if (!runs) {
        return runs.error();
    }
    return Plan{std::move(*prompt), std::move(*runs)};
}

/// Appends what the session's owner wants to see next, given what it has seen.
Result<void> SessionRunner::Impl::addMoreRuns(Plan& plan, ProgressMeter& meter) const
{
    if (!request.more) {
        return {};
    }
    auto fresh = resolvedRuns(request.more(builder->snapshot()), plan.prompt.size());
    if (!fresh) {
        return fresh.error();
    }
    plan.runs.insert(plan.runs.end(), fresh->begin(), fresh->end());
    meter.setRuns(static_cast<int>(plan.runs.size()));
    return {};
}

/// A run may end before the fault's turn comes, and then it was never there.
void SessionRunner::Impl::warnOfLostFault(int run)
{
    const auto& record = builder->run(run);
    if (record->settings.perturb &&
        static_cast<std::int64_t>(record->columnCount) <= record->settings.perturb->position) {
        warn("run " + std::to_string(run) + " ended before the planted fault at position " +
             std::to_string(record->settings.perturb->position) + "; nothing was planted");
    }
}

/// Only once a run can begin: what it replaces is gone from then on.
Result<void> SessionRunner::Impl::openTrace()
{
    if (request.out.empty() || writer) {
        return {};
    }
    auto opened = trace::TraceWriter::create(request.out, *builder->snapshot(), request.overwrite);
    if (!opened) {
        return opened.error();
    }
    writer = std::move(*opened);
    return {};
}

void SessionRunner::Impl::addPieces(std::span<const std::int32_t> tokens)
{
    std::map<std::int32_t, std::string> fresh;
    for (const std::int32_t token : tokens) {
        if (token >= 0 && !builder->hasPiece(token)) {
            fresh[token] = request.model->tokenizer().piece(token, true);
            builder->addPiece(token, fresh[token]);
        }
    }
    if (writer && !fresh.empty()) {
        // A failure stays with the writer, whose next call reports it.
        static_cast<void>(writer->addPieces(fresh));
    }
}

void SessionRunner::Impl::warn(const std::string& text)
{
    const std::lock_guard lock(mutex);
    if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
        warnings.push_back(text);
    }
}

Result<void> SessionRunner::Impl::oneRun(int index, const RunSettings& settings,
                                         const std::vector<std::int32_t>& prompt,
                                         ProgressMeter& meter)
{
    auto generator = run::Generator::create(request.model, settings, prompt);
    if (!generator) {
        return generator.error();
    }
    const auto columns = static_cast<std::size_t>((*generator)->maxColumns());
    if ((*generator)->maxColumns() > request.model->hyper().context) {
        warn("the run passes the context of " + std::to_string(request.model->hyper().context) +
             " tokens that the model was trained for");
    }
    if (auto opened = openTrace(); !opened) {
        return opened;
    }
    const std::size_t ops = builder->snapshot()->ops.size();
    if (index == 0 && request.hash && request.referenceBytes != 0 &&
        (request.runs.size() > 1 || request.more)) {
        const std::size_t limit = request.referenceBytes < 0
                                      ? automaticReferenceBytes()
                                      : static_cast<std::size_t>(request.referenceBytes);
        reference = std::make_unique<ReferenceRows>(ops, columns, limit);
    }
    const int runIndex =
        builder->beginRun(settings, static_cast<std::int32_t>(prompt.size()), columns);
    if (writer) {
        if (auto begun = writer->beginRun(*builder->run(runIndex)); !begun) {
            return begun;
        }
    }
    meter.beginRun(index, static_cast<std::int64_t>(columns));

    RecordingTarget target;
    target.builder = builder.get();
    target.writer = writer.get();
    target.reference = reference.get();
    target.run = runIndex;
    target.ops = ops;
    target.hash = request.hash;
    target.topLogits = request.topLogits;
    target.keepLogits = request.keepLogits;
    target.cancel = &cancelled;
    target.addPieces = [this](std::span<const std::int32_t> tokens) { addPieces(tokens); };
    target.onColumn = [&meter](std::int64_t done) { meter.column(done); };
    RunRecording recording(target);
    auto result = (*generator)->run(&recording, settings.hash, &cancelled);

    if (!recording.warning().empty()) {
        warn(recording.warning());
    }
    Result<void> outcome;
    if (!recording.failure().ok()) {
        outcome = recording.failure(); // the trace file could not be written
        builder->finishRun(runIndex, trace::RunStatus::Failed, "error", outcome.error().text());
    } else if (!result) {
        // The run is a finding, not the end of the session: it stays in the trace as failed.
        builder->finishRun(runIndex, trace::RunStatus::Failed, "error", result.error().text());
    } else {
        builder->setRates(runIndex, result->prefillRate(), result->decodeRate());
        const bool stopped = result->stopReason == "cancelled";
        builder->finishRun(runIndex,
                           stopped ? trace::RunStatus::Cancelled : trace::RunStatus::Complete,
                           result->stopReason, {});
    }
    warnOfLostFault(runIndex);
    if (writer && outcome) {
        outcome = writer->finishRun(*builder->run(runIndex));
    }
    meter.endRun();
    return outcome;
}

SessionRunner::SessionRunner(SessionRequest request)
    : m_impl(std::make_unique<Impl>(std::move(request)))
{
}

SessionRunner::~SessionRunner() = default;

Result<void> SessionRunner::check() const
{
    const auto plan = m_impl->plan();
    return plan ? Result<void>() : plan.error();
}

Result<trace::SnapshotPtr>
SessionRunner::run(const std::function<void(const Progress&)>& onProgress)
{
    auto plan = m_impl->plan();
    if (!plan) {
        return plan.error();
    }
    const auto builder = std::make_shared<trace::SnapshotBuilder>(
        sessionHead(*m_impl->request.model, m_impl->request.prompt));
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->builder = builder;
    }
    m_impl->addPieces(plan->prompt);
    ProgressMeter meter(onProgress, static_cast<int>(plan->runs.size()));
    for (std::size_t i = 0; i < plan->runs.size() && !m_impl->cancelled.load(); ++i) {
        if (auto done = m_impl->oneRun(static_cast<int>(i), plan->runs[i], plan->prompt, meter);
            !done) {
            return done.error();
        }
        if (i + 1 == plan->runs.size() && !m_impl->cancelled.load()) {
            if (auto added = m_impl->addMoreRuns(*plan, meter); !added) {
                return added.error();
            }
        }
    }
    if (builder->snapshot()->runs.empty()) {
        return makeError(ErrorCode::Cancelled, "stopped before the first run", {}, {});
    }
    if (m_impl->writer) {
        if (auto closed = m_impl->writer->close(); !closed) {
            return closed.error();
        }
    }
    return builder->snapshot();
}

void SessionRunner::cancel()
{
    m_impl->cancelled.store(true);
}

trace::SnapshotPtr SessionRunner::snapshot() const
{
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->builder ? m_impl->builder->snapshot() : nullptr;
}

std::vector<std::string> SessionRunner::warnings() const
{
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->warnings;
}

} // namespace ulp::worker
