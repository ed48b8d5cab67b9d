// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>

#include <sys/resource.h>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/price.h"
#include "app/cli/run_options.h"
#include "app/cli/text_table.h"
#include "app/worker/session_runner.h"
#include "engine/audit/format.h"
#include "engine/base/bytes.h"
#include "engine/run/decoder.h"

namespace ulp::cli {
namespace {

struct BenchCommand {
    std::string model;
    std::string policy = "ordered";
    int threads = 0;
    int promptTokens = 128;
    int genTokens = 64;
    int repetitions = 5;
    bool noHash = false;
    bool price = false;
    OutputOptions output;

    Exit execute() const;

  private:
    Result<RunSettings> settings() const;
    Result<void> checkContext(const model::Model& loaded) const;
    Exit comparePolicies(const std::shared_ptr<const model::Model>& loaded,
                         const RunSettings& settings, Interrupt& interrupt) const;
    Result<trace::SnapshotPtr> measure(const std::shared_ptr<const model::Model>& loaded,
                                       const RunSettings& settings, Interrupt& interrupt) const;
    void show(const model::Model& loaded, const trace::Snapshot& snapshot) const;
};

struct Spread {
    double median = 0.0;
    double min = 0.0;
    double max = 0.0;
};

Spread spreadOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return {(values[(n - 1) / 2] + values[n / 2]) / 2.0, values.front(), values.back()};
}

audit::JsonValue spreadJson(const Spread& spread)
{
    return {{"median", audit::jsonNumber(spread.median)},
            {"min", audit::jsonNumber(spread.min)},
            {"max", audit::jsonNumber(spread.max)}};
}

/// Arbitrary tokens, the same every time (the multiplier is Knuth's, MMIX).
std::vector<std::int32_t> promptOf(const model::Model& loaded, int count)
{
    std::vector<std::int32_t> tokens;
    std::uint64_t state = 1;
    while (static_cast<int>(tokens.size()) < count) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        tokens.push_back(static_cast<std::int32_t>(
            (state >> 33U) % static_cast<std::uint64_t>(loaded.hyper().vocab)));
    }
    return tokens;
}

std::int64_t peakResidentBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024; // kibibytes on Linux
}

Result<RunSettings> BenchCommand::settings() const
{
    SettingOptions options;
    options.policy = policy;
    options.threads = threads;
    auto result = options.settings();
    if (result) {
        result->steps = genTokens;
        result->ignoreEos = true;
    }
    return result;
}

Result<void> BenchCommand::checkContext(const model::Model& loaded) const
{
    if (promptTokens + genTokens > loaded.hyper().context) {
        return makeError(ErrorCode::BadUsage,
                         std::to_string(promptTokens + genTokens) +
                             " tokens do not fit the model's context of " +
                             std::to_string(loaded.hyper().context),
                         {}, "lower --prompt-tokens or --gen-tokens");
    }
    return {};
}

Exit BenchCommand::comparePolicies(const std::shared_ptr<const model::Model>& loaded,
                                   const RunSettings& settings, Interrupt& interrupt) const
{
    const auto resolved = run::resolveSettings(settings, *loaded);
    if (!resolved) {
        return fail(resolved.error());
    }
    const PriceRequest request{loaded, *resolved, promptOf(*loaded, promptTokens), genTokens,
                               repetitions};
    std::atomic<bool> cancel{false};
    interrupt.onSignal([&cancel] { cancel = true; });
    ProgressLine line(output.progress);
    const auto measured = measurePrice(request, cancel, [&](int repetition) {
        line.show("repetition " + std::to_string(repetition) + " of " +
                  std::to_string(repetitions));
    });
    interrupt.onSignal({});
    line.clear();
    if (!measured) {
        return measured.error().code == ErrorCode::Cancelled ? Exit::Interrupted
                                                             : fail(measured.error());
    }
    showPrice(request, *measured, output.json);
    return Exit::Done;
}

Result<trace::SnapshotPtr> BenchCommand::measure(const std::shared_ptr<const model::Model>& loaded,
                                                 const RunSettings& settings,
                                                 Interrupt& interrupt) const
{
    worker::SessionRequest request;
    request.model = loaded;
    request.tokens = promptOf(*loaded, promptTokens);
    // One more than asked: the first warms caches and is not counted.
    request.runs.assign(static_cast<std::size_t>(repetitions) + 1, settings);
    request.hash = !noHash;
    request.referenceBytes = 0; // measure hashing, not the comparison with run 0
    worker::SessionRunner runner(std::move(request));
    interrupt.onSignal([&runner] { runner.cancel(); });
    ProgressLine line(output.progress);
    auto snapshot = runner.run([&](const worker::Progress& progress) {
        line.show("repetition " + std::to_string(progress.run) + " of " +
                  std::to_string(repetitions));
    });
    interrupt.onSignal({});
    return snapshot;
}

