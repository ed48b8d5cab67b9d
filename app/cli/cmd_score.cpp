// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"
#include "engine/run/decoder.h"
#include "engine/run/score.h"

namespace ulp::cli {
namespace {

struct ScoreCommand {
    std::string model;
    PromptOptions prompt;
    SettingOptions settings;
    OutputOptions output;
    int top = 10;

    Exit execute();

  private:
    void show(const model::Model& model, const run::ScoreResult& result) const;
};

audit::JsonValue scoreJson(const run::ScoreResult& result)
{
    audit::JsonValue positions = audit::JsonValue::array();
    for (const auto& position : result.positions) {
        audit::JsonValue top = audit::JsonValue::array();
        for (const auto& [token, logit] : position.top) {
            top.push_back(
                audit::JsonValue::array({token, audit::jsonNumber(static_cast<double>(logit))}));
        }
        positions.push_back(
            {{"log_sum_exp", audit::jsonNumber(position.logSumExp)}, {"top", std::move(top)}});
    }
    return {{"tokens", result.tokens},
            {"mean_nll", audit::jsonNumber(result.meanNll)},
            {"perplexity", audit::jsonNumber(result.perplexity)},
            {"positions", std::move(positions)}};
}

void ScoreCommand::show(const model::Model& loaded, const run::ScoreResult& result) const
{
    TextTable table({"#position", "#token", "text", "expects next", "#logit", "#probability"});
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
        const auto& position = result.positions[i];
        std::string best;
        std::string logit;
        std::string probability;
        if (!position.top.empty()) {
            const auto value = static_cast<double>(position.top.front().second);
            best = audit::visibleText(loaded.tokenizer().piece(position.top.front().first, true));
            logit = audit::formatDifference(value);
            probability = audit::formatDifference(std::exp(value - position.logSumExp));
        }
        table.row({std::to_string(i), std::to_string(result.tokens[i]),
                   audit::visibleText(loaded.tokenizer().piece(result.tokens[i], true)), best,
                   logit, probability});
    }
    print(table.text());
    print("\nmean loss   " + audit::formatDifference(result.meanNll) +
          " nats a token\nperplexity  " + audit::formatDifference(result.perplexity) + "\n");
}

Exit ScoreCommand::execute()
{
    if (auto read = prompt.read(); !read) {
        return fail(read.error());
    }
    const auto asked = settings.settings();
    if (!asked) {
        return fail(asked.error());
    }
    Interrupt interrupt;
    const auto loaded = loadModel(model, settings.threads, false, output.progress, interrupt);
    if (!loaded) {
        return fail(loaded.error());
    }
    const auto resolved = run::resolveSettings(*asked, **loaded);
    if (!resolved) {
        return fail(resolved.error());
    }
    const auto tokens = prompt.encode(**loaded);
    if (!tokens) {
        return fail(tokens.error());
    }
    std::atomic<bool> cancel{false};
    interrupt.onSignal([&cancel] { cancel = true; });
    const auto result = run::score(*loaded, *resolved, *tokens, top, &cancel);
    if (!result) {
        return fail(result.error());
    }
    if (output.json) {
        printJson(scoreJson(*result));
    } else {
        show(**loaded, *result);
    }
    return Exit::Done;
}

} // namespace

Action configureScore(CLI::App& app)
{
    auto command = std::make_shared<ScoreCommand>();
    addModelOption(app, command->model);
    command->prompt.add(app);
    command->settings.add(app);
    app.add_option("--top", command->top, "Largest logits to give at each position")
        ->type_name("K")
        ->check(CLI::Range(0, 1 << 24).description(""))
        ->capture_default_str();
    command->output.add(app, true);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