void BenchCommand::show(const model::Model& loaded, const trace::Snapshot& snapshot) const
{
    std::vector<double> prefill;
    std::vector<double> decode;
    for (std::size_t i = 1; i < snapshot.runs.size(); ++i) {
        prefill.push_back(snapshot.runs[i]->prefillTokensPerSecond);
        decode.push_back(snapshot.runs[i]->decodeTokensPerSecond);
    }
    const RunSettings& used = snapshot.runs.front()->settings;
    const Spread prefillSpread = spreadOf(prefill);
    const Spread decodeSpread = spreadOf(decode);
    if (output.json) {
        printJson({{"model", audit::jsonText(loaded.hyper().name)},
                   {"path", audit::jsonText(loaded.path())},
                   {"threads", used.threads},
                   {"policy", toString(used.policy)},
                   {"isa", toString(used.isa)},
                   {"hashing", !noHash},
                   {"prompt_tokens", promptTokens},
                   {"gen_tokens", genTokens},
                   {"repetitions", repetitions},
                   {"prefill_tokens_per_second", spreadJson(prefillSpread)},
                   {"decode_tokens_per_second", spreadJson(decodeSpread)},
                   {"peak_rss_bytes", peakResidentBytes()},
                   {"load_seconds", audit::jsonNumber(loaded.loadSeconds())}});
        return;
    }
    print(audit::visibleText(loaded.hyper().name) + ", " + std::string(toString(used.policy)) +
          ", " + audit::formatPlural(used.threads, "thread", "threads") + ", " +
          std::string(toString(used.isa)) + ", hashing " + (noHash ? "off" : "on") + "\n\n");
    TextTable table({"tokens/s", "#tokens", "#median", "#min", "#max"});
    const auto row = [&](const char* name, int tokens, const Spread& spread) {
        std::vector<std::string> cells{name, std::to_string(tokens)};
        for (const double value : {spread.median, spread.min, spread.max}) {
            std::array<char, 32> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
            cells.emplace_back(buffer.data());
        }
        table.row(std::move(cells));
    };
    row("prefill", promptTokens, prefillSpread);
    row("decode", genTokens, decodeSpread);
    print(table.text() + "\n" + audit::formatPlural(repetitions, "repetition", "repetitions") +
          " after one to warm up; loaded in " + audit::formatDifference(loaded.loadSeconds()) +
          " s; peak memory " + describeBytes(static_cast<std::uint64_t>(peakResidentBytes())) +
          "\n");
}

Exit BenchCommand::execute() const
{
    const auto asked = settings();
    if (!asked) {
        return fail(asked.error());
    }
    Interrupt interrupt;
    const auto loaded = loadModel(model, threads, true, output.progress, interrupt);
    if (!loaded) {
        return fail(loaded.error());
    }
    if (const auto fits = checkContext(**loaded); !fits) {
        return fail(fits.error());
    }
    if (price) {
        return comparePolicies(*loaded, *asked, interrupt);
    }
    const auto snapshot = measure(*loaded, *asked, interrupt);
    if (!snapshot) {
        return fail(snapshot.error());
    }
    for (const auto& run : (*snapshot)->runs) {
        if (run->status != trace::RunStatus::Complete) {
            return run->status == trace::RunStatus::Cancelled
                       ? Exit::Interrupted
                       : fail(makeError(ErrorCode::Internal, run->error));
        }
    }
    show(**loaded, **snapshot);
    return interrupt.received() ? Exit::Interrupted : Exit::Done;
}

} // namespace

Action configureBench(CLI::App& app)
{
    auto command = std::make_shared<BenchCommand>();
    addModelOption(app, command->model);
    app.add_option("--threads", command->threads, "Threads; 0 is one for each core")
        ->type_name("T")
        ->capture_default_str();
    app.add_option("--prompt-tokens", command->promptTokens, "Tokens to prefill")
        ->type_name("N")
        ->check(CLI::Range(1, 1 << 20).description(""))
        ->capture_default_str();
    app.add_option("--gen-tokens", command->genTokens, "Tokens to generate")
        ->type_name("N")
        ->check(CLI::Range(2, 1 << 20).description(""))
        ->capture_default_str();
    app.add_option("--repetitions", command->repetitions, "Runs to take median, min and max of")
        ->type_name("R")
        ->check(CLI::Range(1, 1000).description(""))
        ->capture_default_str();
    auto* policy = app.add_option("--policy", command->policy, "Order of sums")
                       ->type_name("P")
                       ->capture_default_str();
    auto* noHash = app.add_flag("--no-hash", command->noHash, "Without hashing");
    app.add_flag("--price", command->price,
                 "What determinism costs: ordered beside the policies that promise less, by op")
        ->excludes(policy)
        ->excludes(noHash);
    command->output.add(app, true);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
